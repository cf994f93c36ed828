"""Rewrites a folder of segments, or a file, as one compact file: the same ticks with better compression.

The source is streamed: chunks are sampled for a dictionary, if one is wanted, then merged and compressed.  The result
is read back and compared with the source before it is moved to its place; only then is the source deleted.  Where it
would be larger than the source's chunks as they are, these are kept.
"""

import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final
from zlib import crc32

from nhlog.compression import ZSTD, Compressor, train_dictionary
from nhlog.errors import Damaged, Usage
from nhlog.formats.hollowcube.reading.history import History
from nhlog.formats.hollowcube.reading.open import folder_of, open_source
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.salvage import survey
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE
from nhlog.formats.hollowcube.reading.states import StateReader
from nhlog.formats.hollowcube.state import Scene
from nhlog.formats.hollowcube.wire.chunks import Chunk, ChunkBuilder
from nhlog.formats.hollowcube.wire.events import PLAYER, AbsoluteMove, ChangeHeldSlot, DeltaMove, Event
from nhlog.formats.hollowcube.wire.extension import RunEventTable, with_extension
from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS, TICK_MS, TICKS_PER_SECOND, Header, Layout
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag, from_plain
from nhlog.formats.hollowcube.wire.preamble import build_preamble
from nhlog.formats.hollowcube.writing.assemble import PackedChunk, assemble, check_target, packed
from nhlog.formats.hollowcube.writing.chunker import MOST_BYTES, RawChunk
from nhlog.formats.hollowcube.writing.lock import locked
from nhlog.operations import Record
from nhlog.values import NamedTuple

__all__ = ["ANALYSIS", "compact"]

ANALYSIS: Final = "analysis"  # where it goes in the metadata
_DICTIONARY: Final = 16 << 10  # bytes: gains 5 to 7 % on chunks of 100 ticks (spec 8)
_DICTIONARY_SHARE: Final = 50  # it is in the file, too: one that is larger than a fiftieth of it would not pay
_LEAST_DICTIONARY: Final = 512
_DICTIONARY_IDS: Final = 0x8000  # zstd keeps those below for a registrar; the header has 16 bits
_SAMPLES: Final = 4 << 20  # bytes of chunks that a dictionary is learnt from
_LEVELS: Final = range(1, 23)
_SEEK: Final = 3  # chunks that a seek may cost
_SEEK_BYTES: Final = 16 << 10  # unpacked: what three chunks of a run have
_SEEK_TICKS: Final = TICKS_PER_SECOND * 600  # of a chunk in which next to nothing happens

Sound = tuple[Entry, bytes, Chunk]


def compact(
    source: str,
    target: str,
    level: int,
    dictionary: bool,
    analysis: bool,
    merge: int | None,
    remove: bool,
    force: bool,
) -> Record:
    """See :func:`nhlog.formats.hollowcube.operations.compact`; returns what `nhlog compact --json` prints."""
    if level not in _LEVELS:
        raise Usage("no such level", expected="1 to 22", found=level)
    if merge is not None and merge < 1:
        raise Usage("a chunk must have at least one tick", found=merge)
    if remove and os.path.realpath(source) == os.path.realpath(target):
        raise Usage("source and target are the same file", file=source)
    check_target(target, force)
    folder = folder_of(source)
    with locked(folder) if remove and folder is not None else nullcontext(), closing(_open(source)) as reader:
        before = sum(part.entry.length for part in reader.parts)
        made: _Compaction | _Kept = _Compaction(reader, level, dictionary, merge, analysis)
        try:
            entries = _write(target, made, force)
        except _Larger as larger:
            made = larger.kept
            entries = _write(target, made, force)
        if remove:
            _remove(reader)
    size = entries[-1].offset + entries[-1].length if entries else 0
    return {
        "file": target,
        "source": source,
        "ticks": entries[-1].end if entries else 0,
        "chunks": len(entries),
        "merged": made.merged,
        "dictionary": made.header.dictionary,
        "size": size,
        "packed": sum(entry.length for entry in entries),
        "source_packed": before,
        "removed": remove,
    }


