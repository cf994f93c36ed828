"""A configuration file as it stands: its values, and where each of them is, so that what is refused can be found."""

import os
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from nhlog.config.toml import NotTOML, parse_toml
from nhlog.errors import Usage
from nhlog.values import NamedTuple

__all__ = ["Choice", "Choices", "Mistakes", "Readers", "Written", "together"]

Readers = Mapping[str, tuple[Callable[[Any], Any], str]]
"""For each setting what reads its value, and what is expected of it, in words."""


_LONGEST: Final = 200  # characters of what a file says, in a message


class Mistakes(Usage):
    """Several mistakes of a configuration, which are told one below the other."""

    def __init__(self, every: Sequence[Usage]) -> None:
        first = every[0]
        super().__init__(first.what, file=first.file, expected=first.expected, found=first.found)
        self._every = every

    @property
    def every(self) -> Sequence[Usage]:
        """The mistakes, each with its line."""
        return self._every

    def __str__(self) -> str:
        return "\n".join(map(str, self.every))


def together(*acts: Callable[[], Any]) -> list[Any]:
    """What each of these gives; raises what one of them is refused for, or :class:`Mistakes` if there are several."""
    given: list[Any] = []
    refused: dict[str, Usage] = {}
    for act in acts:
        try:
            given.append(act())
        except Mistakes as mistakes:
            refused |= {str(error): error for error in mistakes.every}
        except Usage as error:
            refused[str(error)] = error
    if refused:
        raise Mistakes([*refused.values()]) if len(refused) > 1 else next(iter(refused.values()))
    return given


class Choice(NamedTuple):
    """What was chosen for something that has its name elsewhere, and is checked there: `value` for `name` of `table`.

    `file` and `line` are where it stands.
    """

    table: str
    name: str
    value: tuple[str, ...]
    file: str
    line: int

    def refused(self, what: str, expected: str | None = None, found: str | None = None) -> Usage:
        """The error that says why it cannot be."""
        return _refused(self.file, self.line, what, expected, found)


Choices = tuple[Choice, ...]
"""What was chosen, each thing once."""


class Written:
    """What a file says: `values` as TOML has them; none if there is no file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._text = ""
        try:
            self._text = path.read_text(encoding="utf-8")
            self.values: dict[str, Any] = parse_toml(self._text)
        except (FileNotFoundError, NotADirectoryError):
            self.values = {}
        except (NotTOML, UnicodeDecodeError) as error:
            raise Usage(f"not TOML: {error}", file=str(path)) from None
        except OSError as error:
            raise Usage(f"cannot be read: {(error.strerror or str(error)).lower()}", file=str(path)) from None

    def settings(self, readers: Readers, *place: str, others: Collection[str] = ()) -> dict[str, Any]:
        """The settings of the table at this place, as their readers have them, but for the `others`."""
        wanted = {key: value for key, value in self.table(*place).items() if key not in others}
        read = together(
            *(partial(self._setting, readers, (*place, key), value, others) for key, value in wanted.items())
        )
        return dict(zip(wanted, read, strict=True))

    def _setting(self, readers: Readers, place: tuple[str, ...], value: Any, others: Collection[str]) -> Any:
        key = place[-1]
        if key not in readers:
            raise self.refused(place, f"no such setting: {key}", expected=" or ".join((*readers, *others)))
        read, expected = readers[key]
        try:
            return read(value)
        except (ValueError, TypeError):
            raise self.refused(place, f"bad value for {key}", expected=expected, found=repr(value)) from None

    def table(self, *keys: str) -> dict[str, Any]:
        """The table at this place, empty if there is none."""
        value: Any = self.values
        for key in keys:
            value = value.get(key, {})
        if not isinstance(value, dict):
            raise self.refused(keys, f"bad value for {'.'.join(keys)}", expected="a table", found=repr(value))
        return value

    def refused(self, keys: tuple[str, ...], what: str, expected: str | None = None, found: str | None = None) -> Usage:
        """The error that says what is wrong with the value of these keys, each in the table before it."""
        return _refused(str(self.path), self.line(keys), what, expected, found)

    def line(self, keys: tuple[str, ...]) -> int:
        """The line in which the value of these keys begins, as TOML's own reader sees it."""
        lines, begins = self._text.splitlines(), 1
        for number in range(1, len(lines) + 1):
            try:
                value: Any = parse_toml("\n".join(lines[:number]))
            except NotTOML:
                continue  # in the middle of a value
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None:
                return begins
            begins = number + 1
        return begins

    def is_kept_by(self, users: Collection[int]) -> bool:
        """Whether only these users, by their ids, can write the file and what it lies in."""
        try:
            places = [os.stat(place) for place in (self.path, self.path.parent)]
        except OSError:
            return False
        return all(place.st_uid in users and not place.st_mode & (stat.S_IWGRP | stat.S_IWOTH) for place in places)


def _refused(file: str, line: int, what: str, expected: str | None, found: str | None) -> Usage:
    """The error for a line of a file, in which names and values may be as long as somebody likes."""
    return Usage(
        f"line {line}: {_short(what)}", file=file, expected=expected, found=None if found is None else _short(found)
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
