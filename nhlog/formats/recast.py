"""Writes a recording of a terminal, or a part of it, as another file, in any format that has an encoder.

Bytes and times stay the same; what the other format cannot store is counted.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from nhlog.compression import BZIP2, GZIP, NONE, XZ, ZSTD, compressed, ending_for
from nhlog.errors import Usage
from nhlog.files import atomic
from nhlog.formats import format_of, operation
from nhlog.operations import Record
from nhlog.operations.options import NO_OPTIONS
from nhlog.progress import report
from nhlog.screencast import BYTES, CLOCK, COMMENT, OUTPUT, Encoder, Events, Header, TimedEvent
from nhlog.screencast.joined import Joined
from nhlog.screencast.replay import Screencast
from nhlog.timeline import MICROSECONDS, parse_position
from nhlog.vt import Size, Tape

__all__ = ["drawn_at", "open_joined", "recast", "timed_events", "write_events"]

_PULSE: Final = 256  # events between two reports of how far it is
_COMPRESSIONS: Final = {"gz": GZIP, "bz2": BZIP2, "xz": XZ, "zst": ZSTD, "none": NONE}  # by the ending of the name


def recast(
    source: str,
    target: str,
    *,
    joined: Sequence[str] = (),
    first: str | None = None,
    last: str | None = None,
    opening: Mapping[str, object] = NO_OPTIONS,
    encoding: Mapping[str, object] = NO_OPTIONS,
    speed: float = 1.0,
    idle: Callable[[float], float] | None = None,
    compression: str | None = None,
    force: bool = False,
) -> Record:
    """Write `target`: all events of `source`, or what follows the screen at `first`, which is drawn at its beginning.

    `joined` are the recordings that stand for the folder `source`, as one (see :func:`open_joined`).
    `first` and `last` are positions.  `opening` are options of the source's format, `encoding` those of the target's
    encoder; `compression` (``gz bz2 xz zst none``) replaces what the target's name says.  `idle` makes of the seconds
    between two events those that are written, which `speed` divides; the longest pause that the header wishes is then
    left out.  Returns a record of the result: ``loss`` counts what could not be stored, ``error`` says where the source
    is damaged.
    """
    with closing(_joined(joined, opening) if joined else operation(source, "find", **opening)(source)) as events:
        start, end = _steps(events, first, last)
        exact = start is None
        same = not joined and format_of(source) == format_of(target)
        header, timed = (
            (events.header, _with_clock(events, end, as_it_stands=same)) if start is None else _part(events, start, end)
        )
        if idle is not None:
            header = replace(header, idle_limit=None)
        if idle is not None or speed != 1:
            timed = _retimed(timed, idle or float, speed)
        record = write_events(
            target, header, timed, encoding=encoding, compression=compression, exact=exact, force=force
        )
        return {"source": source, **record, "error": events.fault.message if events.fault else None}


def open_joined(paths: Sequence[str], opening: Mapping[str, object] = NO_OPTIONS) -> Screencast:
    """Several recordings of terminals as one, in order of time; raises :class:`Unsupported` for others."""
    return Screencast("several recordings", lambda: _joined(paths, opening))


def _joined(paths: Sequence[str], opening: Mapping[str, object]) -> Joined:
    found: list[Events] = []
    try:
        found.extend(operation(path, "find", **opening)(path) for path in paths)
        return Joined(found)
    except BaseException:
        for events in found:
            events.close()
        raise


def _steps(events: Events, first: str | None, last: str | None) -> tuple[int | None, int]:
    """The events at two positions, which may be told by what is on the screen; None for the beginning."""
    if first is None and last is None:
        return None, len(events) - 1
    timeline = Screencast("", lambda: events).timeline
    start, end = (None if place is None else timeline.resolve(parse_position(place)) for place in (first, last))
    end = timeline.last if end is None else end
    if start is not None and start > end:
        raise Usage("the end is before the start", expected=f"a position from event {start} on", found=last)
    return start, end


def _with_clock(events: Events, last: int, *, as_it_stands: bool) -> Iterator[TimedEvent]:
    """All events up to one, with how the clock was set, what some really are, and comments."""
    set_by, comments = 0, deque(events.comments())
    for event, number in zip(timed_events(events, 0, last + 1), range(last + 1), strict=True):
        while comments and comments[0][0] <= number:
            yield TimedEvent(event.time, COMMENT, comments.popleft()[1])
        moment = events.moment(number)
        if moment is not None and events.header.start is not None:
            drift = moment - events.header.start - event.time
            if drift != set_by and event.code != CLOCK:  # which says so itself
                yield TimedEvent(event.time, CLOCK, b"%d" % (drift - set_by))
            set_by = drift
        if really := events.really(number):
            yield TimedEvent(event.time, BYTES, really.hex().encode())
        yield event._replace(data=events.data(number)) if as_it_stands else event
    if last + 1 == len(events):
        yield from (TimedEvent(events.times[last], COMMENT, text) for _, text in comments)


def _part(events: Events, first: int, last: int) -> tuple[Header, Iterator[TimedEvent]]:
    """The screen after an event and what follows, times from there on; and the header for that."""
    tape = Tape(events.header.size, events.parts)
    events.gaps = tape.gaps
    size, drawn = drawn_at(events, tape, first)
    tape.close()
    header = replace(events.header, size=size, start=events.moment(first), more={})

    def timed() -> Iterator[TimedEvent]:
        for event in chain([drawn], timed_events(events, first + 1, last + 1)):
            yield event._replace(time=event.time - drawn.time)

    return header, timed()


def _retimed(timed: Iterable[TimedEvent], idle: Callable[[float], float], speed: float) -> Iterator[TimedEvent]:
    """The events at other times, without how the clock was set: it shows none of them."""
    before, now = 0, 0.0
    for event in timed:
        if event.code != CLOCK:
            now += idle((event.time - before) / MICROSECONDS) / speed
            before = event.time
            yield event._replace(time=round(now * MICROSECONDS))


def drawn_at(events: Events, tape: Tape, step: int) -> tuple[Size, TimedEvent]:
    """The size of the terminal after an event, and an event of the same time that draws what it shows then.

    `tape` plays the events.
    """
    grid = tape.grid(step + 1)
    return Size(grid.columns, len(grid.rows)), TimedEvent(events.times[step], OUTPUT, tape.redraw(step + 1))


def timed_events(events: Events, first: int, last: int) -> Iterator[TimedEvent]:
    """The events from one up to another one, output as UTF-8."""
    for number, part in zip(range(first, last), events.parts(first, last), strict=True):
        if number % _PULSE == 0:
            report("writing", number - first, last - first)
        code = events.code(number)
        data = part if code == OUTPUT and isinstance(part, bytes) else events.data(number)
        yield TimedEvent(events.times[number], code, data)


@dataclass(slots=True)
class _Written:
    events: int = 0
    duration: int = 0


def write_events(
    target: str,
    header: Header,
    timed: Iterable[TimedEvent],
    *,
    encoding: Mapping[str, object] = NO_OPTIONS,
    compression: str | None = None,
    exact: bool = False,
    force: bool = False,
) -> Record:
    """Write events to a new file `target`, in the format and with the compression of its name; returns a record of it.

    `exact` is for all events of a recording, so that they can be made into the same recording again.
    """
    encoder: Encoder = operation(target, "encoder", **encoding)(target, header, exact=exact)
    ending = ending_for(target, compression, _COMPRESSIONS)
    written = _Written()
    size = atomic.write(target, compressed(_encoded(encoder, timed, written), _COMPRESSIONS[ending]), force=force)
    return {
        "target": target,
        "compression": ending,
        "events": written.events,
        "duration": written.duration,
        "size": size,
        "loss": dict(encoder.loss),
    }


def _encoded(encoder: Encoder, timed: Iterable[TimedEvent], written: _Written) -> Iterator[bytes]:
    yield encoder.begin()
    for event in timed:
        written.events += 1
        written.duration = event.time
        yield encoder.event(event)
    yield encoder.end()
