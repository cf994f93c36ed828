"""Generation of levels: terrain and contents, from the game's seed and the depth only.

A level does not depend on what was played before; must not import what plays the game.
"""

from nhlog.engines.delve.maps.caves import cave, flooded
from nhlog.engines.delve.maps.rooms import dark_rooms, rooms
from nhlog.engines.delve.maps.special import great_hall, hearth, maze
from nhlog.engines.delve.maps.stock import stock
from nhlog.engines.delve.world.dice import WORD, Dice
from nhlog.engines.delve.world.state import Level

__all__ = ["STYLE_NAMES", "new_level"]

STYLE_NAMES = ("halls", "caves", "maze", "great hall", "flooded caves", "lightless halls", "hearth")
_BUILDERS = (rooms, cave, maze, great_hall, flooded, dark_rooms, hearth)
_STYLES = ((0,), (0,), (0, 1), (4, 0), (3, 1), (1, 0), (5,), (2,), (1, 0), (6,))
"""The possible styles of the levels, from the first down."""


def new_level(seed: int, depth: int) -> Level:
    """Generate the level at this depth below the gate."""
    dice = Dice.seeded((seed * 0x9E3779B97F4A7C15 + depth) & WORD)
    style = dice.pick(_STYLES[depth - 1])
    level = Level.blank(depth, style)
    _BUILDERS[style](level, dice)
    stock(level, dice)
    return level
