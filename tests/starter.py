"""Processes of ours that start in a hundredth of a second: forked from one that has imported everything already.

A started interpreter that imports the client costs 0.3 s of a core, and the tests start a thousand. They are processes
all the same, with a pid, locks and signals of their own, and children of the test's process, which waits for them as
for any other:

- One server a test process is started as any program is. It has one thread, imports the client, and then only forks.
- For each start it is sent the command, the environment, the folder and the three standard files. It forks twice, and
  the one in the middle ends: the test's process, which is a subreaper for that moment, becomes the parent.
- What was started then has the files, the environment and the signals that an interpreter begins with, and runs the
  module (``-m``) or the code (``-c``) as `__main__`. The signals of the handshake are blocked from the beginning, as
  `nhlog.log` blocks them when it is imported.

Rejected: `multiprocessing`'s forkserver, whose children are its own (one cannot wait for them, and they end with it),
and `clone` with CLONE_PARENT, for which the C library has to be deceived about its thread.

What is about starting itself (`test_startup.py`) starts interpreters; so does what runs under another program or user,
or in an environment in which an interpreter begins otherwise.
"""

import ctypes
import fcntl
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

__all__ = ["Started", "can_start", "start"]

_SET_SUBREAPER: Final = 36  # prctl
_READY: Final = (
    "terminal.cli",
    "terminal.commands.lobby",
    "terminal.commands.play",
    "terminal.commands.record",
    "terminal.commands.replay",
    "terminal.commands.watch",
    "terminal.lobby.drawing",
    "terminal.play.loop",
    "terminal.play.start",
    "terminal.replay.drawing.frame",
    "terminal.replay.open",
    "terminal.screen.console",
    "terminal.views.delve.view",
    "nhlog.engines.delve",
    "nhlog.formats.nhgame.operations",
    "nhlog.log.notify",
)
"""What most of what is started imports."""
_AT_START: Final = {
    "LANG": (None, "", "C.UTF-8", os.environ.get("LANG")),
    "LC_ALL": (None, "", os.environ.get("LC_ALL")),
    "NHLOG_KERNELS": (os.environ.get("NHLOG_KERNELS"),),
    "PYTHONIOENCODING": (None,),
    "PYTHONPATH": (None, "", str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH")),
    "PYTHONUTF8": (None,),
}
"""Variables that are read once, when an interpreter or a module of ours begins, and what they may be."""
_LOCK: Final = threading.Lock()


class Started(subprocess.Popen[Any]):
    """A `Popen` whose program, if it is a module or code for our interpreter, starts at once; any other as usual."""

    def _execute_child(self, args: Any, *rest: Any) -> None:
        executable, before, _, kept, folder, environment = rest[:6]
        pipes, (_, group, groups, user, umask, session) = rest[9:15], rest[15:21]
        plain = not (executable or before or kept or group or groups or user) and umask == -1
        if not (plain and can_start(args, environment)):
            super()._execute_child(args, *rest)  # type: ignore[misc]
            return
        files = [given if given != -1 else own for own, given in enumerate((pipes[0], pipes[3], pipes[5]))]
        self.pid = start(args, files, env=environment, cwd=folder, session=session)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


def can_start(command: Any, env: Mapping[str, str] | None) -> bool:
    """Whether a command is a module or code for our interpreter, which would begin with this environment as it did."""
    return (
        isinstance(command, list | tuple)
        and [*map(str, command[:2])] in ([sys.executable, "-m"], [sys.executable, "-c"])
        and all((env or os.environ).get(name) in usual for name, usual in _AT_START.items())
    )


def start(
    command: Sequence[Any],
    files: Sequence[int],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Any = None,
    session: bool = False,
    terminal: bool = False,
) -> int:
    """Start a command with these standard files; gives its pid.

    In a `terminal`, which the files are then, it leads a session of its own and ignores no signal.
    """
    wish = {
        "command": [os.fspath(word) for word in command[1:]],
        "environment": dict(os.environ if env is None else env),
        "folder": os.fspath(cwd or os.getcwd()),
        "session": session,
        "terminal": terminal,
        "ignored": [number for number in _KEPT if not terminal and signal.getsignal(number) == signal.SIG_IGN],
    }
    sys.audit("tests.starter", command)
    with _LOCK:
        server = _server(os.getpid())
        _be_subreaper(True)
        try:
            socket.send_fds(server, [json.dumps(wish).encode()], list(files))
            return int(server.recv(64))
        finally:
            _be_subreaper(False)


_KEPT: Final = (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM)
"""Signals that what is started ignores if we do."""


@cache
def _server(pid: int) -> socket.socket:
    """The server of this process; it ends when we do."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-c", f"from tests.starter import serve; serve({theirs.fileno()})"]
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=root, stdin=subprocess.DEVNULL)
    return ours


def _be_subreaper(wanted: bool) -> None:
    ctypes.CDLL(None).prctl(_SET_SUBREAPER, int(wanted), 0, 0, 0)


# in the server


def serve(descriptor: int) -> None:
    """Fork at each wish until nobody can wish any more."""
    sys.path[:] = [path for path in sys.path if path] + [os.getcwd()]
    for module in _READY:
        import_module(module)
    gc.freeze()
    assert len(os.listdir("/proc/self/task")) == 1, "a process with threads cannot be forked"
    server = socket.socket(fileno=descriptor)
    while True:
        message, files, _, _ = socket.recv_fds(server, 1 << 20, 3)
        if not message:
            os._exit(0)
        middle = os.fork()
        if not middle:
            _become(json.loads(message), files, server)
        for file in files:
            os.close(file)
        os.waitpid(middle, 0)


def _become(wish: dict[str, Any], files: list[int], server: socket.socket) -> NoReturn:
    """In the process in the middle: fork what was asked for, and end; in that one: be it."""
    dressed, dress = os.pipe()
    middle = os.getpid()
    if os.fork():
        os.close(dress)
        os.read(dressed, 1)
        os._exit(0)
    os.close(dressed)
    _dress(wish, files)
    os.close(dress)
    while os.getppid() == middle:
        os.sched_yield()
    server.send(b"%d" % os.getpid())
    server.close()
    _run(wish["command"])


def _dress(wish: dict[str, Any], files: list[int]) -> None:
    """Files, environment, folder, session and signals as for a program that is started."""
    for own, file in enumerate(files):
        os.dup2(file, own)
    for file in files:
        if file > 2:
            os.close(file)
    if wish["session"] or wish["terminal"]:
        os.setsid()
    if wish["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in range(1, signal.NSIG):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    for number in wish["ignored"]:
        signal.signal(number, signal.SIG_IGN)
    os.environ.clear()
    os.environ.update(wish["environment"])
    os.chdir(wish["folder"])
    time.tzset()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        setattr(sys, name, _standard(number))


def _standard(number: int) -> Any:
    mode, errors = ("r", "strict") if number == 0 else ("w", "strict" if number == 1 else "backslashreplace")
    lines = number == 2 or os.isatty(number)
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    file = open(number, mode, buffering=1 if lines or number == 0 else -1, errors=errors, closefd=False)  # noqa: SIM115
    if number and unbuffered:
        file.reconfigure(write_through=True)
    setattr(sys, f"__{('stdin', 'stdout', 'stderr')[number]}__", file)
    return file


def _run(command: list[str]) -> NoReturn:
    """The module or the code, as the interpreter runs it."""
    kind, what, *arguments = command
    sys.argv = [kind, *arguments]
    extra = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:0] = [os.getcwd() if kind == "-m" else "", *extra]
    if kind == "-m":
        sys.modules.pop(what, None)  # it is to run, not to have been imported
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
    sys.exit()
