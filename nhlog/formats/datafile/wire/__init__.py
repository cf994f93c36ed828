"""Parsing of a datafile: header, item types, items, and the places of the data items (spec 4).

Every rule is checked; a violation becomes a finding, and only what depends on it is lost.
No I/O; must not import anything that does it.
"""

from operator import attrgetter

from nhlog.formats.datafile.wire.data import deflate, inflate, read_data
from nhlog.formats.datafile.wire.header import check_sizes, head_size, parse_header, repair_counts
from nhlog.formats.datafile.wire.items import read_item_types, read_items
from nhlog.formats.datafile.wire.values import (
    COUNTS_FROM,
    HEADER,
    HEADER_SIZE,
    ITEM,
    ITEM_TYPE,
    MAX_COUNT,
    MAX_DATA,
    MAX_HEAD,
    DataItem,
    Finding,
    Head,
    Header,
    Item,
    ItemType,
    integers,
    layout_of,
)

__all__ = [
    "COUNTS_FROM",
    "HEADER",
    "HEADER_SIZE",
    "ITEM",
    "ITEM_TYPE",
    "MAX_COUNT",
    "MAX_DATA",
    "MAX_HEAD",
    "DataItem",
    "Finding",
    "Head",
    "Header",
    "Item",
    "ItemType",
    "deflate",
    "head_size",
    "inflate",
    "layout_of",
    "parse_head",
    "parse_header",
]


def parse_head(head: bytes, size: int) -> Head:
    """Parse the head of a datafile of `size` bytes from its first bytes, as many as :func:`head_size` says or fewer.

    Raises as :func:`parse_header` does, and :class:`Damaged` for counts that cannot be repaired.
    """
    stated = parse_header(head)
    header, findings = repair_counts(stated, size)
    layout = layout_of(header)
    findings += check_sizes(stated, header, layout, size)
    if len(head) < min(layout.data, size):
        findings.append(Finding(len(head), "too much before the data", f"{len(head)} bytes", str(layout.data)))
    item_types = read_item_types(head, header, layout, findings)
    offsets = integers(head, layout.item_offsets, header.num_items)
    data = read_data(head, header, layout, findings)
    places, items = read_items(head, offsets, item_types, header, layout, findings)
    missing = header.num_items - len(items) + header.num_data - len(data)
    return Head(stated, item_types, items, places, data, tuple(sorted(findings, key=attrgetter("offset"))), missing)
