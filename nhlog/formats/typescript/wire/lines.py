"""The lines that script writes itself: those of the file of times, and those before and behind the output.

The file of times has a line for each piece of output, with the seconds since the line before and the bytes of it.  In
the advanced form a letter comes first: O for output, I for what was typed, S for a signal, H for what holds for all.
The lines around the output say when script was started, what for, in which terminal, and that it is done.
"""

import re
from datetime import datetime
from typing import Final

from nhlog.errors import Damaged
from nhlog.values import NamedTuple

__all__ = [
    "MOST_FIRST",
    "MOST_LINE",
    "MOST_PIECE",
    "Entry",
    "First",
    "begins",
    "is_last",
    "parse_entry",
    "parse_first",
    "resize_of",
    "start_of",
]

MOST_LINE: Final = 1 << 12  # bytes
MOST_PIECE: Final = 1 << 24  # bytes; script reads some thousands at a time
_LAST: Final = 1 << 30  # seconds of a pause
_EXPECTED: Final = "seconds and a number of bytes"
_ENTRY: Final = re.compile(rb"(?:([IO]) )?(\d{1,10})(?:\.(\d{1,9}))? (\d{1,9})\s*")
_REMARK: Final = re.compile(rb"([HS]) (\d{1,10})(?:\.(\d{1,9}))? (\S+) ?(.*)", re.DOTALL)
_RESIZE: Final = re.compile(rb"ROWS=(\d{1,5}) COLS=(\d{1,5})")


class Entry(NamedTuple):
    """`kind` is the letter, `pause` microseconds; `size` is of output and input, `name` and `text` of the others."""

    kind: str
    pause: int
    size: int = 0
    name: str = ""
    text: str = ""


def parse_entry(line: bytes) -> Entry:
    """What a line says; raises :class:`Damaged`."""
    found = _ENTRY.fullmatch(line)
    if found and int(found[4]) <= MOST_PIECE:
        return Entry((found[1] or b"O").decode(), _pause(found[2], found[3]), int(found[4]))
    found = _REMARK.fullmatch(line)
    if found:
        name, text = (part.decode(errors="replace").strip() for part in found.group(4, 5))
        return Entry(found[1].decode(), _pause(found[2], found[3]), name=name, text=text)
    raise Damaged("not a line of times", expected=_EXPECTED, found=repr(line[:40])[1:])


def _pause(seconds: bytes, fraction: bytes | None) -> int:
    return min(int(seconds), _LAST) * 1_000_000 + int((fraction or b"").ljust(6, b"0")[:6])


def resize_of(text: str) -> bytes | None:
    """The size that a signal tells, ``COLUMNSxROWS``; None if it tells none."""
    found = _RESIZE.search(text.encode())
    return b"%sx%s" % (found[2], found[1]) if found else None


MOST_FIRST: Final = 1 << 14  # bytes of the first line
_WORDS: Final = b"Script started on "
_FIRST: Final = re.compile(_WORDS + rb"([^\[\n]*?)(?: \[(.*)\])?\r?\n")
_DONE: Final = re.compile(rb"\n?Script done on [^\n]*\n?")
_VALUE: Final = re.compile(rb'([A-Z_]+)="([^"]*)"')


class First(NamedTuple):
    """The size of the first line, the microseconds since 1970 that it tells, and the values in it."""

    size: int
    start: int | None
    values: dict[str, str]


def parse_first(data: bytes) -> First:
    """What the first line says; there is none where the output begins at once."""
    found = _FIRST.match(data)
    if not found:
        return First(0, None, {})
    values = {name.decode(): text.decode(errors="replace") for name, text in _VALUE.findall(found[2] or b"")}
    return First(found.end(), start_of(found[1].decode(errors="replace")), values)


def begins(data: bytes) -> bool:
    """Whether this is a part of the first line, and not all of it."""
    return len(data) < MOST_FIRST and b"\n" not in data and (data.startswith(_WORDS) or _WORDS.startswith(data))


def start_of(text: str) -> int | None:
    """Microseconds since 1970; None if it is no date with a zone, which older ones tell in words."""
    try:
        told = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return round(told.timestamp() * 1_000_000) if told.tzinfo else None


def is_last(data: bytes) -> bool:
    """Whether this is the line behind the output."""
    return _DONE.fullmatch(data) is not None
