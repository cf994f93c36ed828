"""Where something else can be shown in what a program writes: not within a sequence of its terminal, or a character."""

import re
from typing import Final

__all__ = ["Between"]

_ESCAPE: Final = b"\x1b"
_BEGUN: Final = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|[ -/]*)\Z")
_TEXT_BEGUN: Final = re.compile(rb"\x1b[PX^_\]][^\x07\x18\x1a]*\Z")
_CHARACTER_BEGUN: Final = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")
_LONGEST: Final = 256  # bytes of a sequence that is no text: what is longer is none


class Between:
    """Whether the output so far ends between two sequences."""

    def __init__(self) -> None:
        self._begun = b""

    def __bool__(self) -> bool:
        return not self._begun

    def feed(self, data: bytes) -> None:
        """Take in the next output."""
        data = self._begun + data
        begin = max(data.rfind(_ESCAPE), 0)
        if text := _TEXT_BEGUN.match(data, begin):
            self._begun = text[0][:2]
        elif begun := _BEGUN.match(data, begin) or _CHARACTER_BEGUN.search(data, max(len(data) - 3, 0)):
            self._begun = begun[0] if len(begun[0]) <= _LONGEST else b""
        else:
            self._begun = b""