def _write(target: str, made: "_Compaction | _Kept", force: bool) -> list[Entry]:
    return assemble(target, made.header, made.metadata, made.chunks(), force=force, check=made.check)


class _Compaction:
    """One pass over the source, and the data collected from it; `merged` is the number of chunks that were merged."""

    def __init__(self, reader: Reader, level: int, dictionary: bool, merge: int | None, analysis: bool) -> None:
        self._reader, self._merge, self._is_analysed = reader, merge, analysis
        self._layout = reader.preamble.header.layout
        if dictionary and self._layout is Layout.GAME:
            raise Usage("a dictionary needs layout 1: the game cannot read one", file=reader.source.path)
        number, self._dictionary = _trained(reader) if dictionary else (0, b"")
        self.header: Header = replace(reader.preamble.header, dictionary=number, flags=0)
        self._pack = Compressor(ZSTD, level, self._dictionary)
        self.merged = 0
        self._run_events, self._counts = RunEventTable(), _Counts()
        self._digest = _Digest()

    def chunks(self) -> Iterator[PackedChunk]:
        """The source's chunks, small ones merged."""
        return packed(self._chunks(), self._pack)

    def _chunks(self) -> Iterator[RawChunk]:
        anchors = _anchors(self._reader)
        told = None if self._merge is None else _Limit(self._merge)
        limits = _limits(self._reader, anchors) if told is None else [told] * len(self._reader.parts)
        for group in _groups(self._reader.sound_chunks(), anchors, limits):
            for _, raw, chunk in group:
                self._run_events.add_all(chunk.ticks)
                self._counts.add(chunk)
                self._digest.add(raw, chunk)
            if len(group) == 1:
                entry, raw, _ = group[0]
                yield RawChunk(entry.start, entry.ticks, entry.flags, raw, 0)
            else:
                self.merged += len(group)
                yield _merge(group, self._layout)

    def metadata(self, ticks: int) -> Tag:
        """The source's metadata with the collected data."""
        preamble = self._reader.preamble
        extension = replace(self._run_events.added_to(preamble.extension, ticks), dictionary=self._dictionary)
        return self.analysed(with_extension(preamble.metadata, extension), ticks)

    def analysed(self, metadata: Tag, ticks: int) -> Tag:
        """The metadata with the analysis, if one is wanted."""
        if not self._is_analysed:
            return metadata
        return Tag(Kind.COMPOUND, {**metadata.value, ANALYSIS: from_plain(self._counts.record(ticks))})

    def check(self, result: Reader) -> None:
        """Compare the result with the source; raises :class:`_Larger`, and :class:`Damaged` if its ticks differ."""
        kept = _Kept(self._reader, self, self._pack)
        if (result.source.size("") or 0) > kept.size:
            raise _Larger(kept)
        self.compare(result)

    def compare(self, result: Reader) -> None:
        """Compare the result's ticks with the source's; raises :class:`~nhlog.errors.Damaged` if they differ."""
        digest = _Digest()
        for _, raw, chunk in result.sound_chunks():
            digest.add(raw, chunk)
        if digest.value() != self._digest.value():
            raise Damaged("the result does not have the source's ticks", file=self._reader.source.path)


class _Larger(Exception):
    """The result would be larger than with the source's chunks as they are."""

    def __init__(self, kept: "_Kept") -> None:
        super().__init__("larger")
        self.kept = kept


