"""What is told of a ttyrec: its description, its line in a list, its frames, its faults, as records.

Times are microseconds since the first frame, `utc` microseconds since 1970.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from nhlog.files import File
from nhlog.formats.ttyrec import FORMAT
from nhlog.formats.ttyrec.index import opened
from nhlog.formats.ttyrec.replay import open_replay, status_of, terminal_of
from nhlog.formats.ttyrec.state import TerminalState
from nhlog.formats.ttyrec.wire.frames import INPUT, OUTPUT
from nhlog.operations import Listing, Record, fault_records
from nhlog.replay import Status

__all__ = ["TtyrecInfo", "dump", "event_records", "list_recording", "recording_info", "state_record", "verify"]

_CODES = {OUTPUT: "o", INPUT: "i"}
_SCORE_CODE = "score"


@dataclass(frozen=True, slots=True)
class TtyrecInfo:
    """`size` is bytes of the frames unpacked, `columns` and `rows` what is given or guessed, as `charset` is."""

    format: str
    status: Status
    start: int
    duration: int
    frames: int
    inputs: int
    columns: int
    rows: int
    charset: str
    size: int
    health: str


def recording_info(path: str) -> TtyrecInfo:
    """Describe a recording."""
    with opened(path) as index:
        size, charset = terminal_of(index)
        return TtyrecInfo(
            format=FORMAT,
            status=status_of(index, path),
            start=index.start,
            duration=index.times[-1],
            frames=len(index),
            inputs=len(index.keys),
            columns=size.columns,
            rows=size.rows,
            charset=charset,
            size=index.limit,
            health=index.fault.message if index.fault else "sound",
        )


def list_recording(path: str) -> Listing:
    """Summarise a recording."""
    with File(path) as file, opened(path) as index:
        stamp = file.stamp()
        return Listing(
            file=path,
            format=FORMAT,
            title="",
            start=index.start,
            duration=index.times[-1],
            changed=stamp.modified // 1000,
            size=stamp.size,
            status=status_of(index, path),
        )


def dump(path: str, first: int = 0, last: int | None = None) -> Iterator[Record]:
    """A record per frame, and one with ``error`` for damage."""
    with opened(path) as index:
        _, charset = terminal_of(index)
        for number in range(first, len(index) if last is None else min(last + 1, len(index))):
            code = _CODES.get(index.channel(number), _SCORE_CODE)
            data = index.data(number)
            text = str(_score(data)) if code == _SCORE_CODE else data.decode(charset, "replace")
            yield {
                "index": number,
                "offset": index.offset(number),
                "time_us": index.times[number],
                "utc": index.moment(number),
                "code": code,
                "data": text,
            }
        yield from fault_records(index.all_faults)


def _score(data: bytes) -> int:
    return int.from_bytes(data[:4], "little", signed=True)


def event_records(path: str) -> Iterator[Record]:
    """A record per event, and one with ``error`` for damage."""
    with closing(open_replay(path)) as replay:
        for event in replay.events(0, replay.timeline.last):
            yield {"frame": event.step, "time": replay.timeline.time(event.step), "text": event.text}
        yield from fault_records(replay.index.all_faults)


def verify(path: str) -> Iterator[Record]:
    """A record per finding, then a report with ``sound`` and counts."""
    with opened(path) as index:
        waiting = index.waiting
        early = index.source.packed and not index.source.complete and index.source.fault is None
        for fault in index.all_faults:
            yield _finding(fault.offset or 0, fault.what, fault.expected, fault.found)
        if waiting:
            yield _finding(index.end, "the last frame is cut short", "a whole frame", f"{waiting} bytes of one")
        if early:
            yield _finding(index.limit, "the compressed data ends early", None, None)
        backwards = sum(index.moment(number) < index.moment(number - 1) for number in range(1, len(index)))
        if backwards:
            yield _finding(0, f"the clock goes back {backwards} times", None, None, fault=False)
        yield {
            "sound": index.fault is None and not waiting and not early,
            "size": index.limit,
            "sound_bytes": index.end - index.lost,
            "frames": len(index),
            "sound_frames": len(index),
        }


def _finding(offset: int, what: str, expected: object, found: object, *, fault: bool = True) -> Record:
    words = {"expected": expected, "found": found}
    told = {key: None if value is None else str(value) for key, value in words.items()}
    return {"offset": offset, "what": what, **told, "fault": fault}


def state_record(state: TerminalState) -> Record:
    """The screen at a frame."""
    grid = state.grid
    return {
        "frame": state.step,
        "cols": grid.columns,
        "rows": len(grid.rows),
        "cursor": list(grid.cursor),
        "cursor_visible": grid.cursor_visible,
        "title": grid.title,
        "screen": grid.text(),
        "key": None if state.key is None else state.key.decode("latin-1"),
        "score": state.score,
    }
