"""A process that waits for ours to be killed, and then gives the terminal back as it was found."""

import os
import signal
import termios
from contextlib import suppress
from typing import Final, NoReturn

from terminal.screen.tty.device import Modes

__all__ = ["Guardian"]

_LAST_DESCRIPTOR: Final = (1 << 31) - 1
_OURS, _LEFT, _DISMISSED = b"+", b"-", b"!"  # what the guardian is told


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
        self._tell(_OURS)

    def leave(self) -> None:
        """It is not any more, until `enter`."""
        self._tell(_LEFT)

    def dismiss(self) -> None:
        """There is nothing to guard any more."""
        self._tell(_DISMISSED)
        os.close(self._writing)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)

    def _tell(self, what: bytes) -> None:
        with suppress(OSError):
            os.write(self._writing, what)


def _guard(told: int, terminal: int, modes: Modes, ours: Modes, farewell: bytes) -> NoReturn:
    """Wait until we are dismissed, or nobody is left who could do that."""
    try:
        os.setpgid(0, 0)  # what is sent to the group of who is guarded is not for it
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(OSError, ValueError):  # the C library keeps some for itself
                signal.signal(number, signal.SIG_IGN)  # of them SIGTTOU: it is in the background
        name = os.ttyname(terminal)
        told, terminal = os.dup(told), os.dup(terminal)
        for fd, kept in enumerate((told, terminal)):
            os.dup2(kept, fd, inheritable=False)
        os.closerange(2, _LAST_DESCRIPTOR)
        last = _last_told()
        if last != _DISMISSED:
            _say(name, farewell if last == _OURS else b"")
            if not _restore(1, modes, ours):  # it hung up with who was guarded, but may be there
                os.dup2(os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK), 1)
                _restore(1, modes, ours)
    finally:
        os._exit(0)


def _last_told() -> bytes:
    """Wait for the end, and return what was told last."""
    last = b""
    while last != _DISMISSED and (told := os.read(0, 512)):
        last = told[-1:]
    return last


def _say(name: str, farewell: bytes) -> None:
    """Send it without waiting for a terminal that takes nothing."""
    if farewell:
        with suppress(OSError):
            os.write(os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK), farewell)


def _restore(terminal: int, modes: Modes, ours: Modes) -> bool:
    """Give it its modes if nobody else gave it others; returns whether it could be asked."""
    try:
        if termios.tcgetattr(terminal) == ours:
            termios.tcsetattr(terminal, termios.TCSANOW, modes)
    except termios.error:
        return False
    return True
