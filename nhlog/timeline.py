"""The steps of a recording, and the one place where a position is resolved to a step.

The problem: people name a place by turn, time, offset, tick, date, mark or part of the whole; recordings have some of
these, in which values repeat (a turn of many lines), have gaps (turns that were skipped) and cannot be trusted (a clock
that was put back).  Were each of these a way to seek, seeking would be another program for each.

So there is one thing that a recording counts by itself, its *steps*: step 0 is the first state that can be shown, step
`last` the newest, each has one state, and all else is resolved to a step here.  Every other unit of position is an
*axis*: one number per step that never decreases.  That makes a search of it a bisection, and says what a value between
two steps means (the earlier one), before the first (the first) and after the last (the last: whoever notes it is told
of it, as `turn 900 is after the end` is a mistake more often than a wish).

What decreases in a file is made not to, by whoever reads it, once: by the greatest value so far.  A game's clock, which
runs down and starts again, cannot be an axis; it is searched from where one stands.

An axis need not be a list. Of the lines of a long log somebody who opens it looks at a dozen: the values of its axes
are computed from the stretch that a line is in (:class:`Computed`). Markers, which take a look at every save, are found
when somebody asks for them (:class:`Markers`).

Who changes this keeps: a timeline never changes.  A recording that grows makes a new one, and who holds the old one has
something consistent until it lets go of it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from datetime import UTC, datetime
from itertools import chain
from typing import Final, overload

from nhlog.errors import NhlogError, Usage
from nhlog.values import LazySequence, dataclass, pattern

__all__ = [
    "Axis",
    "Computed",
    "Marker",
    "Markers",
    "NoSuchPosition",
    "Outside",
    "Position",
    "Timeline",
    "noting_outside",
    "parse_position",
]

MICROSECONDS = 1_000_000  # all recorded times are counted in these


class NoSuchPosition(NhlogError):
    """The recording has no such position: an unknown axis, a missing marker, or a clock value that is never shown."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a recording as the user gives it.

    `axis` is an axis name (``turn offset tick frame time``), or one of ``unit`` (the recording's own axis), ``percent``
    (of its steps), ``date`` (UTC, microseconds since 1970), ``clock`` (what a game's clock shows, in microseconds),
    ``marker``, ``start`` and ``end``. `value` is a number (``time`` in microseconds since the recording's start) or a
    marker's name, empty to list the markers. A `relative` position counts from the step where the viewer
    stands.
    """

    axis: str
    value: int | float | str = 0
    relative: bool = False


_NAMED_MARKERS = 8  # that an error names
_NUMBERED = ("turn", "offset", "tick", "frame", "line")
_DIGITS = r"\d{1,18}"  # no recording is longer, and more could not be reckoned with
_BARE = pattern(_DIGITS)
_NAMED = pattern(rf"({'|'.join(_NUMBERED)}):({_DIGITS})")
_RELATIVE = pattern(rf"([+-]{_DIGITS})(?:\s*({'|'.join(_NUMBERED)})s?)?")
_RELATIVE_TIME = pattern(rf"([+-])({_DIGITS}(?:\.\d+)?)\s*([smh])")
_PERCENT = pattern(rf"({_DIGITS}(?:\.\d+)?)%")
_CLOCK = pattern(rf"(?:({_DIGITS}):)?({_DIGITS}):(\d{{1,2}}(?:\.\d+)?)")
_GAME_CLOCK = "clock:"
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def parse_position(text: str) -> Position:
    """Parse a position; raises :class:`Usage`, which lists the accepted forms, if `text` is none of them.

    Forms: ``start``, ``end``, ``120`` (the recording's own unit), ``turn:120``, ``offset:12405``, ``tick:5000``,
    ``frame:7``, ``line:9``, ``clock:9:30``, ``50%``, ``1:30`` and ``1:02:03`` (since the start),
    ``2024-03-29T12:00:00`` (UTC unless it has a zone), ``marker:name``, and relative ones: ``-5``, ``-5 turns``, ``+200
    ticks``, ``-30s``.
    """
    text = text.strip()
    if text in ("start", "end"):
        return Position(text)
    if _BARE.fullmatch(text):
        return Position("unit", int(text))
    if text.startswith("marker:"):
        return Position("marker", text.removeprefix("marker:"))
    if found := _NAMED.fullmatch(text):
        return Position(found[1], int(found[2]))
    if found := _RELATIVE.fullmatch(text):
        return Position(found[2] or "unit", int(found[1]), relative=True)
    if found := _RELATIVE_TIME.fullmatch(text):
        span = round(float(found[2]) * _SECONDS[found[3]] * MICROSECONDS)
        return Position("time", -span if found[1] == "-" else span, relative=True)
    if text.startswith(_GAME_CLOCK) and (found := _CLOCK.fullmatch(text.removeprefix(_GAME_CLOCK))):
        return Position("clock", _clock_time(found))
    if (found := _PERCENT.fullmatch(text)) and float(found[1]) <= 100:
        return Position("percent", float(found[1]))
    if found := _CLOCK.fullmatch(text):
        return Position("time", _clock_time(found))
    if (moment := _moment(text)) is not None:
        return Position("date", moment)
    raise Usage(
        f"not a position: {text!r}",
        expected="turn:120, offset:12405, tick:5000, frame:7, 50%, 1:30, a date, marker:NAME, -5 turns, start or end",
    )


def _clock_time(found: re.Match[str]) -> int:
    seconds = int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])
    return round(seconds * MICROSECONDS)


def _moment(text: str) -> int | None:
    """Microseconds since 1970 of an ISO date, read as UTC when it names no zone."""
    if not re.match(r"\d{4}-\d\d-\d\d", text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    elapsed = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (elapsed.days * 86_400 + elapsed.seconds) * MICROSECONDS + elapsed.microseconds


class Computed(LazySequence[int]):
    """An axis's values, computed on access; `length` is the number of steps and stays fixed."""

    def __init__(self, length: int, value: Callable[[int], int]) -> None:
        self._length = length
        self._value = value

    def __len__(self) -> int:
        return self._length

    def _item(self, index: int) -> int:
        return self._value(index)


@dataclass(frozen=True, slots=True)
class Axis:
    """One number per step, never decreasing.

    A value between two steps means the earlier one.  Where several steps share a value, `first` selects the first of
    them (a turn begins with its first step) and otherwise the last (a moment has passed with its last step).
    """

    values: Sequence[int]
    first: bool = False

    def step(self, value: int) -> int:
        """The step for `value`, clamped to the recording."""
        if self.first:
            step = bisect_left(self.values, value)
            if step < len(self.values) and self.values[step] == value:
                return step
            return max(step - 1, 0)
        return max(bisect_right(self.values, value) - 1, 0)


@dataclass(frozen=True, slots=True)
class Marker:
    """A named step, such as a backup, a death or a player's note."""

    step: int
    kind: str
    name: str


class Markers(Sequence[Marker]):
    """Markers that are found when they are needed: `find` finds all of them, `known` gives those found so far."""

    def __init__(
        self, find: Callable[[], Sequence[Marker]], known: Callable[[], Sequence[Marker]] | None = None
    ) -> None:
        self._find = find
        self._known = known
        self._markers: Sequence[Marker] | None = None

    @property
    def known(self) -> Sequence[Marker]:
        """Those that are found already, or soon."""
        return self._all() if self._known is None or self._markers is not None else self._known()

    def _all(self) -> Sequence[Marker]:
        if self._markers is None:
            self._markers = self._find()
        return self._markers

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Marker: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Marker]: ...
    def __getitem__(self, index: int | slice) -> Marker | Sequence[Marker]:
        return self._all()[index]


@dataclass(frozen=True, slots=True)
class Outside:
    """A value `wanted` on an axis that a recording does not reach, and the nearest one that it has."""

    axis: str
    wanted: int
    nearest: int


_NOTES: Final[ContextVar[Callable[[Outside], None] | None]] = ContextVar("notes", default=None)


@contextmanager
def noting_outside(note: Callable[[Outside], None]) -> Iterator[None]:
    """A context in which `note` is called with each value outside a recording that :meth:`Timeline.resolve` meets."""
    before = _NOTES.set(note)
    try:
        yield
    finally:
        _NOTES.reset(before)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The steps of a recording and the ways to name one.

    `unit` is the axis of a bare number.  `axes` has at least `unit` and ``time`` (microseconds since `start`); `start`
    is UTC microseconds since 1970, or None if unknown.  `stops` are the steps at which single stepping halts,
    ascending.  `keyframes` are the steps whose state is stored whole.  `markers` are in order of step. `clock` is, for
    each step, the value of the game's countdown clock in microseconds, empty if there is none; it may restart.
    """

    unit: str
    axes: Mapping[str, Axis]
    start: int | None
    stops: Sequence[int]
    keyframes: Sequence[int]
    markers: Sequence[Marker] = field(default=())
    clock: Sequence[int] = field(default=())

    @property
    def known_markers(self) -> Sequence[Marker]:
        """The markers found so far; there may be more."""
        return self.markers.known if isinstance(self.markers, Markers) else self.markers

    @property
    def last(self) -> int:
        """The newest step."""
        return len(self.axes["time"].values) - 1

    def at(self, axis: str, step: int) -> int:
        """The value of `axis` at `step`."""
        return self.axes[axis].values[step]

    def time(self, step: int) -> int:
        """Microseconds from the recording's start to `step`."""
        return self.at("time", step)

    def named(self, step: int) -> str:
        """A position, as a user types it, that leads to exactly this step; in the recording's own unit if possible."""
        names = [name for name in (self.unit, *self.axes) if name in _NUMBERED]
        positions = [f"{name}:{self.at(name, step)}" for name in names]
        exact = (
            text
            for name, text in zip(names, positions, strict=True)
            if self.axes[name].step(self.at(name, step)) == step
        )
        return next(exact, positions[0] if positions else "start")

    def resolve(self, position: Position, here: int = 0) -> int:
        """The step for `position`, inside the recording; relative positions count from the step `here`.

        Raises :class:`NoSuchPosition` for an axis, a marker or a clock value that this recording does not have.
        """
        value = position.value
        match position.axis:
            case "start":
                return 0
            case "end":
                return self.last
            case "marker":
                return self._marker(str(value))
            case "percent":
                return round(self.last * float(value) / 100)
            case "clock":
                return self._clock(int(value), here)
            case "date" if self.start is not None:
                return self._nearest("time", int(value) - self.start)
        name = self.unit if position.axis == "unit" else position.axis
        axis = self.axes.get(name)
        if axis is None:
            known = " ".join(f"{axis}:N" for axis in sorted(self.axes) if axis != "time")
            raise NoSuchPosition(f"this recording does not count by {name}", expected=f"{known} 1:30 50% start or end")
        base = axis.values[here] if position.relative else 0
        return self._nearest(name, base + int(value))

    def _nearest(self, name: str, wanted: int) -> int:
        """The step at a value of an axis, or the nearest one; `note` is called if the value lies outside."""
        axis = self.axes[name]
        step = axis.step(wanted)
        note = _NOTES.get()
        if note is not None and not axis.values[0] <= wanted <= axis.values[self.last]:
            note(Outside(name, wanted, axis.values[step]))
        return step

    def skipped(self, *places: tuple[str | None, int]) -> str | None:
        """Why steps are of earlier turns than the positions for which they were taken; None if none of them is.

        A turn in the middle of a command has no save, and so no step.
        """
        return "; ".join(filter(None, (self._skipped(text, step) for text, step in places))) or None

    def _skipped(self, text: str | None, step: int) -> str:
        wanted = parse_position(text or "start")
        name = self.unit if wanted.axis == "unit" else wanted.axis
        if wanted.relative or name != "turn" or name not in self.axes:
            return ""
        turn, found = int(wanted.value), self.at(name, step)
        if not found < turn <= self.at(name, self.last):  # one behind the end was noted as such
            return ""
        return f"no save is of turn {turn}, as a command took several turns: the one before it is of turn {found}"

    def _marker(self, name: str) -> int:
        for marker in self.markers:
            if name in (marker.name, marker.kind):
                return marker.step
        if not self.markers:
            raise NoSuchPosition("there are no markers here")
        names = [marker.name for marker in self.markers[:_NAMED_MARKERS]]
        more = len(self.markers) - len(names)
        known = ", ".join(names) + (f" and {more} more (marker: lists them)" if more else "")
        told = f"no marker {name!r} here" if name else "which marker?"
        raise NoSuchPosition(told, expected=f"one of {known}")

    def _clock(self, value: int, here: int) -> int:
        """The next step at which the game's clock comes down to `value`: first after `here`, then from the start."""
        clock = self.clock
        for step in chain(range(here + 1, len(clock)), range(min(here + 1, len(clock)))):
            if clock[step] <= value and (clock[step - 1] > value if step else clock[step] == value):
                return step
        raise NoSuchPosition("the game's clock never shows this" if clock else "this recording has no game clock")

    def stop(self, here: int, count: int) -> int:
        """The step `count` single steps on from `here` (back, if negative), inside the recording."""
        nearest = bisect_right(self.stops, here) - 1 if count >= 0 else bisect_left(self.stops, here)
        index = nearest + count
        return self.stops[min(max(index, 0), len(self.stops) - 1)]
