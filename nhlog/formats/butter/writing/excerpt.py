"""Which frames are kept of a file, and which of its chunks can stay as they are.

A chunk stays if it lies whole inside the part, is sound and of the newest layout.  With bones the first chunk of a part
is written anew, for the reference's writer counts its bones from the chunk before (spec 9.1).
"""

from collections.abc import Iterator
from typing import NamedTuple

from nhlog.errors import Usage
from nhlog.formats.butter.operations import open_replay
from nhlog.formats.butter.reading.butterfile import Reader
from nhlog.formats.butter.reading.outline import Outline
from nhlog.timeline import Timeline, parse_position

__all__ = ["Part", "Piece", "part_of", "pieces"]

_NEWEST = "3"


class Part(NamedTuple):
    """Frames `first` to `stop`, this one not included."""

    first: int
    stop: int


class Piece(NamedTuple):
    """Frames `first` to `stop` of a chunk; whether it stays as it is."""

    chunk: int
    first: int
    stop: int
    stays: bool


def part_of(path: str, first: str | None, last: str | None) -> Part | None:
    """The frames between two positions, both included; None for all.  Raises :class:`Usage` if they are none.

    A last position with a plus counts from the first one, with a minus from the end.
    """
    if first is None and last is None:
        return None
    replay = open_replay(path)
    try:
        timeline = replay.timeline
        start = 0 if first is None else timeline.resolve(parse_position(first), 0)
        end = timeline.last if last is None else timeline.resolve(parse_position(last), _origin(last, start, timeline))
    finally:
        replay.close()
    if end < start:
        raise Usage("the part ends before it begins", expected=f"a frame from {start} on", found=end)
    return Part(start, end + 1)


def _origin(last: str, start: int, timeline: Timeline) -> int:
    """Where a relative position counts from."""
    return start if last.lstrip().startswith("+") else timeline.last


def pieces(reader: Reader, outline: Outline, part: Part) -> Iterator[Piece]:
    """The part, chunk by chunk."""
    newest = reader.dialect == _NEWEST
    for number in range(outline.chunks):
        begin, end = outline.firsts[number], outline.firsts[number + 1]
        first, stop = max(part.first, begin), min(part.stop, end)
        if first < stop:
            whole = first == begin and stop == end
            stays = (
                whole
                and newest
                and number not in outline.faults
                and not (begin == part.first > 0 and _boned(reader, number))
            )
            yield Piece(number, first - begin, stop - begin, stays)


def _boned(reader: Reader, number: int) -> bool:
    return any(frame.bones is not None for frame in reader.chunk(number).frames)
