"""Encodes a datafile: layout, counts and sizes are computed from the items and the data (spec 4).

Item types are in the order of their first items, data items in that of their indices.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from struct import Struct
from typing import Final

from nhlog.errors import NhlogError, Usage
from nhlog.formats.datafile.wire import (
    COUNTS_FROM,
    HEADER,
    ITEM,
    ITEM_TYPE,
    MAX_COUNT,
    MAX_DATA,
    Header,
    Item,
    deflate,
    layout_of,
)

__all__ = ["CannotWrite", "write_datafile"]

LARGEST: Final = (1 << 31) - 1  # bytes: all offsets are signed integers of 32 bits
_SHORT: Final = range(1 << 16)


class CannotWrite(NhlogError):
    """The values cannot be stored in a datafile."""


def write_datafile(items: Sequence[Item], data: Iterable[bytes], version: int = 4) -> Iterator[bytes]:
    """The bytes of a datafile of version 3 or 4, in parts; items of a type must be consecutive.

    Raises :class:`CannotWrite` for values that do not fit, before the first part.
    """
    if version not in (3, 4):
        raise Usage("nhlog cannot write this datafile version", expected="3 or 4", found=version)
    item_types = list(_item_types(items))
    sizes, stored = [], []
    for number, raw in enumerate(data):
        if len(raw) > MAX_DATA:
            raise CannotWrite(f"data item {number} is too large", expected=f"at most {MAX_DATA} bytes", found=len(raw))
        sizes.append(len(raw))
        stored.append(deflate(raw) if version == 4 else raw)
    packed = [_packed(item) for item in items]
    header = Header(
        magic=b"DATA",
        version=version,
        size=0,
        swaplen=0,
        num_item_types=len(item_types),
        num_items=len(items),
        num_data=len(stored),
        item_size=sum(map(len, packed)),
        data_size=sum(map(len, stored)),
    )
    before = layout_of(header).data
    if before + header.data_size > LARGEST or max(header[4:7]) > MAX_COUNT:
        raise CannotWrite("too large for a datafile", expected=f"{LARGEST} bytes", found=before + header.data_size)
    header = header._replace(size=before + header.data_size - COUNTS_FROM, swaplen=before - COUNTS_FROM)
    yield HEADER.pack(*header)
    yield b"".join(ITEM_TYPE.pack(*row) for row in item_types)
    yield _integers(_starts(packed)) + _integers(_starts(stored))
    yield _integers(sizes) if version == 4 else b""
    yield from packed
    yield from stored


def _item_types(items: Sequence[Item]) -> Iterator[tuple[int, int, int]]:
    """Each type with the index of its first item and the number of its items."""
    start = 0
    seen: set[int] = set()
    for type_id, alike in groupby(items, key=lambda item: item.type_id):
        count = sum(1 for _ in alike)
        if type_id in seen or type_id not in _SHORT:
            raise CannotWrite(f"items of type {type_id} in two places" if type_id in seen else f"no type: {type_id}")
        seen.add(type_id)
        yield type_id, start, count
        start += count


def _packed(item: Item) -> bytes:
    if item.id not in _SHORT:
        raise CannotWrite("not an item id", expected="0 to 65535", found=item.id)
    return ITEM.pack(item.type_id << 16 | item.id, 4 * len(item.data)) + _integers(item.data)


def _integers(numbers: Sequence[int]) -> bytes:
    return Struct(f"<{len(numbers)}i").pack(*numbers)


def _starts(parts: Sequence[bytes]) -> list[int]:
    """The offset of each part from the first one."""
    return [0, *accumulate(map(len, parts))][:-1]
