"""The contents of a level: monsters, items, gold, traps, engravings.

The first levels are easier.
"""

from typing import Final

from nhlog.engines.delve.maps.ground import floors
from nhlog.engines.delve.world.board import distance
from nhlog.engines.delve.world.dice import Dice
from nhlog.engines.delve.world.kinds import (
    AMULET,
    ARMOUR,
    BOOK,
    CLASSES,
    FOOD,
    GOLD,
    KINDS,
    POTION,
    RING,
    SCROLL,
    TOOL,
    WAND,
    WEAPON,
    number_of,
)
from nhlog.engines.delve.world.species import SPECIES, species_named
from nhlog.engines.delve.world.state import ASLEEP, BLESSED, CURSED, DISGUISED, Engraving, Item, Level, Monster, Trap
from nhlog.engines.delve.world.terrain import GATE, LIT, STAIRS_UP, SWIM
from nhlog.engines.delve.world.traps import TRAPS

__all__ = ["new_item", "new_kind", "new_monster", "place_group", "random_species", "stock"]

_WEIGHTS: Final = {
    WEAPON: 14,
    ARMOUR: 13,
    FOOD: 16,
    POTION: 18,
    SCROLL: 18,
    BOOK: 4,
    WAND: 5,
    RING: 4,
    AMULET: 1,
    TOOL: 7,
}
_OF_CLASS: Final = {
    symbol: [number for number, kind in enumerate(KINDS) if kind.symbol == symbol and kind.rarity] for symbol in CLASSES
}
_BURNING: Final = {"torch": 700, "brass lantern": 1600}  # turns
_WORDS: Final = (
    "Turn back",
    "AUD keeps the flame",
    "they fear the word AUD, written in dust",
    "the third step is loose",
    "it can wait longer than you",
    "do not strike the grey ones",
    "light is life below",
    "what sleeps, let sleep",
    "Aldis was here, and is",
    "count your coins after the little men",
)
_DISGUISES: Final = (number_of("long sword"), number_of("plate mail"), number_of("brass lantern"), GOLD)
_SAFE: Final = 6  # steps from the stairs in which nobody waits


def new_kind(dice: Dice) -> int:
    """A random kind of item."""
    symbol = dice.weighed(tuple(_WEIGHTS), tuple(_WEIGHTS.values()))
    kinds = _OF_CLASS[symbol]
    return dice.weighed(kinds, [KINDS[number].rarity for number in kinds])


def new_item(dice: Dice, number: int, *, plain: bool = False) -> Item:
    """A random item of a kind; a plain one has no unusual properties."""
    kind = KINDS[number]
    item = Item(number)
    if kind.missile:
        item.count = dice.between(6, 14)
    elif kind.symbol == FOOD and dice.one_in(5):
        item.count = 2
    if kind.charges[1]:
        item.charges = dice.between(*kind.charges)
    item.extra = _BURNING.get(kind.name, 0)
    if kind.name in ("ring of protection", "ring of strength"):
        item.bonus = dice.between(1, 3)
    if plain:
        return item
    luck = dice.below(100)
    if kind.symbol in (WEAPON, ARMOUR):
        if luck < 12:
            item.bonus, item.flags = dice.between(1, 3), BLESSED if luck < 4 else 0
        elif luck < 22:
            item.bonus, item.flags = -dice.between(1, 2), CURSED
    elif luck < 10:
        item.flags = BLESSED
    elif luck < 22 and kind.symbol not in (FOOD, TOOL):
        item.flags = CURSED
        item.bonus = -item.bonus
    if kind.name in ("ring of hunger", "ring of restlessness", "amulet of lead") and luck < 80:
        item.flags = CURSED
    return item


def random_species(dice: Dice, depth: int) -> int:
    """A random species for this depth or a bit less."""
    known = [
        number for number, kind in enumerate(SPECIES) if 0 < kind.depth <= depth and "waterbound" not in kind.traits
    ]
    weights = [SPECIES[number].rarity * (3 if SPECIES[number].depth >= depth - 3 else 1) for number in known]
    return dice.weighed(known, weights)


def new_monster(dice: Dice, species: int, at: int) -> Monster:
    """A monster of a species, awake unless the species is one that sleeps."""
    kind = SPECIES[species]
    hp = max(dice.roll(kind.level, 8), 1) if kind.level else dice.between(1, 4)
    flags = (ASLEEP if "sleeps" in kind.traits else 0) | (DISGUISED if "disguised" in kind.traits else 0)
    disguise = dice.pick(_DISGUISES) if flags & DISGUISED else 0
    return Monster(species, at, hp, hp, flags=flags, disguise=disguise)


def place_group(level: Level, dice: Dice, species: int, at: int, places: list[int]) -> None:
    """Place a monster and its group as near to each other as possible."""
    size = 1 if SPECIES[species].group == 1 else dice.between(2, SPECIES[species].group)
    near = sorted((place for place in places if place not in level.occupants), key=lambda place: distance(place, at))
    asleep = ASLEEP if dice.one_in(3) else 0
    for place in near[:size]:
        monster = new_monster(dice, species, place)
        monster.flags |= asleep
        level.add_monster(monster)


def stock(level: Level, dice: Dice) -> None:
    """Put all contents on a level whose terrain is finished."""
    ground = floors(level)
    start = next(at for at, byte in enumerate(level.terrain) if byte & ~LIT in (GATE, STAIRS_UP))
    away = [at for at in ground if distance(at, start) > _SAFE] or ground
    for _ in range(dice.between(4, 6) + level.depth // 2):
        place_group(level, dice, random_species(dice, level.depth), dice.pick(away), away)
    water = [at for at, byte in enumerate(level.terrain) if SWIM[byte]]
    for _ in range(min(len(water) // 80, 4)):
        species = species_named(dice.pick(("blind eel", "blind eel", "drowned miner")))
        place_group(level, dice, species, dice.pick(water), water)
    for _ in range(dice.between(7, 10)):
        level.add_item(new_item(dice, new_kind(dice)), dice.pick(ground))
    if level.depth == 1 or dice.one_in(2):
        level.add_item(new_item(dice, number_of("ration"), plain=True), dice.pick(ground))
    for _ in range(dice.between(2, 4)):
        level.add_item(Item(GOLD, dice.between(5, 15 + 12 * level.depth)), dice.pick(ground))
    _set_traps(level, dice, [at for at in ground if distance(at, start) > 2])
    for words in dice.shuffled(_WORDS)[: dice.below(3)]:
        level.engravings.append(Engraving(dice.pick(ground), 200, words))


def _set_traps(level: Level, dice: Dice, places: list[int]) -> None:
    deepest = level.depth == 10
    kinds = [
        number
        for number, kind in enumerate(TRAPS)
        if kind.depth <= level.depth and not (deepest and kind.name == "trapdoor")
    ]
    for _ in range(dice.between(2, 3) + level.depth // 2):
        at = dice.pick(places)
        if level.trap_at(at) is None:
            level.traps.append(Trap(dice.pick(kinds), at))
