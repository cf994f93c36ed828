"""The start of a game: the hero with a starting kit at the gate, and the appearances of item kinds.

All of it depends only on the options.
"""

from typing import Final

from nhlog.engines.delve.maps import new_level
from nhlog.engines.delve.maps.stock import new_item
from nhlog.engines.delve.wire.records import pack_text
from nhlog.engines.delve.wire.world import NAME
from nhlog.engines.delve.world.dice import WORD, Dice
from nhlog.engines.delve.world.kinds import ARMOUR, KINDS, UNTOLD, WEAPON, number_of
from nhlog.engines.delve.world.names import LOOKS
from nhlog.engines.delve.world.pack import stow
from nhlog.engines.delve.world.powers import POWERS
from nhlog.engines.delve.world.roles import ROLES
from nhlog.engines.delve.world.sight import look_around
from nhlog.engines.delve.world.state import (
    BLESSED,
    KNOWN,
    QUIVERED,
    UNCURSED_KNOWN,
    WIELDED,
    WORN,
    Hero,
    Item,
    Lore,
    Person,
    World,
)
from nhlog.engines.delve.world.terrain import GATE, LIT
from nhlog.engines.protocol import NewGame
from nhlog.errors import Usage
from nhlog.log.wire.header import MODES

__all__ = ["begin", "grown_from"]

_RACES: Final = {
    "elven": {"dexterity": 1, "intelligence": 1, "constitution": -1},
    "dwarven": {"strength": 1, "constitution": 1, "charisma": -1},
    "gnomish": {"intelligence": 1, "dexterity": 1, "strength": -1},
    "orcish": {"strength": 1, "constitution": 1, "intelligence": -2},
}
_STATS: Final = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")


def begin(options: NewGame) -> World:
    """The world of a new game; raises :class:`Usage` for options that do not fit together."""
    _check(options)
    name = pack_text(options.name, NAME).rstrip(b"\0").decode()
    person = Person(name, options.role, options.race, options.gender, options.alignment, options.mode)
    dice = Dice.seeded(options.seed)
    seed = grown_from(dice)
    level = new_level(seed, 1)
    world = World(person, seed, dice, 1, _hero(person, dice), _lore(dice), level, {}, [1])
    world.hero.square = next(at for at, byte in enumerate(level.terrain) if byte & ~LIT == GATE)
    if (monster := level.occupants.get(world.hero.square)) is not None:
        level.remove_monster(monster)
    _equip(world)
    look_around(world)
    return world


def grown_from(dice: Dice) -> int:
    """What the levels grow from (`World.seed`); `dice` were not thrown before."""
    return (dice.word() << 32 | dice.word()) & WORD


def _check(options: NewGame) -> None:
    role = ROLES.get(options.role)
    if role is None:
        raise Usage("no such role", expected=", ".join(ROLES), found=options.role)
    for what, value, allowed in (
        ("race", options.race, role.races),
        ("gender", options.gender, role.genders),
        ("alignment", options.alignment, role.alignments),
    ):
        if value not in allowed:
            raise Usage(f"no {options.role} has this {what}", expected=", ".join(allowed), found=value)
    if not 0 <= options.mode < len(MODES):
        raise Usage("no such play mode", expected=f"0 to {len(MODES) - 1}", found=options.mode)
    if options.seed < 0:
        raise Usage("a seed is not negative", found=options.seed)


def _hero(person: Person, dice: Dice) -> Hero:
    role = ROLES[person.role]
    hero = Hero(hp=role.hp, hp_most=role.hp, pw=role.pw, pw_most=role.pw)
    for stat, value in zip(_STATS, role.stats, strict=True):
        changed = value + dice.between(-1, 1) + _RACES.get(person.race, {}).get(stat, 0)
        setattr(hero, stat, max(min(changed, 18), 3))
    if person.race == "dwarven":
        hero.hp = hero.hp_most = role.hp + 3
    hero.powers = sum(1 << POWERS.index(power) for power in role.powers)
    if person.race == "elven":
        hero.powers |= 1 << POWERS.index("searching")
    hero.spells = [number_of(name) for name in role.spells]
    return hero


def _lore(dice: Dice) -> Lore:
    looks = bytearray(len(KINDS))
    for symbol in UNTOLD:
        kinds = [number for number, kind in enumerate(KINDS) if kind.symbol == symbol]
        for number, look in zip(kinds, dice.shuffled(range(len(LOOKS[symbol]))), strict=False):
            looks[number] = look
    return Lore(looks, bytearray(len(KINDS)))


def _equip(world: World) -> None:
    """Give the hero the role's kit: identified, never cursed, the first weapon wielded and the armour worn."""
    for words in ROLES[world.person.role].kit:
        count, _, name = words.partition(" ")
        flags, bonus = 0, 0
        if name.startswith("blessed "):
            flags, name = BLESSED, name.partition(" ")[2]
        if name[0] == "+":
            bonus, name = int(name[1]), name.partition(" ")[2]
        item = new_item(world.dice, number_of(name), plain=True)
        item.count, item.bonus = int(count), bonus
        item.flags = flags | KNOWN | UNCURSED_KNOWN
        world.lore.known[item.kind] = KINDS[item.kind].symbol in UNTOLD
        _take_up(world, item)
        stow(world, item)


def _take_up(world: World, item: Item) -> None:
    kind = KINDS[item.kind]
    if kind.symbol == ARMOUR:
        item.flags |= WORN
    elif kind.symbol == WEAPON and world.wielded() is None:
        item.flags |= WIELDED
    elif kind.symbol == WEAPON and not any(other is not None and other.flags & QUIVERED for other in world.hero.pack):
        item.flags |= QUIVERED
