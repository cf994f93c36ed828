"""What is told of a recorded terminal: its description, its line in a list, its events, its faults, as records.

Times are microseconds since the start, `utc` microseconds since 1970.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from nhlog.files import stamp_of
from nhlog.operations import Listing, Record, fault_records
from nhlog.replay import Status
from nhlog.screencast.events import INPUT, Events
from nhlog.screencast.replay import Screencast, status_of
from nhlog.screencast.state import TerminalState

__all__ = ["ScreencastInfo", "describe", "dump", "event_records", "list_recording", "state_record", "verify"]


@dataclass(frozen=True, slots=True)
class ScreencastInfo:
    """`size` is bytes of the unpacked file; `columns`, `rows` and `charset` are told, given or guessed."""

    format: str
    status: Status
    title: str
    command: str
    start: int | None
    duration: int
    events: int
    inputs: int
    columns: int
    rows: int
    charset: str
    idle_limit: int | None
    size: int
    health: str


def describe(events: Events, path: str, form: str) -> ScreencastInfo:
    """Describe a recording."""
    header = events.header
    return ScreencastInfo(
        format=form,
        status=status_of(events),
        title=header.title,
        command=header.command,
        start=header.start,
        duration=events.times[-1],
        events=len(events),
        inputs=sum(1 for _ in events.numbers(INPUT)),
        columns=header.size.columns,
        rows=header.size.rows,
        charset=header.charset,
        idle_limit=header.idle_limit,
        size=events.limit,
        health=events.fault.message if events.fault else "sound",
    )


def list_recording(events: Events, path: str, form: str) -> Listing:
    """Summarise a recording."""
    stamp = stamp_of(path)
    return Listing(
        file=path,
        format=form,
        title=events.header.title,
        start=events.header.start,
        duration=events.times[-1],
        changed=stamp.modified // 1000 if stamp else None,
        size=stamp.size if stamp else events.limit,
        status=status_of(events),
    )


def dump(events: Events, first: int, last: int | None) -> Iterator[Record]:
    """A record per event, and one with ``error`` for damage."""
    for number in range(first, len(events) if last is None else min(last + 1, len(events))):
        yield {
            "index": number,
            "offset": events.offset(number),
            "time_us": events.times[number],
            "utc": events.moment(number),
            "code": events.code(number),
            "data": events.data(number).decode(events.header.charset, "replace"),
        }
    yield from fault_records(events.all_faults)


def event_records(replay: Screencast) -> Iterator[Record]:
    """A record per event that says something, and one with ``error`` for damage."""
    for event in replay.events(0, replay.timeline.last):
        yield {"frame": event.step, "time": replay.timeline.time(event.step), "text": event.text}
    yield from fault_records(replay.recorded.all_faults)


def verify(events: Events) -> Iterator[Record]:
    """A record per finding, then a report with ``sound`` and counts."""
    waiting, source = events.waiting, events.source
    early = source.packed and not source.complete and source.fault is None
    for fault in events.all_faults:
        yield _finding(fault.offset or 0, fault.what, fault.expected, fault.found)
    if waiting:
        yield _finding(events.end, "the last event is cut short", "a whole one", f"{waiting} bytes of one")
    if early:
        yield _finding(events.limit, "the compressed data ends early", None, None)
    if events.backwards:
        yield _finding(0, f"the clock goes back {events.backwards} times", None, None, fault=False)
    yield {
        "sound": events.fault is None and not waiting and not early,
        "size": events.limit,
        "sound_bytes": events.end - events.lost,
        "events": len(events),
        "sound_events": len(events),
    }


def _finding(offset: int, what: str, expected: object, found: object, *, fault: bool = True) -> Record:
    words = {"expected": expected, "found": found}
    told = {key: None if value is None else str(value) for key, value in words.items()}
    return {"offset": offset, "what": what, **told, "fault": fault}


def state_record(state: TerminalState) -> Record:
    """The screen at an event."""
    grid = state.grid
    return {
        "frame": state.step,
        "cols": grid.columns,
        "rows": len(grid.rows),
        "cursor": list(grid.cursor),
        "cursor_visible": grid.cursor_visible,
        "title": grid.title,
        "screen": grid.text(),
        "typed": None if state.typed is None else state.typed.decode("utf-8", "backslashreplace"),
        "score": state.score,
    }
