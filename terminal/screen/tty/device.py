"""The terminal as the system has it: its descriptors and modes, what it was sent, and who is in front of it."""

import os
import select
import signal
import termios
from typing import Any, Final

from nhlog.errors import BY_SIGNAL

__all__ = ["Modes", "Output", "cbreak_modes", "in_front", "own_output", "raw_modes", "read_keys", "set_modes", "stop"]

Modes = list[Any]
"""A terminal's attributes, as `termios` has them."""

_KEYS: Final = 4096  # bytes of what is typed that are read at once: as many as a terminal keeps
_IFLAG, _OFLAG, _CFLAG, _LFLAG, _CC = 0, 1, 2, 3, 6
_NO_INPUT: Final = (
    termios.IGNBRK | termios.BRKINT | termios.PARMRK | termios.INPCK | termios.ISTRIP
    | termios.INLCR | termios.IGNCR | termios.ICRNL | termios.IXON | termios.IXOFF
)  # fmt: skip
_NO_LOCAL: Final = termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN


def raw_modes(modes: Modes) -> Modes:
    """The modes in which a terminal does nothing by itself: all keys come as they are, all output goes as it is."""
    raw = [*modes]
    raw[_IFLAG] &= ~_NO_INPUT
    raw[_OFLAG] &= ~termios.OPOST
    raw[_CFLAG] = raw[_CFLAG] & ~(termios.CSIZE | termios.PARENB) | termios.CS8
    raw[_LFLAG] &= ~_NO_LOCAL
    raw[_CC] = [*modes[_CC]]
    raw[_CC][termios.VMIN], raw[_CC][termios.VTIME] = 1, 0
    return raw


def cbreak_modes(modes: Modes) -> Modes:
    """The modes in which keys come one by one and are not shown, and those of signals are still the terminal's."""
    ours = [*modes]
    ours[_LFLAG] &= ~(termios.ECHO | termios.ICANON)
    ours[_CC] = [*modes[_CC]]
    ours[_CC][termios.VMIN], ours[_CC][termios.VTIME] = 1, 0
    return ours


def set_modes(descriptor: int, modes: Modes) -> None:
    """Give a terminal these modes when it has shown what was sent to it; raises :class:`SystemExit` if it is gone."""
    try:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, modes)
    except termios.error:
        raise SystemExit(BY_SIGNAL + signal.SIGHUP) from None


class Output:
    """A terminal's output; what it does not accept at once is `waiting`."""

    def __init__(self, descriptor: int) -> None:
        self._out = own_output(descriptor)
        self.waiting = bytearray()

    def fileno(self) -> int:
        """The descriptor, which can be polled."""
        return self._out

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._out)

    def send(self) -> None:
        """Send as much as the terminal accepts now; raises :class:`SystemExit` if it is gone."""
        try:
            while self.waiting:
                del self.waiting[: os.write(self._out, self.waiting)]
        except BlockingIOError:
            return
        except OSError:
            raise SystemExit(BY_SIGNAL + signal.SIGHUP) from None

    def drain(self, patience: float) -> None:
        """Send all of it, unless the terminal accepts nothing for so many seconds."""
        poll = select.poll()
        poll.register(self._out, select.POLLOUT)
        while self.waiting and poll.poll(patience * 1000):
            self.send()


def own_output(descriptor: int) -> int:
    """A separate descriptor for the terminal, so that non-blocking mode does not affect other programs."""
    try:
        return os.open(os.ttyname(descriptor), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return os.dup(descriptor)


def read_keys(descriptor: int) -> bytes:
    """What was typed at this terminal; raises :class:`SystemExit` if nobody is there any more."""
    try:
        data = os.read(descriptor, _KEYS)
    except OSError:
        data = b""
    if not data:
        raise SystemExit(BY_SIGNAL + signal.SIGHUP)
    return data


def in_front(descriptor: int) -> bool:
    """Whether this process is in the terminal's foreground: in the background it must not change the terminal."""
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return True  # it is nobody's controlling terminal


def stop() -> None:
    """Stop as by the default action of the signal; returns when the process continues."""
    ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, ours)
