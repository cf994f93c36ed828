"""All kinds of items: names, and the numbers that the rules use.

A kind's number is its index in `KINDS`, which saves refer to; 0 is no item.  Imports nothing of the game.
"""

from typing import Final

from nhlog.values import NamedTuple

__all__ = [
    "AMULET",
    "ARMOUR",
    "BOOK",
    "CLASSES",
    "EMBER",
    "FOOD",
    "GOLD",
    "KINDS",
    "POTION",
    "RING",
    "SCROLL",
    "TOOL",
    "TREASURE",
    "UNTOLD",
    "WAND",
    "WEAPON",
    "Kind",
    "number_of",
]

WEAPON, ARMOUR, FOOD, POTION, SCROLL, BOOK, WAND, RING, AMULET, TOOL, TREASURE = ')[%!?+/="($'

CLASSES: Final = {
    WEAPON: "Weapons",
    ARMOUR: "Armour",
    FOOD: "Food",
    POTION: "Potions",
    SCROLL: "Scrolls",
    BOOK: "Books",
    WAND: "Wands",
    RING: "Rings",
    AMULET: "Amulets",
    TOOL: "Tools",
    TREASURE: "Treasure",
}
"""The name of a class by its symbol, in the order of an inventory."""

UNTOLD: Final = (POTION, SCROLL, BOOK, WAND, RING, AMULET)
"""The classes whose kinds have a different appearance in each game."""


class Kind(NamedTuple):
    """A kind of item.

    `rarity` is how common it is in its class, 0 if it is never generated.  `damage` is the number and sides of dice;
    `slot` is where armour is worn; `fires` the missile that a launcher shoots; `aimed` whether a wand or a spell needs
    a direction; `level` is a spell's.
    """

    name: str
    symbol: str
    color: int
    rarity: int = 0
    price: int = 0
    damage: tuple[int, int] = (1, 2)
    hit: int = 0
    armour: int = 0
    slot: str = ""
    nutrition: int = 0
    delay: int = 1
    charges: tuple[int, int] = (0, 0)
    level: int = 0
    hands: int = 1
    fires: str = ""
    missile: bool = False
    aimed: bool = False
    light: int = 0


def _weapon(
    name: str, color: int, rarity: int, price: int, damage: tuple[int, int], hit: int = 0, hands: int = 1
) -> Kind:
    return Kind(name, WEAPON, color, rarity, price, damage, hit, hands=hands)


def _missile(name: str, color: int, rarity: int, damage: tuple[int, int], hit: int) -> Kind:
    return Kind(name, WEAPON, color, rarity, 2, damage, hit, missile=True)


def _armour(name: str, color: int, rarity: int, price: int, armour: int, slot: str, delay: int = 1) -> Kind:
    return Kind(name, ARMOUR, color, rarity, price, armour=armour, slot=slot, delay=delay)


def _food(name: str, color: int, rarity: int, nutrition: int, delay: int) -> Kind:
    return Kind(name, FOOD, color, rarity, 10, nutrition=nutrition, delay=delay)


def _potion(name: str, rarity: int, price: int) -> Kind:
    return Kind(f"potion of {name}", POTION, 5, rarity, price)


def _scroll(name: str, rarity: int, price: int) -> Kind:
    return Kind(f"scroll of {name}", SCROLL, 15, rarity, price)


def _book(name: str, rarity: int, level: int, *, aimed: bool = False) -> Kind:
    return Kind(f"book of {name}", BOOK, 13, rarity, 100 * level, level=level, aimed=aimed)


def _wand(name: str, rarity: int, charges: tuple[int, int], *, aimed: bool = True) -> Kind:
    return Kind(f"wand of {name}", WAND, 6, rarity, 150, charges=charges, aimed=aimed)


def _ring(name: str, rarity: int) -> Kind:
    return Kind(f"ring of {name}", RING, 14, rarity, 150)


