"""A recording's preamble and chunks, read by ranges: the first 256 KiB, once more if the preamble is longer, then one
range for each chunk that is needed and not kept.

What is kept of chunks is bounded.  A chunk that cannot be read is a chunk with a fault; only a source that cannot be
reached raises.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final, NamedTuple

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.hollowcube.reading.local import FINISHED, PREAMBLE, Missing, Source, open_source, segment_name
from nhlog.formats.hollowcube.wire.chunks import Chunk, decode_chunk, unpack
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, Layout
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.preamble import FIRST_READ, Preamble, length_of_preamble, parse_preamble

__all__ = ["CACHE", "MAX_FRAME", "Part", "Reader", "open_reader"]

CACHE: Final = 512 << 10  # bytes of unpacked chunks that are kept; decoded, they take some thirty times as much
MAX_FRAME: Final = 16 << 20  # bytes of a packed chunk: more than `MAX_RAW` bytes pack to at worst


class Part(NamedTuple):
    """A chunk and where it lies: `offset` bytes into the file `name`."""

    entry: Entry
    name: str
    offset: int


class Reader:
    """An open recording.

    `parts` are its chunks in order: those of the index, unless someone who knows better has `given` others, with what
    to take for the preamble.  `faults` are what is wrong as far as can be told without looking into them.
    """

    def __init__(self, source: Source, given: tuple[Preamble, tuple[Part, ...]] | None = None) -> None:
        self.source = source
        self._name = PREAMBLE if source.folder else ""
        self._kept: OrderedDict[int, tuple[Chunk, int]] = OrderedDict()
        self._head = b""
        if given is None:
            self._load()
        else:
            self._mark, self.finished = source.mark(self._name), self._is_finished()
            self.preamble, self.parts = given
            self.faults = self.preamble.faults

    def _is_finished(self) -> bool:
        return not self.source.folder or self.source.size(FINISHED) is not None

    def _load(self) -> None:
        mark, finished = self.source.mark(self._name), self._is_finished()
        head = data = self._read(self._name, 0, FIRST_READ)
        try:
            length = length_of_preamble(data)
            if FIRST_READ <= len(data) < length:
                data += self._read(self._name, len(data), length - len(data))
            self.preamble = parse_preamble(data, self.source.folder)
        except NhlogError as error:
            raise error.within(self.source.path) from None
        self._mark, self._head, self.finished = mark, head, finished
        self.parts = tuple(map(self._part, self.preamble.entries))
        self.faults = (*self.preamble.faults, *(self._check_places() if self.source.near else ()))

    def _check_places(self) -> Iterator[Damaged]:
        """The files that are not there, or end before their last chunk does."""
        ends: dict[str, int] = {}
        for entry, name, offset in self.parts:
            ends[name] = max(ends.get(name, 0), offset + entry.length)
        for name, end in ends.items():
            size = self.source.size(name)
            if size is None:
                yield Missing(f"{name} is missing")
            elif size < end:
                yield Damaged(f"{name or 'the file'} is too short", offset=size, expected=end, found=size)

    def _part(self, entry: Entry) -> Part:
        if not self.source.folder:
            return Part(entry, "", entry.offset)
        segment, offset = entry.segment
        return Part(entry, segment_name(segment), offset)

    def _read(self, name: str, offset: int, length: int) -> bytes:
        return self.source.read(name, offset, length)

    @property
    def free(self) -> int:
        """How many bytes of a lone file are known already: what lies in them costs nothing to read."""
        return 0 if self.source.folder else len(self._head)

    @property
    def header_bytes(self) -> bytes:
        """The header as it is stored."""
        return self._head[:HEADER_SIZE]

    def frame(self, number: int) -> bytes:
        """A chunk's zstd frame; raises :class:`Damaged` where it is not there."""
        entry, name, offset = self.parts[number]
        if entry.length > MAX_FRAME:
            raise Damaged("a chunk is too large", expected=f"at most {MAX_FRAME} bytes", found=entry.length)
        if name == self._name and offset + entry.length <= len(self._head):
            return self._head[offset : offset + entry.length]
        frame = self._read(name, offset, entry.length)
        if len(frame) < entry.length:
            where = name or "the file"
            raise Damaged(f"a chunk lies outside {where}", offset=offset, expected=entry.length, found=len(frame))
        return frame

    def raw(self, number: int) -> tuple[bytes, Damaged | None]:
        """A chunk unpacked, and what is wrong with its length; raises :class:`Damaged` where it cannot be."""
        try:
            return unpack(self.frame(number), self.parts[number].entry.raw_length, self.preamble.annex.dictionary)
        except Damaged as error:
            if error.offset is None:
                error.offset = self.parts[number].offset
            raise

    def chunk(self, number: int) -> Chunk:
        """A chunk decoded; what is wrong with it is its fault."""
        kept = self._kept.get(number)
        if kept is not None:
            self._kept.move_to_end(number)
            return kept[0]
        chunk, size = self.fresh_chunk(number)
        self._kept[number] = chunk, size
        total = sum(size for _, size in self._kept.values())
        while total > CACHE and len(self._kept) > 1:
            total -= self._kept.popitem(last=False)[1][1]
        return chunk

    def fresh_chunk(self, number: int) -> tuple[Chunk, int]:
        """A chunk decoded, and the bytes that it had; it is not kept."""
        entry = self.parts[number].entry
        try:
            raw, fault = self.raw(number)
        except Damaged as error:
            return Chunk(None, (), entry.start, error), 0
        layout = self.preamble.header.layout
        chunk = decode_chunk(raw, layout, entry.start, entry.ticks, entry.has_snapshot)
        if fault is None:
            return chunk, len(raw)
        if layout is Layout.GAME and chunk.ticks and chunk.ticks[0].field != entry.start:
            return Chunk(None, (), entry.start, fault), 0  # another chunk lies where this one should be
        return chunk._replace(fault=fault), len(raw)

    def refresh(self) -> bool:
        """Look again; whether there is anything new.

        A preamble that is not there or not whole just now is not news yet.
        """
        finished = not self.source.folder or self.source.size(FINISHED) is not None
        if self.source.mark(self._name) == self._mark and finished == self.finished:
            return False
        before, known = self.parts, self._known()
        try:
            self.source.reopen()
            self._load()
        except Damaged:
            return False
        if self.parts[: len(before)] != before:
            self._kept.clear()
        return self._known() != known

    def _known(self) -> tuple[object, ...]:
        told = self.preamble
        return told.header, told.metadata, self.parts, self.finished, [str(fault) for fault in self.faults]

    def close(self) -> None:
        """Give the source back."""
        self.source.close()


def open_reader(path: str) -> Reader:
    """The recording at `path`; raises :class:`~nhlog.errors.NhlogError` where there is none."""
    source = open_source(path)
    try:
        return Reader(source)
    except BaseException:
        source.close()
        raise
