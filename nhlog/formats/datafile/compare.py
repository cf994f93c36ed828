"""Where two maps differ: beside what is compared of every recording, item by item and data item by data item."""

import hashlib
from collections.abc import Iterator

from nhlog.errors import Damaged
from nhlog.formats.compare import compare, difference, differences
from nhlog.formats.datafile.parts import type_word
from nhlog.formats.datafile.reading.datafile import Datafile, open_datafile
from nhlog.operations import Record

__all__ = ["compare_maps"]


def compare_maps(old: str, new: str) -> Iterator[Record]:
    """The records of :func:`~nhlog.formats.compare.compare`; then of kind ``item`` and ``data``.

    An item is told as its integers, a data item as its length and digest.
    """
    yield from compare(old, new)
    with open_datafile(old) as one, open_datafile(new) as other:
        yield from differences("item", None, _items(one), _items(other))
        for number in range(max(one.num_data, other.num_data)):
            left, right = _data(one, number), _data(other, number)
            if left != right:
                yield difference("data", f"data {number}", None, left, right)


def _items(datafile: Datafile) -> dict[str, list[int]]:
    """The integers of each item, by its type and its number among those of that type."""
    found: dict[str, list[int]] = {}
    counts: dict[int, int] = {}
    for item in datafile.items:
        number = counts[item.type_id] = counts.get(item.type_id, -1) + 1
        found[f"{type_word(item.type_id)}:{number}"] = [*item.data]
    return found


def _data(datafile: Datafile, number: int) -> str | None:
    if number >= datafile.num_data:
        return None
    try:
        data = datafile.data(number)
    except Damaged as error:
        return error.what
    return f"{len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()[:16]}"