KINDS: Final = (
    Kind("nothing", " ", 0),
    _weapon("dagger", 6, 14, 4, (1, 4), 2),
    _weapon("short sword", 6, 12, 10, (1, 6)),
    _weapon("long sword", 6, 10, 20, (1, 10)),
    _weapon("spear", 6, 10, 6, (1, 8)),
    _weapon("hand axe", 6, 9, 9, (1, 7)),
    _weapon("mace", 6, 9, 8, (1, 8), 0),
    _weapon("quarterstaff", 3, 6, 5, (1, 6), 1, 2),
    _weapon("great maul", 6, 5, 40, (3, 6), -2, 2),
    _weapon("moon blade", 14, 2, 300, (2, 8), 2),
    Kind("bow", WEAPON, 3, 7, 60, (1, 2), hands=2, fires="arrow"),
    _missile("arrow", 6, 14, (1, 7), 1),
    _missile("dart", 6, 12, (1, 4), 2),
    _missile("throwing star", 6, 5, (1, 8), 2),
    _armour("leather jerkin", 3, 14, 10, 2, "body", 2),
    _armour("ring mail", 6, 10, 60, 3, "body", 3),
    _armour("chain mail", 6, 8, 90, 5, "body", 3),
    _armour("plate mail", 6, 4, 400, 7, "body", 5),
    _armour("wool cloak", 3, 10, 20, 1, "cloak"),
    _armour("cloak of warding", 13, 3, 120, 1, "cloak"),
    _armour("small shield", 3, 9, 10, 1, "shield"),
    _armour("tower shield", 6, 5, 40, 3, "shield"),
    _armour("iron cap", 6, 10, 10, 1, "head"),
    _armour("miner's helm", 11, 4, 60, 1, "head"),
    _armour("leather gloves", 3, 9, 10, 1, "hands"),
    _armour("gauntlets of might", 6, 2, 150, 1, "hands"),
    _armour("leather boots", 3, 10, 10, 1, "feet"),
    _armour("felt boots", 7, 4, 60, 1, "feet"),
    _food("ration", 3, 30, 800, 5),
    _food("cake of waybread", 11, 14, 600, 2),
    _food("apple", 1, 14, 60, 1),
    _food("smoked fish", 6, 14, 250, 2),
    _food("cave mushroom", 13, 12, 120, 1),
    _food("corpse", 1, 0, 200, 3),
    _potion("healing", 20, 20),
    _potion("great healing", 9, 100),
    _potion("swiftness", 9, 100),
    _potion("blindness", 7, 60),
    _potion("confusion", 8, 60),
    _potion("sleep", 8, 60),
    _potion("experience", 4, 200),
    _potion("keen sight", 7, 50),
    _potion("might", 6, 150),
    _potion("floating", 8, 100),
    _potion("venom", 7, 40),
    _potion("clear mind", 7, 80),
    _scroll("identify", 26, 20),
    _scroll("enchant weapon", 12, 60),
    _scroll("enchant armour", 12, 80),
    _scroll("remove curse", 9, 60),
    _scroll("teleportation", 9, 80),
    _scroll("mapping", 8, 80),
    _scroll("light", 8, 40),
    _scroll("terror", 6, 80),
    _scroll("fire", 6, 60),
    _scroll("beckoning", 6, 80),
    _scroll("rust", 4, 40),
    _scroll("return", 5, 120),
    _book("force bolt", 14, 1, aimed=True),
    _book("healing", 12, 1, aimed=True),
    _book("light", 10, 1),
    _book("sleep", 10, 2, aimed=True),
    _book("sensing", 8, 1),
    _book("blinking", 8, 3),
    _book("haste", 6, 2),
    _book("fire bolt", 7, 3, aimed=True),
    _wand("striking", 14, (4, 8)),
    _wand("sparks", 12, (4, 8)),
    _wand("fire", 7, (3, 6)),
    _wand("frost", 7, (3, 6)),
    _wand("slumber", 9, (3, 6)),
    _wand("slowness", 9, (4, 8)),
    _wand("banishing", 8, (3, 6)),
    _wand("digging", 8, (3, 7)),
    _wand("light", 10, (8, 12), aimed=False),
    _wand("calling", 5, (4, 8), aimed=False),
    _ring("protection", 8),
    _ring("strength", 7),
    _ring("regeneration", 4),
    _ring("freedom", 6),
    _ring("true sight", 6),
    _ring("hunger", 5),
    _ring("restlessness", 5),
    _ring("stealth", 6),
    Kind("amulet of second chance", AMULET, 11, 4, 500),
    Kind("amulet of sensing", AMULET, 11, 7, 150),
    Kind("amulet of lead", AMULET, 11, 4, 50),
    Kind("torch", TOOL, 3, 20, 3, light=3, missile=False),
    Kind("brass lantern", TOOL, 11, 10, 30, light=5),
    Kind("skeleton key", TOOL, 6, 10, 10),
    Kind("pick-axe", TOOL, 6, 6, 50, (1, 6), hands=1),
    Kind("tin whistle", TOOL, 6, 6, 10),
    Kind("gold piece", TREASURE, 11, 0, 1),
    Kind("Ember of Aud", TREASURE, 9, 0, 5000, light=4),
)

_NUMBERS: Final = {kind.name: number for number, kind in enumerate(KINDS)}


def number_of(name: str) -> int:
    """The number of the kind with this name."""
    return _NUMBERS[name]


GOLD: Final = number_of("gold piece")
EMBER: Final = number_of("Ember of Aud")
