"""What can be done with Hollow Cube recordings; each operation opens the file, and closes it when all was taken.

Records are those of docs/hollowcube.md.  What an operation needs is imported when it is called: to list a folder takes
the preamble alone.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS, Layout
from nhlog.operations import Operations, Record

if TYPE_CHECKING:
    from nhlog.formats.hollowcube.records import RecordingInfo, RecordingListing
    from nhlog.formats.hollowcube.replay import CubeReplay
    from nhlog.formats.hollowcube.wire.nbt import Tag

__all__ = [
    "OPERATIONS",
    "compact",
    "convert",
    "dump",
    "events",
    "get_metadata",
    "info",
    "listing",
    "merge_metadata",
    "open_replay",
    "recover",
    "set_metadata",
    "state",
    "stats",
    "verify",
]


def open_replay(path: str, ghost: str | None = None) -> "CubeReplay":
    """The recording at `path`, standing at its first tick; it is raced against the best run in `ghost`, if given."""
    from nhlog.formats.hollowcube.replay import CubeReplay

    reader = open_reader(path)
    try:
        return CubeReplay(reader, None if ghost is None else open_reader(ghost))
    except BaseException:
        reader.close()
        raise


def info(path: str) -> "RecordingInfo":
    """What the preamble and the files' sizes say; no chunk is read."""
    from nhlog.formats.hollowcube.records import info_of

    with closing(open_reader(path)) as reader:
        return info_of(reader)


def listing(path: str) -> "RecordingListing":
    """The recording in one line; no chunk is read."""
    from nhlog.formats.hollowcube.records import listing_of

    with closing(open_reader(path)) as reader:
        return listing_of(reader)


def dump(path: str) -> Iterator[Record]:
    """Header, metadata, chunks and ticks, in the order of the file; records of type ``error`` are faults."""
    from nhlog.formats.hollowcube.dump import dump_records

    with closing(open_reader(path)) as reader:
        yield from dump_records(reader)


def state(replay: "CubeReplay") -> Record:
    """What is there where the replay stands."""
    from nhlog.formats.hollowcube.records import state_record

    return state_record(replay)


def verify(path: str) -> Iterator[Record]:
    """The findings in the order of the file, and at last the verdict."""
    from nhlog.formats.hollowcube.verify import findings

    with closing(open_reader(path)) as reader:
        yield from findings(reader)


def events(path: str) -> Iterator[Record]:
    """Every event but moves, and but what a snapshot repeats: its tick, its text, and its fields."""
    from nhlog.formats.hollowcube.stats import event_records

    with closing(open_replay(path)) as replay:
        yield from event_records(replay)


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
    """Write `source` in `layout` to the file `target`, all of it or from `first` to `last`, both included.

    These are ticks, or positions as :func:`~nhlog.timeline.parse_position` takes them.  Only `force` replaces a file.
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
    merge: int = CHUNK_TICKS,
    remove: bool = False,
    force: bool = False,
) -> Record:
    """Write `source` to the file `target` as small as it gets: the same ticks, compressed at `level` (1 to 22).

    Chunks are merged up to `merge` ticks.  `analysis` adds counts, time and distance to the metadata, `dictionary` a
    trained zstd dictionary.  `remove` deletes the source, unless it is the target; only `force` replaces a file.
    Raises :class:`~nhlog.errors.Damaged` for a source that is not whole: recover it first.
    """
    from nhlog.formats.hollowcube.writing.compact import compact

    return compact(source, target, level, dictionary, analysis, merge, remove, force)


def recover(path: str, output: str | None = None, force: bool = False, dry_run: bool = False) -> Record:
    """Write what can be read of the recording at `path` to the file `output`, by default one beside it.

    Raises :class:`~nhlog.errors.Damaged` where nothing can be read.
    """
    from nhlog.formats.hollowcube.writing.recover import recover

    return recover(path, output, force, dry_run)


def get_metadata(path: str, key: str = "") -> "Tag":
    """The metadata of the recording at `path`, or what is at `key` in it: names with dots between them."""
    from nhlog.formats.hollowcube.writing.metadata import get_metadata

    return get_metadata(path, key)


def set_metadata(path: str, key: str, value: Any) -> None:
    """Put a value of plain JSON at `key`; compounds on the way there are made.

    A number takes the type of one that was there before, if it fits; null removes what is there.
    """
    from nhlog.formats.hollowcube.writing.metadata import set_metadata

    set_metadata(path, key, value)


def merge_metadata(path: str, values: Any) -> None:
    """Merge an object of plain JSON into the metadata (RFC 7396): null removes, all but objects is replaced."""
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
    stats=stats,
    convert=convert,
    compact=compact,
    recover=recover,
    get_metadata=get_metadata,
    set_metadata=set_metadata,
    merge_metadata=merge_metadata,
)
