"""Single values as text: sizes, times, counts, and untrusted names.

The results are printable: one line without control characters.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from unicodedata import category

from nhlog.values import pattern

__all__ = [
    "MICROSECONDS",
    "ago",
    "clock",
    "counted",
    "local_time",
    "not_counted",
    "number",
    "printable",
    "printable_json",
    "size",
    "utc_time",
]

MICROSECONDS: Final = 1_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ("kB", "MB", "GB", "TB")


_ODD: Final = pattern(r"[^ -~]+")
_SECONDS: Final = len("2024-03-29 12:00:00")  # of a moment; what comes behind are smaller units
_MOST_MARKS: Final = 4  # on one character, as on a screen: enough for every language, too few to pile up
# Letters and marks that show nothing: what Unicode's DerivedCoreProperties calls Default_Ignorable_Code_Point, as far
# as `str.isprintable` takes it for printable.
_UNSEEN: Final = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)


def printable(text: str) -> str:
    """The text with everything that may not be printed written as an escape of Python's.

    This decides what may: no control character (C0, DEL, C1), nothing that turns writing around, and nothing that
    takes no place of its own, but for the marks that letters have.
    """
    if text.isascii() and text.isprintable():  # nearly all text, and three times as fast
        return text
    return _ODD.sub(lambda run: _escaped(run[0], lambda char: ascii(char)[1:-1]), text)


def printable_json(text: str) -> str:
    """The same for a line of JSON, with JSON's escapes: it means what it meant."""
    if text.isascii() and text.isprintable():
        return text
    return _ODD.sub(lambda run: _escaped(run[0], _json_escape), text)


def _escaped(run: str, escape: Callable[[str], str]) -> str:
    shown, marks = [], 0
    for char in run:
        marks = marks + 1 if category(char)[0] == "M" else 0
        may_be = char.isprintable() and char not in _UNSEEN and marks <= _MOST_MARKS
        shown.append(char if may_be else escape(char))
    return "".join(shown)


def _json_escape(char: str) -> str:
    """Of one character; those that need two surrogates have two."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 turn``, ``2 turns``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def not_counted(games: Mapping[str, int]) -> str:
    """What there is to say of games that no tournament counts: how many, by the game."""
    names = ", ".join(sorted(printable(name) or "games without a name" for name in games))
    return f"not counted, as nothing says from which seed their worlds are: {sum(games.values())} ({names})"


def number(value: float) -> str:
    """A number with at most three decimals, or three digits where it is small; no zero has a sign."""
    rounded = round(value, 3) if abs(value) >= 1 else float(f"{value:.3g}")
    return f"{rounded + 0.0:.15g}"  # which makes zero of negative zero


def size(number: int) -> str:
    """A number of bytes: ``572 B``, ``39.5 kB``, ``1.2 MB``."""
    if number < 1000:
        return f"{number} B"
    scaled = float(number)
    for unit in _UNITS:
        scaled /= 1000
        if scaled < 999.95 or unit == _UNITS[-1]:  # 999.95 is what would print as 1000.0
            break
    return f"{scaled:.1f} {unit}"


def clock(microseconds: int) -> str:
    """A duration in microseconds: ``0:07``, ``12:34``, ``1:02:03``."""
    shown = _clock(abs(microseconds) // MICROSECONDS)
    return f"-{shown}" if microseconds < 0 else shown


@lru_cache(maxsize=16)  # what happens in the same second follows one another
def _clock(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def ago(microseconds: int) -> str:
    """How long ago something was, in a few columns: ``42 s``, ``12 min``, ``5 h``, ``3 d``."""
    seconds = microseconds // MICROSECONDS
    for unit, many in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= many:
            return f"{seconds // many} {unit}"
    return f"{seconds} s"


def utc_time(microseconds: int) -> str:
    """A time in UTC microseconds since 1970: ``2024-03-29 12:00:00 UTC``."""
    moment = _moment(microseconds)
    return _NO_DATE if moment is None else f"{moment.isoformat(' ')[:_SECONDS]} UTC"


def local_time(microseconds: int) -> str:
    """A time in UTC microseconds since 1970, in the local time zone: ``2024-03-29 13:00:00 CET``."""
    moment = _moment(microseconds)
    try:
        return _NO_DATE if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M:%S %Z}"
    except OverflowError:
        return _NO_DATE


_NO_DATE: Final = "not a date"


def _moment(microseconds: int) -> datetime | None:
    """The moment as a `datetime`; None if it is outside the calendar (a log's fields may hold any 64 bits)."""
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return None
