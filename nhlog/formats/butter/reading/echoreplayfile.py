"""An open .echoreplay file: its lines in groups of 100, which play the part of chunks.

Opening parses all lines, as the table of players is complete only after the last one, and a player's row must not
depend on which frame is read first.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Final, Self

from nhlog.errors import Damaged, TooShort
from nhlog.files import stamp_of
from nhlog.formats.butter.reading.chunk_table import Extent
from nhlog.formats.butter.reading.outline import Chunk, Outline
from nhlog.formats.butter.reading.textfile import CutOff, TextFile
from nhlog.formats.butter.wire.echoreplay.lines import Line, parse_line, read_lines
from nhlog.formats.butter.wire.echoreplay.parse import Parser
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.values import Frame

__all__ = ["EchoreplayFile"]

_GROUP: Final = 100  # lines that stand for a chunk
_KEPT: Final = 2  # chunks


class EchoreplayFile:
    """An open .echoreplay file; raises :class:`NhlogError` if it cannot be opened or has no frame.

    `known` is the same file as opened before: if lines were added since, only its last group is parsed again.  What is
    not there yet of the last line, or of a zip that ends early, is in `cut`.
    """

    def __init__(self, path: str, known: "EchoreplayFile | None" = None) -> None:
        self.path = path
        self._text: TextFile = TextFile(path, None if known is None else known._text)
        self.size, self.changed, self.stamp = self._text.size, self._text.changed, self._text.stamp
        self._parser = Parser()
        self._chunks: OrderedDict[int, Chunk] = OrderedDict()
        self._starts: list[tuple[int, int]] = []  # number and offset of each group's first line
        self._header: Header | None = None
        self._columns = 0  # of the first frame, but for one: the last line is whole if it has as many
        self._last: Line | None = None  # with which the last group begins
        self.cut: Damaged | None = None
        try:
            self._outline = self._pass(known if known is not None and self._continues(known) else None)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._text.close()

    @cached_property
    def header(self) -> Header:
        """A header made of the first frame, and all players of the session."""
        assert self._header is not None
        return replace(self._header, people=tuple(self._parser.roster.people))

    def _continues(self, known: "EchoreplayFile") -> bool:
        """Whether this file is `known` with lines added; compares the first line of the last group."""
        text = self._text
        if text.zipped != known._text.zipped or text.stamp.identity != known.stamp.identity or self.size < known.size:
            return False
        return known._last is not None and next(_lines(text, *known._starts[-1]), None) == known._last

    def _pass(self, known: "EchoreplayFile | None") -> Outline:
        """Parse all new lines, one group at a time, into an outline."""
        outline, start = Outline(), (1, 0)
        if known is not None:
            *self._starts, start = known._starts
            self._parser, self._header, self._columns = known._parser, known._header, known._columns
            outline = known._outline.before(len(self._starts))
        lines = _lines(self._text, *start)
        while group := list(islice(lines, _GROUP)):
            first = group[0]
            self._last = first if isinstance(first, Line) else None
            self._starts.append((first.number, first.offset) if isinstance(first, Line) else (0, self.size))
            outline.add(self._parsed(group))
        if self._header is None:
            kind = TooShort if self.live else Damaged
            raise (outline.faults.get(0) or kind("the file has no frame", expected="a frame")).within(self.path)
        return outline

    def _parsed(self, group: Sequence[Line | Damaged]) -> Chunk:
        frames: list[Frame] = []
        fault: Damaged | None = None
        for line in group:
            try:
                frame = self._frame(line)
            except CutOff as cut:
                self.cut = cut.within(self.path)
            except Damaged as error:
                fault = fault or error.within(self.path)
            else:
                frames += [] if frame is None else [frame]
        return Chunk(tuple(frames), tuple(number == 0 for number in range(len(frames))), fault)

    def _frame(self, line: Line | Damaged) -> Frame | None:
        """The frame of a line, None if it has none; raises :class:`CutOff` where the file ends inside it."""
        if isinstance(line, Damaged):
            raise line
        try:
            frame = parse_line(self._parser, line)
        except Damaged:
            if line.ended or not self.live:
                raise
            frame = None
        columns = line.text.count(b"\t")
        if not line.ended and self.live and line.text and (frame is None or columns < self._columns):
            raise CutOff(f"line {line.number}: the file ends inside it", offset=line.offset, expected="a newline")
        if frame is not None and self._header is None:
            self._header = self._parser.header(line.text.split(b"\t")[1])
            self._columns = columns
        return frame

    @property
    def complete(self) -> bool:
        """Whether the file does not end inside a line, or a zip before its text."""
        return self.cut is None

    @property
    def live(self) -> bool:
        """Whether the file may still grow: recorders add line by line, and zip the file in the end.

        A zip grows while it is written, until it is whole.
        """
        return not self._text.zipped or self._text.cut_off

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self._starts)

    @property
    def dialect(self) -> str:
        """Always ``echoreplay``."""
        return "echoreplay"

    @property
    def end(self) -> int:
        """The size of the file in bytes."""
        return self.size

    @property
    def extents(self) -> Sequence[Extent]:
        """The place of each group, as offsets in the text (in a zip, the decompressed text)."""
        starts = [offset for _, offset in self._starts]
        return [Extent(start, end) for start, end in zip(starts, [*starts[1:], self.size], strict=True)]

    def unguarded(self, number: int) -> bool:
        """Never: a zip has a checksum, and text is not compressed."""
        return False

    def truncated(self, number: int) -> bool:
        """Whether the file ends inside a line of this group."""
        return not self.complete and number == self.count - 1

    def ends(self) -> tuple[int | None, int | None]:
        """The times of the first and the last frame, in ms since 1970."""
        return self._outline.times[0], self._outline.times[-1]

    def outline(self, known: Outline | None = None) -> Outline:
        """The summary of all frames, made when the file was opened; `known` is ignored."""
        return self._outline

    def chunk(self, number: int) -> Chunk:
        """Parse one group of lines, or take it from the cache."""
        found = self._chunks.pop(number, None)
        if found is None:
            line, offset = self._starts[number]
            found = self._parsed(list(islice(_lines(self._text, line, offset), _GROUP)))
        self._chunks[number] = found
        if len(self._chunks) > _KEPT:
            self._chunks.popitem(last=False)
        return found

    def frames(self, number: int, first: int, end: int) -> Sequence[Frame]:
        """Frames `first` to `end` (excluded) of a group, without those that cannot be read."""
        return self.chunk(number).frames[first:end]

    @property
    def zipped(self) -> bool:
        """Whether the text is in a zip."""
        return self._text.zipped

    def text(self, end: int) -> Iterator[bytes]:
        """The text up to the offset `end`, in blocks."""
        for block in self._text.blocks():
            yield block[:end]
            end -= len(block)
            if end <= 0:
                return

    def text_size(self) -> int:
        """The size of the text as far as it is there."""
        if not self.zipped:
            return self.size
        size = 0
        with suppress(Damaged):
            for block in self._text.blocks():
                size += len(block)
        return size

    def end_of(self, step: int) -> int:
        """The offset in the text behind the line of frame `step`."""
        number = self._outline.chunk_of(step)
        left = step - self._outline.firsts[number] + 1
        for line in _lines(self._text, *self._starts[number]):
            if isinstance(line, Line):
                if not left:
                    return line.offset
                with suppress(Damaged):
                    left -= self._frame(line) is not None
        return self.text_size()

    def reopened(self) -> "EchoreplayFile | None":
        """Open the file again; None if it has not changed or no longer exists."""
        place = self._text.place
        if stamp_of(place) in (self.stamp, None):
            return None
        return EchoreplayFile(place, self)

    def grown_from(self, other: object) -> bool:
        """Always False: a known outline is continued when the file is opened."""
        return False


def _lines(text: TextFile, number: int, offset: int) -> Iterator[Line | Damaged]:
    """The lines of the text from `offset` on, where line `number` begins."""
    return read_lines(text.blocks(offset), number, offset)
