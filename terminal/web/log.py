"""What strangers can make the server say in its log is bounded: each thing once a minute, and few things.

What is left out is counted, and told with the next thing that is said.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

__all__ = ["Sparing", "spare"]

_WINDOW: Final = 60.0  # seconds
_MOST: Final = 20  # things that are said in them
_LOGGERS: Final = ("asyncio", "nhlog.web", "uvicorn.asgi", "uvicorn.error", "websockets", "websockets.server")
"""Whose words depend on what is asked of the server."""


class Sparing(logging.Filter):
    """Lets each sentence through once in a while, whatever is filled into it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._begun = clock()
        self._said: set[object] = set()
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is said now."""
        if self._clock() - self._begun >= _WINDOW:
            self._begun = self._clock()
            self._said.clear()
        if record.msg in self._said or len(self._said) >= _MOST:
            self._left_out += 1
            return False
        self._said.add(record.msg)
        if self._left_out:
            record.msg, record.args = f"{record.getMessage()} (and {self._left_out} lines like those before)", None
            self._left_out = 0
        return True


def spare() -> None:
    """Have what the server says be bounded from now on."""
    sparing = Sparing()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(sparing)
