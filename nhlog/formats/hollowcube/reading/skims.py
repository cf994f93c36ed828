"""What was found in the chunks of a recording without decoding them: each is skimmed once.

It is kept in the user's cache for each of the recording's files, so that opening a long recording again skims nothing
but what was added.  It counts for a chunk that the recording's own index describes as it did then.
"""

import zlib
from contextlib import suppress
from itertools import groupby
from typing import Final

import msgspec

from nhlog.cache import Fingerprint, Index, fingerprint
from nhlog.errors import Damaged, NhlogError
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.wire.chunks import Chunk, decode_ticks, write_tick
from nhlog.formats.hollowcube.wire.events import PLAYER, AbsoluteMove
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.skim import Skimmed, Telling, is_telling, skim
from nhlog.values import NamedTuple

__all__ = ["Skims"]

WORTHWHILE: Final = 1 << 18  # unpacked bytes of chunks; fewer are skimmed as fast as they are looked up


class _Row(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What was found in the chunk with this entry; `events` are tick records."""

    entry: Entry
    is_anchor: bool
    is_still: bool
    events: bytes


_INDEX: Final = Index("hollowcube", 1, list[_Row])


class _File(NamedTuple):
    """A file of the recording: what it was before its chunks were skimmed, and what was known of them then."""

    state: Fingerprint | None
    rows: dict[Entry, _Row]


_UNKNOWN: Final = _File(None, {})


class Skims:
    """What was found in the chunks of a reader, by their numbers; call `extend` after a refresh of the reader."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        preamble = reader.preamble
        self._how = f"{preamble.header.layout} {zlib.crc32(preamble.extension.dictionary):08x}"
        self._files: dict[str, _File] = {}
        self._fresh: dict[str, int] = {}  # unpacked bytes of chunks that the cache has not, by the names of files
        self._broken: set[int] = set()
        self._found: list[Skimmed | None] = []
        self._settled = 0
        self.extend()

    def extend(self) -> None:
        """Take in the chunks that were added; one that is still open will be skimmed again."""
        parts = self._reader.parts
        del self._found[self._settled :]
        self._found += [None] * (len(parts) - len(self._found))
        self._settled = self._reader.settled

    def of(self, number: int) -> Skimmed:
        """What was found in chunk `number`."""
        found = self._found[number]
        if found is None:
            found = self._found[number] = self._kept(number) or self._skim(number)
        return found

    def load(self) -> None:
        """Take from the cache what it has of the chunks, if they are worth it; they will all be asked for."""
        parts = self._reader.parts
        if self._reader.source.local and sum(part.entry.raw_length for part in parts) > WORTHWHILE:
            for name in dict.fromkeys(part.name for part in parts):
                if name not in self._files:
                    self._files[name] = self._load(name)

    def keep(self) -> None:
        """Have what was found in the cache, if that is much, for the next time."""
        rows: dict[str, list[_Row]] = {name: [] for name, size in self._fresh.items() if size > WORTHWHILE}
        if not rows:
            return
        for number, (part, found) in enumerate(zip(self._reader.parts, self._found[: self._settled], strict=False)):
            if found is not None and part.name in rows and number not in self._broken:
                row = _Row(part.entry, found.is_anchor, found.is_still, _write_events(found.events))
                rows[part.name].append(row)
        for name, known in rows.items():
            del self._fresh[name]
            state = self._files.get(name, _UNKNOWN).state
            if state is not None:
                with suppress(NhlogError), self._reader.source.opened(name) as file:
                    _INDEX.store_growing(file, state, known, self._begin, self._how)

    @property
    def _begin(self) -> int:
        """Where the chunks begin in each file: what stands before them in a single one may be written anew."""
        return 0 if self._reader.source.folder else self._reader.preamble.length

    def _kept(self, number: int) -> Skimmed | None:
        """What the cache has of a chunk."""
        entry, name, _ = self._reader.parts[number]
        row = self._files.get(name, _UNKNOWN).rows.get(entry)
        return None if row is None else Skimmed(_read_events(row.events), row.is_anchor, row.is_still)

    def _load(self, name: str) -> _File:
        try:
            with self._reader.source.opened(name) as file:
                state = fingerprint(file)
                found = _INDEX.load_grown(file, self._begin, self._how)
        except NhlogError:
            return _UNKNOWN
        if found is None:
            return _File(state, {})
        return _File(state, {row.entry: row for row in found.value if self._end(row.entry) <= found.end})

    def _end(self, entry: Entry) -> int:
        """The offset in its file behind a chunk."""
        return (entry.segment[1] if self._reader.source.folder else entry.offset) + entry.length

    def _skim(self, number: int) -> Skimmed:
        reader = self._reader
        entry, name, _ = reader.parts[number]
        try:
            raw, fault = reader.raw(number)
        except Damaged:
            self._broken.add(number)
            return Skimmed((), is_anchor=False, is_still=False)
        if fault is None:
            self._fresh[name] = self._fresh.get(name, 0) + len(raw)
            return skim(raw, reader.preamble.header.layout, entry.start, entry.ticks, entry.has_snapshot)
        self._broken.add(number)
        return _decoded(reader.fresh_chunk(number)[0], entry)


def _decoded(chunk: Chunk, entry: Entry) -> Skimmed:
    """What is in a chunk that is not as long as it should be: what can be decoded of it."""
    first = chunk.ticks[0].events if chunk.ticks else ()
    placed = any(type(event) is AbsoluteMove and event.entity == PLAYER for event in first)
    events = tuple((tick.number, event) for tick in chunk.ticks for event in tick.events if is_telling(event))
    return Skimmed(events, entry.has_snapshot and (chunk.snapshot is not None or placed), is_still=False)


def _write_events(events: tuple[Telling, ...]) -> bytes:
    ticks = groupby(events, lambda timed: timed[0])
    return b"".join(write_tick(tick, [event for _, event in timed]) for tick, timed in ticks)


def _read_events(data: bytes) -> tuple[Telling, ...]:
    return tuple((tick.number, event) for tick in decode_ticks(data) for event in tick.events if is_telling(event))
