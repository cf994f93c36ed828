"""The lines of an xlogfile: what became of a game, as fields ``name=value``.

NetHack 3.4.3 and 4 put a colon between the fields, 3.6 and later a tab; lines are written with the colon.  No value
holds the separator or the end of a line: as in NetHack 4 an underscore takes their place.  In a line of Dungeon Crawl's
two colons stand for one in a value.
"""

import re
from collections.abc import Mapping
from typing import Final

from nhlog.errors import Damaged

__all__ = ["MAX_ENTRY", "Entry", "format_entry", "number_of", "parse_entry"]

Entry = dict[str, str | int]
"""The fields of a line that is to be written, by their names."""

MAX_ENTRY: Final = 1 << 14  # bytes of a line; NetHack's have some 700
_MOST_DIGITS: Final = 19  # of a number: what fits 64 bits

_SEPARATOR, _LATER_SEPARATOR = b":", b"\t"
_CRAWL: Final = b"v="  # the first field of its lines, and no other program's
_COLON: Final = b"\n"  # in the place of two colons while a line is split: none has it
_UNSAFE: Final = re.compile(r"[:\x00-\x1f\x7f-\x9f]")
_FIELD: Final = re.compile(rb"([A-Za-z]\w{0,39})=(.*)", re.DOTALL)
_NUMBER: Final = re.compile(rf"-?(?:0x[0-9a-fA-F]{{1,16}}|[0-9]{{1,{_MOST_DIGITS}}})")


def format_entry(fields: Mapping[str, str | int]) -> bytes:
    """The line of these fields, newline included."""
    return ":".join(f"{name}={_UNSAFE.sub('_', str(value))}" for name, value in fields.items()).encode() + b"\n"


def parse_entry(line: bytes) -> dict[str, str]:
    """The fields of a line without its newline; raises :class:`Damaged` for what is no such line."""
    if len(line) > MAX_ENTRY:
        raise Damaged("line too long", expected=f"at most {MAX_ENTRY} bytes")
    of_crawl = line.startswith(_CRAWL)
    if of_crawl:
        line = line.replace(b"::", _COLON)
    parts = line.split(_LATER_SEPARATOR if _LATER_SEPARATOR in line else _SEPARATOR)
    fields = {}
    for part in parts:
        found = _FIELD.fullmatch(part)
        if not found:
            raise Damaged("not a line of an xlogfile", expected="NAME=VALUE", found=repr(part[:40]))
        value = found[2].replace(_COLON, b":") if of_crawl else found[2]
        fields[found[1].decode()] = value.decode("utf-8", "replace")
    return fields


def number_of(fields: Mapping[str, str | int], name: str) -> int | None:
    """The value of a field as a number, also one in hexadecimal; None if it is missing or none."""
    value = str(fields.get(name, ""))
    return int(value, 0 if "x" in value else 10) if _NUMBER.fullmatch(value) else None
