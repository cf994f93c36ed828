"""The bytes of a recording, wherever they are: one protocol, and the names of the files in a folder (spec 7).

A name inside a folder is that of the format (`preamble.dat`, `segment-000.dat`, `finished`); the name of a lone file
is empty.
"""

from typing import Final, Protocol

from nhlog.errors import Damaged

__all__ = ["FINISHED", "PREAMBLE", "Missing", "Source", "segment_name"]

PREAMBLE: Final = "preamble.dat"
FINISHED: Final = "finished"


def segment_name(number: int) -> str:
    """The file name of segment `number`, counted from 0 (spec 7)."""
    return f"segment-{number:03d}.dat"


class Missing(Damaged):
    """A file that the recording needs is not there."""


class Source(Protocol):
    """The bytes of one recording: a lone file, or the files in a folder.

    Reading raises :class:`Missing` for a file that is not there, :class:`~nhlog.errors.Damaged` where the disk fails,
    and :class:`~nhlog.errors.RemoteUnreachable` where nothing answers at an address.
    """

    path: str  # as it was given
    folder: bool  # whether it consists of segments
    local: bool  # whether it is on this machine, so that asking for a size costs next to nothing

    def read(self, name: str, offset: int, length: int) -> bytes:
        """`length` bytes of a file at `offset`, fewer only where the file ends."""

    def size(self, name: str) -> int | None:
        """The length of a file in bytes, None where there is none."""

    def names(self) -> tuple[str, ...]:
        """The files in a folder; empty for a lone file and where folders cannot be listed."""

    def stamp(self, name: str) -> object:
        """A value that differs once the file was replaced or has changed; None where there is no file."""

    def reopen(self) -> None:
        """Open the file that has the name now."""

    def close(self) -> None:
        """Close what is open; may be called again."""
