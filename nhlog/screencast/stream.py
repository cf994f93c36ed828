"""The events of a recording as an encoder takes them, so that a recording in another form can be made of them."""

from collections.abc import Iterator

from nhlog.screencast.events import CLOCK, OUTPUT, Events, TimedEvent

__all__ = ["stream"]


def stream(events: Events, first: int = 0, last: int | None = None) -> Iterator[TimedEvent]:
    """The events from `first` to `last`, all by default; what was written is UTF-8, whatever the file has.

    Where the clock of the recorder was set, an event tells it.
    """
    end = len(events) if last is None else min(last + 1, len(events))
    start, shift = events.header.start, 0
    for number, part in zip(range(first, end), events.parts(first, end), strict=True):
        time, code, moment = events.times[number], events.code(number), events.moment(number)
        if start is not None and moment is not None:
            shifted = moment - start - time
            if shifted != shift:
                yield TimedEvent(time, CLOCK, b"%d" % (shifted - shift))
                shift = shifted
            if code == CLOCK:
                continue
        output = part if code == OUTPUT and isinstance(part, bytes) else None
        yield TimedEvent(time, code, events.data(number) if output is None else output)
