"""The operations on ttyrecs.

Each operation imports its modules when it is called, as they bring the emulator with them.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.operations import Listing, Operations, Record

if TYPE_CHECKING:
    from nhlog.formats.ttyrec.records import TtyrecInfo
    from nhlog.formats.ttyrec.replay import TtyrecReplay

__all__ = ["OPERATIONS", "dump", "events", "info", "listing", "open_replay", "state", "verify"]


def open_replay(path: str, size: str | None = None, charset: str | None = None) -> "TtyrecReplay":
    """Open a recording at its first frame (see `replay.open_replay`)."""
    from nhlog.formats.ttyrec.replay import open_replay

    return open_replay(path, size, charset)


def info(path: str) -> "TtyrecInfo":
    """Describe a recording."""
    from nhlog.formats.ttyrec.records import recording_info

    return recording_info(path)


def listing(path: str) -> Listing:
    """Summarise a recording."""
    from nhlog.formats.ttyrec.records import list_recording

    return list_recording(path)


def dump(path: str, first: int = 0, last: int | None = None) -> Iterator[Record]:
    """A record per frame: all, or those from `first` to `last`."""
    from nhlog.formats.ttyrec.records import dump

    return dump(path, first, last)


def state(replay: "TtyrecReplay") -> Record:
    """The screen at the step of the replay."""
    from nhlog.formats.ttyrec.records import state_record

    return state_record(replay.state)


def verify(path: str) -> Iterator[Record]:
    """A record per finding, then a report with ``sound`` and counts."""
    from nhlog.formats.ttyrec.records import verify

    return verify(path)


def events(path: str) -> Iterator[Record]:
    """A record per frame that says something."""
    from nhlog.formats.ttyrec.records import event_records

    return event_records(path)


OPERATIONS: Final = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    dump=dump,
    state=state,
    verify=verify,
    events=events,
)
