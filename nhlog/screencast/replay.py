"""A recorded terminal as a replay: one step per event, the state at a step is the terminal after that event."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Final

from nhlog.change import change_of_name
from nhlog.errors import Damaged
from nhlog.replay import Change, Event, Info, Status
from nhlog.screencast.events import INPUT, MARKER, OUTPUT, RESIZE, SCORE, Events, status_of
from nhlog.screencast.games import Status as GameStatus
from nhlog.screencast.kept import keep_events
from nhlog.screencast.search import search
from nhlog.screencast.snapshots import keep_drawn, keep_snapshots, kept_snapshots
from nhlog.screencast.state import TerminalState
from nhlog.screencast.survey import Game, Survey, status_before
from nhlog.timeline import Axis, Computed, Marker, Markers, NoSuchPosition, Position, Timeline
from nhlog.values import dataclass
from nhlog.vt import Tape

if TYPE_CHECKING:
    from nhlog.plots import Plots

__all__ = ["Screencast", "words_of"]

_ID: Final = "screencast"
_CHECKS: Final = 8  # places of a frame in which it is looked whether it is played right from its start
_MOST_DIGITS: Final = 20  # of a score
_LONGEST: Final = 120  # characters of an event's text
_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*.)|[\x00-\x1f\x7f-\x9f]"
)


class Screencast:
    """An open recording of a terminal, standing at one of its events (see :class:`nhlog.replay.Replay`).

    `form` is the format's name; `open_events` finds the events, which are then `recorded`, and raises
    :class:`NhlogError` if there are none yet.
    """

    def __init__(self, form: str, open_events: Callable[[], Events]) -> None:
        self._form, self._open_events = form, open_events
        self._step = 0
        self._begin(open_events())

    def _begin(self, events: Events) -> None:
        self.recorded, self._fate = events, events.source.fate
        self._begin_tape()
        self._update()
        self._step = min(self._step, self.timeline.last)

    def _begin_tape(self) -> None:
        self._header, self._redone = self.recorded.header, self.recorded.redone
        kept = kept_snapshots(self.recorded)
        self._kept = kept.size if kept else 0
        self._tape = Tape(self._header.size, self.recorded.parts, snapshots=kept)
        self.recorded.gaps = self._tape.gaps  # as they are found
        self._state: TerminalState | None = None
        self._survey: Survey | None = None
        self._second: Tape | None = None

    @property
    def tape(self) -> Tape:
        """The recording as it is played."""
        return self._tape

    @property
    def second_tape(self) -> Tape:
        """One that may stand elsewhere than what is shown: for whoever goes through the recording."""
        if self._second is None:
            self._second = self._tape.another()
        return self._second

    @property
    def survey(self) -> Survey:
        """What is found out by playing the recording."""
        if self._survey is None:
            self._survey = Survey(self.recorded, self.second_tape.walk)
        return self._survey

    def _update(self) -> None:
        self.timeline: Timeline = self._timeline()
        self._told = self._info(), len(self.recorded.gaps)

    def _timeline(self) -> Timeline:
        events = self.recorded
        count, own = len(events), self._own_markers()
        axes = {
            "frame": Axis(range(count)),
            "time": Axis(events.times[:]),  # they grow
            "offset": Axis(Computed(count, events.offset)),
            "turn": _Turns(Computed(count, self._turn_at), first=True, survey=lambda: self.survey),
        }
        markers = Markers(lambda: self._markers(own, count), lambda: self._known_markers(own, count))
        return Timeline("frame", axes, events.header.start, range(count), (0,), markers)

    def _own_markers(self) -> list[Marker]:
        """Those that the recording itself has."""
        events = self.recorded
        marks = enumerate(events.numbers(MARKER), 1)  # by which those without a label are called
        told = ((step, words_of(events.data(step), OUTPUT, "utf-8") or str(mark)) for mark, step in marks)
        return [Marker(step, "marker", name) for step, name in told]

    def _markers(self, own: list[Marker], count: int) -> list[Marker]:
        self.survey.explore_to(count)
        return self._known_markers(own, count)

    def _known_markers(self, own: list[Marker], count: int) -> list[Marker]:
        found = self._survey.journal.markers if self._survey else []
        return sorted((one for one in (*own, *found) if one.step < count), key=lambda one: one.step)

    def _turn_at(self, step: int) -> int:
        self.survey.explore_to(step + 1)
        return self.survey.journal.turn_at(step)

    @property
    def info(self) -> Info:
        """What the recording says of itself, and what is wrong with it as far as it was played."""
        if self._told[1] != len(self.recorded.gaps):
            self._told = self._info(), len(self.recorded.gaps)
        return self._told[0]

    @property
    def unshown(self) -> list[Damaged]:
        """What the emulator failed at, as far as the recording was played."""
        return self.recorded.unshown

    @property
    def games(self) -> list[Game]:
        """All games in the recording."""
        self.survey.explore_to(len(self.recorded))
        return self.survey.journal.games

    def status_before(self, step: int) -> GameStatus | None:
        """What a game told last, some events before one at the most."""
        return status_before(self.second_tape, step)

    @property
    def explored(self) -> int:
        """How many events were explored for turns and markers."""
        return self.survey.explored

    def explore(self) -> bool:
        """Explore some more events; returns False where nothing is left to explore."""
        return self.survey.explore()

    def is_explored_for(self, position: Position) -> bool:
        """Whether one can go to the position without exploring more."""
        if position.axis == "turn":
            wanted = int(position.value) + (self._turn_at(self._step) if position.relative else 0)
            return self.survey.journal.turn >= wanted
        known = self.timeline.known_markers if position.axis == "marker" else ()
        return position.axis != "marker" or any(position.value in (one.name, one.kind) for one in known)

    def search(
        self, pattern: re.Pattern[str], first: int, last: int, *, backwards: bool = False
    ) -> Iterator[Event | int]:
        """The events that bring up a match on the screen (see :class:`nhlog.replay.Searchable`)."""
        return search(self.second_tape, pattern, first, last, backwards=backwards)

    def _info(self) -> Info:
        events, status = self.recorded, status_of(self.recorded)
        header, fault = events.header, events.fault
        live = status is Status.LIVE
        waiting = f"waiting for the rest of what begins at offset {events.end}" if live and events.waiting else ""
        return Info(
            id=_ID,
            format=self._form,
            title=header.title or f"a terminal of {header.size.columns} by {header.size.rows}",
            people=(),
            start=header.start,
            duration=events.times[-1],
            status=status,
            metadata={
                "columns": header.size.columns,
                "rows": header.size.rows,
                "charset": header.charset,
                "events": len(events),
            },
            note=events.source.fate_told or (fault.what if fault else waiting),
            idle_limit=header.idle_limit,
        )

    @property
    def step(self) -> int:
        """The event at which the replay stands."""
        return self._step

    @property
    def state(self) -> TerminalState:
        """The terminal after it."""
        if self._state is None or self._state.step != self._step:
            self._state = self._look()
        return self._state

    def _look(self) -> TerminalState:
        grid, events = self._tape.grid(self._step + 1), self.recorded
        hindrance = self._tape.hindrance(self._step + 1)
        typed, score = (events.latest(code, self._step) for code in (INPUT, SCORE))
        return TerminalState(
            step=self._step,
            grid=grid,
            typed=None if typed is None else events.data(typed),
            score=None if score is None else _number(events.data(score)),
            fault=hindrance.what if hindrance else "",
        )

    def seek(self, step: int) -> None:
        """Go to event `step`, clamped to the timeline."""
        self._step = min(max(step, 0), self.timeline.last)

    def refresh(self) -> Change:
        """Read what was appended to the file, and return what changed; a file that was written anew is read again."""
        before = self.info.status
        change = self.recorded.look()
        if change is Change.REWOUND:
            events = self._open_events()  # raises where there is nothing yet: what was known stays
            self._close_tapes()
            self.recorded.close()
            self._begin(events)
            return change
        if (self.recorded.header, self.recorded.redone) != (self._header, self._redone):
            self._close_tapes()
            self._begin_tape()
        status = status_of(self.recorded)
        if change is Change.NOTHING and status is before:
            return self._look_at_name()
        self._update()
        return Change.FINISHED if status is Status.FINISHED is not before else Change.GREW

    def _look_at_name(self) -> Change:
        """What became of the file's name since the last look, each told once."""
        before, self._fate = self._fate, self.recorded.source.fate
        change = change_of_name(before, self._fate)
        if change is not Change.NOTHING:
            self._update()
        return change

    def events(self, first: int, last: int) -> Iterator[Event]:
        """What was written, as words without the sequences, what was typed, and all else that was recorded."""
        for number in range(max(first, 0), min(last, self.timeline.last) + 1):
            data = self.recorded.data(number)
            if words := words_of(data, self.recorded.code(number), self._header.charset):
                yield Event(number, words, repr(data[:_LONGEST]))

    def plots(self) -> "Plots":
        """The plots of the games in the recording."""
        from nhlog.screencast.plots import plots_of  # nobody else needs it

        return plots_of(self.survey, self.recorded.times)

    @property
    def wholes(self) -> list[int]:
        """Where the events begin before which the whole terminal is known, as far as it was played, in the file."""
        keys = self._tape.snapshots.keys
        return [self.recorded.offset(key) for key in keys if key < len(self.recorded)]

    def keep(self, starts: Sequence[int]) -> None:
        """Keep what opens this recording in an archive where frames of it begin at `starts`, all of it being played.

        Whoever seeks there is to see what is seen here, so it is played both ways: where there is a difference (lines
        that are wrapped anew, a cursor that was saved long before), it will be played from its start.
        """
        keep_events(self.recorded, self.recorded.fingerprint())
        wholes, count = self.wholes, len(self.recorded)
        first = sorted({max(bisect_right(wholes, start) - 1, 0) for start in starts})
        drawn = self._tape.drawn([self._tape.snapshots.keys[number] for number in first])
        other = Tape(self._header.size, self.recorded.parts, snapshots=drawn)
        checked = {key + near for key in (*drawn.keys[1:], count) for near in (-1, 0, 1)}
        checked.update(number + 1 for number in self.recorded.numbers(RESIZE))
        checked.update(range(0, count, max(count // (_CHECKS * len(first)), 1)))
        alike = all(self._tape.grid(at) == other.grid(at) for at in sorted(checked) if at <= count)
        other.close()
        if alike and self._tape.fault is None and not self._tape.gaps:
            keep_drawn(self.recorded, drawn)

    def close(self) -> None:
        """Close the file; may be called again."""
        keep_snapshots(self.recorded, self._tape.snapshots, self._kept)
        self._kept = self._tape.snapshots.size
        self.recorded.close()
        self._close_tapes()

    def _close_tapes(self) -> None:
        self._tape.close()
        if self._second is not None:
            self._second.close()


def _number(data: bytes) -> int | None:
    """A score; None where a text has something else."""
    return int(data) if len(data) < _MOST_DIGITS and data.removeprefix(b"-").isdigit() else None


def words_of(data: bytes, code: str, charset: str) -> str:
    """What an event says, in words on one line; empty if there is nothing to say."""
    if code == INPUT:
        return f"typed {data[:_LONGEST]!r}"
    text = _SEQUENCE.sub(" ", data[: 64 * _LONGEST].decode(charset, "replace"))
    words = " ".join("".join(char if char.isprintable() else "\ufffd" for char in text).split())
    if code != OUTPUT:
        words = f"{_NAMES.get(code, code)} {words}"
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


_NAMES: Final = {"r": "size", "m": "marker", "x": "exit", SCORE: "score"}


@dataclass(frozen=True, slots=True)
class _Turns(Axis):
    """The turns of the games, for which the recording is played as far as needed; 0 where none was told."""

    survey: Callable[[], Survey] = field(kw_only=True)

    def step(self, value: int) -> int:
        survey = self.survey()
        while survey.journal.turn < value and survey.explore():
            pass
        if value > 0 and not survey.journal.turn:
            raise NoSuchPosition("no game shows its turns here")
        found = survey.journal.step_of(value)
        return len(self.values) - 1 if found is None else found
