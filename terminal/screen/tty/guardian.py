"""A process that waits for ours to be killed, and then gives the terminal back as it was found.

It becomes a program of its own (`waiting`): as a copy of ours it would have a copy of all that ours goes on to touch,
15 MB for each player, as Python counts references in the objects themselves.  Who has a process in front (`front`) has
its guardian in that one.
"""

import marshal
import os
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

from nhlog.files.processes import LAST_DESCRIPTOR
from terminal.screen.tty import front, waiting
from terminal.screen.tty.device import Modes

__all__ = ["Guardian"]


class Guardian:
    """Gives a terminal its modes back when we are killed, unless others changed them from `ours` before.

    `farewell` is sent to it before that.  There is one at a time.
    """

    def __init__(self, terminal: int, modes: Modes, ours: Modes, farewell: bytes = b"") -> None:
        self._pid, behind = 0, front.channel()
        if behind is None:
            reading, behind = os.pipe()
            self._pid = os.fork()
            if not self._pid:
                _guard(reading, terminal)
            os.close(reading)
        self._writing = behind
        with suppress(OSError):  # a terminal without a name
            self._tell((os.ttyname(terminal), modes, ours, farewell))

    def dismiss(self) -> None:
        """There is nothing to guard any more."""
        self._tell(waiting.DISMISSED)
        if self._pid:
            os.close(self._writing)
            with suppress(ChildProcessError):
                os.waitpid(self._pid, 0)

    def _tell(self, what: tuple[Any, ...]) -> None:
        with suppress(OSError):
            os.write(self._writing, marshal.dumps(what))


def _guard(told: int, terminal: int) -> NoReturn:
    """Become a program that waits."""
    try:
        os.setpgid(0, 0)  # what is sent to the group of who is guarded is not for it
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(OSError, ValueError):  # the C library keeps some for itself
                signal.signal(number, signal.SIG_IGN)  # of them SIGTTOU: it is in the background
        for fd, kept in enumerate((os.dup(told), os.dup(terminal))):
            os.dup2(kept, fd)
        os.closerange(2, LAST_DESCRIPTOR)
        with suppress(OSError, ValueError):  # then it waits as it is
            os.execv(sys.executable, [sys.executable, "-I", "-S", waiting.__file__])
        waiting.wait(0, 1)
    finally:
        os._exit(0)
