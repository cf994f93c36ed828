"""Cutting a recording off behind a whole tick, where it is: `recover` and `rewind`.

What is cut off is on the disk before anything is taken away.  Of a folder that is every file that changes or goes, as
it was; whatever the moment of a death, what is left is the beginning of the recording, and `recover` lists it.  A
single file is written anew, and kept as it was.
"""

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from itertools import accumulate, chain
from typing import Final

from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged, Unsupported
from nhlog.files import CHUNK, Stamp, atomic, refusals
from nhlog.files.cuts import date_as_cut, replace_whole
from nhlog.files.cuts import keep as keep_cut
from nhlog.formats.hollowcube.reading.history import History
from nhlog.formats.hollowcube.reading.open import folder_of, open_reader, open_source
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, segment_number
from nhlog.formats.hollowcube.reading.summary import timeline_of
from nhlog.formats.hollowcube.reading.tail import Part, Tail
from nhlog.formats.hollowcube.wire.extension import with_extension
from nhlog.formats.hollowcube.wire.frames import unpack
from nhlog.formats.hollowcube.wire.header import TICK
from nhlog.formats.hollowcube.wire.index import Entry, segment_offset
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from nhlog.formats.hollowcube.wire.preamble import build_preamble
from nhlog.formats.hollowcube.writing.chunker import RECORDING_LEVEL, RawChunk, first_ticks
from nhlog.formats.hollowcube.writing.compact import ANALYSIS
from nhlog.formats.hollowcube.writing.lock import locked
from nhlog.formats.hollowcube.writing.returning import archived
from nhlog.operations import Agree, Record
from nhlog.timeline import Position
from nhlog.values import dataclass

__all__ = ["recover", "rewind"]

_ELSEWHERE: Final = "what can be read of it can be written to another file (-o)"


@dataclass(frozen=True, slots=True)
class _Cut:
    """What becomes of a recording: the chunks that stay where they are, and a `last` one, written in place of another.

    Behind them, from `offset` of the file `name` on, everything goes.
    """

    reader: Reader
    kept: tuple[Part, ...]
    last: RawChunk | None
    name: str
    offset: int

    @property
    def ticks(self) -> int:
        """The number of ticks then."""
        if self.last is not None:
            return self.last.start + self.last.ticks
        return self.kept[-1].entry.end if self.kept else 0

    @property
    def later(self) -> list[str]:
        """The segments behind the one that is cut, the last one first."""
        here = segment_number(self.name)
        numbered = ((segment_number(name), name) for name in self.reader.source.names())
        found = sorted((number, name) for number, name in numbered if number is not None and number > (here or 0))
        return [name for _, name in reversed(found)] if here is not None else []

    @property
    def lost(self) -> int:
        """How many bytes go."""
        sizes = (self.reader.source.size(name) or 0 for name in (self.name, *self.later))
        return max(sum(sizes) - self.offset, 0)


def recover(path: str, *, dry_run: bool, keep: bool) -> Record:
    """See :func:`nhlog.formats.hollowcube.operations.recover`."""
    with _held(path, dry_run), closing(open_source(path)) as source:
        try:
            reader = Reader(source)
        except Damaged as error:
            raise Damaged(f"{error.what}; {_ELSEWHERE}", file=path, offset=error.offset) from None
        cut = _sound_beginning(reader)
        listed = len(reader.preamble.entries)
        if len(cut.kept) == listed and not (cut.last or cut.lost or reader.faults):
            return {"recovered": False, "offset": None, "lost_bytes": 0, "kept_in": None}
        offset, lost = _offset(cut), cut.lost
        kept_in = None if dry_run else _carry_out(cut, keep)
    return {"recovered": not dry_run, "offset": offset, "lost_bytes": lost, "kept_in": kept_in}


