"""Terrain: one byte for each square, whose highest bit says that the square is lit.

Tables over whole bytes answer questions without masking that bit.  Imports nothing of the game.
"""

from typing import Final

from nhlog.values import NamedTuple

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
    """A kind of terrain: name, symbol and colour, and whether it can be walked on and seen through."""

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
    Terrain("a locked door", "+", 3, False, False),
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
"""Terrain that can be walked on."""
OPENABLE: Final = _table(_GROUND | {CLOSED})
"""Terrain that a walking monster with hands can enter."""
WINGS: Final = _table(_GROUND | {WATER})
"""Terrain that a flying monster can enter."""
SWIM: Final = _table({WATER, SHALLOWS})
"""Terrain that a swimming monster can enter."""
SIGHT: Final = bytes(byte & ~LIT < len(TERRAINS) and TERRAINS[byte & ~LIT].sight for byte in range(256))
"""Terrain that does not block sight."""
SOLID: Final = _table({ROCK, WALL, SECRET})
"""Terrain that a tunnel can be dug through."""
BARRIER: Final = _table({ROCK, WALL, SECRET, CLOSED, LOCKED})
"""Terrain that stops a missile."""
