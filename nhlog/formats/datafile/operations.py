"""The operations on maps; the keys of records are in docs/datafile.md.

Offsets and sizes are bytes; a record with ``error`` tells what could not be read.  Each operation imports its modules
when it is called.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.errors import Usage
from nhlog.operations import Operations, Record
from nhlog.operations.options import defaults, option, whole
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.formats.datafile.info import MapFileInfo
    from nhlog.formats.datafile.replay import MapReplay
    from nhlog.listed import MapListing

__all__ = [
    "OPERATIONS",
    "ConvertOptions",
    "DumpOptions",
    "convert",
    "diff",
    "dump",
    "info",
    "listing",
    "open_replay",
    "state",
    "verify",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpOptions:
    """What of a map is dumped: everything, an item alone, or the bytes of a data item."""

    item: str | None = option(None, "For maps: only this item: layer:3; image:2 is written as PNG.", "TYPE:N")
    data: int | None = option(None, "For maps: the bytes of this data item.", "N", whole(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions:
    """What is written."""

    version: int = option(4, "For maps: 3 or 4.", "3|4", int)


def open_replay(path: str) -> "MapReplay":
    """Open the map in the file `path`, or on standard input for ``-``; raises :class:`NhlogError` if it is none."""
    from nhlog.formats.datafile.replay import open_replay

    return open_replay(path)


def info(path: str) -> "MapFileInfo":
    """Describe a map; `health` is "sound" if head, texts and physics layers are.

    Raises :class:`NhlogError` if it is no datafile.
    """
    from nhlog.formats.datafile.info import map_info

    return map_info(path)


def listing(path: str) -> "MapListing":
    """Summarise a map, from its head and the texts of its info item alone; raises :class:`NhlogError`."""
    from nhlog.formats.datafile.listing import list_map

    return list_map(path)


def dump(path: str, options: DumpOptions = defaults(DumpOptions)) -> Iterator[Record] | bytes:
    """A record each for the header, every item, every data item (size and digest), and faults of head and map.

    With `item` (``layer:3``) that item alone, of an image that the map has a PNG picture; with `data` the bytes of that
    data item.
    """
    from nhlog.formats.datafile.dump import dump_item, dump_records

    if options.data is None:
        return dump_records(path) if options.item is None else dump_item(path, options.item)
    if options.item is not None:
        raise Usage("--item and --data exclude each other")
    from nhlog.formats.datafile.parts import data_of

    return data_of(path, options.data)


def state(replay: "MapReplay") -> Record:
    """The physics layers, row by row, two hexadecimal digits per tile; raises :class:`Unsupported` if it is no map."""
    from nhlog.formats.datafile.dump import state_record

    return state_record(replay)


def verify(path: str) -> Iterator[Record]:
    """The findings in the order of the file, then a report with ``sound`` and counts."""
    from nhlog.formats.datafile.verify import verify

    return verify(path)


def convert(
    source: str, target: str, options: ConvertOptions = defaults(ConvertOptions), *, force: bool = False
) -> Record:
    """Write the datafile `source` to `target` in version 3 or 4; returns a record of what was written."""
    from nhlog.formats.datafile.writing.convert import convert

    return convert(source, target, version=options.version, force=force)


def diff(old: str, new: str) -> Iterator[Record]:
    """A record for each difference between two maps, those of their items and data among them."""
    from nhlog.formats.datafile.compare import compare_maps

    return compare_maps(old, new)


OPERATIONS: Final = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    dump=dump,
    state=state,
    verify=verify,
    convert=convert,
    diff=diff,
)
