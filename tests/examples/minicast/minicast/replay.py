"""A terminal recording as a replay: step 0 is the empty terminal, and each line of the file is one step more."""

from collections.abc import Iterator
from dataclasses import dataclass

from minicast.wire import MAX_LINE, Output, parse_event, parse_header
from nhlog import Axis, Change, Damaged, Event, Fate, Info, Marker, Status, Timeline, TooShort, open_source


@dataclass(frozen=True)
class CastState:
    """The last lines of the output up to a step, at most as many as the terminal has rows."""

    step: int
    rows: tuple[str, ...]


class CastReplay:
    """An open recording, standing at one step (see :class:`nhlog.Replay`).

    `fault` is the first line that breaks the rules; what stands before it can be seen.  `offset` is the end of the last
    line that was read: half a line is no damage, its other half is still to come.
    """

    def __init__(self, path: str) -> None:
        self.source = open_source(path)
        self.fate = Fate.KEPT
        try:
            self._begin()
        except Damaged as error:
            self.close()
            raise error.within(path) from None

    def _begin(self) -> None:
        self.step, self.offset = 0, 0
        self.fault: Damaged | None = None
        self.outputs: list[Output] = []
        first = next(self._lines(), None)
        if first is None:
            raise TooShort("the first line is not whole", expected="a newline")
        self.header = parse_header(first)
        self._read()

    def _lines(self) -> Iterator[bytes]:
        """The whole lines from `offset` on; raises :class:`Damaged` for one that never ends."""
        while data := self.source.pread(MAX_LINE, self.offset):
            *lines, rest = data.split(b"\n")
            for line in lines:
                self.offset += len(line) + 1
                yield line
            if not lines:
                if len(rest) == MAX_LINE:
                    raise Damaged("a line that is too long", offset=0, expected=f"at most {MAX_LINE} bytes")
                return

    def _read(self) -> None:
        """Take in what there is now, and draw up the timeline of it."""
        start = self.offset
        try:
            for line in self._lines() if self.fault is None else ():
                if self.finished:
                    raise Damaged("a line after the end", offset=0)
                self.outputs.append(parse_event(line))
                start = self.offset
        except Damaged as error:
            self.fault, self.offset = error.within(self.source.name, start), start
        times = [0]
        for output in self.outputs:
            times.append(max(output.time, times[-1]))  # a clock that was put back
        start_time = None if self.header.start is None else self.header.start * 1_000_000
        ends = [Marker(len(self.outputs), "end", "the end")] if self.finished else []
        axes = {"frame": Axis(range(len(times))), "time": Axis(times)}
        self.timeline = Timeline("frame", axes, start_time, range(len(times)), (0,), ends)

    @property
    def finished(self) -> bool:
        return bool(self.outputs) and self.outputs[-1].code == "x"

    @property
    def info(self) -> Info:
        status = Status.DAMAGED if self.fault else Status.FINISHED if self.finished else Status.LIVE
        timeline, title = self.timeline, self.header.title or self.source.name
        duration = timeline.time(timeline.last)
        return Info("minicast", "terminal recording", title, (), timeline.start, duration, status)

    @property
    def state(self) -> CastState:
        text, first = "", self.step
        while first and text.count("\n") <= self.header.height:
            first -= 1
            text = self.text(first) + text
        return CastState(self.step, tuple(text.split("\n")[-self.header.height :]))

    def text(self, number: int) -> str:
        """What was output in step `number` + 1."""
        return self.outputs[number].text if self.outputs[number].code == "o" else ""

    def seek(self, step: int) -> None:
        self.step = min(max(step, 0), self.timeline.last)

    def refresh(self) -> Change:
        last, finished, fault, here = self.timeline.last, self.finished, self.fault, self.step
        if not self.offset or self.source.size() < self.offset:  # written anew; TooShort until a line is whole
            self._begin()
            self.seek(here)
            return Change.REWOUND
        self._read()
        if self.finished and not finished:
            return Change.FINISHED
        if (self.timeline.last, self.fault) != (last, fault):
            return Change.GREW
        before, self.fate = self.fate, self.source.fate
        return Change.REPLACED if self.fate is Fate.REPLACED is not before else Change.NOTHING

    def events(self, first: int, last: int) -> Iterator[Event]:
        for step in range(max(first, 1), min(last, self.timeline.last) + 1):
            words = " ".join(self.text(step - 1).split())
            if words:
                yield Event(step, words, repr(self.outputs[step - 1].text))

    def close(self) -> None:
        self.source.close()
