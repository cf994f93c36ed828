"""Fakes that keep the contracts of the originals: a recording in memory, a display that keeps what is drawn.

`FakeRecording` is a `nhlog.replay.Replay`, for tests of programs that show recordings of any format.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from nhlog.replay import Change, Event, Info, Status
from nhlog.screen import Screen
from nhlog.timeline import MICROSECONDS, Axis, Marker, Timeline

__all__ = ["FakeDisplay", "FakeRecording", "Happening"]

T = TypeVar("T")


@dataclass(frozen=True)
class Happening:
    """An event of a `FakeRecording`, `wait` seconds after the one before, in turn `turn`."""

    text: str
    wait: float = 1.0
    turn: int = 0


class FakeRecording:
    """A recording of happenings; each takes `width` steps, and the last of these is a stop.

    The state at a step is the step's number and the text of its happening.  Changes by `grow`, `take_back` and `finish`
    become visible at the next `refresh`, as in a file that another process writes.
    """

    def __init__(
        self,
        happenings: Iterable[Happening],
        *,
        unit: str = "turn",
        width: int = 1,
        start: int | None = 0,
        keyframes: Sequence[int] = (0,),
        markers: Sequence[Marker] = (),
        status: Status = Status.FINISHED,
        metadata: Mapping[str, str | int] = {},
        title: str = "a fake",
    ) -> None:
        self.written = list(happenings)
        self.status = status
        self._unit, self._width, self._start, self._title = unit, width, start, title
        self._keyframes, self._markers, self._metadata = tuple(keyframes), tuple(markers), metadata
        self._step = 0
        self._changes: list[Change] = []
        self._read()

    def _read(self) -> None:
        self._seen = tuple(self.written)
        moment, times = 0, []
        for happening in self._seen:
            moment += round(happening.wait * MICROSECONDS)
            times.extend([moment] * self._width)
        units = [happening.turn for happening in self._seen for _ in range(self._width)]
        last = len(times) - 1
        self.timeline = Timeline(
            unit=self._unit,
            axes={self._unit: Axis(units, first=True), "time": Axis(times)},
            start=self._start,
            stops=range(self._width - 1, last + 1, self._width),
            keyframes=[step for step in self._keyframes if step <= last],
            markers=[marker for marker in self._markers if marker.step <= last],
        )
        self.info = Info(
            id="fake",
            format="fake",
            title=self._title,
            people=("nobody",),
            start=self._start,
            duration=times[-1],
            status=self.status,
            metadata=self._metadata,
        )

    @property
    def step(self) -> int:
        """The step at which the replay stands."""
        return self._step

    @property
    def state(self) -> tuple[int, str]:
        """The step and the text of its happening."""
        return self._step, self._seen[self._step // self._width].text

    def seek(self, step: int) -> None:
        """Go to `step`, clamped to the timeline."""
        self._step = min(max(step, 0), self.timeline.last)

    def events(self, first: int, last: int) -> Iterator[Event]:
        """The happenings that end in these steps."""
        stops = self.timeline.stops
        for number in range(bisect_left(stops, first), bisect_right(stops, last)):
            yield Event(stops[number], self._seen[number].text, f"raw {number}")

    def refresh(self) -> Change:
        """Apply the changes made; returns them one at a time."""
        if not self._changes:
            return Change.NOTHING
        self._read()
        self.seek(self._step)
        return self._changes.pop(0)

    def close(self) -> None:
        """Do nothing, as nothing is open."""

    def grow(self, *happenings: Happening) -> None:
        """Append happenings."""
        self.written += happenings
        self._changes.append(Change.GREW)

    def take_back(self, count: int) -> None:
        """Remove the last `count` happenings; a finished recording is continued."""
        del self.written[-count:]
        self.status = Status.LIVE
        self._changes.append(Change.REWOUND)

    def finish(self) -> None:
        """End the recording."""
        self.status = Status.FINISHED
        self._changes.append(Change.FINISHED)


class FakeDisplay:
    """A display of `size` with scripted input: the keys of `script` are pressed one by one; `screens` has all drawn.

    Each wait for a key advances the fake time by its timeout; pass `clock` to the client as its clock.
    """

    def __init__(self, script: Iterable[str], size: tuple[int, int] = (80, 24)) -> None:
        self.size = size
        self.screens: list[Screen] = []
        self._script = iter(script)
        self._now = 0.0

    def clock(self) -> float:
        """The fake time, in seconds since the display was created."""
        return self._now

    def draw(self, screen: Screen) -> None:
        """Keep the screen."""
        self.screens.append(screen)

    def bound(self, table: T) -> T:
        """The table of keys, unchanged: there is no configuration."""
        return table

    def keys(self, timeout: float) -> list[str]:
        """The next key of the script; none if that is an empty string."""
        self._now += timeout
        key = next(self._script)  # a script that ends before the client does is a mistake of the test
        return [key] if key else []
