"""Processes of ours, each forked from one that has imported what they need: they begin at once and share its memory.

A game that is a program has a process that keeps it; as an interpreter of its own each took 13 MB and 0.2 s of the
processor, nearly all of it for the same modules; a player's lobby 32 MB and half a second.  So a *service*, ``python
-m nhlog.forked MODULE SOCKET``, imports them once and then only forks.  The first who needs it starts it; it goes on
when that one ends, and ends a while after the last process that it forked, or when the files that it imported are not
those any more, or more packages are installed.

- Nobody needs it: who finds none, or gets no answer, starts an interpreter as before.  What was forked depends on
  it for nothing, and goes on when it is killed.
- What is forked is as if who asked had started it: it gets their environment, folder, limits, umask, priority and
  ignored signals, the descriptor that it works for and no other, a session and a number of its own.  Signals that are
  blocked by what was imported (those of a log's handshake) are blocked in it.
- What cannot be handed on is in the name of the service's socket: user, groups, rights, namespaces, the unit of systemd
  (login sessions count as one), interpreter, `sys.path`.  Who differs in any of it has another service.
- Who can have something forked is out of all walls.  The socket is in a folder that only its user can open; both sides
  ask the system whose the other is; and who asks shows the service its namespaces, as open files: a game of the same
  user, which runs within walls, has none but its own, wherever it may have found the socket.
- The service has one thread, keeps nothing of who asks, and trusts them to nothing but to be our own code: one who says
  nothing for `_MANNERS` is sent away.

To count a reference is to write: a page of memory on which the service so much as looks at an object is its own from
then on, and what was shared is left to each of those who were forked before.  So it looks at little between two forks.
Where it went through all its modules each time, to see whether their files are those any more, each of eight lobbies
had 1.8 MB more to itself, and each host 0.6.

The listening socket is made by who starts the service, under a lock, and handed to it.  So who comes while it still
imports waits in the queue, two who come at once have one service, and nobody asks again and again whether it is there.

Rejected: `multiprocessing`'s forkserver, which `terminal.web` uses: it ends with the process that started it, as its
children do.  A place in XDG_RUNTIME_DIR: sshd without systemd makes none.  Garbage collection by the children: what was
imported is frozen, or the first collection would copy all of it.
"""

import gc
import json
import os
import re
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final, NoReturn

from nhlog.cache import cache_folder
from nhlog.files import lock_within, open_folder
from nhlog.files.opening import open_subfolder
from nhlog.files.processes import LAST_DESCRIPTOR, python_command, python_environment, read_table
from nhlog.plugins import packages

__all__ = ["begin", "forked"]

_FOLDER: Final = "forked"  # of sockets, in the cache
_PATIENCE: Final = 5.0  # seconds for the service to begin, and to answer
_MANNERS: Final = 1.0  # seconds for who connects to say what they want
_REST: Final = 60.0  # seconds without a process that it forked, after which the service ends
_MOST: Final = 1 << 18  # bytes of a wish: the system's own limit is below
_QUEUE: Final = 128  # who may wait at the same time
_PIECE: Final = 1 << 16
_FORKED: Final = b"forked"
_NAMESPACES: Final = ("mnt", "user", "pid")
_CREDENTIALS: Final = struct.Struct("3i")  # struct ucred: pid, uid, gid
_ALIKE: Final = re.compile(r"^(?:Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp):.*$", re.MULTILINE)
_SESSION: Final = re.compile(r"session-\w+\.scope")
_READ_AT_START: Final = re.compile(r"PYTHON(?!PATH$)|NHLOG_|LD_|MALLOC_|GLIBC_")
"""Variables that an interpreter, or a module of ours, reads when it begins; `sys.path` is compared by itself."""
_LIMITS: Final = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})


def begin(module: str, given: bytes) -> bytes:
    """Begin a process that runs `main` of `module` in a session of its own; returns what it answers.

    Its standard input and output are one socket, on which it is `given` something; the answer ends when it has closed
    both.  Raises :class:`OSError` if none can be started.
    """
    told: list[bytes] = []
    with forked(module) or _started(module) as channel:
        with suppress(BrokenPipeError, ConnectionResetError):  # it may have answered, and ended, without reading that
            channel.sendall(given)
            channel.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            told += iter(lambda: channel.recv(_PIECE), b"")
    return b"".join(told)


def _started(module: str) -> socket.socket:
    """Start an interpreter that runs the module, and is nobody's child; returns our side of its channel."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            subprocess.run(
                python_command("-m", "nhlog.forked", module),
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.DEVNULL,
                env=python_environment(),
                start_new_session=True,
                check=False,
            )
        except BaseException:
            ours.close()
            raise
    return ours


# who asks


def forked(module: str) -> socket.socket | None:
    """Have the service fork a process that runs the module; returns our side of its channel, None if it does not.

    What is forked has the other side as its standard input and output.  The channel is no other's: a service that was
    stopped, and goes on after we have, forks one whose channel is closed.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            with _connected(module) as connection, _opened(*_namespaces(), ".") as places:
                connection.settimeout(_PATIENCE)
                socket.send_fds(connection, [_wish()], [theirs.fileno(), *places])
                if connection.recv(len(_FORKED)) == _FORKED:
                    return ours
        except (OSError, subprocess.SubprocessError):
            pass
    ours.close()
    return None


