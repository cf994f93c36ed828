"""The operations on Echo VR recordings; docs/butter.md has the keys of the records.

All raise :class:`~nhlog.errors.NhlogError` for a file that cannot be opened or is no such recording.  Each imports its
modules when it is called, so that reading a recording does not load the code that writes.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nhlog.operations import Agree, Listing, Operations, Part, Record, Recording, Tell, fault_records
from nhlog.operations.options import defaults, flag, option, whole
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.formats.butter.info import SessionInfo
    from nhlog.formats.butter.replay import EchoReplay
    from nhlog.timeline import Position

__all__ = ["OPERATIONS", "ConvertOptions", "DumpOptions", "RecordOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpOptions:
    """How frames are dumped."""

    as_reference: bool = flag("For .butter files: print what the reference decoder prints.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions(Part):
    """What is written, and how."""

    interval: int | None = option(None, "For .butter: frames in a chunk.", "N", whole(1, 65535))
    compression: str | None = option(None, "For .butter: gzip, zstd_3 ... or none.", "NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOptions:
    """How a session is recorded."""

    interval: int | None = option(None, "For .butter: frames in a chunk; by default 300.", "N", whole(1))
    compression: str | None = option(None, "For .butter: compression of the finished file; by default gzip.", "NAME")
    open: bool = flag("Leave the recording unfinished, to continue it later.")


def open_replay(path: str) -> "EchoReplay":
    """Open a session at its first frame; raises :class:`Damaged` if it has none."""
    from nhlog.formats.butter import replay

    return replay.open_replay(path)


def info(path: str) -> "SessionInfo":
    """Describe a session."""
    from nhlog.formats.butter.info import session_info

    return session_info(path)


def listing(path: str) -> Listing:
    """Summarise a session, from the header and the first and the last chunk alone."""
    from nhlog.formats.butter.info import list_session

    return list_session(path)


def dump(path: str, options: DumpOptions = defaults(DumpOptions)) -> Iterator[Record]:
    """A record per frame, as the game's HTTP API gives it: corrected, or exactly as the reference decoder reads it."""
    from nhlog.formats.butter.dump import frame_records

    return frame_records(path, options.as_reference)


def state(replay: "EchoReplay") -> Record:
    """The session at the step of the replay."""
    from nhlog.formats.butter.dump import state_record

    return state_record(replay)


def verify(path: str) -> Iterator[Record]:
    """A record per fault of the file, then a report with ``sound`` and counts."""
    from nhlog.formats.butter.verify import findings

    return findings(path)


def events(replay: "EchoReplay", first: int, last: int) -> Iterator[Record]:
    """A record per event of these frames."""
    from nhlog.formats.butter.dump import event_records

    return event_records(replay, first, last)


def faults(replay: "EchoReplay") -> Iterator[Record]:
    """A record with ``error`` if the file is damaged."""
    from nhlog.formats.butter.reading.source import faults_of

    outline = replay.outline
    return fault_records(faults_of(replay.source, len(outline.times), outline.faults.values()))


def stats(path: str) -> Iterator[Record]:
    """Statistics: a record per player and per team."""
    from nhlog.formats.butter.stats import session_stats

    return session_stats(path)


def convert(
    source: str, target: str, options: ConvertOptions = defaults(ConvertOptions), *, force: bool = False
) -> Record:
    """Write frames to `target`; the ending of its name selects the format (see `writing.convert`)."""
    from nhlog.formats.butter.writing.convert import convert

    return convert(
        source,
        target,
        first=options.first,
        last=options.last,
        interval=options.interval,
        compression=options.compression,
        force=force,
    )


def record(
    path: str, tell: Tell, options: RecordOptions = defaults(RecordOptions), *, force: bool = False
) -> Recording:
    """Record what the game's HTTP API says into a .butter file (see `writing.recording`)."""
    from nhlog.formats.butter.writing.recording import EchoRecording

    return EchoRecording(
        path,
        tell,
        interval=options.interval,
        compression=options.compression,
        unfinished=options.open,
        force=force,
    )


def recover(path: str, *, dry_run: bool = False, keep: bool = True) -> Record:
    """Cut off what comes behind the last whole frame of a recording that a crash left, and finish a .butter file."""
    from nhlog.formats.butter.writing.cut import recover

    return recover(path, dry_run=dry_run, keep=keep)


def rewind(path: str, position: "Position", agree: Agree, *, dry_run: bool = False, keep: bool = True) -> Record:
    """Cut off everything after the frame at `position`; a recording that is not finished can be continued there."""
    from nhlog.formats.butter.writing.cut import rewind

    return rewind(path, position, agree, dry_run=dry_run, keep=keep)


def kept_whole(path: str) -> bool:
    """Whether it is written anew when it is cut, as all but a text is, which begins with a year."""
    from nhlog.files import first_bytes

    return not first_bytes(path, 1).isdigit()


def diff(a: str, b: str) -> Iterator[Record]:
    """The differences between two recordings of a session, field by field."""
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
    faults=faults,
    stats=stats,
    convert=convert,
    record=record,
    recover=recover,
    rewind=rewind,
    kept_whole=kept_whole,
    diff=diff,
)
