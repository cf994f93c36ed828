"""The highest turn up to a save, for the turn axis: an axis must never fall, but a damaged turn counter can."""

from array import array
from collections.abc import Sequence
from typing import Final

__all__ = ["HighestTurns"]

_CHUNK: Final = 256  # saves


class HighestTurns:
    """The highest turns of a sequence of turns, that of a log's saves, which may grow."""

    def __init__(self, turns: Sequence[int]) -> None:
        self._turns = turns
        self._before = array("Q", [0])  # the highest before each chunk

    def upto(self, save: int) -> int:
        """The highest turn of the saves up to number `save`; 0 if `save` is negative."""
        if save < 0:
            return 0
        chunk = save // _CHUNK
        while len(self._before) <= chunk:
            end = len(self._before) * _CHUNK
            self._before.append(max(self._before[-1], *self._turns[end - _CHUNK : end]))
        return max(self._before[chunk], *self._turns[chunk * _CHUNK : save + 1])
