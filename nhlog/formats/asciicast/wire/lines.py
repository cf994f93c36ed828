"""Events as lines: a JSON array of a time in seconds, a code and data, all that follows the header of versions 2 and 3.

Whatever is no event is skipped and told.  So do the players that people use; recorders and converters are stricter.
"""

from typing import Any, Final

import msgspec

from nhlog.errors import Damaged
from nhlog.formats.asciicast.wire.lenient import parse, plain
from nhlog.screencast import CLOCK, EXIT, RESIZE, SCORE, parse_resize
from nhlog.values import NamedTuple

__all__ = [
    "LAST",
    "MOST_LINE",
    "PLAIN_CODES",
    "REFUSALS",
    "Line",
    "decode_line",
    "is_number",
    "microseconds",
    "read_line",
    "shown",
]

MOST_LINE: Final = 1 << 24  # bytes; recorders write what one read gave them, some thousands
_SECOND: Final = 1_000_000
LAST: Final = (1 << 53) // _SECOND * _SECOND  # microseconds that a number of JSON holds exactly: 285 years
PLAIN_CODES: Final = frozenset("oim")
"""Whose data may be any text."""

_LAST_SECOND: Final = LAST // _SECOND
_MOST_CODE: Final = 64  # characters; those that are known have one
_MOST_DIGITS: Final = 24
_LONGEST: Final = 40  # bytes that are told of what is no event
_EXPECTED: Final = "[time, code, data]"

decode_line: Final = msgspec.json.Decoder(tuple[float, str, str]).decode
"""What is in the line of an event; raises one of `REFUSALS` for any that is unusual, or none."""

REFUSALS: Final = (msgspec.MsgspecError, ValueError, RecursionError)


class Line(NamedTuple):
    """What is on a line; `code` is None for what is no event, `seconds` then the time that passes all the same.

    `fault` is what is wrong with it.  `begins` says that another recording begins here.
    """

    seconds: float
    code: str | None
    data: str
    fault: Damaged | None
    begins: bool = False


def microseconds(seconds: float) -> int:
    """The nearest; `seconds` are neither negative nor beyond the `LAST` ones."""
    return int(seconds * 1e6 + 0.5)


def read_line(line: bytes, offset: int, number: int, values: int = 3) -> Line:
    """What is on the line with a number; an event of version 1 has two `values`, as it has no code."""
    try:
        value = parse(line)
    except ValueError:
        return Line(0, None, "", _fault(line, offset, number))
    if isinstance(value, dict) and "version" in value and values == 3:
        another = Damaged(f"line {number} begins another recording", offset=offset, expected=_EXPECTED)
        return Line(0, None, "", another, begins=True)
    if not isinstance(value, list) or len(value) < values or not _is_number(value[0]):
        return Line(0, None, "", _fault(line, offset, number))
    seconds = min(max(value[0], 0), _LAST_SECOND)
    code, data = ("o", value[1]) if values == 2 else value[1:3]
    if not isinstance(data, str) or not isinstance(code, str) or not 0 < len(code) <= _MOST_CODE:
        return Line(seconds, None, "", _fault(line, offset, number))
    wrong = _wrong(value, code, data, values)
    fault = (
        Damaged(f"line {number} has {wrong[0]}", offset=offset, expected=wrong[1], found=wrong[2]) if wrong else None
    )
    return Line(seconds, code, data, fault)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _wrong(value: list[Any], code: str, data: str, values: int) -> tuple[str, str, object] | None:
    """What is wrong with an event that can be shown: what, what was expected, what was found."""
    if not 0 <= value[0] <= _LAST_SECOND:
        return "a time that makes no sense", f"0 to {_LAST_SECOND} seconds", str(value[0])[:_LONGEST]
    if len(value) > values:
        return "too many values", str(values), len(value)
    if code == RESIZE and not parse_resize(data.encode()):
        return "no size", "COLUMNSxROWS", plain(repr(data[:_LONGEST]))
    if code in (EXIT, CLOCK, SCORE) and not is_number(data):
        return "no number", "digits", plain(repr(data[:_LONGEST]))
    return None


def is_number(text: str) -> bool:
    """Whether it is a decimal number of a size that makes sense, such as an exit status."""
    return len(text) <= _MOST_DIGITS and text.isascii() and text.removeprefix("-").isdecimal()


def _fault(line: bytes, offset: int, number: int) -> Damaged:
    return Damaged(f"line {number} is no event", offset=offset, expected=_EXPECTED, found=shown(line))


def shown(data: bytes) -> str:
    """The first bytes of what is no event, or no header."""
    return repr(data[:_LONGEST])[1:] + ("…" if len(data) > _LONGEST else "")
