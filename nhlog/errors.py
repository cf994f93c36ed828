"""The exceptions of nhlog: each says what is wrong, where, and with which exit code a command ends.

A message reads ``FILE: offset N: WHAT: expected X, found Y``; unknown parts are left out. Wire code does not know the
file: its caller adds the name with :meth:`NhlogError.within`.
"""

from collections.abc import Sequence
from typing import ClassVar, Final, Self

__all__ = [
    "BY_SIGNAL",
    "Damaged",
    "LockNotObtained",
    "LogRecovered",
    "NhlogError",
    "RemoteUnreachable",
    "TooShort",
    "Unsupported",
    "Usage",
    "in_short",
]

BY_SIGNAL: Final = 128
"""An exit code that is this plus the number of a signal means that the signal ended the process."""


class NhlogError(Exception):
    """The base of all errors; raised directly if no subclass fits (exit code 1)."""

    exit_code: ClassVar[int] = 1

    def __init__(
        self,
        what: str,
        *,
        file: str | None = None,
        offset: int | None = None,
        expected: object = None,
        found: object = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.file = file
        self.offset = offset
        self.expected = expected
        self.found = found

    def within(self, file: str, offset: int = 0) -> Self:
        """Set the error's file, and count its offset from `offset`, unless it has a file already; returns the error."""
        if self.file is None:
            self.file = file
            if offset or self.offset is not None:
                self.offset = offset + (self.offset or 0)
        return self

    @property
    def every(self) -> "Sequence[NhlogError]":
        """The errors that this is: itself, or several that were found together, each of which is told by itself."""
        return (self,)

    def __str__(self) -> str:
        return self.message if self.file is None else f"{self.file}: {self.message}"

    @property
    def message(self) -> str:
        """All but the file's name, for a reader who knows it."""
        parts = [] if self.offset is None else [f"offset {self.offset}"]
        parts.append(self.what)
        facts = [
            f"{name} {value}"
            for name, value in (("expected", self.expected), ("found", self.found))
            if value is not None
        ]
        if facts:
            parts.append(", ".join(facts))
        return ": ".join(parts)


class Usage(NhlogError):
    """The request is invalid (exit code 2)."""

    exit_code = 2


class Damaged(NhlogError):
    """The input violates its format; what could be read was read (exit code 3)."""

    exit_code = 3


class TooShort(Damaged):
    """The input ends before anything can be shown; its writer may still add the rest (exit code 3)."""


class Unsupported(NhlogError):
    """The input seems valid, but is of a kind or version that is not supported (exit code 4)."""

    exit_code = 4


class LockNotObtained(NhlogError):
    """Another process holds the file's lock, or the file cannot be locked (exit code 5)."""

    exit_code = 5


class LogRecovered(NhlogError):
    """The log was recovered or rewound in the meantime: everything read from it before is stale (exit code 6)."""

    exit_code = 6


class RemoteUnreachable(NhlogError):
    """A remote recording could not be reached (exit code 7)."""

    exit_code = 7


def in_short(first: object, count: int) -> str:
    """The first of `count` faults, and how many more there are."""
    return f"{first}, and {count - 1} more" if count > 1 else str(first)
