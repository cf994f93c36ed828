"""What is told of a recorded terminal: its description, its line in a list, its events, its faults, as records.

Times are microseconds since the start, `utc` microseconds since 1970.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.errors import Unsupported
from nhlog.listed import ScreencastListing
from nhlog.operations import Listing, Record, as_record, fault_records
from nhlog.replay import Status
from nhlog.screencast.events import INPUT, Events, status_of
from nhlog.screencast.games import Status as GameStatus
from nhlog.screencast.snapshots import kept_snapshots
from nhlog.screencast.survey.ending import last_status
from nhlog.timeline import MICROSECONDS, Marker
from nhlog.unpacked import UNGUARDED
from nhlog.values import dataclass
from nhlog.vt import Tape

if TYPE_CHECKING:
    from nhlog.screencast.replay import Screencast

__all__ = [
    "ScreencastInfo",
    "describe",
    "dump",
    "dump_screens",
    "event_records",
    "list_recording",
    "state_record",
    "stats",
    "verify",
]

_IDLE: Final = 10 * MICROSECONDS  # of a longer pause only this much counts as play


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
    game: GameStatus | None
    """What the status lines of a game told last; None if none is recognised."""


def describe(events: Events, form: str) -> ScreencastInfo:
    """Describe a recording."""
    header, status = events.header, last_status(events)
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
        game=status,
    )


def list_recording(events: Events, path: str, form: str) -> Listing:
    """Summarise a recording."""
    file = events.source.file
    stamp, status, size = file.stamp() if file else None, last_status(events), events.size_at(len(events) - 1)
    return ScreencastListing(
        file=path,
        format=form,
        title=events.header.title or (_in_words(status) if status else ""),
        people=(status.name,) if status and status.name else (),
        start=events.header.start,
        duration=events.times[-1],
        changed=stamp.modified // 1000 if stamp else None,
        size=stamp.size if stamp else events.limit,
        status=status_of(events),
        columns=size.columns,
        rows=size.rows,
        game=status.game if status else "",
        place=status.place if status else "",
        turn=status.turn if status else None,
        level=status.level if status else None,
        hp=status.hp if status else None,
        hp_max=status.hp_max if status else None,
    )


def _in_words(status: GameStatus) -> str:
    turn = "" if status.turn is None else f"turn {int(status.turn)}"
    return ", ".join(filter(None, (status.name or status.game, status.place, turn)))


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


def dump_screens(
    replay: "Screencast", first: int, last: int | None, frames: str | None, every: str | None, *, styles: bool
) -> Iterator[Record]:
    """A record per screen that is asked for (see `screens.chosen`), and one with ``error`` for damage."""
    from nhlog.screencast.screens import chosen, screen_records

    events, end = replay.recorded, replay.timeline.last
    steps = chosen(events.times, first, end if last is None else min(last, end), frames, every)
    yield from screen_records(replay.tape, events.times, steps, styles=styles)
    yield from fault_records(events.all_faults)


def event_records(replay: "Screencast", first: int, last: int) -> Iterator[Record]:
    """What happened in the games of a recording; without one a record per event that says something."""
    timeline = replay.timeline
    happened = [Marker(game.first, "game", _begun(game.status)) for game in replay.games]
    if happened:
        happened += [marker for marker in timeline.markers if marker.kind != "new game"]
        for marker in sorted(happened, key=lambda one: one.step):
            if first <= marker.step <= last:
                where = {name: timeline.at(name, marker.step) for name in ("frame", "time", "turn")}
                yield {"kind": marker.kind, "step": marker.step, **where, "what": marker.kind, "text": marker.name}
    else:
        for event in replay.events(first, last):
            time = timeline.time(event.step)
            yield {"kind": "event", "step": event.step, "frame": event.step, "time": time, "text": event.text}


def _begun(status: GameStatus) -> str:
    who = " the ".join(filter(None, (status.name, status.title)))
    return ": ".join(filter(None, (status.game, who)))


def stats(replay: "Screencast") -> Iterator[Record]:
    """A record of the recording, and one per game in it; one with ``error`` tells of damage."""
    events, last = replay.recorded, replay.timeline.last
    yield {"kind": "recording", "events": len(events), **_counted(events, 0, last)}
    for game in replay.games:
        status = game.status
        yield {
            "kind": "game",
            "game": status.game,
            "name": status.name,
            "title": status.title,
            "place": status.place,
            "deepest": game.deepest,
            "level": status.level,
            "first_turn": game.first_turn,
            "turn": None if status.turn is None else int(status.turn),
            "died": game.died,
            **_counted(events, game.first, game.last),
        }
    yield from fault_records(events.all_faults)


def _counted(events: Events, first: int, last: int) -> Record:
    """How long it took from one event to another one, and what was typed and written."""
    times = events.times
    gaps = (times[number] - times[number - 1] for number in range(first + 1, last + 1))
    whole, idle = times[last] - times[first], sum(gap - _IDLE for gap in gaps if gap > _IDLE)
    written = sum(len(part) for part in events.parts(first, last + 1) if isinstance(part, bytes))
    keys = sum(first <= number <= last for number in events.numbers(INPUT))
    return {"duration": whole, "play_time": whole - idle, "idle_time": idle, "keys": keys, "bytes": written}


def verify(events: Events, *, unguarded: bool = False) -> Iterator[Record]:
    """A record per finding, then a report with ``sound`` and counts.

    It is played, too, as whoever checks a recording wants to know whether it can be shown.
    """
    waiting, source = events.waiting, events.source
    early = source.packed and not source.complete and source.fault is None
    try:
        hidden = _play(events)
    except Unsupported as error:
        hidden = 0
        yield _finding(0, f"it was not shown: {error.what}", error.expected, error.found, fault=False)
    for fault in events.all_faults:
        yield _finding(fault.offset or 0, fault.what, fault.expected, fault.found)
    if waiting:
        yield _finding(events.end, "the last event is cut short", "a whole one", f"{waiting} bytes of one")
    if early:
        yield _finding(events.limit, "the compressed data ends early", None, None)
    if unguarded:
        yield _finding(0, UNGUARDED, None, None, fault=False)
    if events.backwards:
        yield _finding(0, f"the clock goes back {events.backwards} times", None, None, fault=False)
    yield {
        "sound": events.fault is None and not waiting and not early,
        "size": events.limit,
        "sound_bytes": events.end - events.lost,
        "events": len(events),
        "sound_events": len(events) - hidden,
    }


def _play(events: Events) -> int:
    """Play all of it; what cannot be shown is among its faults then.  Returns how many events that hides."""
    tape = Tape(events.header.size, events.parts, snapshots=kept_snapshots(events))
    tape.go(len(events))
    tape.close()
    events.gaps = tape.gaps
    return sum((len(events) if gap.last is None else gap.last) - gap.first for gap in tape.gaps)


def _finding(offset: int, what: str, expected: object, found: object, *, fault: bool = True) -> Record:
    words = {"expected": expected, "found": found}
    told = {key: None if value is None else str(value) for key, value in words.items()}
    return {"offset": offset, "what": what, **told, "fault": fault}


def state_record(replay: "Screencast") -> Record:
    """The screen at an event, and what a game tells there: ``stale`` if it is covered now."""
    from nhlog.screencast.screens import grid_record

    state = replay.state
    status = state.status or replay.status_before(state.step)
    return {
        "frame": state.step,
        **grid_record(state.grid),
        "typed": None if state.typed is None else state.typed.decode("utf-8", "backslashreplace"),
        "score": state.score,
        "game": None if status is None else {**as_record(status), "stale": state.status is None},
    }
