"""The terminal of who plays while a program draws on it: raw, and as it was found in the end, whatever that is.

A process of its own waits for the recorder to be killed, and then does what that cannot do any more.
"""

import os
import signal
import termios
from contextlib import suppress
from types import TracebackType
from typing import Final, NoReturn, Self

from nhlog.errors import Usage
from nhlog.vt import USUAL_SIZE, Size
from terminal.screen.device import Modes, in_front, own_output, raw_modes, stop

__all__ = ["RawTerminal"]

INPUT: Final = 0
OUTPUT: Final = 1
_LAST_DESCRIPTOR: Final = (1 << 31) - 1


class RawTerminal:
    """The terminal of standard input and output (see :class:`nhlog.recorder.Player`); a context manager.

    `fixed` is a size that the program keeps, whatever the terminal's is.  `modes` are those in which it was found.
    Raises :class:`Usage` if there is none.
    """

    keyboard = INPUT

    def __init__(self, fixed: Size | None = None) -> None:
        if not (os.isatty(INPUT) and os.isatty(OUTPUT)):
            raise Usage("not a terminal: --headless records a program without one")
        self._fixed = fixed
        self.modes: Modes = termios.tcgetattr(INPUT)
        self._raw = raw_modes(self.modes)
        self.screen = -1

    def __enter__(self) -> Self:
        self.screen = own_output(OUTPUT)
        self._guardian = _Guardian(INPUT, self.modes, self._raw)
        try:
            self.go_on()
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._leave()

    def _leave(self) -> None:
        self._set(self.modes)
        os.close(self.screen)
        self._guardian.dismiss()

    @property
    def size(self) -> Size | None:
        """The terminal's size now; None if it does not know it, or the program keeps its own."""
        if self._fixed:
            return None
        try:
            size = Size(*os.get_terminal_size(OUTPUT))
        except OSError:
            return None
        return size if all(size) else None

    @property
    def first_size(self) -> Size:
        """The size that the program gets."""
        return self._fixed or self.size or USUAL_SIZE

    def stop(self) -> None:
        """Leave the terminal to others, and be stopped as by SIGTSTP; returns when the process goes on."""
        self._set(self.modes)
        stop()
        self.go_on()

    def go_on(self) -> None:
        """Make the terminal raw, if it is ours just now."""
        self._set(self._raw)

    def _set(self, modes: Modes) -> None:
        if in_front(INPUT):
            with suppress(termios.error):  # it is gone
                termios.tcsetattr(INPUT, termios.TCSANOW, modes)


class _Guardian:
    """A process that gives a terminal its modes back when we are killed, unless others changed them before."""

    def __init__(self, terminal: int, modes: Modes, raw: Modes) -> None:
        reading, self._writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _guard(reading, terminal, modes, raw)
        os.close(reading)

    def dismiss(self) -> None:
        """There is nothing to guard any more."""
        with suppress(OSError):
            os.write(self._writing, b"!")
        os.close(self._writing)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _guard(told: int, terminal: int, modes: Modes, raw: Modes) -> NoReturn:
    """Wait until we are dismissed, or nobody is left who could do that."""
    try:
        os.setpgid(0, 0)  # what is sent to the recorder's group is not for it
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(OSError, ValueError):  # the C library keeps some for itself
                signal.signal(number, signal.SIG_IGN)  # of them SIGTTOU: it is in the background
        name = os.ttyname(terminal)
        told, terminal = os.dup(told), os.dup(terminal)
        for fd, kept in enumerate((told, terminal)):
            os.dup2(kept, fd, inheritable=False)
        os.closerange(2, _LAST_DESCRIPTOR)
        if not os.read(0, 1) and not _restore(1, modes, raw):  # it hung up with the recorder, but may be there
            os.dup2(os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK), 1)
            _restore(1, modes, raw)
    finally:
        os._exit(0)


def _restore(terminal: int, modes: Modes, raw: Modes) -> bool:
    """Give it its modes if nobody else gave it others; returns whether it could be asked."""
    try:
        if termios.tcgetattr(terminal) == raw:
            termios.tcsetattr(terminal, termios.TCSANOW, modes)
    except termios.error:
        return False
    return True
