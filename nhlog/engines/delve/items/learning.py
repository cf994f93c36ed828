"""What the hero comes to know of things."""

from nhlog.engines.delve.combat.harm import earn
from nhlog.engines.delve.world.kinds import KINDS, RING, WAND
from nhlog.engines.delve.world.state import KNOWN, UNCURSED_KNOWN, Item, World

__all__ = ["identify", "learn"]


def learn(world: World, number: int) -> None:
    """The hero knows this kind from now on, and is a little wiser for it."""
    if not world.lore.known[number]:
        world.lore.known[number] = 1
        world.lore.called.pop(number, None)
        earn(world, 4)


def identify(world: World, item: Item) -> None:
    """The hero knows all of this item."""
    item.flags |= KNOWN | UNCURSED_KNOWN
    if KINDS[item.kind].symbol in (RING, WAND) or not world.lore.known[item.kind]:
        world.lore.known[item.kind] = 1
        world.lore.called.pop(item.kind, None)