@contextmanager
def _connected(module: str) -> Iterator[socket.socket]:
    """A connection to the service, which is started if there is none; raises :class:`OSError`."""
    name = _name(module)
    folder = _own_folder()
    try:
        connection = _connect(folder, name) or _connect_new(folder, name, module)
    finally:
        os.close(folder)
    with connection:
        if _whose(connection) != os.geteuid():
            raise PermissionError
        yield connection


def _own_folder() -> int:
    """The folder of the sockets, which only we can look into; raises :class:`OSError` where there is none."""
    root = cache_folder()
    os.makedirs(root, mode=0o700, exist_ok=True)
    with suppress(FileExistsError):
        os.mkdir(os.path.join(root, _FOLDER), 0o700)
    outer = open_folder(root)
    try:
        folder = open_subfolder(outer, _FOLDER)
    finally:
        os.close(outer)
    status = os.fstat(folder)
    if status.st_uid == os.geteuid() and not status.st_mode & 0o077:
        return folder
    os.close(folder)
    raise PermissionError


def _connect(folder: int, name: str) -> socket.socket | None:
    connection = _new_socket()
    try:
        connection.settimeout(_PATIENCE)
        connection.connect(_address(folder, name))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_new(folder: int, name: str, module: str) -> socket.socket:
    """A connection to a service that we, or somebody else at the same time, have started."""
    if not lock_within(folder, _PATIENCE):
        raise TimeoutError
    connection = _connect(folder, name)
    if connection is not None:
        return connection
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
    with _new_socket() as listener:
        listener.bind(_address(folder, name))
        listener.listen(_QUEUE)
        environment = python_environment()
        needed = {word: environment[word] for word in environment if _READ_AT_START.match(word)}
        needed["PYTHONUTF8"] = str(sys.flags.utf8_mode)
        subprocess.run(
            python_command("-m", "nhlog.forked", module, name),
            stdin=listener.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"LANG": "C.UTF-8", "PYTHONPATH": environment["PYTHONPATH"], **needed},
            cwd=f"/proc/self/fd/{folder}",
            start_new_session=True,
            timeout=_PATIENCE,
            check=True,
        )
        connection = _new_socket()
        connection.settimeout(_PATIENCE)
        connection.connect(_address(folder, name))
        return connection


def _new_socket() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def _address(folder: int, name: str) -> str:
    """The socket's path, as short as sockets want it."""
    return f"/proc/self/fd/{folder}/{name}"


def _name(module: str) -> str:
    """A name of all that has to be alike: what cannot be handed to a process that is forked from another one."""
    from hashlib import blake2b  # which brings all of OpenSSL with it: 3.5 MB

    alike = (
        module,
        sys.executable,
        sys.version,
        [*dict.fromkeys(filter(None, sys.path))],
        sys.getfilesystemencoding(),
        sys.flags.utf8_mode,
        {name: value for name, value in sorted(os.environ.items()) if _READ_AT_START.match(name)},
        [os.readlink(f"/proc/self/ns/{name}") for name in sorted(os.listdir("/proc/self/ns"))],
        _ALIKE.findall(read_table("/proc/self/status")),
        _SESSION.sub("", read_table("/proc/self/cgroup")),
        read_table("/proc/self/attr/current"),
    )
    return f"{blake2b(repr(alike).encode(errors='surrogateescape'), digest_size=16).hexdigest()}.socket"


def _wish() -> bytes:
    """How a process is to begin that is ours: as we are."""
    wish = {
        "environment": python_environment(),
        "umask": _umask(),
        "limits": [(number, *resource.getrlimit(number)) for number in _LIMITS],
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "processors": [*os.sched_getaffinity(0)],
        "ignored": [number for number in signal.valid_signals() if signal.getsignal(number) is signal.SIG_IGN],
        "blocked": [*signal.pthread_sigmask(signal.SIG_BLOCK, [])],
    }
    return json.dumps(wish).encode()


def _umask() -> int:
    [line] = re.findall(r"^Umask:\s*(\d+)$", read_table("/proc/self/status"), re.MULTILINE)
    return int(line, 8)


def _namespaces() -> list[str]:
    return [f"/proc/self/ns/{name}" for name in _NAMESPACES]


@contextmanager
def _opened(*paths: str) -> Iterator[list[int]]:
    opened: list[int] = []
    try:
        for path in paths:
            opened.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
        yield opened
    finally:
        for file in opened:
            os.close(file)


def _whose(connection: socket.socket) -> int:
    """The user who has the other side."""
    found = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(found)[1])


# the service


