"""A process that waits for ours to be killed, and then gives the terminal back as it was found.

It becomes a program of its own (`waiting`): as a copy of ours it would have a copy of all that ours goes on to touch,
15 MB for each player, as Python counts references in the objects themselves.
"""

import marshal
import os
import signal
import sys
from contextlib import suppress
from typing import Final, NoReturn

from terminal.screen.tty import waiting
from terminal.screen.tty.device import Modes

__all__ = ["Guardian"]

_LAST_DESCRIPTOR: Final = (1 << 31) - 1


class Guardian:
    """Gives a terminal its modes back when we are killed, unless others changed them from `ours` before.

    `farewell` is sent to it before that, if we were drawing on it then (`enter`, `leave`).
    """

    def __init__(self, terminal: int, modes: Modes, ours: Modes, farewell: bytes = b"") -> None:
        reading, self._writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _guard(reading, terminal, modes, ours, farewell)
        os.close(reading)

    def enter(self) -> None:
        """The terminal is drawn on from now on."""
        self._tell(waiting.OURS)

    def leave(self) -> None:
        """It is not any more, until `enter`."""
        self._tell(waiting.LEFT)

    def dismiss(self) -> None:
        """There is nothing to guard any more."""
        self._tell(waiting.DISMISSED)
        os.close(self._writing)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)

    def _tell(self, what: bytes) -> None:
        with suppress(OSError):
            os.write(self._writing, what)


def _guard(told: int, terminal: int, modes: Modes, ours: Modes, farewell: bytes) -> NoReturn:
    """Become a program that waits, ready to begin: whoever is killed meanwhile is noticed then."""
    try:
        os.setpgid(0, 0)  # what is sent to the group of who is guarded is not for it
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(OSError, ValueError):  # the C library keeps some for itself
                signal.signal(number, signal.SIG_IGN)  # of them SIGTTOU: it is in the background
        name = os.ttyname(terminal)
        told, terminal = os.dup(told), os.dup(terminal)
        given, giving = map(os.dup, os.pipe())
        os.write(giving, marshal.dumps((name, modes, ours, farewell)))  # a pipe holds far more than that
        for fd, kept in enumerate((told, terminal, given)):
            os.dup2(kept, fd)
        os.closerange(3, _LAST_DESCRIPTOR)
        with suppress(OSError, ValueError):  # then it waits as it is
            os.execv(sys.executable, [sys.executable, "-I", "-S", waiting.__file__])
        waiting.wait(name, modes, ours, farewell)
    finally:
        os._exit(0)
