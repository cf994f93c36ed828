"""Makes a sound recording from a damaged one, in another file; every tick that can be read keeps its number.

The source is not changed.  Lost ticks become ticks without events; the next snapshot after them restores the state.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.open import open_source
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.salvage import Loss, Survey, survey
from nhlog.formats.hollowcube.wire.chunks import ChunkBuilder, decode_chunk
from nhlog.formats.hollowcube.wire.extension import RunEventTable, with_extension
from nhlog.formats.hollowcube.wire.header import TICKS_PER_SECOND
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.writing.assemble import assemble, check_target, packed
from nhlog.formats.hollowcube.writing.chunker import RawChunk, first_ticks
from nhlog.operations import Record

__all__ = ["rescue"]

_LEVEL: Final = 9  # of zstd
_MOST_FILLED: Final = TICKS_PER_SECOND * 3600 * 24  # lost ticks in all; more is a mistake of the index
_FILLER: Final = 10_000  # ticks of a chunk that stands for lost ones


def rescue(path: str, target: str, force: bool, dry_run: bool) -> Record:
    """See :func:`nhlog.formats.hollowcube.operations.recover`; returns what `nhlog recover -o --json` prints."""
    if not dry_run:
        check_target(target, force)
    source = open_source(path)
    try:
        found = survey(source)
        saved = _Rescue(Reader(source, (found.preamble, found.parts)), found)
        if dry_run:
            for _ in saved.chunks():
                pass
        else:
            header = replace(found.preamble.header, dictionary=0, flags=0)
            assemble(target, header, saved.metadata, packed(saved.chunks(), Compressor(ZSTD, _LEVEL)), force=force)
    finally:
        source.close()
    return {
        "file": path,
        "output": None if dry_run else target,
        "recovered": not dry_run,
        "ticks": found.ticks,
        "sound_ticks": saved.sound,
        "chunks": len(found.parts),
        "adopted": found.adopted,
        "lost_ticks": sum(loss.ticks or 0 for loss in saved.losses),
        "losses": [{"what": loss.what, "tick": loss.first, "ticks": loss.ticks} for loss in saved.losses],
    }


class _Rescue:
    """Copies the chunks in one pass; `sound` is the number of readable ticks, `losses` has the others."""

    def __init__(self, reader: Reader, found: Survey) -> None:
        self._reader, self._found = reader, found
        self._layout = reader.preamble.header.layout
        self._run_events = RunEventTable()
        self.sound = 0
        self.losses: list[Loss] = list(found.losses)

    def chunks(self) -> Iterator[RawChunk]:
        """Sound chunks without a gap between them."""
        tick, room = 0, _MOST_FILLED
        for number, part in enumerate(self._reader.parts):
            if part.entry.start - tick > room:
                self.losses.append(Loss("a chunk too far behind the others", part.entry.start, part.entry.ticks))
                continue
            room -= part.entry.start - tick
            yield from self._filler(tick, part.entry.start)
            made = self._sound(number, part.entry)
            tick = part.entry.start if made is None else made.start + made.ticks
            if made is not None:
                self.sound += made.ticks
                yield made
        if not self.sound:
            raise Damaged("nothing in it can be read", file=self._reader.source.path)
        yield from self._filler(tick, min(self._found.ticks, tick + room))

    def metadata(self, ticks: int) -> Tag:
        """The source's metadata, with the events of runs that were found."""
        preamble = self._reader.preamble
        extension = replace(preamble.extension, dictionary=b"")
        return with_extension(preamble.metadata, self._run_events.added_to(extension, ticks))

    def _sound(self, number: int, entry: Entry) -> RawChunk | None:
        """Chunk `number` as far as it can be read; None if nothing of it can."""
        try:
            raw, fault = self._reader.raw(number)
        except Damaged as error:
            self.losses.append(Loss(error.what, entry.start, entry.ticks))
            return None
        chunk = decode_chunk(raw, self._layout, entry.start, entry.ticks, entry.has_snapshot)
        fault = fault or chunk.fault
        self._run_events.add_all(chunk.ticks)
        if fault is None:
            return RawChunk(entry.start, entry.ticks, entry.flags, raw, 0)
        if chunk.known < entry.end:
            self.losses.append(Loss(fault.what, chunk.known, entry.end - chunk.known))
        if chunk.known <= entry.start:
            return None
        return first_ticks(self._layout, entry, raw, chunk, chunk.known)

    def _filler(self, begin: int, end: int) -> Iterator[RawChunk]:
        """Chunks of ticks without events in place of lost ones."""
        for start in range(begin, end, _FILLER):
            behind = min(start + _FILLER, end)
            raw = ChunkBuilder(self._layout, start).until(behind)
            yield RawChunk(start, behind - start, 0, raw, 0)