class _Kept:
    """The source's chunks as they are, after a `compaction` that gained nothing."""

    merged = 0

    def __init__(self, reader: Reader, compaction: _Compaction, pack: Compressor) -> None:
        self._reader, self._compaction, self._pack = reader, compaction, pack
        self.header: Header = replace(reader.preamble.header, flags=0)

    @property
    def size(self) -> int:
        """The size of the result in bytes."""
        entries = [part.entry for part in self._reader.parts]
        preamble = build_preamble(self.header, self.metadata(self._reader.ticks), entries)
        return len(preamble) + sum(entry.length for entry in entries)

    def chunks(self) -> Iterator[PackedChunk]:
        """They; one that its recorder has not ended is packed anew."""
        for number, (entry, raw, _) in enumerate(self._reader.sound_chunks()):
            frame = self._reader.frame(number) if number < self._reader.settled else self._pack(raw)
            yield PackedChunk(RawChunk(entry.start, entry.ticks, entry.flags, raw, 0), frame)

    def metadata(self, ticks: int) -> Tag:
        """The source's metadata, and the analysis."""
        return self._compaction.analysed(self._reader.preamble.metadata, ticks)

    def check(self, result: Reader) -> None:
        """Compare the result with the source."""
        self._compaction.compare(result)


class _Digest:
    """A digest of all ticks with events, in order, independent of how they are split into chunks."""

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=32)

    def add(self, raw: bytes, chunk: Chunk) -> None:
        """Add the ticks of a chunk."""
        for tick in chunk.ticks:
            if tick.events:
                self._hash.update(b"%d %d " % (tick.number, tick.end - tick.body) + raw[tick.body : tick.end])

    def value(self) -> bytes:
        """The digest of the ticks so far."""
        return self._hash.digest()


class _Counts:
    """Counts events by kind, ticks with events, and the distance that the player moved."""

    def __init__(self) -> None:
        self._events: Counter[str] = Counter()
        self._busy = 0
        self._distance = 0.0
        self._here: tuple[float, ...] | None = None

    def add(self, chunk: Chunk) -> None:
        """Add the ticks of a chunk."""
        for tick in chunk.ticks:
            self._busy += bool(tick.events)
            for event in tick.events:
                self._events[type(event).__name__] += 1
                if isinstance(event, (DeltaMove, AbsoluteMove)) and event.entity == PLAYER:
                    self._move(event)

    def _move(self, event: DeltaMove | AbsoluteMove) -> None:
        """Add the distance of a move; an absolute move in a snapshot has none, as it leads to the current position."""
        if isinstance(event, DeltaMove):
            self._distance += math.hypot(*event.delta[:3])
            if self._here is not None:
                self._here = tuple(map(sum, zip(self._here, event.delta[:3], strict=True)))
            return
        there = event.position[:3]
        self._distance += 0.0 if self._here is None else math.dist(self._here, there)
        self._here = there

    def record(self, ticks: int) -> dict[str, Any]:
        """The counts as plain values; the duration is in milliseconds, the distance in blocks."""
        return {
            "ticks": ticks,
            "busy_ticks": self._busy,
            "duration": ticks * TICK_MS,
            "distance": self._distance,
            "events": dict(sorted(self._events.items())),
        }


def _anchors(reader: Reader) -> list[int]:
    """The numbers of the chunks that can be read on their own: of the game's, their content tells."""
    if reader.preamble.header.layout is Layout.TEXT:
        return [number for number, part in enumerate(reader.parts) if not number or part.entry.has_snapshot]
    states = StateReader(reader, History(reader))
    return [number for number in range(len(reader.parts)) if states.is_anchor(number)]


class _Limit(NamedTuple):
    """A merged chunk may have `ticks` ticks, and `_SEEK_TICKS` as long as they are unpacked in `bytes` bytes."""

    ticks: int
    bytes: int = 0


def _limits(reader: Reader, anchors: Sequence[int]) -> list[_Limit]:
    """For each chunk the limit of the merged chunk that it is in.

    A seek reads `_SEEK` chunks of the game's length at most: in one, or where chunks cannot be read on their own, in so
    many longer ones.
    """
    limits: list[_Limit] = []
    for first, behind in pairwise([*anchors, len(reader.parts)]):
        ticks = [part.entry.ticks for part in reader.parts[first:behind]]
        most = max(_SEEK * CHUNK_TICKS, math.ceil(sum(ticks) / _SEEK) + max(ticks))
        limits += [_Limit(most, _SEEK_BYTES)] * len(ticks)
    return limits


