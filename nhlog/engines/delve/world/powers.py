"""The hero's powers, from nature and from worn items, and values derived from attributes.

Each power is a bit of `Hero.powers`.  Imports only the tables and the records.
"""

from typing import Final

from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.state import LIGHTED, World

__all__ = ["POWERS", "armour_class", "damage_bonus", "has", "hit_bonus", "light_radius", "strength"]

POWERS: Final = ("stealth", "searching", "holy", "true sight", "freedom", "regeneration")

_GIVEN: Final = {
    "ring of regeneration": "regeneration",
    "ring of freedom": "freedom",
    "ring of true sight": "true sight",
    "ring of hunger": "hunger",
    "ring of restlessness": "restlessness",
    "ring of stealth": "stealth",
    "felt boots": "stealth",
    "amulet of sensing": "sensing",
    "amulet of lead": "lead",
    "amulet of second chance": "second chance",
    "cloak of warding": "warding",
    "gauntlets of might": "might",
    "miner's helm": "helm light",
}
"""The power that each item gives while it is worn."""


def has(world: World, power: str) -> bool:
    """Whether the hero has a power, by nature or from worn items."""
    if power in POWERS and world.hero.powers >> POWERS.index(power) & 1:
        return True
    if power == "sensing" and world.hero.sensing:
        return True
    return any(_GIVEN.get(KINDS[item.kind].name) == power for item in world.worn())


def strength(world: World) -> int:
    """The current strength."""
    if has(world, "might"):
        return 23
    rings = sum(item.bonus for item in world.worn() if KINDS[item.kind].name == "ring of strength")
    return max(min(world.hero.strength + rings, 25), 3)


def armour_class(world: World) -> int:
    """The armour class: 10 without armour, lower is better."""
    worn = 0
    for item in world.worn():
        kind = KINDS[item.kind]
        if kind.slot:
            worn += max(kind.armour + item.bonus, 0)
        elif kind.name == "ring of protection":
            worn += item.bonus
    dexterity = world.hero.dexterity
    return 10 - worn - (max(dexterity - 14, 0) + 1) // 2


def hit_bonus(world: World) -> int:
    """The bonus to hit from strength, dexterity and luck."""
    hero = world.hero
    return max(strength(world) - 15, 0) // 2 + max(hero.dexterity - 12, 0) // 2 + hero.luck


def damage_bonus(world: World) -> int:
    """The bonus to damage from strength."""
    return max(strength(world) - 14, 0) // 2


def light_radius(world: World) -> int:
    """The distance that the hero sees in the dark, in squares."""
    radius = 2 if has(world, "helm light") else 1
    for item in world.hero.pack:
        if item is not None and item.flags & LIGHTED:
            radius = max(radius, KINDS[item.kind].light)
    return radius
