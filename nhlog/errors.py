"""One tree of exceptions; every one names what is wrong, where, and the exit code it ends a command with.

A message reads ``FILE: offset N: WHAT: expected X, found Y``; parts that are not known are left out.
Wire code does not know the file: whoever opened it adds the name with :meth:`NhlogError.within`.
"""

from typing import ClassVar, Self

__all__ = [
    "Damaged",
    "LockNotObtained",
    "LogRecovered",
    "NhlogError",
    "RemoteUnreachable",
    "Unsupported",
    "Usage",
]


class NhlogError(Exception):
    """A failure that has no more exact name (exit code 1)."""

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
        """The same error, placed: unless a file is named already this one is, and offsets count from `offset` in it."""
        if self.file is None:
            self.file = file
            if offset or self.offset is not None:
                self.offset = offset + (self.offset or 0)
        return self

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
    """The request itself makes no sense (exit code 2)."""

    exit_code = 2


class Damaged(NhlogError):
    """The input breaks its format's rules; what could be read was read (exit code 3)."""

    exit_code = 3


class Unsupported(NhlogError):
    """The input is sound as far as we can tell, but of a kind we do not read (exit code 4)."""

    exit_code = 4


class LockNotObtained(NhlogError):
    """Another process holds the file's lock (exit code 5)."""

    exit_code = 5


class LogRecovered(NhlogError):
    """The log was recovered or rewound while we waited; all that was known of it is stale (exit code 6)."""

    exit_code = 6


class RemoteUnreachable(NhlogError):
    """A remote recording could not be reached (exit code 7)."""

    exit_code = 7