def rewind(path: str, position: Position, agree: Agree, *, dry_run: bool, keep: bool) -> Record:
    """See :func:`nhlog.formats.hollowcube.operations.rewind`."""
    with _held(path, dry_run), closing(open_reader(path)) as reader:
        if reader.faults:
            raise Damaged(f"recover it first: {reader.faults[0].what}", file=path)
        history = History(reader)
        history.extend()
        timeline = timeline_of(reader, history)
        ticks = min(timeline.resolve(position, timeline.last) + 1, reader.ticks)
        cut = _behind(reader, ticks) if ticks < reader.ticks else None
        lost: Record = {
            "offset": None if cut is None else _offset(cut),
            "size": None if cut is None else _offset(cut) + cut.lost,
            "tick": max(ticks - 1, 0),
            "lost_ticks": reader.ticks - ticks,
            "lost_time": (reader.ticks - ticks) * TICK,
            "lost_bytes": 0 if cut is None else cut.lost,
        }
        rewound = cut is not None and not dry_run and agree(lost)
        kept_in = _carry_out(cut, keep) if cut is not None and rewound else None
    return {"rewound": rewound, **lost, "kept_in": kept_in}


def _held(path: str, dry_run: bool) -> AbstractContextManager[None]:
    """A context with the lock of a folder, so that nobody records in it."""
    if "://" in path:
        raise Unsupported("only a recording on this machine can be cut", file=path)
    folder = folder_of(path)
    return nullcontext() if dry_run or folder is None else locked(folder)


# what is to be cut


def _sound_beginning(reader: Reader) -> _Cut:
    """All that is sound from the first tick on, and what a crash left behind that.

    Raises :class:`Damaged` if that is nothing, or if there are sound chunks behind damaged ones.
    """
    listed = reader.parts[: len(reader.preamble.entries)]
    sound = [_is_sound(reader, number) for number in range(len(listed))]
    count = next((number for number, good in enumerate(sound) if not good), len(sound))
    kept: tuple[Part, ...] = listed[:count]
    ends = (0, *(part.entry.end for part in kept))
    if any(sound[count:]) or any(part.entry.start != end for part, end in zip(kept, ends, strict=False)):
        raise Damaged(f"the recording is damaged before its end; {_ELSEWHERE}", file=reader.source.path)
    last: Part | None = None
    if reader.source.folder:
        tail = Tail(reader.source, replace(reader.preamble, entries=tuple(part.entry for part in kept)))
        tail.extend()
        kept, last = (*kept, *tail.complete), tail.open
    if not kept and last is None:
        raise Damaged("nothing in it can be read", file=reader.source.path)
    if last is None:
        return _Cut(reader, kept, None, kept[-1].name, kept[-1].offset + kept[-1].entry.length)
    raw, _ = unpack(reader.source.read(last.name, last.offset, last.entry.length), last.entry.raw_length)
    written = RawChunk(last.entry.start, last.entry.ticks, last.entry.flags, raw, 0)
    return _Cut(reader, kept, written, last.name, last.offset)


def _is_sound(reader: Reader, number: int) -> bool:
    """Whether chunk `number` is as the index says."""
    return reader.fresh_chunk(number)[0].fault is None


def _behind(reader: Reader, ticks: int) -> _Cut:
    """The first `ticks` ticks: whole chunks, and the beginning of the one in which they end."""
    number = bisect_left(reader.parts, ticks, key=lambda part: part.entry.end)
    part = reader.parts[number]
    if part.entry.end == ticks and number < reader.settled:
        return _Cut(reader, reader.parts[: number + 1], None, part.name, part.offset + part.entry.length)
    raw, fault = reader.raw(number)
    chunk, _ = reader.fresh_chunk(number)
    if fault is not None or chunk.fault is not None:
        raise Damaged("recover it first: the chunk at the cut cannot be read", file=reader.source.path)
    last = first_ticks(reader.preamble.header.layout, part.entry, raw, chunk, ticks)
    return _Cut(reader, reader.parts[:number], last, part.name, part.offset)


def _offset(cut: _Cut) -> int:
    """Where it is cut, counted through the preamble and the segments."""
    source, here = cut.reader.source, segment_number(cut.name)
    if here is None:
        return cut.offset
    before = [name for name in source.names() if (number := segment_number(name)) is not None and number < here]
    return sum(source.size(name) or 0 for name in (PREAMBLE, *before)) + cut.offset


# how it is cut


def _carry_out(cut: _Cut, keep: bool) -> str | None:
    """Cut it, durably; returns the name of the file with what was cut off, None for nothing."""
    path = cut.reader.source.path
    folder = folder_of(path)
    with refusals(path):
        return _cut_file(cut, path, keep) if folder is None else _cut_folder(cut, folder, keep)


