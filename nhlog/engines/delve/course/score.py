"""The score of a game."""

from typing import Final

from nhlog.engines.delve.world.kinds import EMBER, KINDS
from nhlog.engines.delve.world.state import World

__all__ = ["score_of"]

_PER_LEVEL: Final = 100
_ESCAPED: Final = 2  # times as much


def score_of(world: World) -> int:
    """Points for experience, gold, depth and the Ember; after an escape, also for all belongings, and doubled."""
    hero = world.hero
    points = 4 * hero.points + hero.gold + _PER_LEVEL * (hero.deepest - 1)
    for item in hero.pack:
        if item is not None and (world.ending.startswith("escaped") or item.kind == EMBER):
            points += KINDS[item.kind].price * min(item.count, 20)
    return points * _ESCAPED if world.ending.startswith("escaped") else points
