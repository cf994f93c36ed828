"""Eating: a meal takes several turns, and its effect comes with the last one.

`Item.charges` of a started meal is the number of turns spent on it.
"""

from typing import Final

from nhlog.engines.delve.combat.harm import heal, hurt
from nhlog.engines.delve.hero.body import SATIATED
from nhlog.engines.delve.world.kinds import FOOD, KINDS, number_of
from nhlog.engines.delve.world.names import name_of
from nhlog.engines.delve.world.pack import take_away
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import Item, Occupation, World

__all__ = ["begin_meal", "eat_on"]

CORPSE: Final = number_of("corpse")
CHOKING: Final = 2000


def begin_meal(world: World, slot: int) -> bool:
    """Start or continue to eat what is in a slot of the pack."""
    item = world.hero.pack[slot]
    if item is None or KINDS[item.kind].symbol != FOOD:
        world.say("You cannot eat that.")
        return False
    if world.hero.nutrition > CHOKING - 300:
        world.say("You are too full to eat.")
        return False
    if item.count > 1:
        free = next((number for number, other in enumerate(world.hero.pack) if other is None), -1)
        part = take_away(world, slot, 1) if free >= 0 else None
        if part is None:
            world.say("You have no hand free for that.")
            return False
        world.hero.pack[free] = part
        slot, item = free, part
    left = max(KINDS[item.kind].delay - item.charges, 1) - 1
    world.occupation = Occupation("eat", left, slot) if left else None
    if left:
        world.say(f"You begin to eat {name_of(world.lore, item)}.")
    return eat_on(world, slot)


def eat_on(world: World, slot: int) -> bool:
    """Eat for one turn, and finish the meal if that was the last one."""
    item = world.hero.pack[slot]
    if item is None or KINDS[item.kind].symbol != FOOD:
        world.occupation = None
        return False
    kind = KINDS[item.kind]
    world.hero.nutrition = min(world.hero.nutrition + -(-kind.nutrition // kind.delay), CHOKING)
    if world.occupation is not None:
        item.charges = min(item.charges + 1, kind.delay - 1)
        return True
    world.hero.pack[slot] = None
    _finish(world, item)
    return True


def _finish(world: World, item: Item) -> None:
    hero, dice = world.hero, world.dice
    name = KINDS[item.kind].name
    if item.kind == CORPSE:
        _corpse(world, item)
    elif name == "cave mushroom":
        _mushroom(world)
    elif name == "cake of waybread":
        world.say("It tastes of sunlight.")
        heal(world, dice.roll(1, 6))
    else:
        world.say(f"You finish the {name}." if name != "apple" else "The apple is crisp.")
    if hero.nutrition > SATIATED:
        world.say("You are full.")


def _mushroom(world: World) -> None:
    chance = world.dice.below(4)
    if chance == 0:
        world.say("The walls begin to breathe.")
        world.hero.confused = min(world.hero.confused + 12, 200)
    elif chance == 1:
        world.say("You feel the minds of the dark.")
        world.hero.sensing = min(world.hero.sensing + 60, 500)
    else:
        world.say("It tastes of earth.")


def _corpse(world: World, item: Item) -> None:
    species = SPECIES[item.extra]
    if species.name in ("cave viper", "grey jelly", "pale lichen") and world.dice.one_in(2):
        world.say("Ugh, it was poisonous.")
        world.hero.poisoned = min(world.hero.poisoned + 6, 60)
    elif species.name == "stone toad":
        world.say("You feel as strong as a stone.")
        world.hero.strength = min(world.hero.strength + 1, 25)
    elif species.name == "blinking hound" and world.dice.one_in(2):
        world.destination = (world.level.depth, "anywhere")
    elif world.dice.one_in(7):
        world.say("It was not fresh. You feel sick.")
        hurt(world, 2, "bad meat")
    else:
        world.say(f"That {species.name} tasted as it looked.")