def _cut_folder(cut: _Cut, folder: str, keep: bool) -> str | None:
    """Each step leaves a beginning of the recording, and the last one lists it."""
    entries, frame = _entries_and_frame(cut, segment_offset(segment_number(cut.name) or 0, cut.offset))
    shorter = bool(frame or cut.lost)
    names = [PREAMBLE, *([cut.name] if shorter else []), *reversed(cut.later), *_mark_of(cut)]
    before = {name: os.stat(os.path.join(folder, name)) for name in names}
    written = before[PREAMBLE].st_mtime_ns
    kept_in = keep_cut(os.path.normpath(folder), lambda: archived(folder, names), written=written) if keep else None

    def put(name: str, parts: Iterable[bytes]) -> None:
        def finish(draft: str) -> None:
            atomic.keep_status(draft, before[name])
            date_as_cut(draft, before[name])

        atomic.replace(os.path.join(folder, name), parts, finish)

    for name in (*_mark_of(cut), *cut.later):
        os.unlink(os.path.join(folder, name))
    atomic.sync_folder(folder)
    if shorter:
        put(cut.name, chain(_bytes(cut, cut.name, 0, cut.offset), [frame]))
    for name in {part.name for part in cut.kept if part.entry not in cut.reader.preamble.entries} - {cut.name}:
        atomic.sync_file(os.path.join(folder, name))
    put(PREAMBLE, [build_preamble(cut.reader.preamble.header, _metadata(cut), entries)])
    return kept_in


def _mark_of(cut: _Cut) -> list[str]:
    """The name of the mark that the recording is finished, if it is there and will not be true any more."""
    return [FINISHED] if cut.ticks < cut.reader.ticks and FINISHED in cut.reader.source.names() else []


def _cut_file(cut: _Cut, path: str, keep: bool) -> str | None:
    """Written anew, as its chunks begin elsewhere behind a shorter index."""
    preamble, stamp = cut.reader.preamble, cut.reader.stamp
    entries, frame = _entries_and_frame(cut, cut.offset)
    metadata = _metadata(cut)
    begin = len(build_preamble(preamble.header, metadata, entries))
    moved = [entry._replace(offset=offset) for entry, offset in zip(entries, _offsets(begin, entries), strict=True)]
    frames = (cut.reader.frame(number) for number in range(len(cut.kept)))
    parts = chain([build_preamble(preamble.header, metadata, moved)], frames, [frame])
    assert isinstance(stamp, Stamp)  # of a file
    return replace_whole(path, parts, stamp, keeping=keep)


def _offsets(begin: int, entries: Sequence[Entry]) -> Iterator[int]:
    """Where these chunks begin, one behind the other."""
    return accumulate((entry.length for entry in entries[:-1]), initial=begin) if entries else iter(())


def _entries_and_frame(cut: _Cut, place: int) -> tuple[list[Entry], bytes]:
    """The new index, and the frame of the chunk that is written anew at `place`, empty if none is."""
    entries = [part.entry for part in cut.kept]
    if cut.last is None:
        return entries, b""
    start, ticks, flags, raw, _ = cut.last
    frame = Compressor(ZSTD, RECORDING_LEVEL, cut.reader.preamble.extension.dictionary)(raw)
    return [*entries, Entry(start, ticks, flags, place, len(frame), len(raw))], frame


def _metadata(cut: _Cut) -> Tag:
    """The metadata, without what it says of ticks that are gone."""
    preamble, ticks = cut.reader.preamble, cut.ticks
    if ticks >= cut.reader.ticks:
        return preamble.metadata
    extension = preamble.extension
    covered = extension.covered_ticks
    extension = replace(
        extension,
        run_events=tuple(tick for tick in extension.run_events if tick.number < ticks),
        covered_ticks=None if covered is None else min(covered, ticks),
        data_versions=tuple(pair for pair in extension.data_versions if pair[0] < ticks),
    )
    known = {name: tag for name, tag in preamble.metadata.value.items() if name != ANALYSIS}
    return with_extension(Tag(Kind.COMPOUND, known), extension)


def _bytes(cut: _Cut, name: str, begin: int, end: int) -> Iterator[bytes]:
    for at in range(begin, end, CHUNK):
        yield cut.reader.source.read(name, at, min(CHUNK, end - at))
