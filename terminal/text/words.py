"""Single values as text: sizes, times, counts, and untrusted names.

The results are printable: one line without control characters.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

__all__ = ["MICROSECONDS", "clip", "clock", "counted", "local_time", "printable", "size", "utc_time"]

MICROSECONDS: Final = 1_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ("kB", "MB", "GB", "TB")


def printable(text: str) -> str:
    """The text with every unprintable character written as an escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def clip(text: str, most: int) -> str:
    """The text, shortened to at most `most` characters with an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 turn``, ``2 turns``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


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
    sign = "-" if microseconds < 0 else ""
    minutes, seconds = divmod(abs(microseconds) // MICROSECONDS, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02}:{seconds:02}" if hours else f"{sign}{minutes}:{seconds:02}"


def utc_time(microseconds: int) -> str:
    """A time in UTC microseconds since 1970: ``2024-03-29 12:00:00 UTC``."""
    moment = _moment(microseconds)
    return _NO_DATE if moment is None else f"{moment:%Y-%m-%d %H:%M:%S} UTC"


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