class _Service:
    """Forks for whoever asks; `_children` are the processes that it forked, by descriptors of them."""

    def __init__(self, module: str, listener: socket.socket) -> None:
        self._module, self._listener = module, listener
        self._children: dict[int, int] = {}
        self._poll = select.poll()
        self._poll.register(listener, select.POLLIN)
        self._ours = [_identity(os.stat(path)) for path in _namespaces()]
        signal.pthread_sigmask(signal.SIG_SETMASK, [])  # what is blocked in who started us is not for who asks us later
        import_module(module).prepare()
        self._blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
        self._imported = "\0".join(_imported())  # one object, where the modules are many
        self._read = _as_written(self._imported)
        gc.collect()
        gc.freeze()
        assert len(os.listdir("/proc/self/task")) == 1, "a process with threads cannot be forked"

    def serve(self) -> None:
        """Do so until nobody has asked for a while, and nothing is left of what was forked."""
        while ready := self._poll.poll(None if self._children else _REST * 1000):
            for descriptor, _ in ready:
                if descriptor in self._children:
                    self._bury(descriptor)
                elif _as_written(self._imported) != self._read:
                    return  # who asks starts an interpreter, and the next one another service
                else:
                    with suppress(OSError, ValueError):  # they are gone, or no code of ours: nothing of it is kept
                        self._admit()

    def _bury(self, descriptor: int) -> None:
        self._poll.unregister(descriptor)
        os.waitpid(self._children.pop(descriptor), 0)
        os.close(descriptor)

    def _admit(self) -> None:
        connection, _ = self._listener.accept()
        with connection:
            connection.settimeout(_MANNERS)
            wish, files, _, _ = socket.recv_fds(connection, _MOST, len(_NAMESPACES) + 2, socket.MSG_CMSG_CLOEXEC)
            try:
                self._fork(connection, wish, files)
            finally:
                for file in files:
                    os.close(file)

    def _fork(self, connection: socket.socket, wish: bytes, files: list[int]) -> None:
        channel, *shown, folder = files
        if _whose(connection) != os.geteuid() or [_identity(os.fstat(file)) for file in shown] != self._ours:
            return
        wanted = json.loads(wish)
        pid = os.fork()
        if not pid:
            self._become(connection, wanted, channel, folder)
        descriptor = os.pidfd_open(pid)
        self._children[descriptor] = pid
        self._poll.register(descriptor, select.POLLIN)

    def _become(self, connection: socket.socket, wanted: dict[str, Any], channel: int, folder: int) -> NoReturn:
        """In the new process: be what was wanted, and end."""
        code = 1
        try:
            os.setsid()
            self._listener.detach()  # its number is that of standard input
            _dress(wanted, channel, folder)
            signal.pthread_sigmask(signal.SIG_BLOCK, self._blocked)
            connection.send(_FORKED)
            connection.close()
            os.closerange(3, LAST_DESCRIPTOR)
            import_module(self._module).main()
            code = 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else code
        finally:
            os._exit(code)


def _dress(wanted: dict[str, Any], channel: int, folder: int) -> None:
    """Give this process what was wanted; raises :class:`OSError` and :class:`ValueError` where it may not have that."""
    os.dup2(channel, 0)
    os.dup2(channel, 1)
    os.fchdir(folder)
    os.umask(wanted["umask"])
    for number, *limits in wanted["limits"]:
        resource.setrlimit(number, (limits[0], limits[1]))
    os.setpriority(os.PRIO_PROCESS, 0, wanted["priority"])
    os.sched_setaffinity(0, wanted["processors"])
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGINT}:
        with suppress(OSError, ValueError):  # the C library keeps some for itself
            signal.signal(number, signal.SIG_IGN if number in wanted["ignored"] else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, wanted["blocked"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    time.tzset()


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _imported() -> set[str]:
    """The files of all that was imported."""
    return {file for module in [*sys.modules.values()] if (file := getattr(module, "__file__", None))}


def _as_written(files: str) -> list[tuple[str, int]]:
    """What is installed, and when these files and that were written; 0 for one that is gone."""
    installed = [*packages(sys.path)]
    return [("", _written(file)) for file in files.split("\0")] + [(file, _written(file)) for file in installed]


def _written(file: str) -> int:
    with suppress(OSError):
        return os.stat(file).st_mtime_ns
    return 0


def _serve(name: str, module: str) -> None:
    """Be the service of the socket that is standard input, and has this name in the folder that we are in."""
    with socket.socket(fileno=0) as listener:
        _Service(module, listener).serve()
        with suppress(FileNotFoundError):
            os.unlink(name)  # as long as we listen it is ours: who found another one has not removed it


def _main(module: str, name: str = "") -> None:
    """Be the service with that name, or, without one, a process that no service forked."""
    if os.fork():
        os._exit(0)  # so that no parent has to wait for it
    if name:
        _serve(name, module)
    else:
        import_module(module).main()


if __name__ == "__main__":
    _main(*sys.argv[1:])
