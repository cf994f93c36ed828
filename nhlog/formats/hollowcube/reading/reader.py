"""A recording's preamble and chunks, read by byte ranges: the first 256 KiB, the rest of a longer preamble, then one
range for each chunk that is needed and not kept in memory.  Of a folder that is being recorded, what its preamble does
not list yet is read, too (`tail`).

The cache of chunks has a maximum size.  A chunk that cannot be read is returned with a fault; an error is raised only
if the source cannot be reached.
"""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Generic, TypeVar

from nhlog.change import Change
from nhlog.errors import Damaged, NhlogError, TooShort
from nhlog.files import CannotOpen
from nhlog.files.atomic import DRAFT
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, Missing, Source, segment_name
from nhlog.formats.hollowcube.reading.tail import MAX_FRAME, Part, Tail
from nhlog.formats.hollowcube.wire.chunks import Chunk, decode_chunk
from nhlog.formats.hollowcube.wire.frames import unpack
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, Layout
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.preamble import FIRST_READ, Preamble, length_of_preamble, parse_preamble
from nhlog.progress import report

__all__ = ["CACHE", "MAX_FRAME", "Part", "Reader"]

CACHE: Final = 512 << 10  # bytes of unpacked chunks that are kept; decoded, they take some thirty times as much

_MAX_FETCHED: Final = 1 << 20  # bytes of chunks that are read at once: some minutes of a run
_MARK: Final = 16  # bytes, the checksum of a chunk among them


T = TypeVar("T")


