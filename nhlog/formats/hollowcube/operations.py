"""The operations on Hollow Cube recordings; each opens the recording, and closes it when its records are used up.

Records are those of docs/hollowcube.md.  Modules are imported when an operation that needs them is called: listing
loads only what reads the preamble.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.wire.header import TICKS_PER_SECOND, Layout
from nhlog.operations import Agree, Operations, Record, Recording, Tell, fault_records

if TYPE_CHECKING:
    from nhlog.formats.hollowcube.listing import RecordingListing
    from nhlog.formats.hollowcube.records import RecordingInfo
    from nhlog.formats.hollowcube.replay import CubeReplay
    from nhlog.formats.hollowcube.wire.nbt import Tag
    from nhlog.timeline import Position

__all__ = [
    "OPERATIONS",
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
    "rewind",
    "set_metadata",
    "state",
    "stats",
    "verify",
]


def open_replay(path: str, ghost: str | None = None) -> "CubeReplay":
    """Open a recording at its first tick; `ghost` is the path of another one, whose best run it is compared with."""
    from nhlog.formats.hollowcube.replay import CubeReplay

    reader = open_reader(path)
    try:
        return CubeReplay(reader, None if ghost is None else open_reader(ghost))
    except BaseException:
        reader.close()
        raise


def info(path: str) -> "RecordingInfo":
    """Describe a recording, from its preamble and the sizes of its files; reads no chunk."""
    from nhlog.formats.hollowcube.records import info_of

    with closing(open_reader(path)) as reader:
        return info_of(reader)


def listing(path: str) -> "RecordingListing":
    """Summarise a recording; reads no chunk."""
    from nhlog.formats.hollowcube.listing import listing_of

    with closing(open_reader(path)) as reader:
        return listing_of(reader)


def dump(path: str) -> Iterator[Record]:
    """Header, metadata, chunks and ticks, in the order of the file; records of type ``error`` are faults."""
    from nhlog.formats.hollowcube.dump import dump_records

    with closing(open_reader(path)) as reader:
        yield from dump_records(reader)


def state(replay: "CubeReplay") -> Record:
    """The entities, blocks and run at the step of the replay."""
    from nhlog.formats.hollowcube.records import state_record

    return state_record(replay)


def verify(path: str) -> Iterator[Record]:
    """The findings in the order of the file, then a report with ``sound`` and counts."""
    from nhlog.formats.hollowcube.verify import findings

    with closing(open_reader(path)) as reader:
        yield from findings(reader)


def events(replay: "CubeReplay", first: int, last: int) -> Iterator[Record]:
    """A record per event of these ticks, without moves and without events that a snapshot only repeats."""
    from nhlog.formats.hollowcube.stats import event_records

    return event_records(replay, first, last)


def faults(replay: "CubeReplay") -> Iterator[Record]:
    """A record with ``error`` if there is damage, as far as it was read."""
    return fault_records(replay.reader.known_faults)


def stats(path: str, ghost: str | None = None) -> Iterator[Record]:
    """One record per entity, then one per run, and with a `ghost` one per checkpoint that both reached."""
    from nhlog.formats.hollowcube.stats import stats_records

    with ExitStack() as stack:
        reader = stack.enter_context(closing(open_reader(path)))
        other = None if ghost is None else stack.enter_context(closing(open_reader(ghost)))
        yield from stats_records(reader, other)


def convert(
    source: str,
    target: str,
    layout: int = Layout.TEXT,
    first: int | str | None = None,
    last: int | str | None = None,
    force: bool = False,
) -> Record:
    """Write `source`, or its ticks `first` to `last` (both included), in `layout` to the file `target`.

    `first` and `last` are ticks, or positions as :func:`~nhlog.timeline.parse_position` takes them.  An existing file
    is only replaced with `force`.
    Raises :class:`~nhlog.errors.Damaged` for a source that is not whole: recover it first.
    """
    from nhlog.formats.hollowcube.writing.convert import convert

    return convert(source, target, layout, first, last, force)


def compact(
    source: str,
    target: str,
    level: int = 19,  # of zstd, as the game's own compactor has it (spec 8)
    dictionary: bool = False,
    analysis: bool = False,
    merge: int | None = None,
    remove: bool = False,
    force: bool = False,
) -> Record:
    """Write `source` to the file `target` as small as possible: the same ticks, compressed at `level` (1 to 22).

    Chunks are merged up to `merge` ticks, by default as far as a seek still reads little.  `analysis` adds counts, time
    and distance to the metadata, `dictionary` a trained zstd dictionary.  Where that gains nothing the source's chunks
    are kept.  `remove` deletes the source, unless it is the target.  An existing file is only replaced with `force`.
    Raises :class:`~nhlog.errors.Damaged` for a source that is not whole: recover it first.
    """
    from nhlog.formats.hollowcube.writing.compact import compact

    return compact(source, target, level, dictionary, analysis, merge, remove, force)


def record(
    path: str,
    tell: Tell,
    *,
    ring: int | None = None,
    layout: int = Layout.TEXT,
    chunk_time: int | None = None,
    chunk_size: int | None = None,
    segment_time: int | None = None,
    segment_size: int | None = None,
    unfinished: bool = False,
    force: bool = False,
) -> Recording:
    """Record ticks into the folder `path`; with `ring` only the last so many seconds, to be saved to the file `path`.

    Times are seconds, sizes bytes.  `unfinished` leaves the recording to be continued.
    """
    from nhlog.formats.hollowcube.recording import Facts, Triggers
    from nhlog.formats.hollowcube.recording.record import FolderRecording, RingRecording

    told = {
        "chunk_ticks": None if chunk_time is None else chunk_time * TICKS_PER_SECOND,
        "chunk_bytes": chunk_size,
        "segment_seconds": segment_time,
        "segment_bytes": segment_size,
    }
    triggers = Triggers(**{name: value for name, value in told.items() if value is not None})
    facts = Facts(layout=Layout(layout))
    if ring is not None:
        return RingRecording(path, tell, facts, triggers, ring, force=force)
    return FolderRecording(path, facts, triggers, unfinished=unfinished)


def recover(
    path: str, *, dry_run: bool = False, keep: bool = True, output: str | None = None, force: bool = False
) -> Record:
    """Repair what a crash left at the end of a recording: list what no preamble lists, cut off what is not whole.

    With `output`, what can be read of any recording is written to that file instead, which is replaced with `force`.
    Raises :class:`~nhlog.errors.Damaged` if nothing can be read, or without `output` if more is wrong than the end, and
    :class:`~nhlog.errors.LockNotObtained` for a folder that somebody records in.
    """
    if output is not None:
        from nhlog.formats.hollowcube.writing.rescue import rescue

        return rescue(path, output, force, dry_run)
    from nhlog.formats.hollowcube.writing.cut import recover

    return recover(path, dry_run=dry_run, keep=keep)


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


def get_metadata(path: str, key: str = "") -> "Tag":
    """The metadata of the recording at `path`, or its value at `key`, names joined by dots."""
    from nhlog.formats.hollowcube.writing.metadata import get_metadata

    return get_metadata(path, key)


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
    rewind=rewind,
    put_back=put_back,
    kept_whole=kept_whole,
    get_metadata=get_metadata,
    set_metadata=set_metadata,
    merge_metadata=merge_metadata,
)
