"""Searching a recording's events: by regular expressions that ignore case unless they contain a capital letter."""

import re
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final

from nhlog.errors import Usage
from nhlog.replay import Event, Replay

__all__ = ["compile_pattern", "find", "matches"]

_BACKWARDS: Final = 1000  # steps that a search towards the start reads at a time


def compile_pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern, case-sensitive if it contains a capital letter; raises :class:`Usage` if it is invalid."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what other versions of Python may take it for
            return re.compile(text, 0 if any(map(str.isupper, text)) else re.IGNORECASE)
    except re.error as error:
        raise Usage(f"not a regular expression: {error}", found=repr(text)) from None


def matches(pattern: re.Pattern[str], event: Event) -> bool:
    """Whether the pattern is found in the text of an event or in its source."""
    return bool(pattern.search(event.text) or pattern.search(event.source))


def find(replay: Replay[Any], pattern: re.Pattern[str], direction: int) -> Event | None:
    """The next matching event after the replay's single step (1), or the one before it (-1); None without one."""
    events = _after(replay) if direction > 0 else _before(replay)
    return next((event for event in events if matches(pattern, event)), None)


def _after(replay: Replay[Any]) -> Iterator[Event]:
    stops, last = replay.timeline.stops, replay.timeline.last
    index = bisect_left(stops, replay.step)
    return replay.events((stops[index] if index < len(stops) else last) + 1, last)


def _before(replay: Replay[Any]) -> Iterator[Event]:
    stops = replay.timeline.stops
    index = bisect_left(stops, replay.step)
    end = stops[index - 1] + 1 if index else 0
    while end > 0:
        first = max(end - _BACKWARDS, 0)
        yield from reversed(list(replay.events(first, end - 1)))
        end = first
