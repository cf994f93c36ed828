"""Searching a recording: by regular expressions that ignore case unless they contain a capital letter.

What is searched are its events in words, or what the replay itself finds.
"""

import re
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final

from nhlog.errors import Usage
from nhlog.replay import Event, Replay, Searchable

__all__ = ["ahead", "behind", "compile_pattern", "matches", "search"]

_SPAN: Final = 1000  # steps whose events are read at a time


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


def search(
    replay: Replay[Any], pattern: re.Pattern[str], first: int, last: int, *, backwards: bool = False
) -> Iterator[Event | int]:
    """The matching events of the steps from `first` to `last`, the last one first if `backwards`.

    Between them come numbers of steps: how far it is.
    """
    if isinstance(replay, Searchable):
        yield from replay.search(pattern, first, last, backwards=backwards)
        return
    starts = range(first, last + 1, _SPAN)
    for start in reversed(starts) if backwards else starts:
        events = replay.events(start, min(start + _SPAN - 1, last))
        for event in reversed(list(events)) if backwards else events:
            if matches(pattern, event):
                yield event
        yield start


def ahead(replay: Replay[Any]) -> tuple[int, int]:
    """The first and the last step after the replay's single step."""
    stops, last = replay.timeline.stops, replay.timeline.last
    index = bisect_left(stops, replay.step)
    return (stops[index] if index < len(stops) else last) + 1, last


def behind(replay: Replay[Any]) -> tuple[int, int]:
    """The first and the last step before the replay's single step."""
    stops = replay.timeline.stops
    index = bisect_left(stops, replay.step)
    return 0, stops[index - 1] if index else -1
