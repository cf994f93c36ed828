"""The state of a game: plain, mutable records, and the World that holds them all.

Everything here is in the save, except what World marks as belonging to one command.  Imports only the board and the
dice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from nhlog.engines.delve.world.board import SIZE
from nhlog.engines.delve.world.dice import Dice

__all__ = [
    "ASLEEP",
    "BLESSED",
    "CARRIED",
    "CURSED",
    "DISGUISED",
    "FLEEING",
    "GREETED",
    "HELD",
    "HURRIED",
    "KIND_MEMORY",
    "KNOWN",
    "LIGHTED",
    "MOST_ENGRAVINGS",
    "MOST_ITEMS",
    "MOST_MONSTERS",
    "PACK_PLACE",
    "PASSED",
    "QUIVERED",
    "REVIVED",
    "RULES",
    "SLOTS_CARRIED",
    "SLOWED",
    "TRAP_MEMORY",
    "UNCURSED_KNOWN",
    "WIELDED",
    "WORN",
    "Engraving",
    "Hero",
    "Item",
    "Level",
    "Lore",
    "Monster",
    "Occupation",
    "Person",
    "Trap",
    "World",
]

T = TypeVar("T")

GREETED: Final = 1  # in `Hero.settings`: the hero was welcomed

# What an item is, in `Item.flags`.
CURSED: Final = 1
BLESSED: Final = 2
UNCURSED_KNOWN: Final = 4  # the hero knows whether it is cursed or blessed
KNOWN: Final = 8  # and its bonus and charges
WIELDED: Final = 16
WORN: Final = 32
QUIVERED: Final = 64
LIGHTED: Final = 128
PASSED: Final = QUIVERED  # of an item on the floor: the hero has stood there

# What a monster is, in `Monster.flags`.
ASLEEP: Final = 1
DISGUISED: Final = 2
FLEEING: Final = 4  # for `Monster.timer` turns
HELD: Final = 8  # it holds on to the hero
SLOWED: Final = 16
HURRIED: Final = 32
REVIVED: Final = 64

SLOTS_CARRIED: Final = 52  # letters a to z, A to Z
MOST_ITEMS: Final = 128  # on a level
MOST_MONSTERS: Final = 64
MOST_ENGRAVINGS: Final = 16
CARRIED: Final = 0x8000  # an item's place: in the hands of the monster in this slot
PACK_PLACE: Final = CARRIED + MOST_MONSTERS  # and in the hero's pack

RULES: Final = 3
"""The rules of new games.

Games of version 1.000.000 go on by rules 1: they tell less of why the hero stops, and forget what doors are locked.
Games of version 1.000.001 go on by rules 2: who explores passes by what lies in the room, and waits for what lurks.
"""

# What is remembered of a square, in `Level.memory`: nothing, its terrain plus 1, or a trap or an item.
TRAP_MEMORY: Final = 64  # added to the trap's kind
KIND_MEMORY: Final = 128  # added to the item's


@dataclass(slots=True)
class Item:
    """An item or a stack; `place` is a square, or says who carries it (see `CARRIED`).

    `charges` are a wand's, or the turns spent on a meal; `extra` is the remaining fuel of a light, or the species of a
    corpse.
    """

    kind: int
    count: int = 1
    bonus: int = 0
    charges: int = 0
    flags: int = 0
    place: int = 0
    extra: int = 0


@dataclass(slots=True)
class Monster:
    """A monster; `goal` is where it believes the hero is (0: it does not know).

    `timer` counts turns down: fear, slowness, sleep from a spell.  `disguise` is the kind of item that a mimic
    imitates.
    """

    species: int
    square: int
    hp: int
    most: int
    energy: int = 0
    flags: int = 0
    timer: int = 0
    goal: int = 0
    disguise: int = 0


@dataclass(slots=True)
class Trap:
    """A trap; `seen` is whether it is known."""

    kind: int
    square: int
    seen: int = 0


@dataclass(slots=True)
class Engraving:
    """Words in the dust; `wear` is how often they can still be walked on."""

    square: int
    wear: int
    text: str


@dataclass(slots=True)
class Level:
    """A level; the slots of monsters, items and traps are stable, and None where they are free."""

    depth: int
    style: int
    terrain: bytearray
    memory: bytearray
    monsters: list[Monster | None] = field(default_factory=list)
    items: list[Item | None] = field(default_factory=list)
    traps: list[Trap | None] = field(default_factory=list)
    engravings: list[Engraving] = field(default_factory=list)
    grave: str = ""  # whose bones lie here
    visited: int = 0  # the turn when the hero was here last
    occupants: dict[int, Monster] = field(default_factory=dict)  # derived: who stands where

    @classmethod
    def blank(cls, depth: int, style: int) -> "Level":
        """A level of solid rock, of which nothing is remembered."""
        return cls(depth, style, bytearray(SIZE), bytearray(SIZE))

    def add_monster(self, monster: Monster) -> bool:
        """Put a monster on its square, which must be free; returns False if there are too many."""
        if not _settle(self.monsters, monster, MOST_MONSTERS):
            return False
        self.occupants[monster.square] = monster
        return True

    def remove_monster(self, monster: Monster) -> None:
        """Remove a monster from the level; what it carries is left on its square."""
        self.occupants.pop(monster.square, None)
        slot = self.slot_of(monster)
        self.monsters[slot] = None
        for item in self.items_at(CARRIED + slot):
            item.place = monster.square

    def move_monster(self, monster: Monster, at: int) -> None:
        """Move a monster to another square, which must be free."""
        self.occupants.pop(monster.square, None)
        monster.square = at
        self.occupants[at] = monster

    def slot_of(self, monster: Monster) -> int:
        """The slot of a monster."""
        return next(slot for slot, other in enumerate(self.monsters) if other is monster)

    def live(self) -> list[Monster]:
        """All monsters, in the order of their slots."""
        return [monster for monster in self.monsters if monster is not None]

    def add_item(self, item: Item, at: int) -> bool:
        """Put an item on a square; returns False if there is no room on the level."""
        item.place = at
        item.flags &= ~(WIELDED | WORN | QUIVERED)
        return _settle(self.items, item, MOST_ITEMS)

    def remove_item(self, item: Item) -> None:
        """Remove an item from the level."""
        self.items[next(slot for slot, other in enumerate(self.items) if other is item)] = None

    def items_at(self, at: int) -> list[Item]:
        """The items on a square (or carried there, see `CARRIED`)."""
        return [item for item in self.items if item is not None and item.place == at]

    def trap_at(self, at: int) -> Trap | None:
        """The trap on a square, known or not."""
        return next((trap for trap in self.traps if trap is not None and trap.square == at), None)

    def engraving_at(self, at: int) -> Engraving | None:
        """The engraving on a square; None if there is none."""
        return next((words for words in self.engravings if words.square == at), None)


def _settle(slots: list[T | None], thing: T, most: int) -> bool:
    """Put a thing into the first free slot; False if there is none."""
    for number, other in enumerate(slots):
        if other is None:
            slots[number] = thing
            return True
    if len(slots) >= most:
        return False
    slots.append(thing)
    return True


@dataclass(frozen=True, slots=True)
class Person:
    """The player's character: the header's words in full, and the play mode's number."""

    name: str
    role: str
    race: str
    gender: str
    alignment: str
    mode: int


