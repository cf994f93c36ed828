"""What can be done with Echo VR recordings; docs/butter.md has the keys of the records.

All raise :class:`~nhlog.errors.NhlogError` for a file that cannot be opened or is no such recording.  Each imports its
modules when it is called, so that nobody who only looks imports what writes.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nhlog.operations import Listing, Operations, Record

if TYPE_CHECKING:
    from nhlog.formats.butter.info import SessionInfo
    from nhlog.formats.butter.replay import EchoReplay

__all__ = ["OPERATIONS"]


def open_replay(path: str) -> "EchoReplay":
    """The session, standing at its first frame; raises :class:`Damaged` where it has none."""
    from nhlog.formats.butter import replay

    return replay.open_replay(path)


def info(path: str) -> "SessionInfo":
    """What a session says of itself."""
    from nhlog.formats.butter.info import session_info

    return session_info(path)


def listing(path: str) -> Listing:
    """A session in one line, from the header and the first and the last chunk."""
    from nhlog.formats.butter.info import list_session

    return list_session(path)


def dump(path: str, as_reference: bool = False) -> Iterator[Record]:
    """Every frame as the game's interface tells it, corrected or as the reference decoder has it."""
    from nhlog.formats.butter.dump import frame_records

    return frame_records(path, as_reference)


def state(replay: "EchoReplay") -> Record:
    """The session where the replay stands."""
    from nhlog.formats.butter.dump import state_record

    return state_record(replay)


def verify(path: str) -> Iterator[Record]:
    """What is wrong with a session, and at last a report."""
    from nhlog.formats.butter.verify import findings

    return findings(path)


def events(path: str) -> Iterator[Record]:
    """What happened, in order."""
    from nhlog.formats.butter.dump import event_records

    return event_records(path)


def stats(path: str) -> Iterator[Record]:
    """What each player and each team did."""
    from nhlog.formats.butter.stats import session_stats

    return session_stats(path)


def convert(
    source: str,
    target: str,
    *,
    first: str | None = None,
    last: str | None = None,
    interval: int | None = None,
    compression: str | None = None,
    force: bool = False,
) -> Record:
    """Write frames `first` to `last` to `target`, whose name says in which form (see `writing.convert`)."""
    from nhlog.formats.butter.writing.convert import convert

    return convert(source, target, first=first, last=last, interval=interval, compression=compression, force=force)


def diff(a: str, b: str) -> Iterator[Record]:
    """How two recordings of a session differ, field by field."""
    from nhlog.formats.butter.writing.compare import diff

    return diff(a, b)


OPERATIONS = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    dump=dump,
    state=state,
    verify=verify,
    events=events,
    stats=stats,
    convert=convert,
    diff=diff,
)
