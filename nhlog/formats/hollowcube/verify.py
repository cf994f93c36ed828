"""Checks a recording against every rule of the format; a violation is reported and does not stop the check.

A *fault* breaks a rule that readers rely on.  A *note* is unusual but harmless.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Final

from nhlog.compression import has_checksum
from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.reader import Part, Reader
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE
from nhlog.formats.hollowcube.reading.summary import size_of
from nhlog.formats.hollowcube.state import FrozenScene, Scene
from nhlog.formats.hollowcube.wire.chunks import Chunk
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.operations import Record
from nhlog.progress import report

__all__ = ["findings"]

_FLAGS: Final = {Layout.TEXT: 5, Layout.GAME: 6}  # where a header has them
_USED: Final = {Layout.TEXT: 65, Layout.GAME: 55}  # bytes of a header; the game's has its world version besides


def findings(reader: Reader) -> Iterator[Record]:
    """The findings in the order of the file, then a report with ``sound`` and counts."""
    yield from _Verification(reader).records()


class _Verification:
    """Checks a recording in one pass, and counts what is sound."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.first_fault: int | None = None
        self.faults = self.known = self.sound_chunks = self.events = self.unguarded = 0

    def records(self) -> Iterator[Record]:
        reader = self.reader
        for finding in chain(self._preamble(), self._places(), self._chunks()):
            yield self._counted(finding)
        size = size_of(reader)
        yield {
            "sound": not self.faults,
            "size": size,
            "sound_bytes": size if self.first_fault is None else self.first_fault,
            "ticks": reader.ticks,
            "sound_ticks": self.known,
            "chunks": len(reader.parts),
            "sound_chunks": self.sound_chunks,
            "events": self.events,
        }

    def _counted(self, finding: Record) -> Record:
        if finding["fault"]:
            self.faults += 1
            if self.first_fault is None or finding["offset"] < self.first_fault:
                self.first_fault = finding["offset"]
        return finding

    def _preamble(self) -> Iterator[Record]:
        reader = self.reader
        header = reader.preamble.header
        name = PREAMBLE if reader.source.folder else ""
        used = _USED[header.layout] + (len(header.world_version) if header.layout is Layout.GAME else 0)
        if header.flags:
            place = _FLAGS[header.layout]
            yield _finding(name, place, "flags are set that mean nothing", found=header.flags, fault=False)
        if any(reader.header_bytes[used:]):
            yield _finding(name, used, "the header's padding is not zero", fault=False)
        if header.dictionary and not reader.preamble.extension.dictionary:
            found = header.dictionary
            yield _finding(name, 0, "a dictionary is named that is not in the metadata", found=found, fault=False)
        for fault in reader.faults:
            yield _breach(name, fault)

    def _places(self) -> Iterator[Record]:
        """Notes on bytes between and behind chunks, and on unused files."""
        ends: dict[str, int] = {}
        for part in self.reader.parts:
            expected = ends.get(part.name, self._begin(part))
            if part.offset != expected:
                yield _finding(
                    part.name, part.offset, "a chunk does not follow the one before", expected, part.offset, fault=False
                )
            ends[part.name] = part.offset + part.entry.length
        for name, end in ends.items():
            size = self.reader.source.size(name)
            if size is not None and size > end:
                yield _finding(name, end, "bytes behind the last chunk", found=f"{size - end} bytes", fault=False)
        known = {PREAMBLE, FINISHED, *ends}
        for name in self.reader.source.names():
            if name not in known:
                yield _finding(name, 0, "a file that the index does not name", fault=False)

    def _begin(self, part: Part) -> int:
        return 0 if self.reader.source.folder else self.reader.preamble.length

    def _chunks(self) -> Iterator[Record]:
        reader = self.reader
        text = reader.preamble.header.layout is Layout.TEXT
        scene: Scene | None = None  # nothing to compare the first snapshot with
        for number, part in enumerate(reader.parts):
            report("checking", number, len(reader.parts))
            chunk, _ = reader.fresh_chunk(number)
            self._count(number, chunk)
            yield from self._fields(part, chunk)
            if chunk.snapshot is not None:
                begun = Scene()
                for event in chunk.snapshot:
                    begun.apply(event)
                if scene is not None and not _alike(scene.freeze(), begun.freeze()):
                    what = "a snapshot is not what the events before it made"
                    yield _finding(part.name, part.offset, what, fault=False)
                scene = begun
            if chunk.fault is not None:
                yield _breach(part.name, chunk.fault, part.offset)
                scene = None
            if scene is not None and text:
                for event in (event for tick in chunk.ticks for event in tick.events):
                    scene.apply(event)
        if self.unguarded:
            found = f"{self.unguarded} of {len(reader.parts)} chunks"
            what = "chunks without a checksum: a flipped bit in them is not noticed"
            yield _finding("", reader.preamble.length, what, found=found, fault=False)

    def _count(self, number: int, chunk: Chunk) -> None:
        entry = self.reader.parts[number].entry
        self.known += min(chunk.known, entry.end) - entry.start
        self.sound_chunks += chunk.fault is None
        self.events += sum(len(tick.events) for tick in chunk.ticks)
        with suppress(Damaged):
            frame = self.reader.frame(number)
            self.unguarded += bool(frame) and not has_checksum(frame)

    def _fields(self, part: Part, chunk: Chunk) -> Iterator[Record]:
        """A note if a tick has a wrong number, which the game's readers ignore."""
        if self.reader.preamble.header.layout is Layout.GAME:
            for tick in chunk.ticks:
                if tick.field != tick.number:
                    what = f"a tick has another number, {tick.offset} bytes into the chunk"
                    yield _finding(part.name, part.offset, what, tick.number, tick.field, fault=False)
                    return


def _alike(one: FrozenScene, other: FrozenScene) -> bool:
    return dict(one.entities) == dict(other.entities) and dict(one.blocks) == dict(other.blocks)


def _breach(name: str, error: Damaged, offset: int = 0) -> Record:
    """The finding of a fault; an offset inside a decompressed chunk is replaced by that of the chunk."""
    inside = f", {error.offset} bytes into the chunk" if offset and error.offset not in (None, offset) else ""
    place = offset or error.offset or 0
    return _finding(name, place, error.what + inside, error.expected, error.found)


def _finding(
    name: str, offset: int, what: str, expected: object = None, found: object = None, *, fault: bool = True
) -> Record:
    return {
        "offset": offset,
        "name": name,
        "what": what,
        "expected": None if expected is None else str(expected),
        "found": None if found is None else str(found),
        "fault": fault,
    }
