"""The protocol by which the bytes of a recording are read, and the names of the files in a folder (spec 7).

Names inside a folder are those of the format (`preamble.dat`, `segment-000.dat`, `finished`); the name of a single file
is empty.
"""

import re
from contextlib import AbstractContextManager
from typing import Final, Protocol

from nhlog import files
from nhlog.errors import Damaged

__all__ = ["FINISHED", "PREAMBLE", "Missing", "Source", "segment_name", "segment_number"]

PREAMBLE: Final = "preamble.dat"
FINISHED: Final = "finished"


def segment_name(number: int) -> str:
    """The file name of segment `number`, counted from 0 (spec 7)."""
    return f"segment-{number:03d}.dat"


_SEGMENT: Final = re.compile(r"segment-(\d{3,9})\.dat")


def segment_number(name: str) -> int | None:
    """The number of the segment with this file name; None if it is no segment."""
    found = _SEGMENT.fullmatch(name)
    return int(found[1]) if found else None


class Missing(Damaged):
    """A file that the recording needs is not there."""


class Source(Protocol):
    """The bytes of one recording: a single file, or the files in a folder.

    Reading raises :class:`Missing` for a file that is not there, :class:`~nhlog.errors.Damaged` if the disk fails, and
    :class:`~nhlog.errors.RemoteUnreachable` if an address does not answer.
    """

    path: str  # as it was given
    folder: bool  # whether it consists of segments
    local: bool  # whether it is on this machine, so that asking for a size costs next to nothing

    def read(self, name: str, offset: int, length: int) -> bytes:
        """`length` bytes of a file at `offset`, fewer only if the file ends."""
        ...

    def opened(self, name: str) -> AbstractContextManager[files.Source]:
        """A file as it is, if the recording is on this machine; raises :class:`~nhlog.errors.NhlogError`."""
        ...

    def size(self, name: str) -> int | None:
        """The size of a file in bytes, None if there is none."""
        ...

    def names(self) -> tuple[str, ...]:
        """The files in a folder; empty for a single file, or if folders cannot be listed."""
        ...

    def stamp(self, name: str) -> object:
        """A value that changes when the file is replaced or modified; None if there is no file."""
        ...

    def reopen(self) -> None:
        """Open the file again, in case it was replaced."""

    def close(self) -> None:
        """Close the source; may be called more than once."""
