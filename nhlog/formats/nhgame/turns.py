"""The highest turn up to a save: what the turn axis says, as damage can make a turn counter fall, but no axis."""

from array import array
from collections.abc import Sequence
from typing import Final

__all__ = ["HighestTurns"]

_CHUNK: Final = 256  # saves


class HighestTurns:
    """For the turns of a log's saves, to which others may be added."""

    def __init__(self, turns: Sequence[int]) -> None:
        self._turns = turns
        self._before = array("Q", [0])  # the highest before each chunk

    def upto(self, save: int) -> int:
        """The highest turn of the saves up to that one; 0 for none."""
        if save < 0:
            return 0
        chunk = save // _CHUNK
        while len(self._before) <= chunk:
            end = len(self._before) * _CHUNK
            self._before.append(max(self._before[-1], *self._turns[end - _CHUNK : end]))
        return max(self._before[chunk], *self._turns[chunk * _CHUNK : save + 1])
