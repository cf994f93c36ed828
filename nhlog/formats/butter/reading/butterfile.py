"""An open .butter file.

Opening reads the header alone.  A chunk is decoded when it is asked for, and the chunks decoded last are kept.  A fault
in one chunk is given with that chunk and costs no other.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Final, Self

from nhlog.compression import MAX_CHUNK
from nhlog.errors import Damaged, NhlogError
from nhlog.files import File, stamp_of
from nhlog.formats.butter.reading.chunk_table import Extent, extents
from nhlog.formats.butter.reading.outline import Chunk, Outline, OutlineDecoder
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.frames import find_layout, guess_layout, read_frames
from nhlog.formats.butter.wire.header import MOST_CHUNKS, MOST_HEADER, Header, parse_header
from nhlog.formats.butter.wire.packing import unpack
from nhlog.formats.butter.wire.stored import EARLY_PAUSE, Layout, StoredFrame, layouts
from nhlog.formats.butter.wire.teams import TeamReader, read_people
from nhlog.formats.butter.wire.values import Frame

__all__ = ["ButterFile", "Chunk"]

_FIRST_READ: Final = 1 << 16  # bytes: more than all but the strangest headers take
_MOST_TRIED: Final = 8  # chunks that are looked at to find the layout
_FULL: Final = 16  # players: frames with fewer count as this many
_KEPT: Final = 1200 * _FULL  # players of the decoded frames that are kept, or one chunk if that has more


class ButterFile:
    """An open .butter file, decoded by `decoding`.

    Raises :class:`~nhlog.files.CannotOpen`, :class:`Damaged` for a header that is none, :class:`Unsupported` for an
    unknown version.
    """

    def __init__(self, path: str, decoding: type[ReferenceDecoder] = CorrectedDecoder) -> None:
        self.path = path
        self._decoding = decoding
        self._chunks: OrderedDict[int, Chunk] = OrderedDict()
        self._weights: dict[int, int] = {}
        self._file = File(path)
        try:
            self.stamp = self._file.stamp()
            self.size, self.changed = self.stamp.size, self.stamp.modified // 1000
            self.header = self._read_header()
        except NhlogError as error:
            self.close()
            raise error.within(path) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read_header(self) -> Header:
        for most in (_FIRST_READ, MOST_HEADER, MOST_HEADER + 4 * MOST_CHUNKS):
            header = parse_header(self._file.pread(min(self.size, most), 0), self.size)
            if header is not None or most >= self.size:
                break
        if header is None:
            raise Damaged("the header is cut off", offset=self.size, expected="more bytes", found="the end")
        return header

    def _read(self, at: int, count: int) -> bytes:
        return self._file.pread(count, at)

    @cached_property
    def extents(self) -> Sequence[Extent]:
        """Where each chunk is."""
        return extents(self.header, self.size, self._read)

    @property
    def count(self) -> int:
        """The number of chunks."""
        return len(self.extents)

    @property
    def end(self) -> int:
        """The byte behind the last chunk."""
        return self.extents[-1].end if self.extents else self.header.end

    @property
    def complete(self) -> bool:
        """Whether all that the header lists is there."""
        return self.size >= self.end

    @property
    def cut(self) -> None:
        """Nothing: the chunk inside which it ends tells."""

    @property
    def live(self) -> bool:
        """Whether it may still grow."""
        return not self.complete

    def truncated(self, number: int) -> bool:
        """Whether the file ends inside this chunk, or before it."""
        return self.size < self.extents[number].end

    def outline(self, known: Outline | None = None) -> Outline:
        """What is known of all frames; `known` is what was known before the file grew."""
        outline = known.before(min(known.faults, default=known.chunks)) if known else Outline()
        for number in range(outline.chunks, self.count):
            outline.add(self._decoded(OutlineDecoder(self.header), number, read_people))
        return outline

    @property
    def dialect(self) -> str:
        """The version, and which of its two layouts."""
        early = self.header.version == 3 and self.layout.pause == EARLY_PAUSE
        return f"{self.header.version} early" if early else str(self.header.version)

    def ends(self) -> tuple[int | None, int | None]:
        """When the first and the last frame were recorded, in ms, from the first and the last chunk."""
        first = last = None
        if self.count:
            for frame in self._stored_frames(0):
                first = frame.time if frame.key else None
                break
            for frame in self._stored_frames(self.count - 1):
                last = frame.time if frame.key else (last or 0) + frame.time
        return first, last

    def reopened(self) -> "ButterFile | None":
        """The file as it is now, opened again; None if it has not changed, or is not there."""
        if stamp_of(self.path) in (self.stamp, None):
            return None
        return ButterFile(self.path, self._decoding)

    def grown_from(self, other: object) -> bool:
        """Whether it is the other one with more behind it."""
        return isinstance(other, ButterFile) and self.header == other.header and self.size > other.size

    def stored(self, number: int) -> bytes:
        """A chunk as it is in the file; fewer bytes where that ends."""
        start, end, _ = self.extents[number]
        return self._read(start, min(end, self.size) - start) if start < self.size else b""

    def unpacked(self, number: int) -> Iterator[bytes]:
        """The frames of a chunk as bytes, in pieces; raises :class:`Damaged` behind what was whole."""
        start, end, said = self.extents[number]
        if start == end:
            return
        if end - start > MAX_CHUNK:
            raise Damaged("too long", expected=f"{MAX_CHUNK} bytes", found=end - start)
        stored = self.stored(number)
        missing = end - start - len(stored)
        try:
            yield from unpack(stored, self.header.compression)
        except Damaged:
            if not missing:
                raise
        if missing:
            raise Damaged("the file ends inside it", expected=f"{end - start} bytes", found=len(stored))
        if said is not None:
            raise Damaged("it does not begin where the table says", expected=start, found=said)

    @cached_property
    def layout(self) -> Layout:
        """How the frames are laid out; if there are several ways, the first sound chunk tells."""
        likeliest, *others = layouts(self.header)
        filled = [number for number, (start, end, _) in enumerate(self.extents) if start < end] if others else []
        for number in filled[:_MOST_TRIED]:
            found = find_layout(partial(self.unpacked, number), self.header)
            if found is not None:
                return found
        return guess_layout(partial(self.unpacked, filled[0]), self.header) if filled else likeliest

    def chunk(self, number: int) -> Chunk:
        """A chunk, decoded."""
        known = self._chunks.get(number)
        if known is not None:
            self._chunks.move_to_end(number)
            return known
        chunk = self._chunks[number] = self._decoded(self._decoding(self.header), number)
        self._weights[number] = sum([max(len(frame.players), _FULL) for frame in chunk.frames])
        while sum(self._weights.values()) > _KEPT and len(self._chunks) > 1:
            del self._weights[self._chunks.popitem(last=False)[0]]
        return chunk

    def chunks(self) -> Iterator[Chunk]:
        """All chunks in order, none of them kept."""
        for number in range(self.count):
            yield self._decoded(self._decoding(self.header), number)

    def _decoded(self, decoder: ReferenceDecoder, number: int, teams: TeamReader | None = None) -> Chunk:
        """A chunk by this decoder, its teams as `teams` reads them."""
        fault = None
        keys: list[bool] = []
        frames: list[Frame] = []
        try:
            for key, frame in decoder.frames(read_frames(self.unpacked(number), self.layout, teams)):
                keys.append(key)
                frames.append(frame)
        except Damaged as error:
            fault = self._placed(error, number)
        return Chunk(tuple(frames), tuple(keys), fault)

    def _stored_frames(self, number: int) -> Iterator[StoredFrame]:
        """The frames of a chunk that can be read, with nothing but who is in their teams."""
        with suppress(Damaged):
            yield from read_frames(self.unpacked(number), self.layout, read_people)

    def _placed(self, fault: Damaged, number: int) -> Damaged:
        """A fault, perhaps at an offset of the frames: in the file that is a place only where nothing is compressed."""
        inside = fault.offset
        if inside is not None and self.header.compression != "none":
            fault.what += f" (byte {inside} of the unpacked chunk)"
            inside = 0
        fault.what = f"chunk {number}: {fault.what}"
        fault.offset = self.extents[number].start + (inside or 0)
        fault.file = self.path
        return fault
