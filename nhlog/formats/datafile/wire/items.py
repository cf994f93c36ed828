"""Parsing of a datafile's item types and items.

The place of an item follows from types, from offsets and from sizes: if they differ, two that agree decide.
"""

from itertools import chain, islice, pairwise, repeat
from struct import Struct

from nhlog.formats.datafile.wire.values import ITEM, ITEM_TYPE, Finding, Header, Item, ItemType, Layout

__all__ = ["read_item_types", "read_items"]


def read_item_types(head: bytes, header: Header, layout: Layout, findings: list[Finding]) -> tuple[ItemType, ...]:
    """The table of item types, which must give every item one type, and no type twice."""
    count = min(header.num_item_types, max(len(head) - layout.item_types, 0) // ITEM_TYPE.size)
    table = head[layout.item_types : layout.item_types + count * ITEM_TYPE.size]
    types = tuple(map(ItemType._make, ITEM_TYPE.iter_unpack(table)))
    seen: set[int] = set()
    start = 0
    for number, kind in enumerate(types):
        offset = layout.item_types + number * ITEM_TYPE.size
        if not 0 <= kind.type_id <= 0xFFFF or kind.type_id in seen:
            what = "an item type twice" if kind.type_id in seen else "not an item type"
            findings.append(Finding(offset, what, "one of 0 to 65535", str(kind.type_id)))
        if kind.start != start:
            what = f"the items of type {kind.type_id} do not follow those before them"
            findings.append(Finding(offset + 4, what, str(start), str(kind.start)))
        if kind.num <= 0 or start + kind.num > header.num_items:
            most = f"1 to {header.num_items - start}"
            findings.append(Finding(offset + 8, f"wrong number of items of type {kind.type_id}", most, str(kind.num)))
        seen.add(kind.type_id)
        start += max(kind.num, 0)
    if start < header.num_items and len(types) == header.num_item_types:
        findings.append(Finding(layout.item_offsets, "items without a type", str(header.num_items), str(start)))
    return types


def read_items(
    head: bytes,
    offsets: tuple[int, ...],
    item_types: tuple[ItemType, ...],
    header: Header,
    layout: Layout,
    findings: list[Finding],
) -> tuple[tuple[int, ...], tuple[Item, ...]]:
    """The offsets of the items, and the items.

    An item begins where the one before it ends, and at its own offset; if these differ its type decides.
    """
    region = head[layout.items : layout.data]
    every = chain.from_iterable(repeat(kind.type_id, max(kind.num, 0)) for kind in item_types)
    wanted = list(islice(chain[int | None](every, repeat(None)), len(offsets) + 1))
    places, items = [], []
    end = 0
    for number, (offset, after) in enumerate(pairwise((*offsets, header.item_size))):
        place = end
        if offset != end < len(region):
            at = layout.item_offsets + 4 * number
            findings.append(Finding(at, f"wrong offset of item {number}", str(end), str(offset)))
            if offset > end and not _begins(region, end, wanted[number]) and _begins(region, offset, wanted[number]):
                place = offset
        item = _item(region, place, after, wanted[number + 1])
        if item is None and len(region) < header.item_size:
            break  # the file is cut here
        if item is None:
            findings.append(Finding(layout.items + place, f"no item {number}", "its head and integers", "none"))
            continue
        findings += _check_item(number, item, layout.items + place, region, place, wanted[number])
        places.append(layout.items + place)
        items.append(item)
        end = place + ITEM.size + 4 * len(item.data)
    if end < len(region) == header.item_size and len(offsets) == header.num_items:
        findings.append(Finding(layout.items + end, "bytes after the last item", str(header.item_size), str(end)))
    return tuple(places), tuple(items)


def _begins(region: bytes, place: int, type_id: int | None) -> bool:
    """Whether an item of that type begins at `place`; with None, whether the items end there."""
    if place < 0 or place % 4 or place + ITEM.size > len(region):
        return type_id is None and place == len(region)
    return type_id is None or int.from_bytes(region[place + 2 : place + 4], "little") == type_id


def _item(region: bytes, place: int, after: int, follows: int | None) -> Item | None:
    """The item at `place`, None if there cannot be one.

    It ends as its size says, unless the next item, by its type, is not there but at `after`.
    """
    start = place + ITEM.size
    if start > len(region):
        return None
    both, size = ITEM.unpack_from(region, place)
    stated = start + size
    if after != stated >= 0 and start <= after and not _begins(region, stated, follows):
        size = after - start if _begins(region, after, follows) else size
    if size < 0 or size % 4 or start + size > len(region):
        return None
    return Item(both >> 16, both & 0xFFFF, Struct(f"<{size // 4}i").unpack_from(region, start))


def _check_item(number: int, item: Item, at: int, region: bytes, place: int, wanted: int | None) -> list[Finding]:
    """Findings for the type and size in the head of an item."""
    findings = []
    if wanted not in (None, item.type_id):
        findings.append(Finding(at, f"item {number} is of another type", str(wanted), str(item.type_id)))
    _, size = ITEM.unpack_from(region, place)
    if size != 4 * len(item.data):
        findings.append(Finding(at + 4, f"wrong size of item {number}", str(4 * len(item.data)), str(size)))
    return findings
