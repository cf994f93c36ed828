"""The operations on Hollow Cube recordings; each opens the recording, and closes it when its records are used up.

Records are those of docs/hollowcube.md.  Modules are imported when an operation that needs them is called: listing
loads only what reads the preamble.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from nhlog.files import Stamp, made_of
from nhlog.formats.hollowcube import FORMAT
from nhlog.operations import Agree, Listing, Operations, Part, Record, Recording, Tell, fault_records
from nhlog.operations.options import amount, defaults, flag, option, seconds, whole
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.formats.hollowcube.reading.reader import Reader
    from nhlog.formats.hollowcube.records import RecordingInfo
    from nhlog.formats.hollowcube.replay import CubeReplay
    from nhlog.timeline import Position

__all__ = [
    "OPERATIONS",
    "CompactOptions",
    "ConvertOptions",
    "OpenOptions",
    "RecordOptions",
    "RecordingListing",
    "StatsOptions",
    "compact",
    "convert",
    "dump",
    "events",
    "faults",
    "get_metadata",
    "info",
    "listing",
    "merge_metadata",
    "open_replay",
    "put_back",
    "record",
    "recover",
    "rescue",
    "rewind",
    "set_metadata",
    "state",
    "stats",
    "verify",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOptions:
    """How a recording is opened: `ghost` is the path of another one, whose best run it is compared with."""

    ghost: str | None = option(None, "Another run of the same course, shown with it.", "FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOptions:
    """What is counted."""

    ghost: str | None = option(None, "For Hollow Cube: another run of the course, to compare with.", "FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions(Part):
    """What is written: `first` and `last` are positions, or ticks."""

    layout: int = option(1, "For Hollow Cube: the file's layout.", "1|4", int)
    """One of `wire.header.Layout`, as in all options: these are listed without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactOptions:
    """How a recording is made small."""

    level: int = option(19, "The compression level, up to 22; 19 by default.", "N", whole(1, 22))
    """Of zstd, as the game's own compactor has it (spec 8)."""
    dictionary: bool = flag("First train a zstd dictionary on the recording.")
    merge: int | None = option(
        None, "Merge chunks up to this many ticks; by default as far as seeking stays quick.", "TICKS", whole(1)
    )
    analysis: bool = flag("Add counts, time and distance to the metadata.")
    remove: bool = flag("Delete SOURCE after the result has been read back and compared.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOptions:
    """How ticks are recorded; times are seconds, sizes bytes."""

    ring: int | None = option(
        None, "Keep only this last part (5m) in memory; save it to OUTPUT when asked.", "TIME", seconds
    )
    open: bool = flag("Leave the recording unfinished, to continue it later.")
    layout: int = option(1, "File layout: 1 (design text, the default) or 4 (shipped game).", "1|4", int)
    chunk_time: int | None = option(None, "Length of a chunk; by default 5s.", "TIME", seconds)
    chunk_size: int | None = option(None, "Maximum size of a chunk before compression; by default 1M.", "SIZE", amount)
    segment_time: int | None = option(None, "Length of a segment; by default 60s.", "TIME", seconds)
    segment_size: int | None = option(None, "Maximum size of a segment, compressed; by default 4M.", "SIZE", amount)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingListing(Listing):
    """The summary of a recording; `ticks` is its length in ticks."""

    duration: int
    ticks: int


def _opened(path: str) -> "Reader":
    from nhlog.formats.hollowcube.reading.open import open_reader

    return open_reader(path)


def open_replay(path: str, options: OpenOptions = defaults(OpenOptions)) -> "CubeReplay":
    """Open a recording at its first tick."""
    from nhlog.formats.hollowcube.replay import CubeReplay

    ghost = options.ghost
    return made_of(_opened(path), lambda reader: CubeReplay(reader, None if ghost is None else _opened(ghost)))


def info(path: str) -> "RecordingInfo":
    """Describe a recording, from its preamble and the sizes of its files; reads no chunk."""
    from nhlog.formats.hollowcube.records import info_of

    with closing(_opened(path)) as reader:
        return info_of(reader)


def listing(path: str) -> RecordingListing:
    """Summarise a recording, in a time that does not depend on its length; reads no chunk."""
    from nhlog.formats.hollowcube.reading.summary import people_of, size_of, start_of, status_of, title_of
    from nhlog.formats.hollowcube.wire.header import TICK

    with closing(_opened(path)) as reader:
        return RecordingListing(
            file=reader.source.path,
            format=FORMAT.name,
            title=title_of(reader),
            people=people_of(reader),
            start=start_of(reader),
            duration=reader.ticks * TICK,
            changed=_changed(reader),
            size=size_of(reader),
            status=status_of(reader),
            ticks=reader.ticks,
        )


def _changed(reader: "Reader") -> int | None:
    """The time of the last modification, in microseconds since 1970; None at an address."""
    from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE

    names = (PREAMBLE, FINISHED, *(part.name for part in reader.parts[-1:])) if reader.source.folder else ("",)
    stamps = map(reader.source.stamp, names)
    return max((stamp.modified // 1000 for stamp in stamps if isinstance(stamp, Stamp)), default=None)


def dump(path: str) -> Iterator[Record]:
    """Header, metadata, chunks and ticks, in the order of the file; records of type ``error`` are faults."""
    from nhlog.formats.hollowcube.dump import dump_records

    with closing(_opened(path)) as reader:
        yield from dump_records(reader)


def state(replay: "CubeReplay") -> Record:
    """The entities, blocks and run at the step of the replay."""
    from nhlog.formats.hollowcube.records import state_record

    return state_record(replay)


def verify(path: str) -> Iterator[Record]:
    """The findings in the order of the file, then a report with ``sound`` and counts."""
    from nhlog.formats.hollowcube.verify import findings

    with closing(_opened(path)) as reader:
        yield from findings(reader)


def events(replay: "CubeReplay", first: int, last: int) -> Iterator[Record]:
    """A record per event of these ticks, without moves and without events that a snapshot only repeats."""
    from nhlog.formats.hollowcube.stats import event_records

    return event_records(replay, first, last)


def faults(replay: "CubeReplay") -> Iterator[Record]:
    """A record with ``error`` if there is damage, as far as it was read."""
    return fault_records(replay.reader.known_faults)


def stats(path: str, options: StatsOptions = defaults(StatsOptions)) -> Iterator[Record]:
    """One record per entity, then one per run, and with a ghost one per checkpoint that both reached."""
    from nhlog.formats.hollowcube.stats import stats_records

    with ExitStack() as stack:
        reader = stack.enter_context(closing(_opened(path)))
        other = None if options.ghost is None else stack.enter_context(closing(_opened(options.ghost)))
        yield from stats_records(reader, other)


def convert(
    source: str, target: str, options: ConvertOptions = defaults(ConvertOptions), *, force: bool = False
) -> Record:
    """Write `source`, or a part of it (both ends included), to the file `target`.

    Raises :class:`~nhlog.errors.Damaged` for a source that is not whole: recover it first.
    """
    from nhlog.formats.hollowcube.writing.convert import convert

    return convert(source, target, options.layout, options.first, options.last, force)


def compact(
    source: str, target: str, options: CompactOptions = defaults(CompactOptions), *, force: bool = False
) -> Record:
    """Write `source` to the file `target` as small as possible: the same ticks.

    Where a dictionary or merging gains nothing the source's chunks are kept.  The source is not removed if it is the
    target.  Raises :class:`~nhlog.errors.Damaged` for a source that is not whole: recover it first.
    """
    from nhlog.formats.hollowcube.writing.compact import compact

    return compact(
        source,
        target,
        options.level,
        options.dictionary,
        options.analysis,
        options.merge,
        options.remove,
        force,
    )


def record(
    path: str, tell: Tell, options: RecordOptions = defaults(RecordOptions), *, force: bool = False
) -> Recording:
    """Record ticks into the folder `path`; with a ring only the last ones, to be saved to the file `path`."""
    from nhlog.formats.hollowcube.recording import Facts, Triggers
    from nhlog.formats.hollowcube.recording.record import FolderRecording, RingRecording
    from nhlog.formats.hollowcube.wire.header import TICKS_PER_SECOND, Layout

    told = {
        "chunk_ticks": None if options.chunk_time is None else options.chunk_time * TICKS_PER_SECOND,
        "chunk_bytes": options.chunk_size,
        "segment_seconds": options.segment_time,
        "segment_bytes": options.segment_size,
    }
    triggers = Triggers(**{name: value for name, value in told.items() if value is not None})
    facts = Facts(layout=Layout(options.layout))
    if options.ring is not None:
        return RingRecording(path, tell, facts, triggers, options.ring, force=force)
    return FolderRecording(path, facts, triggers, unfinished=options.open)


def recover(path: str, *, dry_run: bool = False, keep: bool = True) -> Record:
    """Repair what a crash left at the end of a recording: list what no preamble lists, cut off what is not whole.

    Raises :class:`~nhlog.errors.Damaged` if more is wrong than the end, and
    :class:`~nhlog.errors.LockNotObtained` for a folder that somebody records in.
    """
    from nhlog.formats.hollowcube.writing.cut import recover

    return recover(path, dry_run=dry_run, keep=keep)


def rescue(source: str, target: str, *, dry_run: bool = False, force: bool = False) -> Record:
    """Write what can be read of any recording to the file `target`.

    Raises :class:`~nhlog.errors.Damaged` if nothing can be read.
    """
    from nhlog.formats.hollowcube.writing.rescue import rescue

    return rescue(source, target, force, dry_run)


def rewind(path: str, position: "Position", agree: Agree, *, dry_run: bool = False, keep: bool = True) -> Record:
    """Cut off everything behind the tick at `position`; a folder can be recorded into again from there on.

    Raises :class:`~nhlog.errors.Damaged` for a recording that must be recovered first, and
    :class:`~nhlog.errors.LockNotObtained` for a folder that somebody records in.
    """
    from nhlog.formats.hollowcube.writing.cut import rewind

    return rewind(path, position, agree, dry_run=dry_run, keep=keep)


def put_back(path: str, kept: str, *, dry_run: bool = False) -> Record:
    """Make the files of a folder what they were before it was cut; raises :class:`~nhlog.files.cuts.CutRefused`."""
    from nhlog.formats.hollowcube.writing.returning import put_back

    done = put_back(path, kept, dry_run=dry_run)
    wrong = () if dry_run else (finding["what"] for finding in verify(path) if finding.get("fault"))
    return {**done, "unsound": next(iter(wrong), "")}


def kept_whole(path: str) -> bool:
    """Whether it is a single file, which is written anew when it is cut."""
    return not os.path.isdir(path)


def get_metadata(path: str, key: str = "") -> Record:
    """The metadata of the recording at `path`, or its value at `key`, names joined by dots; ``nbt`` has its types."""
    from nhlog.formats.hollowcube.wire.nbt import plain, to_json
    from nhlog.formats.hollowcube.writing.metadata import get_metadata

    tag = get_metadata(path, key)
    return {"value": plain(tag), "nbt": to_json(tag)}


def set_metadata(path: str, key: str, value: Any) -> None:
    """Set the value at `key` of the metadata to a plain JSON value; missing compounds on the way are created.

    A number gets the NBT type of the number that it replaces, if it fits; None removes the value.
    """
    from nhlog.formats.hollowcube.writing.metadata import set_metadata

    set_metadata(path, key, value)


def merge_metadata(path: str, values: Any) -> None:
    """Merge a plain JSON object into the metadata (RFC 7396): null removes a value, all but objects is replaced."""
    from nhlog.formats.hollowcube.writing.metadata import merge_metadata

    merge_metadata(path, values)


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
    compact=compact,
    recover=recover,
    rescue=rescue,
    rewind=rewind,
    put_back=put_back,
    kept_whole=kept_whole,
    get_metadata=get_metadata,
    set_metadata=set_metadata,
    merge_metadata=merge_metadata,
)
