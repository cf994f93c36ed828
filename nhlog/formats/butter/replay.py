"""A session as a replay: one step per frame.

A state is decoded from its own chunk alone, so a seek never needs earlier chunks.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from nhlog.errors import Damaged, NhlogError, TooShort
from nhlog.files import made_of
from nhlog.formats.butter import FORMAT
from nhlog.formats.butter.reading.events import SessionEvent, begin_event, events_between
from nhlog.formats.butter.reading.outline import Outline
from nhlog.formats.butter.reading.source import FrameSource, open_source
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.values import Frame, Vector
from nhlog.replay import Change, Info, Status
from nhlog.timeline import Axis, Marker, Timeline
from nhlog.values import NamedTuple

if TYPE_CHECKING:
    from nhlog.plots import Plots

__all__ = ["EchoReplay", "EchoState", "open_replay"]

_MS: Final = 1000  # µs


class EchoState(NamedTuple):
    """The session at one step; a non-empty `fault` says why `frame` is a nearby frame instead of the step's own."""

    step: int
    frame: Frame
    fault: str = ""


class EchoReplay:
    """An open session, standing at one of its frames (see :class:`nhlog.replay.Replay`).

    Raises :class:`Damaged` if no frame of the file can be read.
    """

    def __init__(self, source: FrameSource) -> None:
        self.source = source
        self._step = 0
        self._take_in(source.outline())

    def _take_in(self, outline: Outline) -> None:
        if not outline.times:
            fault = next(iter(outline.faults.values()), None)
            if fault is None or self.source.truncated(next(iter(outline.faults))):
                kind = TooShort if self.source.live else Damaged
                raise kind("the file has no frame", file=self.source.path, expected="a frame")
            raise fault
        self.outline = outline
        self.timeline = _timeline(outline)
        self._step = min(self._step, self.timeline.last)
        self._state: EchoState | None = None
        self.info = self._info()

    def _info(self) -> Info:
        header, outline = self.source.header, self.outline
        notes = [str(fault) for number, fault in outline.faults.items() if not self.source.truncated(number)]
        if not self.source.complete:
            first = next(number for number in range(outline.chunks) if self.source.truncated(number))
            notes.append(f"waiting for the rest of chunk {first + 1} of {outline.chunks}")
        if clock_setbacks := outline.clock_setbacks():
            notes.append(f"{clock_setbacks}; here it stands still then")
        broken = any(not self.source.truncated(number) for number in outline.faults)
        return Info(
            id=FORMAT.id,
            format=FORMAT.name,
            title=header.title,
            people=tuple(person.name for person in header.people),
            start=self.timeline.start,
            duration=self.timeline.time(self.timeline.last),
            status=Status.DAMAGED if broken else Status.LIVE if self.source.live else Status.FINISHED,
            metadata={
                "recorded by": header.client_name,
                "session": header.sessionid,
                "server": header.sessionip,
                "frames": len(outline.times),
                "chunks": outline.chunks,
            },
            note="; ".join(notes[:3]),
        )

    @property
    def header(self) -> Header:
        """The header of the file."""
        return self.source.header

    @property
    def step(self) -> int:
        """The number of the frame at which the replay stands."""
        return self._step

    @property
    def state(self) -> EchoState:
        """The frame at `step`."""
        if self._state is None:
            self._state = self._state_at(self._step)
        return self._state

    def _state_at(self, step: int) -> EchoState:
        number = self.outline.chunk_of(step)
        index = step - self.outline.firsts[number]
        for frame in self.source.frames(number, index, index + 1):
            return EchoState(step, frame)
        chunk = self.source.chunk(number)
        fault = str(chunk.fault or "the file has changed")
        frames = chunk.frames or self.source.chunk(0).frames
        if not frames:
            raise Damaged(fault, file=self.source.path)
        return EchoState(step, frames[-1], fault)

    def trail(self, span: int) -> list[Vector]:
        """The positions of the disc in the last `span` µs, the newest last."""
        first = self.timeline.axes["time"].step(self.timeline.time(self._step) - span)
        return [frame.disc.position for frame in self.frames(first, self._step) if frame.disc]

    def frames(self, first: int, last: int) -> Iterator[Frame]:
        """The frames of steps `first` to `last`, both included, without those that cannot be read."""
        if first > last:
            return
        for number in range(self.outline.chunk_of(first), self.outline.chunk_of(last) + 1):
            start = self.outline.firsts[number]
            yield from self.source.frames(number, max(first - start, 0), last + 1 - start)

    def seek(self, step: int) -> None:
        """Go to frame `step`, clamped to the timeline."""
        step = min(max(step, 0), self.timeline.last)
        if step != self._step:
            self._step, self._state = step, None

    def refresh(self) -> Change:
        """Open the file again if it has changed, and return what changed; nothing if it cannot be read now.

        Raises :class:`TooShort` for one that was emptied, as it is for a moment while it is written anew.
        """
        try:
            fresh = self.source.reopened()
            return Change.NOTHING if fresh is None else self._replace(fresh)
        except TooShort:
            raise
        except NhlogError:
            return Change.NOTHING

    def _replace(self, fresh: FrameSource) -> Change:
        before, status = self.outline, self.info.status
        old, self.source = self.source, fresh
        try:
            self._take_in(fresh.outline(before if fresh.grown_from(old) else None))
        except NhlogError:
            self.source = old
            fresh.close()
            raise
        old.close()
        if self.outline.times[: len(before.times)] != before.times:
            return Change.REWOUND
        if self.info.status is Status.FINISHED and status is not Status.FINISHED:
            return Change.FINISHED
        return Change.GREW if len(self.outline.times) > len(before.times) else Change.NOTHING

    def events(self, first: int, last: int) -> Iterator[SessionEvent]:
        """The events of these frames; step 0 has one that lists the players."""
        for frame in self.frames(0, 0) if first <= 0 <= last else ():
            yield begin_event(frame)
        first, last = max(first, 1), min(last, self.timeline.last)
        before: Frame | None = None
        for step, frame in enumerate(self.frames(first - 1, last), first - 1):
            if before is not None:
                yield from events_between(before, frame, step)
            before = frame

    def plots(self) -> "Plots":
        """The plots of the session."""
        from nhlog.formats.butter.plots import plots_of  # nobody else needs it

        return plots_of(self.source, self.outline, self.timeline.axes["time"].values)

    def close(self) -> None:
        """Close the file."""
        self.source.close()


