"""Find the records of objects and monsters in a save (save spec sections 3.4 to 3.6).

Walking a chain finds its end and gives an index: the offset of each record, and the index of its contents or inventory.
Only the fields that determine a record's length are unpacked.
"""

import struct
from collections.abc import Callable
from typing import Final

from nhlog.nethack4.save.wire import FIQHACK_18, FIQHACK_21, FIQHACKS, MAGIC_SIZE, NETHACK4, BadSave, Cursor, cut_short
from nhlog.values import NamedTuple

__all__ = [
    "ATTACHED_ID",
    "ATTACHED_MONSTER",
    "EXTENSIONS",
    "PET",
    "PRIEST",
    "SHOPKEEPER",
    "Index",
    "MonsterMore",
    "ObjectMore",
    "more_of_monster",
    "more_of_object",
    "passed_of_monster",
    "walk_monster",
    "walk_monsters",
    "walk_objects",
]

Index = tuple[tuple[int, "Index"], ...]
"""Offsets of records, each with the index of its contents or its inventory."""

ATTACHED_MONSTER, ATTACHED_ID = 1, 2
PRIEST, PET, SHOPKEEPER, _GUARD = 1, 3, 4, 5
EXTENSIONS: Final = (0, 6, 1, 35, 2699, 320)
"""Size in bytes by extension type: none, priest, minion, pet, shopkeeper, vault guard."""

_OBJECT_CHAIN, _OBJECT_MAGIC = b"OCHN", b"OBJ\0"
_MONSTER_CHAIN, _MONSTER_MAGIC = b"MCHN", b"MON\0"
_OBJECT: Final = {  # magic, length of the name, flags, has contents
    NETHACK4: struct.Struct("<4sI28xI10xB"),
} | dict.fromkeys(FIQHACKS, struct.Struct("<4sI28xI10xB220x"))
_MONSTER: Final = {  # magic, length of the name, extension type, has an inventory
    NETHACK4: struct.Struct("<4shh75xBx"),
    FIQHACK_18: struct.Struct("<4shh608xB4x"),
    FIQHACK_21: struct.Struct("<4shh610xB4x"),
}
_LOOKED_AT: Final = 8  # bytes at the beginning of a monster's record,
_FLAGS_OF_MONSTER: Final = 2  # and at its end
_NOTHING, _SOMETHING = 8, 9  # FIQHack's extension types: what there is stands behind
_EXTENSION_TYPES: Final = {NETHACK4: range(len(EXTENSIONS))} | dict.fromkeys(FIQHACKS, (_NOTHING, _SOMETHING))
_ATTACHMENT_BIT, _ATTACHMENT_MASK = 9, 3
_MOST_NESTED: Final = 64  # containers in containers; far more than anybody carries, few enough for the stack


class ObjectMore(NamedTuple):
    """What stands behind an object's record: its name, and the offset of the monster that it remembers (0: none)."""

    name: slice
    attached_at: int


class MonsterMore(NamedTuple):
    """What stands behind a monster's record: its name, and its extension, as `EXTENSIONS` has them."""

    name: slice
    extension_type: int
    extension: slice


def walk_objects(cursor: Cursor, what: str, depth: int = 0) -> Index:
    """Walk a chain of objects and their contents; raises :class:`BadSave`."""
    if depth > _MOST_NESTED:
        raise BadSave(f"{what}: nested too deep", offset=cursor.at, expected=f"at most {_MOST_NESTED} containers")
    cursor.magic(_OBJECT_CHAIN, what)
    record = _OBJECT[cursor.edition]
    number = cursor.count(record.size, what)
    data, at, unpack, size = cursor.data, cursor.at, record.unpack_from, record.size
    index = []
    for _ in range(number):
        try:
            magic, name, flags, contains = unpack(data, at)
        except struct.error:
            raise cut_short(what, data, at, size) from None
        if magic != _OBJECT_MAGIC:
            raise BadSave(what, offset=at, expected=repr(_OBJECT_MAGIC), found=repr(magic))
        start = at
        at += size
        inside: Index = ()
        if name or contains or flags >> _ATTACHMENT_BIT & _ATTACHMENT_MASK:
            cursor.at = at
            more_of_object(cursor, name, flags, what)
            if contains:
                inside = walk_objects(cursor, what, depth + 1)
            at = cursor.at
        index.append((start, inside))
    cursor.at = at
    cursor.skip(0, what)
    return tuple(index)


def more_of_object(cursor: Cursor, name: int, flags: int, what: str) -> ObjectMore:
    """Walk what stands behind an object's record, by two fields of it; raises :class:`BadSave`."""
    return _OBJECT_MORE[cursor.edition](cursor, name, flags, what)


