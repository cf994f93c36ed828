"""What squares are made of: one byte each, whose highest bit says that the square is lit.

Tables over whole bytes answer what can be done there without taking the bit off.  Imports nothing of the game.
"""

from typing import Final, NamedTuple

__all__ = [
    "ALTAR",
    "BARRIER",
    "BROKEN",
    "CLOSED",
    "CORRIDOR",
    "DOORS",
    "FLOOR",
    "FOUNTAIN",
    "GATE",
    "GRAVE",
    "LIT",
    "LOCKED",
    "OPEN",
    "OPENABLE",
    "ROCK",
    "SECRET",
    "SHALLOWS",
    "SIGHT",
    "SOLID",
    "STAIRS_DOWN",
    "STAIRS_UP",
    "SWIM",
    "TERRAINS",
    "WALK",
    "WALL",
    "WATER",
    "WINGS",
    "Terrain",
]

LIT: Final = 0x80


class Terrain(NamedTuple):
    """A kind: what it is called, its symbol and colour, and whether one can walk there and see through it."""

    name: str
    symbol: str
    color: int
    walk: bool
    sight: bool


(
    ROCK,
    WALL,
    FLOOR,
    CORRIDOR,
    BROKEN,
    OPEN,
    CLOSED,
    LOCKED,
    SECRET,
    STAIRS_UP,
    STAIRS_DOWN,
    GATE,
    WATER,
    SHALLOWS,
    GRAVE,
    ALTAR,
    FOUNTAIN,
) = range(17)

TERRAINS: Final = (
    Terrain("solid rock", " ", 7, False, False),
    Terrain("a wall", "#", 7, False, False),
    Terrain("the floor", "·", 7, True, True),
    Terrain("a passage", "░", 7, True, True),
    Terrain("a doorway", "·", 3, True, True),
    Terrain("an open door", "|", 3, True, True),
    Terrain("a closed door", "+", 3, False, False),
    Terrain("a closed door", "+", 3, False, False),
    Terrain("a wall", "#", 7, False, False),
    Terrain("a staircase up", "<", 15, True, True),
    Terrain("a staircase down", ">", 15, True, True),
    Terrain("the gate to the valley", "<", 11, True, True),
    Terrain("deep water", "≈", 4, False, True),
    Terrain("shallow water", "≈", 12, True, True),
    Terrain("a grave", "|", 15, True, True),
    Terrain("a cold hearth", "_", 15, True, True),
    Terrain("a spring", "{", 12, True, True),
)

DOORS: Final = frozenset((OPEN, CLOSED, LOCKED))


def _table(kinds: set[int]) -> bytes:
    return bytes(byte & ~LIT in kinds for byte in range(256))


_GROUND: Final = {number for number, kind in enumerate(TERRAINS) if kind.walk}
WALK: Final = _table(_GROUND)
"""Where one can walk."""
OPENABLE: Final = _table(_GROUND | {CLOSED})
"""Where something with hands can walk."""
WINGS: Final = _table(_GROUND | {WATER})
"""Where something can go that flies."""
SWIM: Final = _table({WATER, SHALLOWS})
"""Where something goes that lives in water."""
SIGHT: Final = bytes(byte & ~LIT < len(TERRAINS) and TERRAINS[byte & ~LIT].sight for byte in range(256))
"""What one sees through."""
SOLID: Final = _table({ROCK, WALL, SECRET})
"""What a tunnel can be dug through."""
BARRIER: Final = _table({ROCK, WALL, SECRET, CLOSED, LOCKED})
"""What stops a missile."""
