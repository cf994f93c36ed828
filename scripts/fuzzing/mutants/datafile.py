"""Maps: header, tables, items as integers, data items bent before they are deflated, every count and size its own."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from random import Random
from struct import Struct
from typing import Final

from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.wire import HEADER, ITEM, ITEM_TYPE, Item
from scripts.fuzzing.mutants.change import (
    SAMPLES,
    TEXTS,
    around,
    bend,
    bend_bytes,
    bend_parts,
    bend_text,
    rarely,
    signed,
)

__all__ = ["mutant"]

_INT: Final = Struct("<i")


@dataclass(frozen=True)
class _Seed:
    """The items, and the data items unpacked."""

    items: tuple[Item, ...]
    data: tuple[bytes, ...]


@cache
def _seed(name: str) -> _Seed:
    with open_datafile(str(SAMPLES / f"{name}.map")) as datafile:
        data = tuple(datafile.data(number) for number in range(datafile.num_data))
        return _Seed(tuple(Item(*item) for item in datafile.items), data)


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A map, bent in one to six places and written by its own rules, or nearly."""
    seed = _seed(chance.choice(("coverage", "dm1")))
    for _ in range(chance.choice((0, 1, 1, 2, 3, 6))):
        if rarely(chance, 3):
            seed = replace(seed, data=tuple(bend_parts(chance, seed.data, _bend_data)))
        else:
            seed = replace(seed, items=tuple(bend_parts(chance, seed.items, _bend_item)))
    if not rarely(chance, 4):
        seed = replace(seed, items=tuple(sorted(seed.items, key=lambda item: item.type_id)))
    data = _written(chance, seed)
    return {"case.map": bend_bytes(chance, data) if rarely(chance, 10) else data}


def _bend_item(chance: Random, item: Item) -> Item:
    """An item with one of its integers bent, or their number, or its type or id."""
    match chance.randrange(8):
        case 0:
            return item._replace(id=around(bend(chance, item.id), 16))
        case 1:
            return item._replace(type_id=around(bend(chance, item.type_id), 16))
        case 2:
            return item._replace(data=tuple(bend_parts(chance, item.data, _bend_integer)))
        case _ if item.data:
            at = chance.randrange(len(item.data))
            return item._replace(data=(*item.data[:at], _bend_integer(chance, item.data[at]), *item.data[at + 1 :]))
    return item


def _bend_integer(chance: Random, number: int) -> int:
    return signed(bend(chance, number), 32)


def _bend_data(chance: Random, data: bytes) -> bytes:
    if data.endswith(b"\0") and rarely(chance, 2):  # a text
        text = chance.choice((data[:-1].decode("utf-8", "replace"), *TEXTS))
        return bend_text(chance, text).encode("utf-8", "surrogatepass") + b"\0"
    return bend_bytes(chance, data)


def _written(chance: Random, seed: _Seed) -> bytes:
    """The file; each of its numbers is wrong now and then."""
    version = chance.choice((3, 4, 4))
    wrong = chance.choice((0, 0, 0, 60))  # one number in so many

    def said(number: int) -> int:
        return signed(bend(chance, number), 32) if wrong and rarely(chance, wrong) else number

    stored = [zlib.compress(part, 1) if version == 4 else part for part in seed.data]
    if rarely(chance, 10):
        stored = bend_parts(chance, stored, bend_bytes)
    packed = [
        ITEM.pack(item.type_id << 16 | item.id, said(4 * len(item.data))) + _integers(item.data) for item in seed.items
    ]
    types = [ITEM_TYPE.pack(said(kind), said(start), said(count)) for kind, start, count in _types(seed.items)]
    tables = b"".join(types) + _integers(map(said, _starts(packed))) + _integers(map(said, _starts(stored)))
    if version == 4:
        tables += _integers(said(len(part)) for part in seed.data)
    head, items, body = tables, b"".join(packed), b"".join(stored)
    swaplen = HEADER.size - 16 + len(head) + len(items)
    counts = (len(types), len(packed), len(stored), len(items), len(body))
    magic = chance.choice((b"DATA", b"DATA", b"ATAD"))
    header = HEADER.pack(magic, said(version), said(swaplen + len(body)), said(swaplen), *map(said, counts))
    return header + head + items + body


def _types(items: tuple[Item, ...]) -> list[tuple[int, int, int]]:
    """Each stretch of items of one type: the type, where it starts, and how many there are."""
    found: list[tuple[int, int, int]] = []
    for number, item in enumerate(items):
        if found and found[-1][0] == item.type_id:
            kind, start, count = found[-1]
            found[-1] = (kind, start, count + 1)
        else:
            found.append((item.type_id, number, 1))
    return found


def _starts(parts: list[bytes]) -> list[int]:
    return [0, *accumulate(map(len, parts))][:-1]


def _integers(numbers: object) -> bytes:
    return b"".join(map(_INT.pack, numbers))  # type: ignore[call-overload]
