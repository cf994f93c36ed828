"""Random access to the frames of a .butter or .echoreplay file (as the ending of its name says), by chunk."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol, Self

from nhlog.errors import Damaged
from nhlog.files import first_bytes
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.reading.chunk_table import Extent
from nhlog.formats.butter.reading.outline import Chunk, Outline
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.values import Frame

__all__ = ["ECHOREPLAY", "ECHOREPLAY_DIALECT", "FrameSource", "faults_of", "open_source"]

BUTTER: Final = ".butter"
ECHOREPLAY: Final = ".echoreplay"
LAST_VERSION: Final = b"\3"  # of a .butter file, which begins with it; a text begins with its year
ECHOREPLAY_DIALECT: Final = "echoreplay"


class FrameSource(Protocol):
    """An open file whose chunks can be decoded one at a time."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    @property
    def path(self) -> str:
        """The file's name."""
        ...

    @property
    def size(self) -> int:
        """Its length in bytes."""
        ...

    @property
    def changed(self) -> int:
        """The time of its last modification, in µs since 1970."""
        ...

    @property
    def header(self) -> Header:
        """The header, which describes the whole session."""
        ...

    @property
    def extents(self) -> Sequence[Extent]:
        """The place of each chunk in the file, or in the text of an .echoreplay."""
        ...

    @property
    def end(self) -> int:
        """The offset behind the last chunk."""
        ...

    @property
    def count(self) -> int:
        """The number of chunks."""
        ...

    @property
    def dialect(self) -> str:
        """The layout of its frames: ``1``, ``2``, ``3``, ``3 early`` or ``echoreplay``."""
        ...

    @property
    def complete(self) -> bool:
        """Whether the file has all the chunks that its header lists, or all of its last line."""
        ...

    @property
    def cut(self) -> Damaged | None:
        """The fault of the last line if the file ends inside it."""
        ...

    @property
    def live(self) -> bool:
        """Whether the file may still grow."""
        ...

    def ends(self) -> tuple[int | None, int | None]:
        """The times of the first and the last frame, in ms since 1970; None where they cannot be read."""
        ...

    def outline(self, known: Outline | None = None) -> Outline:
        """Summarise all frames; `known` is the outline from before the file grew."""
        ...

    def chunk(self, number: int) -> Chunk:
        """Decode a chunk; what is wrong with it is in its `fault`."""
        ...

    def frames(self, number: int, first: int, end: int) -> Sequence[Frame]:
        """Frames `first` to `end` (excluded) of a chunk, without those that cannot be read."""
        ...

    def unguarded(self, number: int) -> bool:
        """Whether a chunk is compressed without a checksum, so that a changed byte need not be noticed."""
        ...

    def truncated(self, number: int) -> bool:
        """Whether the file ends inside this chunk, or before it."""
        ...

    def reopened(self) -> "FrameSource | None":
        """Open the file again; None if it has not changed or no longer exists."""
        ...

    def grown_from(self, other: "FrameSource") -> bool:
        """Whether this file is `other` with bytes added at the end, so that the outline of `other` can be continued."""
        ...

    def close(self) -> None:
        """Close the file."""


def open_source(path: str, decoding: type[ReferenceDecoder] = CorrectedDecoder) -> FrameSource:
    """Open the session file `path`; `decoding` is the decoder for .butter files.

    Raises :class:`~nhlog.files.CannotOpen`, :class:`Damaged` or :class:`Unsupported` if it is no such file.
    """
    if path.endswith(ECHOREPLAY) or (not path.endswith(BUTTER) and first_bytes(path, 1) > LAST_VERSION):
        from nhlog.formats.butter.reading.echoreplayfile import EchoreplayFile

        return EchoreplayFile(path)  # pyright: ignore[reportReturnType] - it takes no cached_property for a property
    return ButterFile(path, decoding)  # pyright: ignore[reportReturnType]


def faults_of(source: FrameSource, frames: int, chunk_faults: Iterable[Damaged]) -> list[Damaged]:
    """All faults of a file: `chunk_faults`, a last line that is cut off, and the absence of any frame.

    `frames` is the number of frames that were read.
    """
    faults = [*chunk_faults]
    if source.cut is not None:
        faults.append(source.cut)
    if not frames and not faults:
        faults.append(Damaged("the file has no frame", file=source.path, offset=source.header.end, expected="a frame"))
    return faults
