"""A line at a log's end of which only a part is there, left by a process that died while it wrote."""

import math
from typing import Final

from nhlog.log.log import Log

__all__ = ["TornLine"]

PATIENCE: Final = 2.0  # seconds; a writer holds the lock until its line is whole, a program that copies a log does not


class TornLine:
    """Since when the log ends in the same part of a line."""

    def __init__(self) -> None:
        self._size = 0
        self._since = 0.0

    def stands(self, log: Log, now: float) -> bool:
        """Whether the part has been there for `PATIENCE`, so that nobody will write the rest; True only once.

        `now` is in seconds.
        """
        if not log.partial:
            self._size = 0
        elif log.size != self._size:
            self._size, self._since = log.size, now
        stands = bool(self._size) and now - self._since >= PATIENCE
        self._since = math.inf if stands else self._since  # once is enough
        return stands
