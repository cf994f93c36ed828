"""The operations on teehistorian recordings; docs/teehistorian.md has the keys of records.

Each operation imports its modules when it is called, so that listing loads only the cache.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.operations import Agree, Operations, Record

if TYPE_CHECKING:
    from nhlog.formats.teehistorian.info import TeehistorianInfo
    from nhlog.formats.teehistorian.listing import TeehistorianListing
    from nhlog.formats.teehistorian.replay import TeeReplay
    from nhlog.timeline import Position

__all__ = [
    "OPERATIONS",
    "convert",
    "cut_ending",
    "dump",
    "events",
    "faults",
    "info",
    "kept_whole",
    "listing",
    "open_replay",
    "recover",
    "rewind",
    "state",
    "stats",
    "verify",
]


def open_replay(path: str, ghost: str | None = None, map: str | None = None) -> "TeeReplay":
    """Open a recording at its first tick (see `replay.open_replay`)."""
    from nhlog.formats.teehistorian.replay import open_replay

    return open_replay(path, ghost, map)


def info(path: str) -> "TeehistorianInfo":
    """Describe a recording, as far as it can be read; raises :class:`NhlogError` if it has no header."""
    from nhlog.formats.teehistorian.info import recording_info

    return recording_info(path)


def listing(path: str) -> "TeehistorianListing":
    """Summarise a recording, from the cache if the file has not changed.

    Raises :class:`CannotOpen`, and another :class:`NhlogError` if it has no header.
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
    """The positions and pressed keys of all players at the step of the replay."""
    from nhlog.formats.teehistorian.records import state_record

    return state_record(replay.state)


def verify(path: str) -> Iterator[Record]:
    """A record per finding, then a report with ``sound`` and counts."""
    from nhlog.formats.teehistorian.verify import verify

    return verify(path)


def events(replay: "TeeReplay", first: int, last: int) -> Iterator[Record]:
    """One record per event of these ticks."""
    from nhlog.formats.teehistorian.records import event_record

    return map(event_record, replay.events(first, last))


def faults(replay: "TeeReplay") -> Iterator[Record]:
    """Records with ``error`` if the recording is damaged or incomplete."""
    from nhlog.formats.teehistorian.records import fault_records

    return fault_records(replay.index)


def stats(path: str) -> Iterator[Record]:
    """Statistics: one record per player (see `stats`)."""
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


def recover(path: str, *, dry_run: bool = False, keep: bool = True) -> Record:
    """Cut off what is no whole message, and end the recording there, as a server does that is stopped."""
    from nhlog.formats.teehistorian.writing.cut import recover

    return recover(path, dry_run=dry_run, keep=keep)


def rewind(path: str, position: "Position", agree: Agree, *, dry_run: bool = False, keep: bool = True) -> Record:
    """Cut off everything after the tick at `position`, and end the recording there."""
    from nhlog.formats.teehistorian.writing.cut import rewind

    return rewind(path, position, agree, dry_run=dry_run, keep=keep)


def cut_ending() -> bytes:
    """The message with which a recording ends, wherever it is cut."""
    from nhlog.formats.teehistorian.writing.cut import FINISH

    return FINISH


def kept_whole(path: str) -> bool:
    """Whether it is compressed, and so written anew when it is cut."""
    from nhlog.unpacked import is_packed

    return is_packed(path)


OPERATIONS: Final = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    dump=dump,
    state=state,
    verify=verify,
    events=events,
    faults=faults,
    stats=stats,
    convert=convert,
    recover=recover,
    rewind=rewind,
    cut_ending=cut_ending,
    kept_whole=kept_whole,
)
