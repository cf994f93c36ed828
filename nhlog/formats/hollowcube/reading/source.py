"""What a recording consists of, and how its bytes are asked for, wherever they are (spec 7).

A name inside a folder is that of the format (`preamble.dat`, `segment-000.dat`, `finished`); that of a lone file is
empty.
"""

from typing import Final, Protocol

from nhlog.errors import Damaged

__all__ = ["FINISHED", "PREAMBLE", "Missing", "Source", "segment_name"]

PREAMBLE: Final = "preamble.dat"
FINISHED: Final = "finished"


def segment_name(number: int) -> str:
    """The name of a segment's file (spec 7)."""
    return f"segment-{number:03d}.dat"


class Missing(Damaged):
    """A file that the recording needs is not there."""


class Source(Protocol):
    """A recording's bytes."""

    path: str  # as it was given
    folder: bool  # whether it consists of segments
    near: bool  # whether to ask for a size costs next to nothing

    def read(self, name: str, offset: int, length: int) -> bytes:
        """That range of a file; raises :class:`Missing` where there is none."""

    def size(self, name: str) -> int | None:
        """The length of a file in bytes, None where there is none."""

    def names(self) -> tuple[str, ...]:
        """The files in a folder, as far as they can be listed."""

    def mark(self, name: str) -> object:
        """A value that is another one when the file was replaced or has changed."""

    def reopen(self) -> None:
        """Look at the file that has the name now."""

    def close(self) -> None:
        """Give everything back."""
