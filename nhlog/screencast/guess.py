"""What no event tells, from the output itself: the terminal's size, and the characters that were meant by its bytes.

termrec, the reference for ttyrec and nh_recorder, writes what tells a terminal to be so large, at the start and when
the size changes, as a piece of its own: the first one chooses UTF-8, too.  Such a piece is a resize, whoever wrote it.
The same sequence within other output is what a program asks its terminal for, which may have been refused: it stays
output, and is a guess at the start.
"""

import re
from codecs import getincrementaldecoder
from typing import Final

from nhlog.vt import USUAL_SIZE, Size

__all__ = ["CHARSETS", "MOST_TOLD", "UTF_8", "CharsetGuess", "SizeGuess", "format_told", "parse_told"]

UTF_8: Final = "utf-8"
CHARSETS: Final = (UTF_8, "cp437", "cp1252")
_PROBE: Final = 500  # who goes to row or column 999 wants to know where the terminal ends
_TOLD: Final = re.compile(rb"\x1b\[8;(\d{1,4});(\d{1,4})t")
_ALL_TOLD: Final = re.compile(rb"(?:\x1b%G)?\x1b\[8;0*([1-9]\d{0,4});0*([1-9]\d{0,4})t")
MOST_TOLD: Final = 32
"""Bytes of a piece that tells a size."""
_ADDRESSED: Final = re.compile(rb"\x1b\[(?:(\d{1,4})?;?(\d{1,4})?[Hf]|(\d{1,4})d|(\d{1,4})G|\d{1,4};(\d{1,4})r)")
_LONGEST: Final = 16  # bytes of a sequence that tells something, and some more
_ASCII: Final = bytes(range(0x80))
_PICTURES: Final = bytes((*range(0xB0, 0xE0), *range(0xF0, 0x100)))  # in CP437: lines, shades, dots


class SizeGuess:
    """The size that output tells; else what holds all places that it addresses, and 80 by 24 at least.

    Output that comes piece by piece is looked at once: the guess is what it would be of all of it.
    """

    def __init__(self) -> None:
        self.size = USUAL_SIZE
        self._is_told = False
        self._cut = b""  # what may be the beginning of a sequence that tells something

    def take(self, output: bytes) -> None:
        """Look at more output."""
        if self._is_told:
            return
        output = self._cut + output
        self._cut = output[output.rfind(b"\x1b", -_LONGEST) :] if b"\x1b" in output[-_LONGEST:] else b""
        told = _TOLD.search(output)
        if told:
            self.size, self._is_told = Size(int(told[2]), int(told[1])).clamped(), True
            return
        columns, rows = self.size
        for row, column, row_alone, column_alone, bottom in {*_ADDRESSED.findall(output)}:
            columns = max(columns, *(int(text) for text in (column, column_alone) if text and int(text) < _PROBE), 0)
            rows = max(rows, *(int(text) for text in (row, row_alone, bottom) if text and int(text) < _PROBE), 0)
        self.size = Size(columns, rows)


class CharsetGuess:
    """How to read output, which may end inside a character: one of `CHARSETS`.

    As with a size, each piece is looked at once.
    """

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder(UTF_8)("replace")
        self._high = self._ill = self._pictures = 0

    def take(self, output: bytes) -> None:
        """Look at more output."""
        self._ill += self._decoder.decode(output).count("\ufffd")
        high = output.translate(None, _ASCII)
        self._high += len(high)
        self._pictures += len(high) - len(high.translate(None, _PICTURES))

    @property
    def charset(self) -> str:
        """The best guess so far."""
        cut, _ = self._decoder.getstate()
        if self._high >= 4 * (self._ill + bool(cut)):  # most of them make characters, and there may be some noise
            return UTF_8
        return "cp437" if 2 * self._pictures > self._high else "cp1252"


def format_told(size: Size, *, first: bool) -> bytes:
    """What tells a size as termrec does, for the `first` time in a recording or later."""
    return (b"\x1b%G" if first else b"") + b"\x1b[8;%d;%dt" % (size.rows, size.columns)


def parse_told(data: bytes, start: int = 0, end: int | None = None) -> Size | None:
    """The size that a piece of output tells, which may be larger than a terminal can be; None if it tells none."""
    end = len(data) if end is None else end
    found = _ALL_TOLD.fullmatch(data, start, end) if end - start <= MOST_TOLD else None
    return Size(int(found[2]), int(found[1])) if found else None
