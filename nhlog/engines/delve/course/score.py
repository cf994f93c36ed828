"""The score of a game."""

from collections.abc import Iterable
from typing import Final, Protocol

from nhlog.engines.delve.world.kinds import EMBER, KINDS
from nhlog.engines.delve.world.state import Hero, Item

__all__ = ["parts_of", "score_of"]

_PER_LEVEL: Final = 100
_MOST: Final = 20  # things of one kind that count
_ESCAPED: Final = "escaped"  # how an ending begins after which all belongings count, and everything twice


class Scored(Protocol):
    """A game, or what of its save is needed."""

    @property
    def hero(self) -> Hero:
        """The hero, with the pack."""
        ...

    @property
    def ending(self) -> str:
        """How the game ended; empty if it did not."""
        ...


def score_of(world: Scored) -> int:
    """Points for experience, gold, depth and the Ember; after an escape, also for all belongings, and doubled."""
    return sum(points for _, points in parts_of(world))


def parts_of(world: Scored) -> list[tuple[str, int]]:
    """What makes the score, and the points for each; what gave none is left out."""
    hero, escaped = world.hero, world.ending.startswith(_ESCAPED)
    pack = [item for item in hero.pack if item is not None]
    parts = [
        ("experience", 4 * hero.points),
        ("gold", hero.gold),
        ("depth", _PER_LEVEL * (hero.deepest - 1)),
        ("the Ember", _worth(item for item in pack if item.kind == EMBER)),
        ("belongings", _worth(item for item in pack if item.kind != EMBER) if escaped else 0),
    ]
    if escaped:
        parts.append(("brought up: all of it twice", sum(points for _, points in parts)))
    return [part for part in parts if part[1]]


def _worth(items: Iterable[Item]) -> int:
    return sum(KINDS[item.kind].price * min(item.count, _MOST) for item in items)
