"""The mouse: reports of the terminal become keys, or what a screen says is at the place that was clicked; no I/O.

A target is a text that `Screen.aim` put there: the name of a key, which a click presses, or a word and what it is about
(``row 7``), which the part of the client understands that drew it.  Both go the way of keys.  The wheel is two keys.
"""

import re
from collections.abc import Callable
from typing import Final

from terminal.screen.keys import WHEEL, about

__all__ = ["OFF", "ON", "Mouse", "is_report"]

ON: Final = b"\x1b[?1002h\x1b[?1006h"
"""Has a terminal report buttons, and moves while one is held, in decimal numbers (xterm's modes 1002 and 1006)."""
OFF: Final = b"\x1b[?1006l\x1b[?1002l"
_REPORT: Final = re.compile(r"\x1b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])")
_BUTTON: Final = 3  # bits of which button it is; the left one is 0
_MOVED: Final = 32
_TURNED: Final = 64
_OTHERS: Final = 128  # buttons 8 to 11


def is_report(sequence: str) -> bool:
    """Whether an escape sequence tells of the mouse."""
    return sequence.startswith("\x1b[<")


class Mouse:
    """What the reports mean; `target_at` tells what is at a column and row of the screen that is shown.

    A button that is held and moved presses only what is about the same as where it began: the bar under it, not the row
    of a menu on the way.
    """

    def __init__(self, target_at: Callable[[int, int], str]) -> None:
        self._target_at = target_at
        self._held = ""  # the target under the button that is held

    def press(self, report: str) -> str:
        """What the report presses; empty if that is nothing."""
        found = _REPORT.fullmatch(report)
        if not found:
            return ""
        button, x, y = (int(number) for number in found.group(1, 2, 3))
        if button & _OTHERS or found[4] == "m":
            self._held = ""
        elif button & _TURNED:
            return (*WHEEL, "", "")[button & _BUTTON]
        elif button & _BUTTON == 0:
            return self._pointed(self._target_at(x - 1, y - 1), moved=bool(button & _MOVED))
        return ""

    def _pointed(self, target: str, *, moved: bool) -> str:
        if moved and (target == self._held or " " not in target.strip() or not about(target, self._word)):
            return ""
        self._held = target
        return target

    @property
    def _word(self) -> str:
        return self._held.partition(" ")[0]
