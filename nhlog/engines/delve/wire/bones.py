"""The bones of a dead hero: name, cause of death, and items.  Bones are untrusted, as other users write them.

Whatever is read without an error is safe to put on a level.
"""

from dataclasses import replace
from typing import Final

from nhlog.engines.delve.wire.levels import DEPTHS, GRAVE, ITEM, check_item
from nhlog.engines.delve.wire.records import Cursor, pack_text
from nhlog.engines.delve.world.kinds import EMBER
from nhlog.engines.delve.world.state import LIGHTED, QUIVERED, SLOTS_CARRIED, WIELDED, WORN, Item
from nhlog.errors import Damaged
from nhlog.values import dataclass

__all__ = ["Bones", "read_bones", "write_bones"]

MAGIC: Final = b"delve bones\x01"
CAUSE: Final = 60
_IN_USE: Final = WIELDED | WORN | QUIVERED | LIGHTED


@dataclass(frozen=True, slots=True)
class Bones:
    """The depth, name and cause of a hero's death, and the items."""

    depth: int
    name: str
    cause: str
    items: tuple[Item, ...]


def write_bones(bones: Bones) -> bytes:
    """The bytes of bones."""
    items = [replace(item, place=0, flags=item.flags & ~_IN_USE) for item in bones.items]
    head = MAGIC + bytes((bones.depth, len(items)))
    texts = pack_text(bones.name, GRAVE) + pack_text(bones.cause, CAUSE)
    return head + texts + b"".join(map(ITEM.pack, items))


def read_bones(data: bytes) -> Bones:
    """Parse bones; raises :class:`Damaged`."""
    cursor = Cursor(data)
    if (magic := cursor.take(len(MAGIC), "bones")) != MAGIC:
        raise Damaged("not bones of this game", offset=0, expected=MAGIC, found=magic)
    depth, count = cursor.number("bones: depth", DEPTHS), cursor.number("bones: items", SLOTS_CARRIED)
    name, cause = cursor.text(GRAVE, "bones: name"), cursor.text(CAUSE, "bones: cause")
    items = []
    for _ in range(count):
        start = cursor.at
        item = ITEM.read(cursor)
        check_item(item, start)
        if item.kind == EMBER or item.place or item.flags & _IN_USE:
            raise Damaged("bones: impossible item", offset=start, found=item)
        items.append(item)
    if cursor.at != len(data):
        raise Damaged("bones: extra bytes at the end", offset=cursor.at)
    return Bones(depth, "".join(char for char in name if char.isprintable()), cause, tuple(items))
