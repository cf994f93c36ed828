"""What can be done with a recording, as the registry of formats calls it; docs/teehistorian.md has the keys of records.

Each operation imports its modules when it is called: to list a folder takes the cache alone.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.operations import Operations, Record

if TYPE_CHECKING:
    from nhlog.formats.teehistorian.info import TeehistorianInfo
    from nhlog.formats.teehistorian.listing import TeehistorianListing
    from nhlog.formats.teehistorian.replay import TeeReplay

__all__ = [
    "OPERATIONS",
    "convert",
    "dump",
    "events",
    "info",
    "listing",
    "open_replay",
    "state",
    "stats",
    "verify",
]


def open_replay(path: str, ghost: str | None = None, map: str | None = None) -> "TeeReplay":
    """The recording, standing at its first tick (see `replay.open_replay`)."""
    from nhlog.formats.teehistorian.replay import open_replay

    return open_replay(path, ghost, map)


def info(path: str) -> "TeehistorianInfo":
    """The recording as a whole, a damaged one as far as it goes; raises :class:`NhlogError` where it has no header."""
    from nhlog.formats.teehistorian.info import recording_info

    return recording_info(path)


def listing(path: str) -> "TeehistorianListing":
    """The recording in one line, from the cache where the file is as it was.

    Raises :class:`CannotOpen`, and another :class:`NhlogError` where it has no header.
    """
    from nhlog.formats.teehistorian.listing import list_recording

    return list_recording(path)


def dump(
    path: str,
    first: int = 0,
    last: int | None = None,
    player: str | None = None,
    kind: str | None = None,
) -> Iterator[Record]:
    """A record per message: all, or those in ticks `first` to `last`, of one `player` (name or id), of one `kind`."""
    from nhlog.formats.teehistorian.dump import dump

    return dump(path, first, last, player, kind)


def state(replay: "TeeReplay") -> Record:
    """Where everybody is, and which keys they press, where the replay stands."""
    from nhlog.formats.teehistorian.records import state_record

    return state_record(replay.state)


def verify(path: str) -> Iterator[Record]:
    """What is wrong with the recording, and at last a report."""
    from nhlog.formats.teehistorian.verify import verify

    return verify(path)


def events(path: str) -> Iterator[Record]:
    """One record per event; the last ones have ``error`` where the recording is damaged or incomplete."""
    from nhlog.formats.teehistorian.records import event_records

    return event_records(path)


def stats(path: str) -> Iterator[Record]:
    """What each player did (see `stats`)."""
    from nhlog.formats.teehistorian.stats import stats

    return stats(path)


def convert(
    source: str,
    target: str,
    *,
    first: int | str | None = None,
    last: int | str | None = None,
    player: str | None = None,
    anonymise: bool = False,
    compression: str | None = None,
    force: bool = False,
) -> Record:
    """Write ticks `first` to `last` of `source`, or those of one player, to `target` (see `writing.convert`)."""
    from nhlog.formats.teehistorian.writing.convert import convert

    return convert(
        source,
        target,
        first=first,
        last=last,
        player=player,
        anonymise=anonymise,
        compression=compression,
        force=force,
    )


OPERATIONS: Final = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    dump=dump,
    state=state,
    verify=verify,
    events=events,
    stats=stats,
    convert=convert,
)
