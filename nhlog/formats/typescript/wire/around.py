"""The lines before and behind the output: when script was started, what for, in which terminal, and that it is done."""

import re
from datetime import datetime
from typing import Final, NamedTuple

__all__ = ["MOST_FIRST", "First", "begins", "is_last", "parse_first", "start_of"]

MOST_FIRST: Final = 1 << 14  # bytes of the first line
_WORDS: Final = b"Script started on "
_FIRST: Final = re.compile(_WORDS + rb"([^\[\n]*?)(?: \[(.*)\])?\r?\n")
_LAST: Final = re.compile(rb"\n?Script done on [^\n]*\n?")
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
    return _LAST.fullmatch(data) is not None
