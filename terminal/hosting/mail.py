"""What others say to the player of a program: the player's process looks for it, and the host shows it.

It is shown in the window's title, with the bell, and in the terminal's last row if the game leaves that free; after
some seconds both are restored.  It does not get into the recording.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from nhlog.errors import NhlogError
from nhlog.files import stamp_of
from nhlog.files.processes import locks_on
from nhlog.screen import clip, width_of
from nhlog.vt import Size
from terminal.screen.encoding import speaks_utf8

if TYPE_CHECKING:  # the host draws without it
    from terminal.messages.others import FromOthers

__all__ = ["LOOK", "MOST", "SHOWN", "Post", "drawn", "typed"]

LOOK: Final = 1.0  # seconds between two looks for mail
WHO: Final = 4.0  # and between two looks who watches: each reads the locks of all, and a line is not typed sooner
SHOWN: Final = 10.0  # seconds for which a letter is shown
MOST: Final = 20  # that wait: of a talk the latest are shown
_KEEP_TITLE: Final = b"\x1b[22;2t"
_TITLE: Final = b"\x1b]2;%s\x07"
_BELL: Final = b"\x07"
_TITLE_BACK: Final = b"\x1b[23;2t"
_ROW: Final = b"\x1b[?6l\x1b(B\x0f\x1b[%d;1H\x1b[0m\x1b[2K\x1b[7m%s"
_LAST_ROW: Final = b"\x1b7" + _ROW + b"\x1b8"
"""The cursor is kept, the row is written from the screen's own first column and in plain characters, and the cursor is
back with all that belongs to it.
"""
_TYPED: Final = b"\x18\x1b[4l" + _ROW + b"\x1b[0m\x1b[?25h"  # whatever the program was about to write


class Post:
    """What others say to the player of a program that is being recorded, if it is; `hint` is how one answers."""

    def __init__(
        self,
        recording: str | None,
        others: "FromOthers",
        clock: Callable[[], float] = time.monotonic,
        *,
        hint: str = "",
    ) -> None:
        self._recording, self._others, self._clock = recording, others, clock
        self._hint = f"  [{hint}]" if hint and others.say is not None else ""
        self._waiting = deque[str](maxlen=MOST)
        self._shown: float | None = None  # since when a letter is shown
        self._watched, self._asked = False, -WHO

    def look(self) -> list[str]:
        """The texts to show from now on, one after the other; an empty text shows nothing."""
        self._others.tend(watched=self._is_watched())
        self._waiting.extend(self._others.news())
        now = self._clock()
        if self._shown is not None and (self._waiting or now - self._shown >= SHOWN):
            self._shown = None
            return [""]
        if self._shown is None and self._waiting:
            self._shown = now
            text, self._hint = self._waiting.popleft() + self._hint, ""
            return [showable(text)]
        return []

    @property
    def is_answered(self) -> bool:
        """Whether the player can say something, too."""
        return self._others.say is not None

    def say(self, text: str) -> None:
        """Say it to all who watch; why that cannot be is shown as what others say."""
        if self._others.say is None or not text.strip():
            return
        self._hint = ""
        self._others.tend(watched=True)  # whoever watches from now on reads it
        try:
            self._others.say(text)
        except NhlogError as error:
            self._waiting.append(error.what)

    def _is_watched(self) -> bool:
        """Whether somebody was on the recording at the last look."""
        now = self._clock()
        if now >= self._asked + WHO:
            stamp = None if self._recording is None else stamp_of(self._recording)
            self._watched = stamp is not None and bool(locks_on(stamp.identity).marks)
            self._asked = now
        return self._watched


def drawn(mail: str, below: Size | None) -> bytes:
    """What to send to a terminal to show mail; for an empty text, to remove it.

    `below` is its size, if its last row is below the game; None if the game has all of it.
    """
    title = _KEEP_TITLE + _TITLE % mail.encode() + _BELL if mail else _TITLE_BACK
    return title + (_LAST_ROW % (below.rows, clip(mail, below.columns).encode()) if below else b"")


def typed(line: str, size: Size) -> bytes:
    """What to send to a terminal of this size to show a line that is being typed in its last row, with the cursor."""
    text = showable(line)
    while width_of(text) >= size.columns:
        text = text[1:]  # the end is where one types
    return _TYPED % (size.rows, text.encode())


def showable(text: str) -> str:
    """The text in characters that the terminal can show."""
    return text if speaks_utf8() else text.encode("ascii", "replace").decode()
