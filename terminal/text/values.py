"""The values of records as text, each with the unit that its key names."""

from collections.abc import Mapping
from typing import Any, Final

from terminal.text.words import clock, number, printable, size, utc_time

__all__ = ["MOMENTS", "heading", "is_number", "worded"]

MOMENTS: Final = {"start", "end", "changed", "utc"}
_SPANS: Final = {"time", "duration", "delta", "gap"}
_SIZES: Final = {"size", "source_size", "bytes", "sound_bytes"}


def heading(key: str) -> str:
    """The name of a value."""
    return printable(key.replace("_", " "))


def is_number(value: Any) -> bool:
    """Whether it is a number, and not a truth."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def worded(key: str, value: Any) -> str:
    """A value as text, with the unit that its key names."""
    if isinstance(value, str):
        return printable(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        if key in MOMENTS:
            return utc_time(value)
        if key.rpartition("_")[2] in _SPANS:
            return clock(value)
        if key in _SIZES:
            return size(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Mapping):
        return " ".join(f"{heading(name)} {worded(name, inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ("; " if any(isinstance(item, Mapping) for item in value) else ", ").join(
            worded(key, item) for item in value
        )
    return printable(str(value))