def _groups(chunks: Iterable[Sound], anchors: Sequence[int], limits: Sequence[_Limit]) -> Iterator[list[Sound]]:
    """Groups of chunks that continue each other and have together at most the ticks of their limit, or single ones."""
    alone = set(anchors)
    group: list[Sound] = []
    played = Scene()
    for number, (sound, limit) in enumerate(zip(chunks, limits, strict=True)):
        entry, _, chunk = sound
        if group and not (_fits(group, entry, limit) and (number not in alone or _goes_on(played, chunk))):
            yield group
            group, played = [], Scene()
        if not group:
            _apply(played, chunk.snapshot or ())
        group.append(sound)
        if entry.end - group[0][0].start < max(limit.ticks, _SEEK_TICKS):  # else nothing follows
            for tick in chunk.ticks:
                _apply(played, tick.events)
    if group:
        yield group


def _fits(group: list[Sound], entry: Entry, limit: _Limit) -> bool:
    size = sum(sound[0].raw_length for sound in group) + entry.raw_length
    ticks = entry.end - group[0][0].start
    return size <= MOST_BYTES and (ticks <= limit.ticks or (ticks <= _SEEK_TICKS and size <= limit.bytes))


def _goes_on(before: Scene, chunk: Chunk) -> bool:
    """Whether a chunk continues a state: applying it to that, or to its snapshot, gives the same after one tick."""
    played, begun = Scene(before.freeze()), Scene()
    _apply(begun, chunk.snapshot or ())
    for tick in chunk.ticks[:1]:
        _apply(played, tick.events)
        _apply(begun, tick.events)
    player = played.entity(PLAYER)
    if chunk.snapshot is None and player is not None and player.held is not None:
        begun.apply(ChangeHeldSlot(PLAYER, player.held))  # the game's snapshots leave it out
    return played.freeze() == begun.freeze()


def _apply(scene: Scene, events: Iterable[Event]) -> None:
    for event in events:
        scene.apply(event)


def _merge(group: list[Sound], layout: Layout) -> RawChunk:
    """Merge several chunks into one, with the snapshot of the first."""
    first, last = group[0][0], group[-1][0]
    builder = ChunkBuilder(layout, first.start, group[0][2].snapshot)
    for _, raw, chunk in group:
        for tick in chunk.ticks:
            builder.add(tick.number, len(tick.events), raw[tick.body : tick.end])
    return RawChunk(first.start, last.end - first.start, first.flags, builder.until(last.end), 0)


def _trained(reader: Reader) -> tuple[int, bytes]:
    """The ID and the bytes of a dictionary trained with chunks from the whole recording, smaller for a short one.

    0 and no bytes if there are too few chunks to train with.
    """
    total = sum(part.entry.raw_length for part in reader.parts)
    every = max(1, math.ceil(total / _SAMPLES))
    samples = [reader.raw(number)[0] for number in range(0, len(reader.parts), every)]
    number = _DICTIONARY_IDS | crc32(b"".join(samples)) & 0x7FFF
    trained = train_dictionary(samples, min(_DICTIONARY, max(total // _DICTIONARY_SHARE, _LEAST_DICTIONARY)), number)
    return (number, trained) if trained else (0, b"")


def _open(path: str) -> Reader:
    """A reader of all chunks at `path`, also of those missing in the index; raises :class:`Damaged` for any loss."""
    source = open_source(path)
    try:
        if not (source.folder and source.local):
            reader = Reader(source)
            faults = [fault.what for fault in reader.faults]
        else:
            found = survey(source)
            reader = Reader(source, (found.preamble, found.parts))
            faults = [loss.what for loss in found.losses]
        if faults:
            raise Damaged(f"recover it first: {faults[0]}", file=path)
    except BaseException:
        source.close()
        raise
    return reader


def _remove(reader: Reader) -> None:
    """Delete the source; in a folder, only the files of the recording."""
    path = reader.source.path
    folder = folder_of(path)
    if folder is None:
        os.unlink(path)
        return
    for name in {PREAMBLE, FINISHED, *(part.name for part in reader.parts)}:
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, name))
    with suppress(OSError):  # what else is in it is not ours
        os.rmdir(folder)
