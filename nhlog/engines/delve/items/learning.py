"""Identification of items."""

from nhlog.engines.delve.combat.harm import earn
from nhlog.engines.delve.world.kinds import KINDS, RING, WAND
from nhlog.engines.delve.world.state import KNOWN, UNCURSED_KNOWN, Item, World

__all__ = ["identify", "learn"]


def learn(world: World, number: int) -> None:
    """Make a kind known to the hero, who gains a little experience."""
    if not world.lore.known[number]:
        world.lore.known[number] = 1
        world.lore.called.pop(number, None)
        earn(world, 4)


def identify(world: World, item: Item) -> None:
    """Make everything about an item known to the hero."""
    item.flags |= KNOWN | UNCURSED_KNOWN
    if KINDS[item.kind].symbol in (RING, WAND) or not world.lore.known[item.kind]:
        world.lore.known[item.kind] = 1
        world.lore.called.pop(item.kind, None)
