"""The terminal of who plays while a program draws on it: raw, and as it was found in the end, whatever that is.

Who is killed meanwhile leaves it in whatever state the program had it in: its guardian makes it like a new one.
"""

import os
import termios
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from nhlog.errors import Usage
from nhlog.vt import USUAL_SIZE, Size
from nhlog.vt.redraw import NEW
from terminal.screen.tty.device import Modes, in_front, own_output, raw_modes, stop
from terminal.screen.tty.guardian import Guardian

__all__ = ["RawTerminal", "has_terminal"]

INPUT: Final = 0
OUTPUT: Final = 1


def has_terminal() -> bool:
    """Whether standard input and output are terminals."""
    return os.isatty(INPUT) and os.isatty(OUTPUT)


class RawTerminal:
    """The terminal of standard input and output (see :class:`nhlog.recorder.Player`); a context manager.

    `fixed` is a size that the program keeps, whatever the terminal's is.  `modes` are those in which it was found.
    Raises :class:`Usage` if there is none.
    """

    keyboard = INPUT

    def __init__(self, fixed: Size | None = None) -> None:
        if not has_terminal():
            raise Usage("not a terminal")
        self._fixed = fixed
        self.modes: Modes = termios.tcgetattr(INPUT)
        self._raw = raw_modes(self.modes)
        self.screen = -1

    def __enter__(self) -> Self:
        self.screen = own_output(OUTPUT)
        self._guardian = Guardian(INPUT, self.modes, self._raw, NEW)
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
        return None if self._fixed else self.whole

    @property
    def whole(self) -> Size | None:
        """The terminal's size now, whatever the program has of it; None if it does not know it."""
        try:
            size = Size(*os.get_terminal_size(OUTPUT))
        except OSError:
            return None
        return size.clamped() if all(size) else None

    @property
    def first_size(self) -> Size:
        """The size that the program gets."""
        return self._fixed or self.size or USUAL_SIZE

    def show(self, data: bytes) -> None:
        """Show this, if the terminal is there and takes it."""
        with suppress(OSError):
            os.write(self.screen, data)

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