def _more_of_object(cursor: Cursor, length: int, flags: int, what: str) -> ObjectMore:
    name = _run(cursor, length, what)
    kind = flags >> _ATTACHMENT_BIT & _ATTACHMENT_MASK
    if kind == ATTACHED_MONSTER:
        walk_monster(cursor, what)
    elif kind == ATTACHED_ID:
        cursor.word(what)
    return ObjectMore(name, name.stop)


def _more_of_fiqhacks_object(cursor: Cursor, more: int, flags: int, what: str) -> ObjectMore:
    """A byte that tells what there is, then each: a name with its length, a monster."""
    kinds = _byte(cursor, what) if more else 0
    name = _run(cursor, _byte(cursor, what) if kinds & 1 else 0, what)
    attached_at = cursor.at if kinds & 2 else 0
    if attached_at:
        walk_monster(cursor, what)
    return ObjectMore(name, attached_at)


_OBJECT_MORE: Final[dict[str, Callable[[Cursor, int, int, str], ObjectMore]]] = {
    NETHACK4: _more_of_object,
    **dict.fromkeys(FIQHACKS, _more_of_fiqhacks_object),
}


def walk_monsters(cursor: Cursor, what: str) -> Index:
    """Walk a chain of monsters and their inventories; raises :class:`BadSave`."""
    cursor.magic(_MONSTER_CHAIN, what)
    number = cursor.count(_MONSTER[cursor.edition].size, what)
    index = []
    for _ in range(number):
        start = cursor.at
        carries = walk_monster(cursor, what)
        index.append((start, walk_objects(cursor, what) if carries else ()))
    return tuple(index)


def walk_monster(cursor: Cursor, what: str) -> bool:
    """Walk one monster's record; returns whether an inventory follows.  Raises :class:`BadSave`."""
    record = _MONSTER[cursor.edition]
    at = cursor.skip(record.size, what)
    magic, name, extension, carries = record.unpack_from(cursor.data, at)
    if magic != _MONSTER_MAGIC:
        raise BadSave(what, offset=at, expected=repr(_MONSTER_MAGIC), found=repr(magic))
    if name < 0:
        raise BadSave(f"{what}: length of a name", offset=at + MAGIC_SIZE, expected="0 or more", found=name)
    if extension not in _EXTENSION_TYPES[cursor.edition]:
        *others, last = map(str, _EXTENSION_TYPES[cursor.edition])
        expected = f"{', '.join(others)} or {last}"
        raise BadSave(f"{what}: extension type", offset=at + MAGIC_SIZE + 2, expected=expected, found=extension)
    more_of_monster(cursor, name, extension, what)
    return bool(carries)


def passed_of_monster(at: int) -> slice:
    """What :func:`walk_monster` passes over without a look, in the record of one of NetHack 4's own at `at`."""
    return slice(at + _LOOKED_AT, at + _MONSTER[NETHACK4].size - _FLAGS_OF_MONSTER)


def more_of_monster(cursor: Cursor, name: int, extension: int, what: str) -> MonsterMore:
    """Walk what stands behind a monster's record, by two fields of it; raises :class:`BadSave`."""
    return _MONSTER_MORE[cursor.edition](cursor, name, extension, what)


def _more_of_monster(cursor: Cursor, length: int, extension: int, what: str) -> MonsterMore:
    return MonsterMore(_run(cursor, length, what), extension, _run(cursor, EXTENSIONS[extension], what))


def _more_of_fiqhacks_monster(cursor: Cursor, length: int, more: int, what: str) -> MonsterMore:
    """A byte that tells what there is, then each; the last one counts as the extension."""
    kinds = _byte(cursor, what) if more == _SOMETHING else 0
    name = _run(cursor, _byte(cursor, what) if kinds & _NAMED else 0, what)
    if kinds & _HERO:
        cursor.skip(_BEFORE_HINTS, what)
        cursor.skip(_byte(cursor, what) | _byte(cursor, what) << 8, what)
        cursor.skip(_BEHIND_HINTS, what)
    found, extension = 0, _run(cursor, 0, what)
    for bit, kind, size in _FIQHACKS_EXTENSIONS:
        if kinds & bit:
            found, extension = kind, _run(cursor, size, what)
    return MonsterMore(name, found, extension)


_NAMED, _HERO = 0x10, 0x20
_BEFORE_HINTS, _BEHIND_HINTS = 5, 998  # around hints that have been given
_FIQHACKS_EXTENSIONS: Final = ((1, PET, 33), (2, PRIEST, 5), (4, SHOPKEEPER, 2667), (8, _GUARD, 320))
_MONSTER_MORE: Final[dict[str, Callable[[Cursor, int, int, str], MonsterMore]]] = {
    NETHACK4: _more_of_monster,
    **dict.fromkeys(FIQHACKS, _more_of_fiqhacks_monster),
}


def _run(cursor: Cursor, size: int, what: str) -> slice:
    at = cursor.skip(size, what)
    return slice(at, at + size)


def _byte(cursor: Cursor, what: str) -> int:
    return cursor.data[cursor.skip(1, what)]
