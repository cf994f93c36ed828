"""The frames of an excerpt of a file, and those that can be copied for it.

The frames of a chunk of the newest layout can be copied from its first frame on.  In the first chunk of an excerpt it
depends on the bones: the reference's writer counts them from the chunk before (spec 9.1), which is not there any more.
In the last it depends on pause timers: what they count from is seen by frames that may not be there any more (9.4).
"""

from collections.abc import Iterator
from itertools import islice

from nhlog.errors import Usage
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.reading.outline import Outline
from nhlog.formats.butter.reading.stream import open_stream
from nhlog.formats.butter.replay import open_replay
from nhlog.formats.butter.wire.bones import stands_alone
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.frames import read_frames
from nhlog.timeline import Timeline, parse_position
from nhlog.values import NamedTuple

__all__ = ["Excerpt", "Piece", "plan_chunks", "resolve_excerpt"]

_NEWEST = "3"


class Excerpt(NamedTuple):
    """Frames `first` to `stop`, the latter excluded."""

    first: int
    stop: int


class Piece(NamedTuple):
    """Frames `first` to `stop` (excluded) of a chunk.

    `stays` is whether they can be copied, `whole` whether they are all of a sound chunk.
    """

    chunk: int
    first: int
    stop: int
    stays: bool
    whole: bool


def resolve_excerpt(path: str, first: str | None, last: str | None) -> Excerpt | None:
    """The frames between two positions, both included; None, meaning all frames, if both positions are None.

    A `last` with a plus counts from `first`, with a minus from the end.  Raises :class:`Usage` for an invalid position
    or a `last` before `first`.
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
        raise Usage("the end is before the start", expected=f"a frame from {start} on", found=end)
    return Excerpt(start, end + 1)


def _origin(last: str, start: int, timeline: Timeline) -> int:
    """The step that a relative position counts from."""
    return start if last.lstrip().startswith("+") else timeline.last


def plan_chunks(reader: ButterFile, outline: Outline, excerpt: Excerpt) -> Iterator[Piece]:
    """Divide the excerpt into pieces, at most one per chunk."""
    newest = reader.dialect == _NEWEST
    for number in range(outline.chunks):
        begin, end = outline.firsts[number], outline.firsts[number + 1]
        first, stop = max(excerpt.first, begin), min(excerpt.stop, end)
        if first < stop:
            whole = first == begin and stop == end and number not in outline.faults
            stays = (
                newest
                and first == begin
                and (whole or _reads_the_same(reader, number, stop - begin))
                and (excerpt.first != begin or _stands_alone(reader, number, begin))
            )
            yield Piece(number, first - begin, stop - begin, stays, whole)


def _stands_alone(reader: ButterFile, number: int, begin: int) -> bool:
    """Whether a chunk, whose first frame is frame `begin` of the file, can be read without those before it."""
    bones = reader.chunk(number).frames[0].bones
    if not begin or not isinstance(bones, bytes):
        return True
    with open_stream(reader.path) as stream:
        before = next(islice(stream.frames(), begin - 1, None)).bones
    return stands_alone(bones, before if isinstance(before, tuple) else ())


def _reads_the_same(reader: ButterFile, number: int, count: int) -> bool:
    """Whether the first frames of a chunk are read the same without the others."""
    stored = read_frames([reader.first_frames(number, count)], reader.layout)
    frames = [frame for _, frame in CorrectedDecoder(reader.header).frames(stored)]
    return frames == [*reader.chunk(number).frames[:count]]
