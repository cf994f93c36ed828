"""The parts of a datafile as immutable values, and their maximum sizes (spec 4).

Offsets are in bytes from the start of the file.
"""

from dataclasses import field
from struct import Struct
from typing import Final

from nhlog.values import NamedTuple, dataclass

__all__ = [
    "COUNTS_FROM",
    "HEADER",
    "HEADER_SIZE",
    "ITEM",
    "ITEM_TYPE",
    "MAGICS",
    "MAX_COUNT",
    "MAX_DATA",
    "MAX_HEAD",
    "MAX_RATIO",
    "VERSIONS",
    "DataItem",
    "Finding",
    "Head",
    "Header",
    "Item",
    "ItemType",
    "Layout",
    "integers",
    "layout_of",
]

HEADER_SIZE: Final = 36
MAX_HEAD: Final = 64 << 20  # bytes before the data; those of the maps we know have less than 1 MiB
MAX_COUNT: Final = 1 << 18  # item types, items or data items; those maps have less than 1000
MAX_DATA: Final = 128 << 20  # bytes of a data item; an embedded image of 4096 by 4096 pixels has 64 MiB
MAX_RATIO: Final = 1032  # deflate makes nothing smaller than by this (zlib's technical details)

MAGICS: Final = (b"DATA", b"ATAD")
VERSIONS: Final = (3, 4)
COUNTS_FROM: Final = 16  # `size` counts from here to the end, `swaplen` to the data
HEADER: Final = Struct("<4s8i")
ITEM_TYPE: Final = Struct("<3i")
ITEM: Final = Struct("<I i")
assert HEADER.size == HEADER_SIZE


class Finding(NamedTuple):
    """A violation of a rule at `offset`; `fault` is False if it is harmless."""

    offset: int
    what: str
    expected: str | None = None
    found: str | None = None
    fault: bool = True


class Header(NamedTuple):
    """The fields of the first 36 bytes, unchecked."""

    magic: bytes
    version: int
    size: int
    swaplen: int
    num_item_types: int
    num_items: int
    num_data: int
    item_size: int
    data_size: int


class ItemType(NamedTuple):
    """Items `start` to `start + num` (excluded) are of this type."""

    type_id: int
    start: int
    num: int


class Item(NamedTuple):
    """An item; `data` are signed 32-bit integers."""

    type_id: int
    id: int
    data: tuple[int, ...]


class DataItem(NamedTuple):
    """The place of a data item in the file, from `start` to `end`; `size` is the number of its uncompressed bytes.

    If these are impossible, `fault` says why.
    """

    start: int
    end: int
    size: int
    fault: Finding | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """Everything before the data.

    `offsets` are those of the items in the file; `missing` is the number of items and data items that were not found.
    """

    header: Header
    item_types: tuple[ItemType, ...]
    items: tuple[Item, ...] = field(repr=False)
    offsets: tuple[int, ...] = field(repr=False)
    data: tuple[DataItem, ...] = field(repr=False)
    findings: tuple[Finding, ...]
    missing: int = 0


class Layout(NamedTuple):
    """Offsets in the file of the parts that follow the header."""

    item_types: int
    item_offsets: int
    data_offsets: int
    data_sizes: int
    items: int
    data: int


def layout_of(header: Header) -> Layout:
    """The layout of a file, from a header with possible counts."""
    item_offsets = HEADER_SIZE + ITEM_TYPE.size * header.num_item_types
    data_offsets = item_offsets + 4 * header.num_items
    data_sizes = data_offsets + 4 * header.num_data
    items = data_sizes + (4 * header.num_data if header.version == 4 else 0)
    return Layout(HEADER_SIZE, item_offsets, data_offsets, data_sizes, items, items + header.item_size)


def integers(head: bytes, offset: int, count: int) -> tuple[int, ...]:
    """Read `count` little-endian 32-bit integers at `offset`, fewer if `head` ends before."""
    count = min(count, max(len(head) - offset, 0) // 4)
    found: tuple[int, ...] = Struct(f"<{count}i").unpack_from(head, offset) if count else ()
    return found
