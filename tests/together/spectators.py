"""Spectators, each a process with a terminal of its own, that come and go quickly: forked with all modules loaded.

``python -m tests.together.spectators LOG METHOD`` reads how the next one is to end: the name of a signal, ``closed``
for its terminal, or a key; it says ``ended`` with the exit code (minus the signal that killed it).
"""

import ctypes  # noqa: F401 - a thread that imports it at a fork keeps the child from doing so
import gc
import os
import pty
import select
import signal
import sys
import traceback

from nhlog.config import Config
from nhlog.log import NotifyMethod
from terminal.followed import Followed
from terminal.replay.live import watch_file
from terminal.screen.console import Console

SHOWN = b"quit"  # the last word of every picture of the player


def main(path: str, method: str) -> None:
    look_on(path)
    errors = os.dup(2)  # the spectator's own are at its terminal, which may be gone
    for line in sys.stdin:
        pid, terminal = pty.fork()
        if pid == 0:
            spectate(path, NotifyMethod(method), errors)
        code = end(pid, terminal, line.rstrip("\n"))
        print(f"ended {code}", flush=True)


def look_on(path: str) -> None:
    """Be a spectator by file events, who leaves at once: what each makes once comes before the forks.

    That is imports, tables, methods of values: half of what a spectator takes, who lives for a tenth of a second.
    """
    ours, terminal = os.openpty()
    os.write(ours, b"q")
    kept = [os.dup(number) for number in (0, 1)]
    for number in (0, 1):
        os.dup2(terminal, number)
    with Console() as console:
        watch_file(console, Followed(path), Config(notify=NotifyMethod.EVENTS))
    for number, file in enumerate(kept):
        os.dup2(file, number)
    for file in (ours, terminal, *kept):
        os.close(file)
    gc.freeze()
    assert len(os.listdir("/proc/self/task")) == 1, "a process with threads cannot be forked"


def spectate(path: str, method: NotifyMethod, errors: int) -> None:
    """In the child: watch until the end; what it should not end with is told to `errors`."""
    code = 0
    try:
        with Console() as console:
            watch_file(console, Followed(path), Config(notify=method))
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        os.write(errors, traceback.format_exc().encode())
        code = 1
    os._exit(code)


def end(pid: int, terminal: int, how: str) -> int:
    """Wait for a picture, then end the child in that way; gives its exit code."""
    seen = b""
    while SHOWN not in seen:
        seen = (seen + os.read(terminal, 65536))[-100_000:]
    if how == "closed":
        os.close(terminal)
    elif how.startswith("SIG"):
        os.kill(pid, getattr(signal, how))
    else:
        os.write(terminal, how.encode())
    while how != "closed" and select.select([terminal], [], [], 60)[0]:
        try:
            if not os.read(terminal, 65536):
                break
        except OSError:  # nobody is at its other end any more
            break
    _, status = os.waitpid(pid, 0)
    if how != "closed":
        os.close(terminal)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    os.environ["TERM"] = "xterm"
    main(sys.argv[1], sys.argv[2])
