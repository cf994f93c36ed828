"""An open .butter file.

Opening reads only the header.  Chunks are decoded on demand, and the latest ones are cached.  A fault in one chunk is
reported with that chunk and does not affect the others.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property, partial
from typing import Final, Self

from nhlog.compression import MAX_CHUNK, has_checksum
from nhlog.errors import Damaged, NhlogError, TooShort
from nhlog.files import open_file, stamp_of
from nhlog.formats.butter.reading.chunk_table import Extent, extents, listed_extents
from nhlog.formats.butter.reading.decoding import FULL, Decoding, Mark, Marks
from nhlog.formats.butter.reading.outline import Chunk, Outline, OutlineDecoder
from nhlog.formats.butter.wire.correct import CorrectedDecoder, Lift
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.frames import Place, find_layout, guess_layout, read_frames
from nhlog.formats.butter.wire.header import MOST_CHUNKS, MOST_HEADER, Header, continues, parse_header
from nhlog.formats.butter.wire.packing import unpack
from nhlog.formats.butter.wire.stored import EARLY_PAUSE, Layout, StoredFrame, layouts
from nhlog.formats.butter.wire.teams import TeamReader, read_people
from nhlog.formats.butter.wire.values import Frame
from nhlog.progress import report

__all__ = ["ButterFile", "Chunk"]

WORTHWHILE: Final = 1 << 16  # bytes of a file whose outline may be in the cache; of fewer it is made as fast
_FIRST_READ: Final = 1 << 14  # bytes: more than all but the strangest headers take
_MOST_TRIED: Final = 8  # chunks that are looked at to find the layout
_KEPT: Final = 1200 * FULL  # players of the decoded frames that are kept, or one chunk if that has more


class ButterFile:
    """An open .butter file; `decoding` is the decoder of its frames.

    Raises :class:`~nhlog.files.CannotOpen`, :class:`Damaged` for an invalid header, :class:`Unsupported` for an unknown
    version.
    """

    def __init__(self, path: str, decoding: type[ReferenceDecoder] = CorrectedDecoder) -> None:
        self.path = path
        self._decoding = decoding
        self._decodings: OrderedDict[int, Decoding] = OrderedDict()
        self._marks = Marks()
        self._lifts: dict[int, tuple[Lift, ...]] | None = None  # of the chunks, once there is an outline
        self._file = open_file(path)
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
            header = parse_header(self._file.pread(min(self.size, most), 0))
            if header is not None or most >= self.size:
                break
        if header is None:
            raise TooShort("the header is cut off", offset=self.size, expected="more bytes", found="the end")
        return header

    def _read(self, at: int, count: int) -> bytes:
        return self._file.pread(count, at)

    @cached_property
    def extents(self) -> Sequence[Extent]:
        """The place of each chunk in the file, of which no byte is read where all of it is known."""
        if self.size >= WORTHWHILE:
            from nhlog.formats.butter.reading.index import are_known

            if are_known(listed := listed_extents(self.header), self._file, self.header):
                return listed
        return extents(self.header, self.size, self._read)

    @property
    def count(self) -> int:
        """The number of chunks."""
        return len(self.extents)

    @property
    def end(self) -> int:
        """The offset behind the last chunk, according to the header."""
        return self.extents[-1].end if self.extents else self.header.end

    @property
    def complete(self) -> bool:
        """Whether the file has all the chunks that the header lists."""
        return self.size >= self.end

    @property
    def cut(self) -> None:
        """Always None: the fault is reported with the chunk inside which the file ends."""

    @property
    def live(self) -> bool:
        """Whether the file may still grow: it ends inside a chunk, or has room for more of them."""
        return not self.complete or self.header.room > 0

    def truncated(self, number: int) -> bool:
        """Whether the file ends inside this chunk, or before it."""
        return self.size < self.extents[number].end

    def outline(self, known: Outline | None = None) -> Outline:
        """Summarise all frames; `known` is the outline from before the file grew, which is continued.

        Without it, what is known from an earlier opening is continued, and kept for the next one.
        """
        if known is None and self.size >= WORTHWHILE:
            outline = self._kept_outline()
        else:
            outline = known.before(min([*known.faults, max(known.chunks - 1, 0)])) if known else Outline()
            self._outline_rest(outline)
        self._lifts = outline.lifts
        return outline

    def _kept_outline(self) -> Outline:
        """What the user's cache has of the outline, and the rest; kept there in turn."""
        from nhlog.cache import fingerprint
        from nhlog.formats.butter.reading.index import Known, load_outline, store_outline

        state = fingerprint(self._file)
        kept = load_outline(self._file, self.header, self.extents) if state is not None else None
        outline = Outline()
        if kept is not None:
            outline, self.layout = kept
        begun = outline.chunks
        self._outline_rest(outline)
        if state is not None and begun < min([*outline.faults, self.count]):
            store_outline(self._file, state, self.header, self.extents, Known(outline, self.layout))
        return outline

    def _outline_rest(self, outline: Outline) -> None:
        """Add the chunks behind those that it has."""
        for number in range(outline.chunks, self.count):
            outline.add(self._fresh(OutlineDecoder(self.header), number, read_people))
            report("reading", number + 1, self.count)

    @property
    def dialect(self) -> str:
        """The version of the format, with `` early`` for the first of version 3's two layouts."""
        early = self.header.version == 3 and self.layout.pause == EARLY_PAUSE
        return f"{self.header.version} early" if early else str(self.header.version)

    def ends(self) -> tuple[int | None, int | None]:
        """The times of the first and the last frame, in ms since 1970; None where their chunk cannot be read."""
        first = last = None
        if self.count:
            for frame in self._stored_frames(0):
                first = frame.time if frame.key else None
                break
            for frame in self._stored_frames(self.count - 1):
                last = frame.time if frame.key else (last or 0) + frame.time
        return first, last

    def reopened(self) -> "ButterFile | None":
        """Open the file again; None if it has not changed or no longer exists."""
        place = self._file.place or self.path
        if stamp_of(place) in (self.stamp, None):
            return None
        return ButterFile(place, self._decoding)

    def grown_from(self, other: object) -> bool:
        """Whether this file is `other` with something added: to its last chunk, more chunks, or more players."""
        return isinstance(other, ButterFile) and self.size >= other.size and continues(self.header, other.header)

    def stored(self, number: int) -> bytes:
        """The compressed bytes of a chunk; fewer if the file ends inside it."""
        start, end, _ = self.extents[number]
        return self._read(start, min(end, self.size) - start) if start < self.size else b""

    def unguarded(self, number: int) -> bool:
        """Whether a chunk is compressed without a checksum, so that a changed byte need not be noticed."""
        stored = self.stored(number) if self.header.compression != "none" else b""
        return bool(stored) and not has_checksum(stored)

    def unpacked(self, number: int) -> Iterator[bytes]:
        """The decompressed bytes of a chunk, in pieces; raises :class:`Damaged` behind what could be decompressed."""
        start, end, listed = self.extents[number]
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
        if listed is not None:
            raise Damaged("the chunk does not begin where the table says", expected=start, found=listed)

    def first_frames(self, number: int, count: int) -> bytes:
        """The decompressed bytes of the first `count` frames of a chunk, or of those that can be read."""
        data = bytearray()
        with suppress(Damaged):
            for piece in self.unpacked(number):
                data += piece
        end = len(data)
        try:
            for index, frame in enumerate(read_frames([bytes(data)], self.layout, read_people)):
                if index == count:
                    end = frame.offset
                    break
        except Damaged as fault:
            end = fault.offset or 0
        return bytes(data[:end])

    @cached_property
    def layout(self) -> Layout:
        """The layout of the frames; where the header permits several, the first sound chunk decides."""
        likeliest, *others = layouts(self.header)
        filled = [number for number, (start, end, _) in enumerate(self.extents) if start < end] if others else []
        for number in filled[:_MOST_TRIED]:
            found = find_layout(partial(self.unpacked, number), self.header)
            if found is not None:
                return found
        return guess_layout(partial(self.unpacked, filled[0]), self.header) if filled else likeliest

    def chunk(self, number: int) -> Chunk:
        """Decode a chunk, or take it from the cache."""
        return _whole(self._decoded(number, 0, None))

    def frames(self, number: int, first: int, end: int) -> Sequence[Frame]:
        """Frames `first` to `end` (excluded) of a chunk, without those that cannot be read; no later one is decoded."""
        decoding = self._decoded(number, first, end)
        return decoding.frames[first - decoding.first : max(end - decoding.first, 0)]

    def _decoded(self, number: int, first: int, end: int | None) -> Decoding:
        """A chunk of which frames `first` to `end` are decoded, from the cache as far as they are there."""
        decoding = self._decodings.pop(number, None)
        mark = self._marks.before(number, first)
        if decoding is None or not decoding.first <= first or (mark and mark.place.frames > decoding.end):
            decoding = self._begun(number, mark)
        decoding.reach(end)
        self._decodings[number] = decoding
        players = sum(kept.players for kept in self._decodings.values())
        while players > _KEPT and len(self._decodings) > 1:
            players -= self._decodings.popitem(last=False)[1].players
        return decoding

    def _begun(self, number: int, mark: Mark | None) -> Decoding:
        """The decoding of a chunk from its start or from a mark on."""
        placed = partial(self._placed, number=number)
        decoder = self._decoding(self.header) if mark is None else copy(mark.decoder)
        if self._lifts is None or not isinstance(decoder, CorrectedDecoder):  # some frames have to wait for later ones
            return Decoding(decoder.frames(read_frames(self.unpacked(number), self.layout)), placed)
        place = Place() if mark is None else mark.place
        stored = read_frames(self.unpacked(number), self.layout, begun=place)
        marked = self._marks.made(number, decoder, stored, place)
        return Decoding(decoder.frames_at_once(marked, self._lifts.get(number, ())), placed, place.frames)

    def chunks(self) -> Iterator[Chunk]:
        """Decode all chunks in order, without caching them."""
        for number in range(self.count):
            report("decoding", number, self.count)
            yield self._fresh(self._decoding(self.header), number)

    def _fresh(self, decoder: ReferenceDecoder, number: int, teams: TeamReader | None = None) -> Chunk:
        """Decode a chunk with `decoder`, its teams with `teams`."""
        frames = decoder.frames(read_frames(self.unpacked(number), self.layout, teams))
        decoding = Decoding(frames, partial(self._placed, number=number))
        decoding.reach()
        lifts = decoder.lifts if isinstance(decoder, CorrectedDecoder) else []
        return _whole(decoding)._replace(lifts=tuple(lifts) if any(map(any, lifts)) else ())

    def _stored_frames(self, number: int) -> Iterator[StoredFrame]:
        """The readable frames of a chunk, with only the names of the players in their teams."""
        with suppress(Damaged):
            yield from read_frames(self.unpacked(number), self.layout, read_people)

    def _placed(self, fault: Damaged, number: int) -> Damaged:
        """The fault with the chunk's number, the file and its offset in the file.

        An offset inside a compressed chunk has no place in the file: it goes into the text.
        """
        inside = fault.offset
        if inside is not None and self.header.compression != "none":
            fault.what += f" (byte {inside} of the unpacked chunk)"
            inside = 0
        fault.what = f"chunk {number}: {fault.what}"
        fault.offset = self.extents[number].start + (inside or 0)
        fault.file = self.path
        return fault


def _whole(decoding: Decoding) -> Chunk:
    return Chunk(tuple(decoding.frames), tuple(decoding.keys), decoding.fault)
