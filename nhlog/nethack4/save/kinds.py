"""The class records: what a game stores for each kind of object (save spec section 4, end).

Appearances are shuffled for each game, so a kind's name and appearance are found through its record.
"""

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from nhlog.nethack4.save.numbers import Numbers, numbers_of
from nhlog.nethack4.save.wire import (
    FIQHACKS,
    I8,
    I16,
    NETHACK4,
    U32,
    Bit,
    Bits,
    Cursor,
    Layout,
    check,
    cut_short,
    text,
)
from nhlog.nethack4.tables import Class, kinds
from nhlog.values import NamedTuple

__all__ = ["ObjectClass", "class_bytes", "classes_in", "read_discoveries", "walk_classes", "walk_discoveries"]

_MAGIC: Final = b"OCLL"
_WORD: Final = 4
_NAME_LENGTH: Final = struct.Struct("<25xI")
_TOOL, _CLOTH, _BLINDED = 6, 6, 30  # class, material and property by number
_BLINDFOLD_NUTRITION: Final = 2
_IS_PREDISCOVERED, _IS_MAGIC = 1 << 28, 1 << 27  # flags
_UNLABELED: Final = ("blank paper", "mail")


class _Record(NamedTuple):
    flags: U32
    name_idx: I16
    descr_idx: I16
    weight: I16
    prob: I16
    cost: I16
    nutrition: I16
    subtyp: I8
    prop: I8
    cls: I8
    delay: I8
    color: I8
    sdam: I8
    ldam: I8
    oc1: I8
    oc2: I8
    name_length: U32
    uname: str


class ObjectClass(_Record):
    """The class record of a kind: its name is that of kind `name_idx` in the tables, its look that of `descr_idx`.

    `uname` is the name that the player gave it, empty for none.
    """

    __slots__ = ()

    name_known = Bit("flags", 31)
    merge = Bit("flags", 30)
    uses_known = Bit("flags", 29)
    prediscovered = Bit("flags", 28)
    magic = Bit("flags", 27)
    charged = Bit("flags", 26)
    unique = Bit("flags", 25)
    nowish = Bit("flags", 24)
    big = Bit("flags", 23)
    tough = Bit("flags", 22)
    dir = Bits("flags", 20, 21)
    material = Bits("flags", 15, 19)
    disclosed = Bit("flags", 14)


_CLASS: Final = Layout(ObjectClass, 29)
assert _NAME_LENGTH.size == _CLASS.size


def walk_discoveries(cursor: Cursor) -> int:
    """The offset of the discovery order at the cursor, a word for each kind; raises :class:`BadSave`."""
    cursor.magic(_MAGIC, "object classes")
    return cursor.skip(_WORD * len(numbers_of(cursor.edition).kinds), "discoveries")


def read_discoveries(data: bytes, at: int, edition: str) -> tuple[int, ...]:
    """The kinds of the discovery order at that offset; raises :class:`BadSave`."""
    numbers = numbers_of(edition)
    order = struct.unpack_from(f"<{len(numbers.kinds)}I", data, at)
    check(max(order), range(len(numbers.kinds)), "kind discovered", at)
    return tuple(map(numbers.kinds.__getitem__, order))


def walk_classes(cursor: Cursor) -> tuple[int, ...]:
    """The offsets of the class records at the cursor, which follow the discovery order; raises :class:`BadSave`."""
    data, at, size = cursor.data, cursor.at, _NAME_LENGTH.size
    offsets: list[int] = []
    number = len(numbers_of(cursor.edition).kinds)
    while len(offsets) < number:
        nameless = _nameless(data[at : at + size * (number - len(offsets))])
        offsets += range(at, at + size * nameless, size)
        at += size * nameless
        if len(offsets) < number:
            offsets.append(at)
            try:
                at += size + _NAME_LENGTH.unpack_from(data, at)[0]
            except struct.error:
                raise cut_short("object classes", data, at, size) from None
    cursor.at = at
    cursor.skip(0, "object classes")
    return tuple(offsets)


def _nameless(records: bytes) -> int:
    """How many whole records come before the first one with a name."""
    lengths = (records[_NAME_LENGTH.size - byte :: _NAME_LENGTH.size] for byte in range(1, _WORD + 1))
    return min(len(plane) - len(plane.lstrip(b"\0")) for plane in lengths)


def class_bytes(data: bytes, offsets: tuple[int, ...]) -> bytes:
    """The bytes of the class records at these offsets, for :func:`classes_in`."""
    named = offsets[-1] + _CLASS.size
    return data[offsets[0] : named + _NAME_LENGTH.unpack_from(data, offsets[-1])[0]]


@lru_cache(maxsize=8)
def classes_in(records: bytes, edition: str = NETHACK4) -> tuple[ObjectClass, ...]:
    """The class records of a save, by our numbers: the same for many turns.  Raises :class:`BadSave`."""
    offsets = walk_classes(Cursor(records, edition=edition))
    numbers = numbers_of(edition)
    return _OURS[edition](tuple(_read(records, at, numbers) for at in offsets), numbers)


def _read(data: bytes, at: int, numbers: Numbers) -> ObjectClass:
    fields = _CLASS.unpack(data, at)
    named = at + _CLASS.size
    length = fields[-1]
    record = ObjectClass._make((*fields, text(data[named : named + length]) if length else ""))
    numbers.kind(record.name_idx, "name of a kind", at)
    numbers.kind(record.descr_idx, "looks of a kind", at)
    if record.cls == _TOOL and record.nutrition == _BLINDFOLD_NUTRITION and record.material == _CLOTH:
        return record._replace(prop=record.prop ^ _BLINDED)  # so it is written for blindfold and towel
    return record


def _unchanged(records: tuple[ObjectClass, ...], numbers: Numbers) -> tuple[ObjectClass, ...]:
    return records


def _from_fiqhack(records: tuple[ObjectClass, ...], numbers: Numbers) -> tuple[ObjectClass, ...]:
    """The records of FIQHack's, which have only what differs from game to game; what it lacks is as in the tables.

    A kind that FIQHack does not have counts for nothing.
    """
    plain = ObjectClass._make((_IS_PREDISCOVERED, *(0,) * (len(ObjectClass._fields) - 2), ""))
    found = [plain._replace(name_idx=number, descr_idx=number) for number in range(len(kinds()))]
    for number, record in zip(numbers.kinds, records, strict=True):
        kind = kinds()[number]
        flags = record.flags | kind.merge << 30 | kind.uses_known << 29 | kind.charged << 26 | kind.unique << 25
        if kind.cls == Class.SCROLL and kind.name not in _UNLABELED:
            flags |= _IS_MAGIC
        found[number] = record._replace(
            flags=flags,
            name_idx=numbers.kinds[record.name_idx],
            descr_idx=numbers.kinds[record.descr_idx],
            weight=kind.weight,
            subtyp=kind.sub,
            prop=kind.prop,
            cls=kind.cls,
        )
    return tuple(found)


_OURS: Final[dict[str, Callable[[tuple[ObjectClass, ...], Numbers], tuple[ObjectClass, ...]]]] = {
    NETHACK4: _unchanged,
    **dict.fromkeys(FIQHACKS, _from_fiqhack),
}
