"""Looking for something in a recording that may take long to find: a match, a marker, a position to be played for.

The problem.  To find it, a recording of a day may have to be played for minutes, and meanwhile the screen has to be
drawn and any key has to end it.

The rules.  A *quest* is a generator: it yields the steps up to which it looked, and returns where to go.  Whoever
shows the recording goes on with it between two frames (`Seeker.work`); to leave it, one does not go on with it.  It
moves nothing: so what is given up leaves the player where it stood.  Where nobody looks for anything, the same calls
explore the recording, and prepare it for whoever goes far.

What is searched by regular expressions are events in words, or what the replay itself finds.

Rejected: a thread.  A replay is read by one at a time, and a search that has to be interrupted between two reads is
what a generator is.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Final

from nhlog.errors import NhlogError, Usage
from nhlog.replay import Event, Explorable, Preparing, Replay, Searchable
from nhlog.timeline import Marker, Position, parse_position
from nhlog.values import NamedTuple
from terminal.replay.open import telling_outside

__all__ = ["Quest", "Seeker", "matches", "search", "to_marker", "to_match", "to_position"]

_AT_ONCE: Final = 8  # pieces of a quest that are done before one looks at the keys
_SPAN: Final = 1000  # steps whose events are read at a time, and more where there are few events
_MOST_SPAN: Final = 1 << 16


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
    size = _SPAN
    while first <= last:
        begin = max(last - size + 1, first) if backwards else first
        end = last if backwards else min(first + size - 1, last)
        count = 0
        events = replay.events(begin, end)
        for event in reversed(list(events)) if backwards else events:
            count += 1
            if matches(pattern, event):
                yield event
        yield begin
        first, last = (first, begin - 1) if backwards else (end + 1, last)
        size = min(2 * size, _MOST_SPAN) if count < _SPAN else _SPAN  # where nothing happens one goes faster


class Arrival(NamedTuple):
    """Where to go, None for nowhere, and what to say."""

    step: int | None
    message: str = ""


Quest = Generator[int, None, Arrival]


def to_position(replay: Replay[Any], position: Position) -> Quest:
    """Go to a position."""
    yield from _exploring(replay, lambda explored: explored.is_explored_for(position))
    try:
        told: list[str] = []
        with telling_outside(told.append):
            step = replay.timeline.resolve(position, replay.step)
        return Arrival(step, "".join(told))
    except NhlogError as error:
        return Arrival(None, error.what)


def to_marker(replay: Replay[Any], notes: Iterable[Marker], direction: int) -> Quest:
    """Go to the next marker of the recording, or note, forwards (1) or backwards (-1)."""
    here = replay.step

    def nearest() -> Marker | None:
        found = [one for one in (*replay.timeline.known_markers, *notes) if (one.step - here) * direction > 0]
        found.sort(key=lambda one: one.step)
        return found[0 if direction > 0 else -1] if found else None

    def enough(explored: Explorable) -> bool:
        last = nearest() if direction > 0 else None
        return explored.explored > (here if direction < 0 else last.step if last else replay.timeline.last)

    yield from _exploring(replay, enough)
    marker = nearest()
    if marker is None:
        return Arrival(None, f"no marker {'ahead' if direction > 0 else 'behind'}")
    return Arrival(marker.step, marker.name)


def to_match(replay: Replay[Any], pattern: re.Pattern[str], direction: int) -> Quest:
    """Go to the next match forwards (1) or backwards (-1)."""
    first, last = _ahead(replay) if direction > 0 else _behind(replay)
    for found in search(replay, pattern, first, last, backwards=direction < 0):
        if isinstance(found, Event):
            return Arrival(found.step, f"{'/' if direction > 0 else '?'}{pattern.pattern}")
        yield found
    return Arrival(None, f"not found {'ahead' if direction > 0 else 'behind'}: {pattern.pattern}")


def _ahead(replay: Replay[Any]) -> tuple[int, int]:
    """The first and the last step after the replay's single step."""
    stops, last = replay.timeline.stops, replay.timeline.last
    index = bisect_left(stops, replay.step)
    return (stops[index] if index < len(stops) else last) + 1, last


def _behind(replay: Replay[Any]) -> tuple[int, int]:
    """The first and the last step before the replay's single step."""
    stops = replay.timeline.stops
    index = bisect_left(stops, replay.step)
    return 0, stops[index - 1] if index else -1


def _exploring(replay: Replay[Any], enough: Callable[[Explorable], bool]) -> Iterator[int]:
    """Explore a recording, if it can be, until that is enough or all."""
    if isinstance(replay, Explorable):
        while not enough(replay) and replay.explore():
            yield replay.explored


class Seeker:
    """Looks for something in a recording, a piece at a time.

    `say` is called with how far that is and with what came of it, `arrive` with the step to go to, and a message.
    """

    def __init__(self, replay: Replay[Any], say: Callable[[str], None], arrive: Callable[[int, str], None]) -> None:
        self._replay = replay
        self._say = say
        self._arrive = arrive
        self._quest: Quest | None = None
        self._pattern: re.Pattern[str] | None = None
        self._direction = 1  # in which that was searched

    @property
    def busy(self) -> bool:
        """Whether a search goes on."""
        return self._quest is not None

    def work(self) -> bool:
        """Go on with the search, or with what comes before one; return False if nothing is left to be done."""
        if self._quest is None:
            return self._ahead()
        try:
            step = next(self._quest)
        except StopIteration as found:
            self._quest = None
            there, message = found.value
            self._say(message)
            if there is not None:
                self._arrive(there, message)
        except BaseException:  # such as that of a recording that is locked just now
            self._quest = None
            raise
        else:
            done = step * 100 // max(self._replay.timeline.last, 1)
            self._say(f"{done}% looked through, any key ends it")
        return True

    def _ahead(self) -> bool:
        """Explore or prepare the recording, where it can be."""
        replay = self._replay
        if isinstance(replay, Explorable) and replay.explore():
            return True
        return isinstance(replay, Preparing) and replay.prepare()

    def give_up(self) -> None:
        """End the search without a result."""
        if self._quest is not None:
            self._quest = None
            self._say("search cancelled")

    def look_for(self, quest: Quest) -> None:
        """Begin a search; if it takes no time, go there at once."""
        self._quest = quest
        for _ in range(_AT_ONCE):
            if self._quest is not None:
                self.work()

    def go(self, place: str) -> None:
        """Go to a position as typed by a user (``120``, ``1:30``, ``50%``...), to the end if it is empty."""
        try:
            position = parse_position(place or "end")
        except NhlogError as error:
            self._say(error.what)
        else:
            self.look_for(to_position(self._replay, position))

    def search(self, pattern: str, direction: int) -> None:
        """Go to the next match forwards (1) or backwards (-1); an empty pattern repeats the last one."""
        from terminal.text.pattern import compile_pattern  # no first screen has it

        try:
            self._pattern = compile_pattern(pattern) if pattern else self._pattern
        except Usage as error:
            self._say(error.what)
            return
        self._direction = direction
        self.search_again(1)

    def search_again(self, sense: int) -> None:
        """Search again, in the same direction (1) or the opposite one (-1)."""
        if self._pattern is None:
            self._say("search for what? / asks")
        else:
            self.look_for(to_match(self._replay, self._pattern, self._direction * sense))

    def go_on_as(self, other: "Seeker") -> None:
        """Go on with the search of another seeker, in another version of the recording."""
        self._pattern, self._direction = other._pattern, other._direction