def open_replay(path: str) -> EchoReplay:
    """Open the session in `path` at its first frame.

    Raises :class:`Damaged` if it has none, :class:`NhlogError` if the file cannot be opened.
    """
    return made_of(open_source(path), EchoReplay)


def _timeline(outline: Outline) -> Timeline:
    steps = range(len(outline.times))
    start = outline.times[0]
    times = array("q", accumulate((_MS * (time - start) for time in outline.times), max))
    return Timeline(
        unit="frame",
        axes={"frame": Axis(steps), "time": Axis(times)},
        start=start * _MS,
        stops=steps,
        keyframes=outline.keys,
        markers=_markers(outline.events),
        clock=outline.clocks,
    )


def _markers(events: Sequence[SessionEvent]) -> tuple[Marker, ...]:
    """A marker per event: goals and gaps are numbered, a status is named by its word, others by the event's text."""
    counts: dict[str, int] = {}
    markers = []
    for event in events:
        counts[event.kind] = counts.get(event.kind, 0) + 1
        number = counts[event.kind]
        if event.kind in ("goal", "gap"):
            name = f"{event.kind} {number}"
        elif event.kind == "status":
            name = str(event.facts["status"]) or "none"
        else:
            name = event.text
        markers.append(Marker(event.step, event.kind, name))
    return tuple(markers)
