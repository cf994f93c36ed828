"""Decoding of a chunk as far as its frames are asked for, from its start or from a mark that was passed before.

A frame counts from the one before it.  So that no place in a long chunk takes decoding all before it again and again,
the state of the decoder is remembered now and then.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from itertools import islice
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.frames import Place
from nhlog.formats.butter.wire.stored import StoredFrame
from nhlog.formats.butter.wire.values import Frame
from nhlog.values import NamedTuple

__all__ = ["FULL", "Decoding", "Mark", "Marks"]

APART: Final = 100  # frames from one mark to the next
_MOST: Final = 1000  # marks of a file: each takes some 10 kB
FULL: Final = 16  # players: frames with fewer count as this many


class Mark(NamedTuple):
    """A place in a chunk, and a decoder of what comes before it, which is not used but copied."""

    place: Place
    decoder: ReferenceDecoder


class Marks:
    """The marks of a file's chunks, those that were passed."""

    def __init__(self) -> None:
        self._of: dict[int, list[Mark]] = {}
        self._count = 0

    def before(self, number: int, frame: int) -> Mark | None:
        """The last mark in a chunk before this frame, or at it."""
        marks = self._of.get(number, [])
        at = bisect_right(marks, frame, key=lambda mark: mark.place.frames)
        return marks[at - 1] if at else None

    def made(
        self, number: int, decoder: ReferenceDecoder, stored: Iterable[StoredFrame], begun: Place
    ) -> Iterator[StoredFrame]:
        """The stored frames of a chunk from `begun` on; marks are made as `decoder` asks for one after the other."""
        frames, players = begun.frames, begun.players
        for frame in stored:
            if frames % APART == 0 and frames > begun.frames and self._is_new(number, frames):
                self._add(number, Mark(Place(frame.offset, frames, players), copy(decoder)))
            frames += 1
            players += sum([len(team.players) for team in frame.teams])
            yield frame

    def _is_new(self, number: int, frame: int) -> bool:
        marks = self._of.get(number)
        return not marks or marks[-1].place.frames < frame

    def _add(self, number: int, mark: Mark) -> None:
        if self._count >= _MOST:
            self._of, self._count = {}, 0
        self._of.setdefault(number, []).append(mark)
        self._count += 1


class Decoding:
    """The frames of a chunk from number `first` on, as far as they were asked for.

    `frames` and `keys` are those so far, `fault` is what ended them too early; `players` counts the players in them,
    for the memory that they take.
    """

    def __init__(
        self, frames: Iterator[tuple[bool, Frame]], placed: Callable[[Damaged], Damaged], first: int = 0
    ) -> None:
        self._rest: Iterator[tuple[bool, Frame]] | None = frames
        self._placed = placed
        self.first = first
        self.fault: Damaged | None = None
        self.frames: list[Frame] = []
        self.keys: list[bool] = []
        self.players = 0

    @property
    def end(self) -> int:
        """The number of the frame behind those so far."""
        return self.first + len(self.frames)

    def reach(self, end: int | None = None) -> None:
        """Decode on up to frame `end`, which is not needed any more, or up to the end of the chunk."""
        begun = len(self.frames)
        if self._rest is None or (end is not None and self.end >= end):
            return
        try:
            for key, frame in islice(self._rest, None if end is None else end - self.end):
                self.keys.append(key)
                self.frames.append(frame)
            if end is None or self.end < end:
                self._rest = None
        except Damaged as error:
            self.fault, self._rest = self._placed(error), None
        self.players += sum([max(len(frame.players), FULL) for frame in self.frames[begun:]])
