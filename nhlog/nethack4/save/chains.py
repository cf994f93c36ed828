"""Find the records of objects and monsters in a save (save spec sections 3.4 to 3.6).

Walking a chain finds its end and gives an index: the offset of each record, and the index of its contents or inventory.
Only the fields that determine a record's length are unpacked.
"""

import struct
from typing import Final

from nhlog.nethack4.save.wire import MAGIC_SIZE, BadSave, Cursor, cut_short

__all__ = ["ATTACHED_ID", "ATTACHED_MONSTER", "EXTENSIONS", "Index", "walk_monster", "walk_monsters", "walk_objects"]

Index = tuple[tuple[int, "Index"], ...]
"""Offsets of records, each with the index of its contents or its inventory."""

ATTACHED_MONSTER, ATTACHED_ID = 1, 2
EXTENSIONS: Final = (0, 6, 1, 35, 2699, 320)
"""Size in bytes by extension type: none, priest, minion, pet, shopkeeper, vault guard."""

_OBJECT_CHAIN, _OBJECT_MAGIC = b"OCHN", b"OBJ\0"
_MONSTER_CHAIN, _MONSTER_MAGIC = b"MCHN", b"MON\0"
_OBJECT: Final = struct.Struct("<4sI28xI10xB")  # magic, length of the name, flags, has contents
_MONSTER: Final = struct.Struct("<4shh75xBx")  # magic, length of the name, extension type, has an inventory
assert (_OBJECT.size, _MONSTER.size) == (51, 85)
_ATTACHMENT_BIT, _ATTACHMENT_MASK = 9, 3
_MOST_NESTED: Final = 64  # containers in containers; far more than anybody carries, few enough for the stack


def walk_objects(cursor: Cursor, what: str, depth: int = 0) -> Index:
    """Walk a chain of objects and their contents; raises :class:`BadSave`."""
    if depth > _MOST_NESTED:
        raise BadSave(f"{what}: nested too deep", offset=cursor.at, expected=f"at most {_MOST_NESTED} containers")
    cursor.magic(_OBJECT_CHAIN, what)
    number = cursor.count(_OBJECT.size, what)
    data, at, unpack = cursor.data, cursor.at, _OBJECT.unpack_from
    index = []
    for _ in range(number):
        try:
            magic, name, flags, contains = unpack(data, at)
        except struct.error:
            raise cut_short(what, data, at, _OBJECT.size) from None
        if magic != _OBJECT_MAGIC:
            raise BadSave(what, offset=at, expected=repr(_OBJECT_MAGIC), found=repr(magic))
        start = at
        at += _OBJECT.size + name
        inside: Index = ()
        if contains or flags >> _ATTACHMENT_BIT & _ATTACHMENT_MASK:
            cursor.at = at
            _walk_attachment(cursor, what, flags >> _ATTACHMENT_BIT & _ATTACHMENT_MASK)
            if contains:
                inside = walk_objects(cursor, what, depth + 1)
            at = cursor.at
        index.append((start, inside))
    cursor.at = at
    cursor.skip(0, what)
    return tuple(index)


def _walk_attachment(cursor: Cursor, what: str, kind: int) -> None:
    if kind == ATTACHED_MONSTER:
        walk_monster(cursor, what)
    elif kind == ATTACHED_ID:
        cursor.word(what)


def walk_monsters(cursor: Cursor, what: str) -> Index:
    """Walk a chain of monsters and their inventories; raises :class:`BadSave`."""
    cursor.magic(_MONSTER_CHAIN, what)
    number = cursor.count(_MONSTER.size, what)
    index = []
    for _ in range(number):
        start = cursor.at
        carries = walk_monster(cursor, what)
        index.append((start, walk_objects(cursor, what) if carries else ()))
    return tuple(index)


def walk_monster(cursor: Cursor, what: str) -> bool:
    """Walk one monster's record; returns whether an inventory follows.  Raises :class:`BadSave`."""
    at = cursor.skip(_MONSTER.size, what)
    magic, name, extension, carries = _MONSTER.unpack_from(cursor.data, at)
    if magic != _MONSTER_MAGIC:
        raise BadSave(what, offset=at, expected=repr(_MONSTER_MAGIC), found=repr(magic))
    if name < 0:
        raise BadSave(f"{what}: length of a name", offset=at + MAGIC_SIZE, expected="0 or more", found=name)
    if not 0 <= extension < len(EXTENSIONS):
        expected = f"below {len(EXTENSIONS)}"
        raise BadSave(f"{what}: extension type", offset=at + MAGIC_SIZE + 2, expected=expected, found=extension)
    cursor.skip(name + EXTENSIONS[extension], what)
    return bool(carries)
