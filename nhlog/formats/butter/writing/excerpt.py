"""The frames of an excerpt of a file, and the chunks that can be copied for it.

A chunk can be copied if it lies completely inside the excerpt, is sound and of the newest layout.  If it has bones, the
first chunk of an excerpt is encoded again, as the reference's writer counts them from the chunk before (spec 9.1).
"""

from collections.abc import Iterator
from typing import NamedTuple

from nhlog.errors import Usage
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.reading.outline import Outline
from nhlog.formats.butter.replay import open_replay
from nhlog.timeline import Timeline, parse_position

__all__ = ["Excerpt", "Piece", "plan_chunks", "resolve_excerpt"]

_NEWEST = "3"


class Excerpt(NamedTuple):
    """Frames `first` to `stop`, the latter excluded."""

    first: int
    stop: int


class Piece(NamedTuple):
    """Frames `first` to `stop` (excluded) of a chunk; `stays` is whether the chunk can be copied."""

    chunk: int
    first: int
    stop: int
    stays: bool


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
        raise Usage("the part ends before it begins", expected=f"a frame from {start} on", found=end)
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
            whole = first == begin and stop == end
            stays = (
                whole
                and newest
                and number not in outline.faults
                and not (begin == excerpt.first > 0 and _has_bones(reader, number))
            )
            yield Piece(number, first - begin, stop - begin, stays)


def _has_bones(reader: ButterFile, number: int) -> bool:
    return any(frame.bones is not None for frame in reader.chunk(number).frames)
