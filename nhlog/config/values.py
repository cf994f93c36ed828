"""How values of a configuration file are read: a reader returns what is meant, or raises ValueError or TypeError.

Each setting has a reader and the words for what is expected (`nhlog.config.written.Readers`), and is read alone, so
that every mistake of a file is named, each with its line.

Rejected: `msgspec.convert` in place of the readers.  It stops at the first mistake, so each setting would be converted
alone all the same; of the readers only `text`, `flag`, `count`, `minutes` and `list_of` are types, the others are rules
about paths, units and names; and to import this package would take 87 ms of CPU in place of 70 (least of 15).
"""

import math
import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from nhlog.errors import Usage

if TYPE_CHECKING:
    from nhlog.vt import Size

__all__ = [
    "absolute_path",
    "amount",
    "argument",
    "choices",
    "count",
    "environment",
    "file_pattern",
    "flag",
    "folder",
    "inner_path",
    "line",
    "list_of",
    "minutes",
    "path_pattern",
    "terminal_size",
    "text",
]

_UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def text(value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise TypeError
    return value


def line(value: Any) -> str:
    """A text of characters that can be shown."""
    if not text(value).isprintable():
        raise ValueError
    return str(value)


def argument(value: Any) -> str:
    """A text that can be given to a program."""
    if not isinstance(value, str):
        raise TypeError
    if "\0" in value:
        raise ValueError
    return value


def folder(value: Any) -> Path:
    """The name of a folder, in which ``~`` is the user's own."""
    try:
        return Path(argument(text(value))).expanduser()
    except RuntimeError:  # a home that is nobody's
        raise ValueError from None


def absolute_path(value: Any) -> Path:
    """The whole path of a file or a folder, but not that of the root."""
    path = PurePosixPath(argument(text(value)))
    if not path.is_absolute() or ".." in path.parts or len(path.parts) < 2:
        raise ValueError
    return Path(path)


def inner_path(value: Any) -> str:
    """The name of a file that is within a folder and cannot lead out of it."""
    path = PurePosixPath(argument(text(value)))
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError
    return str(path)


def path_pattern(value: Any) -> str:
    """A pattern of names of files, which does not lead upwards."""
    path = PurePosixPath(argument(text(value)))
    if ".." in path.parts or path in (PurePosixPath(), PurePosixPath("/")):
        raise ValueError
    return str(path)


def file_pattern(value: Any) -> str:
    """The same, where only the name of the file itself is a pattern."""
    pattern = PurePosixPath(path_pattern(value))
    if set("*?[") & set(str(pattern.parent)):
        raise ValueError
    return str(pattern)


def minutes(value: Any) -> float:
    """A number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise TypeError
    return value


def count(value: Any) -> int:
    """A whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 1 << 63:
        raise TypeError
    return value


def amount(value: Any) -> int:
    """Bytes: a number, or a text with a unit, as ``512M``."""
    if not isinstance(value, str):
        return count(value)
    found = re.fullmatch(r"([0-9]{1,12})([KMGT]?)", value)
    if not found:
        raise ValueError
    return count(int(found[1]) * _UNITS[found[2]])


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise TypeError
    return value


def terminal_size(value: Any) -> "Size":
    """Columns and rows, as ``80x24``."""
    from nhlog.vt import parse_size  # few files name one

    try:
        return parse_size(text(value))
    except Usage as error:
        raise ValueError from error


def environment(value: Any) -> dict[str, str]:
    """Variables of a program's environment."""
    if not isinstance(value, dict):
        raise TypeError
    if any(not name or "=" in name or "\0" in name for name in value):
        raise ValueError
    return {name: argument(said) for name, said in value.items()}


def list_of(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    """A reader of lists, each item of which `read` reads."""

    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError
        return tuple(read(item) for item in value)

    return read_all


def choices(kind: type[Enum]) -> str:
    """The words of which one is expected."""
    return " or ".join(repr(choice.value) for choice in kind)
