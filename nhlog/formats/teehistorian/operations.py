"""The operations on teehistorian recordings; docs/teehistorian.md has the keys of records.

Each operation imports its modules when it is called, so that listing loads only the cache.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.operations import Agree, Operations, Part, Record
from nhlog.operations.options import defaults, flag, option, whole
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.formats.teehistorian.info import TeehistorianInfo
    from nhlog.formats.teehistorian.listing import TeehistorianListing
    from nhlog.formats.teehistorian.replay import TeeReplay
    from nhlog.timeline import Position

__all__ = [
    "OPERATIONS",
    "ConvertOptions",
    "DumpOptions",
    "OpenOptions",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOptions:
    """What is shown with a recording."""

    ghost: str | None = option(None, "Another run of the same course, shown with it.", "FILE")
    map: str | None = option(None, "For teehistorians: the map that was played.", "FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpOptions:
    """Which messages are dumped: those of all ticks and players, of all kinds."""

    first: int = option(0, "The first tick of a teehistorian.", "N", whole(0))
    last: int | None = option(None, "The last tick of a teehistorian.", "N", whole(0))
    player: str | None = option(None, "For teehistorians: only this player, by name or number.", "TEXT")
    kind: str | None = option(None, "For teehistorians: only records of this kind.", "TEXT")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions(Part):
    """What is written, and how."""

    player: str | None = option(None, "For teehistorians: only this player, by name or number.", "TEXT")
    anonymise: bool = flag("For teehistorians: leave out names and addresses.")
    compression: str | None = option(None, "For teehistorians: gz, xz, zst or none.", "NAME")


def open_replay(path: str, options: OpenOptions = defaults(OpenOptions)) -> "TeeReplay":
    """Open a recording at its first tick (see `replay.open_replay`)."""
    from nhlog.formats.teehistorian.replay import open_replay

    return open_replay(path, options.ghost, options.map)


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


def dump(path: str, options: DumpOptions = defaults(DumpOptions)) -> Iterator[Record]:
    """A record per message."""
    from nhlog.formats.teehistorian.dump import dump

    return dump(path, options.first, options.last, options.player, options.kind)


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
    source: str, target: str, options: ConvertOptions = defaults(ConvertOptions), *, force: bool = False
) -> Record:
    """Write `source`, some ticks of it, or what one player did, to `target` (see `writing.convert`)."""
    from nhlog.formats.teehistorian.writing.convert import convert

    return convert(
        source,
        target,
        first=options.first,
        last=options.last,
        player=options.player,
        anonymise=options.anonymise,
        compression=options.compression,
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