class _Latest(Generic[T]):
    """The values of the chunks that were asked for latest, by number, as far as `CACHE` goes; one in any case."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[T, int]] = OrderedDict()
        self.size = 0

    def __contains__(self, number: int) -> bool:
        return number in self._kept

    def get(self, number: int) -> T | None:
        """The value of a chunk; None if it is not there any more."""
        if number not in self._kept:
            return None
        self._kept.move_to_end(number)
        return self._kept[number][0]

    def put(self, number: int, value: T, size: int) -> None:
        """Keep the value of a chunk that is not there, which has so many bytes unpacked."""
        self._kept[number] = value, size
        self.size += size
        while self.size > CACHE and len(self._kept) > 1:
            self.size -= self._kept.popitem(last=False)[1][1]

    def forget_from(self, number: int) -> None:
        """Drop the values of the chunks from `number` on."""
        for later in [later for later in self._kept if later >= number]:
            self.size -= self._kept.pop(later)[1]


class Reader:
    """An open recording: its `preamble`, and its chunks by number.

    `parts` are the chunks in order: those of the index and behind it, or those in `given`, which `salvage` found; the
    first `settled` of them are complete, one more may be open.  `faults` are those that show without reading chunks,
    `broken` those of the chunks that were read, by number.
    Raises :class:`~nhlog.errors.NhlogError` if it is no recording.
    """

    def __init__(self, source: Source, given: tuple[Preamble, tuple[Part, ...]] | None = None) -> None:
        self.source = source
        self._name = PREAMBLE if source.folder else ""
        self._chunks: _Latest[Chunk] = _Latest()
        self._unpacked: _Latest[tuple[bytes, Damaged | None]] = _Latest()
        self._head = b""
        self._fetched = ("", 0, b"")  # a range of a file: its name, offset and bytes
        self._tail: Tail | None = None
        self._mark = b""
        self.broken: dict[int, Damaged] = {}
        if given is None:
            self._load()
        else:
            self._stamp, self.finished = source.stamp(self._name), self._is_finished()
            self.preamble, self.parts = given
            self.faults, self.settled = self.preamble.faults, len(self.parts)

    def _is_finished(self) -> bool:
        return not self.source.folder or self.source.size(FINISHED) is not None

    def _load(self) -> None:
        if self.source.folder and self.source.local and all(name.startswith(DRAFT) for name in self.source.names()):
            raise TooShort("an empty folder; nothing has been recorded yet", file=self.source.path)
        mark, finished = self.source.stamp(self._name), self._is_finished()
        head = data = self._read(self._name, 0, FIRST_READ)
        try:
            length = length_of_preamble(data)
            if FIRST_READ <= len(data) < length:
                data += self._read(self._name, len(data), length - len(data))
            self.preamble = parse_preamble(data, self.source.folder)
        except NhlogError as error:
            raise error.within(self.source.path) from None
        self._stamp, self._head, self.finished = mark, head, finished
        self._listed = tuple(map(self._part, self.preamble.entries))
        self.faults = (*self.preamble.faults, *(self._check_places() if self.source.local else ()))
        self._tail = Tail(self.source, self.preamble) if self.source.local and not finished else None
        self._extend()

    def _extend(self) -> None:
        """Add what a folder's preamble does not list yet."""
        self.parts, self.settled = self._listed, len(self._listed)
        if self._tail is not None:
            self._tail.extend()
            self.parts += self._tail.parts
            self.settled += len(self._tail.complete)
        self._mark = self._mark_now()

    def _mark_now(self) -> bytes:
        """The end of the last complete chunk, as it is now; nothing of a recording that does not grow."""
        if self._tail is None or not self.settled:
            return b""
        entry, name, offset = self.parts[self.settled - 1]
        try:
            return self._read(name, max(offset + entry.length - _MARK, 0), _MARK)
        except Damaged:
            return b""

    def _has(self, start: int, raw: bytes) -> bool:
        """Whether the chunk from tick `start` on begins with these bytes."""
        number = bisect_left(self.parts, start, key=lambda part: part.entry.start)
        try:
            return not raw or self.raw(number)[0].startswith(raw)
        except (Damaged, IndexError):
            return False

    @property
    def stamp(self) -> object:
        """What the file with the preamble was when that was read: see :meth:`Source.stamp`."""
        return self._stamp

    @property
    def ticks(self) -> int:
        """The number of ticks, including those missing between chunks."""
        return self.parts[-1].entry.end if self.parts else 0

    def _check_places(self) -> Iterator[Damaged]:
        """A fault per file that is missing, or ends before its last chunk does."""
        ends: dict[str, int] = {}
        for entry, name, offset in self._listed:
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
        """How many bytes of a single file are in memory already; reading chunks from them costs nothing."""
        return 0 if self.source.folder else len(self._head)

    @property
    def header_bytes(self) -> bytes:
        """The header as it is stored."""
        return self._head[:HEADER_SIZE]

    def frame(self, number: int) -> bytes:
        """The zstd frame of chunk `number`; raises :class:`Damaged` if it is not there or too large."""
        entry, name, offset = self.parts[number]
        if entry.length > MAX_FRAME:
            raise Damaged("a chunk is too large", expected=f"at most {MAX_FRAME} bytes", found=entry.length)
        frame = self._from_memory(number)
        if frame is not None:
            return frame
        frame = self._read(name, offset, entry.length)
        if len(frame) < entry.length:
            where = name or "the file"
            raise Damaged(f"a chunk lies outside {where}", offset=offset, expected=entry.length, found=len(frame))
        return frame

    def _from_memory(self, number: int) -> bytes | None:
        """The frame of chunk `number`, if its bytes were read with others."""
        entry, name, offset = self.parts[number]
        for place, begin, data in ((self._name, 0, self._head), self._fetched):
            if place == name and begin <= offset and offset + entry.length <= begin + len(data):
                return data[offset - begin : offset - begin + entry.length]
        return None

    def fetch(self, first: int, last: int) -> None:
        """Read chunks `first` to `last` of a recording at an address in one request, as far as that is no large one.

        They are needed soon, in this order.  Those that are in memory are not read again.
        """
        if self.source.local:
            return
        while first <= last and self.has(first):
            first += 1
        if first > last:
            return
        _, name, begin = self.parts[first]
        end = begin
        for entry, place, offset in self.parts[first : last + 1]:
            if place != name or offset != end or offset + entry.length > begin + _MAX_FETCHED:
                break
            end += entry.length
        if end > begin:
            with suppress(Damaged):  # reading a chunk will tell
                self._fetched = name, begin, self._read(name, begin, end - begin)

    def has(self, number: int) -> bool:
        """Whether chunk `number` is in memory."""
        kept = number in self._chunks or number in self._unpacked
        return kept or self._from_memory(number) is not None

    def raw(self, number: int) -> tuple[bytes, Damaged | None]:
        """The decompressed bytes of chunk `number`, and a fault if their length is not that of the index.

        Raises :class:`Damaged` if it cannot be decompressed.
        """
        known = self._unpacked.get(number)
        if known is not None:
            return known
        part = self.parts[number]
        try:
            length = part.entry.raw_length
            raw, fault = unpack(self.frame(number), length, self.preamble.extension.dictionary)
        except Damaged as error:
            if error.offset is None:
                error.offset = part.offset
            raise
        fault = None if number >= self.settled and len(raw) == length else fault
        self._unpacked.put(number, (raw, fault), len(raw))
        return raw, fault

    def chunk(self, number: int) -> Chunk:
        """Decode chunk `number`, or take it from the cache; an error is in its `fault`."""
        kept = self._chunks.get(number)
        if kept is not None:
            return kept
        chunk, size = self.fresh_chunk(number)
        self._chunks.put(number, chunk, size)
        return chunk

    def fresh_chunk(self, number: int) -> tuple[Chunk, int]:
        """Decode chunk `number` without caching it; returns it with its decompressed length in bytes."""
        chunk, size = self._decoded(number)
        self.broken.pop(number, None)
        if chunk.fault is not None:
            self.broken[number] = chunk.fault
        return chunk, size

    def _decoded(self, number: int) -> tuple[Chunk, int]:
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

    @property
    def known_faults(self) -> list[Damaged]:
        """`faults`, then those of the chunks that were read, by their numbers."""
        return [*self.faults, *(self.broken[number] for number in sorted(self.broken))]

    def sound_chunks(self) -> Iterator[tuple[Entry, bytes, Chunk]]:
        """The entry, decompressed bytes and decoded chunk of all chunks, in order.

        Raises :class:`Damaged` if the recording is not sound and complete.
        """
        layout, tick = self.preamble.header.layout, 0
        for number, (entry, _, offset) in enumerate(self.parts):
            if entry.start != tick:
                raise Damaged("recover it first: ticks without a chunk", file=self.source.path, expected=tick)
            tick = entry.end
            report("decoding", number, len(self.parts))
            try:
                raw, fault = self.raw(number)
            except Damaged as error:
                raise Damaged(f"recover it first: {error.what}", file=self.source.path, offset=offset) from None
            chunk = decode_chunk(raw, layout, entry.start, entry.ticks, entry.has_snapshot)
            fault = fault or chunk.fault
            if fault is not None:
                raise Damaged(f"recover it first: {fault.what}", file=self.source.path, offset=offset)
            yield entry, raw, chunk

    def refresh(self) -> Change:
        """Read what was added to the recording, and return what changed; REWOUND if something was taken away.

        A preamble that is missing or incomplete just now counts as unchanged: it is being replaced.  Raises
        :class:`TooShort` for one that was emptied.
        """
        stands = self.source.stamp(self._name) == self._stamp and self._is_finished() == self.finished
        if stands and not (self._tail and self._tail.is_touched):
            return Change.NOTHING
        before, settled, ticks = self.parts, self.settled, self.ticks
        recording, known, was_finished = self._recording(), self._known(), self.finished
        is_other = self._mark_now() != self._mark
        open_raw = self._tail.open_raw if self._tail else b""
        try:
            self._read_again() if is_other or not stands else self._extend()
        except (Damaged, CannotOpen):
            if self.source.size(self._name) == 0:
                raise TooShort("empty file", file=self.source.path, expected="a recording") from None
            return Change.NOTHING
        self._unpacked.forget_from(0)
        is_other |= not self._has(before[-1].entry.start if open_raw else 0, open_raw)
        self._forget_behind(0 if is_other else _alike(before, self.parts))
        if self._known() == known and not is_other:
            return Change.NOTHING
        is_other |= self._recording() != recording or self.parts[:settled] != before[:settled]
        if is_other or self.ticks < ticks:
            return Change.REWOUND
        return Change.FINISHED if self.finished and not was_finished else Change.GREW

    def _read_again(self) -> None:
        self.source.reopen()
        self._load()

    def _forget_behind(self, number: int) -> None:
        """Drop what was read of the chunks from `number` on."""
        self._fetched = ("", 0, b"")
        self._chunks.forget_from(number)
        self._unpacked.forget_from(number)
        for later in [later for later in self.broken if later >= number]:
            del self.broken[later]

    def _recording(self) -> tuple[object, ...]:
        """What tells one recording from another in its place."""
        header = self.preamble.header
        return header.layout, header.world_id, header.timestamp

    def _known(self) -> tuple[object, ...]:
        preamble = self.preamble
        return preamble.header, preamble.metadata, self.parts, self.finished, [str(fault) for fault in self.faults]

    def close(self) -> None:
        """Close the source."""
        self.source.close()


def _alike(before: tuple[Part, ...], now: tuple[Part, ...]) -> int:
    """How many chunks at the beginning are the same."""
    differing = (number for number, (one, other) in enumerate(zip(before, now, strict=False)) if one != other)
    return next(differing, min(len(before), len(now)))
