"""Snapshots of recordings of terminals: the header, and one event that draws the screen as it is, at its time."""

from bisect import bisect_left
from dataclasses import replace
from typing import Final

from nhlog.formats import format_of, operation
from nhlog.formats.recast import drawn_at
from nhlog.relay.course import Course
from nhlog.relay.sources import RecordingSource
from nhlog.relay.wire import Kind, Message
from nhlog.screencast import Encoder, Events
from nhlog.screencast.guess import UTF_8
from nhlog.timeline import Computed
from nhlog.vt import Tape

__all__ = ["SPACING", "Screens"]

SPACING: Final = 1 << 20  # bytes of a recording from one snapshot to the next: what a late comer gets besides, at most
_SLICE: Final = 1 << 18  # bytes of it that are played at once: hundredths of a second


class Screens:
    """Makes a snapshot of a terminal's recording each time that so much more of it was sent."""

    def __init__(self, source: RecordingSource, most: int) -> None:
        self._source, self._most = source, most
        self._events: Events | None = None
        self._tape: Tape | None = None
        self._played = 0  # events
        self._due = SPACING  # where the next one is made
        self.more = False  # whether there is more to play before that

    def next(self, course: Course) -> Message | None:
        """A snapshot, if it is time for one and everything is played; else some more is."""
        events = self._source.events
        if events is not self._events:
            self._begin(events)
        self.more = events is not None and course.end >= self._due and course.end == events.end
        if events is None or not self.more or not _goes_on_alike(self._source.name, events):
            self.more = False
            return None
        tape = self._tape = self._tape or Tape(events.header.size, events.parts)
        self._played = _some(events, self._played)
        tape.go(self._played)
        if self._played < len(events) and tape.fault is None:
            return None
        self.more, self._due = False, course.end + SPACING
        body = _snapshot(self._source.name, events, tape)
        if not 0 < len(body) <= self._most:
            return None
        return Message(Kind.SNAPSHOT, course.count, course.end, 0, course.digest, body)

    def _begin(self, events: Events | None) -> None:
        """Go through the recording from its first event on, as it was opened anew."""
        if self._tape is not None:
            self._tape.close()
        self._events, self._tape, self._played, self._due = events, None, 0, SPACING


def _some(events: Events, first: int) -> int:
    """How many events are to be played next: those that lie in a slice from one on."""
    last = len(events)
    if first == last:
        return last
    return bisect_left(Computed(last, events.offset), events.offset(first) + _SLICE, first + 1)


def _goes_on_alike(path: str, events: Events) -> bool:
    """Whether what is appended means the same behind a header and a screen: those are written as UTF-8."""
    plain = events.appendable and not events.source.packed and events.header.charset == UTF_8
    return plain and format_of(path).load().encoder is not None


def _snapshot(path: str, events: Events, tape: Tape) -> bytes:
    """A recording that begins with the screen after these events; empty if they cannot be drawn now."""
    last = len(events) - 1
    size, drawn = drawn_at(events, tape, last)
    moment, drawn = events.moment(last), drawn._replace(time=drawn.time - events.origin)
    if not drawn.data or tape.fault is not None:
        return b""
    header = replace(events.header, size=size, start=None if moment is None else moment - drawn.time)
    encoder: Encoder = operation(path, "encoder", version=events.version)(path, header)
    return encoder.begin() + encoder.event(drawn) + encoder.end()
