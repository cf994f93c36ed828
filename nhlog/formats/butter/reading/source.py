"""The frames of a file by chunk, whether .butter or .echoreplay; the end of its name decides."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol, Self

from nhlog.errors import Damaged
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.reading.chunk_table import Extent
from nhlog.formats.butter.reading.outline import Chunk, Outline
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.header import Header

__all__ = ["ECHOREPLAY", "ECHOREPLAY_DIALECT", "FrameSource", "faults_of", "open_source"]

ECHOREPLAY: Final = ".echoreplay"
ECHOREPLAY_DIALECT: Final = "echoreplay"


class FrameSource(Protocol):
    """An open file whose chunks can be decoded one by one."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    @property
    def path(self) -> str:
        """The file's name."""

    @property
    def size(self) -> int:
        """Its length in bytes."""

    @property
    def changed(self) -> int:
        """When it was last written, in µs since 1970."""

    @property
    def header(self) -> Header:
        """What it says of the whole session."""

    @property
    def extents(self) -> Sequence[Extent]:
        """Where each chunk is in the file, or in the text of an .echoreplay."""

    @property
    def end(self) -> int:
        """The byte behind the last chunk."""

    @property
    def count(self) -> int:
        """How many chunks there are."""

    @property
    def dialect(self) -> str:
        """How its frames are laid out: ``1``, ``2``, ``3``, ``3 early`` or ``echoreplay``."""

    @property
    def complete(self) -> bool:
        """Whether all that its header lists is there."""

    @property
    def cut(self) -> Damaged | None:
        """What is wrong with the last line, where the file ends inside it."""

    @property
    def live(self) -> bool:
        """Whether it may still grow."""

    def ends(self) -> tuple[int | None, int | None]:
        """When the first and the last frame were recorded, in ms, where that is known at once."""

    def outline(self, known: Outline | None = None) -> Outline:
        """What is known of all frames; `known` is what was known before the file grew."""

    def chunk(self, number: int) -> Chunk:
        """One chunk, decoded."""

    def truncated(self, number: int) -> bool:
        """Whether the file ends inside this chunk, or before it."""

    def reopened(self) -> "FrameSource | None":
        """The file as it is now, opened again; None if it has not changed."""

    def grown_from(self, other: "FrameSource") -> bool:
        """Whether it is the other one with more behind it, so that the other's outline can be continued."""

    def close(self) -> None:
        """Close the file."""


def open_source(path: str, decoding: type[ReferenceDecoder] = CorrectedDecoder) -> FrameSource:
    """The frames in the file `path`; `decoding` is for .butter files.

    Raises :class:`~nhlog.files.CannotOpen`, :class:`Damaged` or :class:`Unsupported` for what is no such file.
    """
    if path.endswith(ECHOREPLAY):
        from nhlog.formats.butter.reading.echoreplayfile import EchoreplayFile

        return EchoreplayFile(path)
    return ButterFile(path, decoding)


def faults_of(source: FrameSource, frames: int, chunk_faults: Iterable[Damaged]) -> list[Damaged]:
    """All that is wrong with a file in which so many frames were found, and these faults in its chunks."""
    faults = [*chunk_faults]
    if source.cut is not None:
        faults.append(source.cut)
    if not frames and not faults:
        faults.append(Damaged("it has no frame", file=source.path, offset=source.header.end, expected="a frame"))
    return faults
