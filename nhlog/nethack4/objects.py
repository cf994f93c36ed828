"""Objects and the chains they hang in (save spec section 3.6).

A chain is walked to find its end, which gives an index: where each object's record lies, and the index of what is in it.
Objects are made from an index, when asked for.
"""

import struct
from typing import Final, NamedTuple

from nhlog.nethack4.wire import I8, I16, I32, U8, U32, BadSave, Bit, Bits, Cursor, Layout, check, cut_short, text

__all__ = ["ATTACHED_MONSTER", "Index", "Obj", "read_objects", "walk_objects"]

ATTACHED_MONSTER: Final = 1
_ATTACHED_ID: Final = 2
_KINDS: Final = range(432)
_CLASSES: Final = range(18)
_ARTIFACTS: Final = range(34)
_SPECIES: Final = 381
_LEASH: Final = 220  # its `corpsenm` is a monster's id
_SIZE: Final = 51
_MAGIC: Final = b"OBJ\0"
_CHAIN: Final = b"OCHN"
_MOST_NESTED: Final = 64  # containers in containers; far more than anybody carries, few enough for the stack
_WALK: Final = struct.Struct("<4sI28xI10xB")  # magic, length of the name, flags, has contents
assert _WALK.size == _SIZE

Index = tuple[tuple[int, "Index"], ...]


class _Record(NamedTuple):
    magic: "Annotated[bytes, '4s']"
