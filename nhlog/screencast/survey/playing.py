"""Going through a recorded terminal: what its games tell, event by event.

The screen is looked at where nothing came for a while, as rows are drawn piece by piece.
"""

from collections.abc import Callable, Iterator
from typing import Final

from nhlog.progress import report
from nhlog.screencast.events import INPUT, Events
from nhlog.screencast.games import Status, read
from nhlog.screencast.survey.journal import Journal
from nhlog.vt import Part, Reading, Stops, Tape

__all__ = ["Survey", "status_before"]

_STILL: Final = 20_000  # microseconds without output after which a screen is taken to be drawn whole
_MOST_UNSEEN: Final = 16  # events without such a pause, after which it is looked at all the same
_PIECE: Final = 256  # looks that are taken at a time
Walk = Callable[[int, int, Stops], Iterator[tuple[int, Reading]]]
_BACK: Final = 256  # events before a screen that tells nothing, in which one looks for one that does


class Survey:
    """What is known of a recording from an event on, as far as it was explored; `walk` is that of a tape of it."""

    def __init__(self, events: Events, walk: Walk, first: int = 0) -> None:
        self._events, self._begin = events, walk
        self._settled = Journal()  # of what stays as it is when more comes
        self._whole: Journal | None = None  # with the last event
        self._walk: Iterator[tuple[int, Reading]] | None = None
        self._looked = self._stopped = first  # after so many events: where one was, and wants to be
        self._status: Status | None = None  # there
        self._last = len(events)

    @property
    def journal(self) -> Journal:
        """What was found so far."""
        self._take_in()
        return self._whole or self._settled

    @property
    def explored(self) -> int:
        """How many events were explored."""
        self._take_in()
        return self._looked if self._whole is None else self._last

    def explore(self) -> bool:
        """Explore some more events; returns False where nothing is left to explore."""
        self._take_in()
        if self._whole is not None:
            return False
        if self._walk is None:
            self._stopped = self._looked
            self._walk = self._begin(self._looked, self._last, self._is_still)
        for count, (played, reading) in enumerate(self._walk):
            if reading.changed:
                self._status = read(reading.texts)
            if played != self._looked:  # where one was before
                self._look(played)
            if count >= _PIECE:
                return True
        self._walk = None
        self._whole = self._whole or self._settled.copy()
        return False

    def _take_in(self) -> None:
        """Take in that there are more events: what was the last screen may not have been drawn whole."""
        if self._last != len(self._events):
            self._last, self._walk, self._whole = len(self._events), None, None

    def explore_to(self, events: int) -> None:
        """Explore so many events at least, if there are as many."""
        while self.explored < events and self.explore():
            report("playing", self._looked, min(events, self._last))

    def _is_still(self, played: int, part: Part) -> bool:
        if played < self._last and not is_still(self._events, played) and played - self._stopped < _MOST_UNSEEN:
            return False
        self._stopped = played
        return True

    def _look(self, played: int) -> None:
        journal = self._settled
        if played < self._last:
            self._looked = played
        else:
            journal = self._whole = journal.copy()
        if self._status is not None:
            journal.note(played - 1, self._status)


def is_still(events: Events, played: int) -> bool:
    """Whether the screen is drawn whole after so many events, and not before more of them, as far as one can tell."""
    return events.times[played] - events.times[played - 1] >= _STILL or events.code(played) == INPUT


def status_before(tape: Tape, step: int) -> Status | None:
    """What the screen told last, some events before one at the most."""
    found = None
    for _, reading in tape.walk(max(step - _BACK, 0), step + 1, lambda played, part: True):
        if reading.changed:
            found = read(reading.texts) or found
    return found
