"""The chunks of a folder that is being recorded, which its preamble does not list yet.

They are behind the last chunk that the preamble lists, each where the one before it ends, or in the next segment.  The
last may be *open*: a frame that its recorder has not ended, of which the whole ticks count.  An open chunk that another
segment follows is one whose recorder died: the next session writes its ticks again, so the longer of both counts.

Only what was added is read when it is extended.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.source import Source, segment_number
from nhlog.formats.hollowcube.wire.chunks import MAX_RAW
from nhlog.formats.hollowcube.wire.frames import blocks_end, frame_end, unpack
from nhlog.formats.hollowcube.wire.index import Entry, segment_offset
from nhlog.formats.hollowcube.wire.loose import entry_of
from nhlog.formats.hollowcube.wire.preamble import Preamble
from nhlog.values import NamedTuple

__all__ = ["MAX_FRAME", "Part", "Tail"]

MAX_FRAME: Final = 16 << 20  # bytes of a packed chunk: more than `MAX_RAW` bytes pack to at worst


class Part(NamedTuple):
    """A chunk's entry in the index, and its place: `offset` bytes into the file `name`."""

    entry: Entry
    name: str
    offset: int


class Tail:
    """The chunks behind those that `preamble` lists: the `complete` ones, and the `open` one, None if there is none.

    `open_raw` are the unpacked bytes of that.
    """

    def __init__(self, source: Source, preamble: Preamble) -> None:
        self._source = source
        self._layout, self._dictionary = preamble.header.layout, preamble.extension.dictionary
        self._listed = preamble.entries[-1] if preamble.entries else None
        self._seen: dict[str, object] = {}
        self.complete: list[Part] = []
        self.open: Part | None = None
        self.open_raw = b""

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of them, in order."""
        return (*self.complete, self.open) if self.open is not None else tuple(self.complete)

    @property
    def is_touched(self) -> bool:
        """Whether the files changed since they were read."""
        return self._stamps() != self._seen

    def extend(self) -> None:
        """Read what was added to them."""
        seen, self.open, self.open_raw = self._stamps(), None, b""
        for number, name in self._segments():
            self._read(number, name)
        self._seen = {name: seen[name] for _, name in self._segments() if name in seen}

    def _end(self) -> tuple[int, int, int]:
        """Where the last complete chunk ends: its segment, the offset in it, and the tick behind its last."""
        last = self.complete[-1].entry if self.complete else self._listed
        if last is None:
            return -1, 0, 0
        number, offset = last.segment
        return number, offset + last.length, last.end

    def _stamps(self) -> dict[str, object]:
        return {name: self._source.stamp(name) for _, name in self._segments()}

    def _segments(self) -> list[tuple[int, str]]:
        """The segments in which there may be more, in order."""
        first, _, _ = self._end()
        numbered = ((segment_number(name), name) for name in self._source.names())
        return sorted((number, name) for number, name in numbered if number is not None and number >= first)

    def _read(self, number: int, name: str) -> None:
        for offset, frame, whole in self._frames(number, name):
            found = self._part(number, name, offset, frame, whole)
            if found is None:
                return
            part, raw = found
            if whole:
                self.complete.append(part)
                self.open, self.open_raw = None, b""
            elif self.open is None or part.entry.end > self.open.entry.end:
                self.open, self.open_raw = part, raw

    def _frames(self, number: int, name: str) -> Iterator[tuple[int, bytes, bool]]:
        """Offset and bytes of the frames of a segment that follow each other, and whether they are complete."""
        segment, at, _ = self._end()
        at = at if segment == number else 0
        try:
            while data := self._source.read(name, at, MAX_FRAME):
                begin = 0
                while (end := frame_end(data, begin)) is not None:
                    yield at + begin, data[begin:end], True
                    begin = end
                if not begin or len(data) < MAX_FRAME:
                    yield at + begin, data[begin : blocks_end(data, begin)], False
                    return
                at += begin
        except Damaged:  # it is gone: whoever takes it away changes more
            return

    def _part(self, number: int, name: str, offset: int, frame: bytes, whole: bool) -> tuple[Part, bytes] | None:
        """The chunk in a frame, and its bytes; None if it has no tick, or is not the one that has to come."""
        segment, _, start = self._end()
        if number > segment + 1:  # an index rises by one segment at a time (spec 4)
            return None
        try:
            raw, _ = unpack(frame, MAX_RAW, self._dictionary)
        except Damaged:
            return None
        entry = entry_of(raw, self._layout, start)
        if entry is None or entry.start != start or (whole and entry.raw_length != len(raw)):
            return None
        entry = entry._replace(offset=segment_offset(number, offset), length=len(frame))
        return Part(entry, name, offset), raw[: entry.raw_length]