@dataclass(slots=True)
class Hero:
    """The hero's body and mind; timers count turns."""

    square: int = 0
    hp: int = 1
    hp_most: int = 1
    pw: int = 0
    pw_most: int = 0
    level: int = 1
    points: int = 0
    gold: int = 0
    nutrition: int = 900
    strength: int = 10
    dexterity: int = 10
    constitution: int = 10
    intelligence: int = 10
    wisdom: int = 10
    charisma: int = 10
    blind: int = 0
    confused: int = 0
    fast: int = 0
    floating: int = 0
    poisoned: int = 0
    sensing: int = 0
    stuck: int = 0
    prayer: int = 300
    luck: int = 0
    powers: int = 0  # see `nhlog.engines.delve.world.powers`
    deepest: int = 1
    kills: int = 0
    rescued: int = 0  # how often death was put off
    recall: int = 0  # turns until a scroll of return takes effect
    settings: int = 0  # GREETED, and what `nhlog.engines.delve.hero.options` keeps
    spells: list[int] = field(default_factory=list)
    pack: list[Item | None] = field(default_factory=lambda: [None] * SLOTS_CARRIED)


@dataclass(slots=True)
class Lore:
    """The appearances of kinds in this game, and what the hero knows of them; all by number of kind."""

    looks: bytearray
    known: bytearray
    called: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Occupation:
    """An activity that takes more turns: `left` of them; `target` is a square, a direction or a slot of the pack."""

    name: str
    left: int
    target: int = 0


@dataclass(slots=True)
class World:
    """The whole game; `stored` has the other levels, as bytes, in the order of their first visit."""

    person: Person
    seed: int  # what the levels grow from
    dice: Dice
    turn: int
    hero: Hero
    lore: Lore
    level: Level
    stored: dict[int, bytes]
    order: list[int]
    messages: list[str] = field(default_factory=list)
    ending: str = ""
    rules: int = RULES
    # Of this command alone:
    occupation: Occupation | None = None
    disturbed: bool = False  # something happened that ends whatever takes several turns
    noticed: bool = False  # something is here that ends a run
    helpless: int = 0
    helpless_how: str = ""
    killer: str = ""
    destination: tuple[int, str] | None = None  # the level that the hero is about to come to, and how
    bones: tuple[str, bytes] | None = None
    ways: dict[bytes, list[int]] = field(default_factory=dict)  # derived: steps to the hero, while nothing moves it
    view: bytes = b""  # derived: what the hero has before the eyes, a byte for each square

    def say(self, text: str) -> None:
        """Add a message for the player, starting with a capital letter."""
        self.messages.append(text[:1].upper() + text[1:])

    def worn(self) -> Iterator[Item]:
        """The items that the hero wears."""
        return (item for item in self.hero.pack if item is not None and item.flags & WORN)

    def wielded(self) -> Item | None:
        """The item that the hero wields; None if there is none."""
        return next((item for item in self.hero.pack if item is not None and item.flags & WIELDED), None)
