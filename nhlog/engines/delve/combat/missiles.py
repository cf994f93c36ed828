"""Missiles: things that are thrown or shot, rocks, breath, rays.

A missile stops at the first thing that it hits, or at the end of its path; an item then lies there.
"""

from typing import Final

from nhlog.engines.delve.combat.blows import cause_of
from nhlog.engines.delve.combat.harm import hurt, wound
from nhlog.engines.delve.world.board import OFFSETS, distance, line
from nhlog.engines.delve.world.kinds import KINDS, number_of
from nhlog.engines.delve.world.names import article, call_monster, name_of
from nhlog.engines.delve.world.pack import alike
from nhlog.engines.delve.world.powers import armour_class, damage_bonus, has, hit_bonus
from nhlog.engines.delve.world.sight import in_line, spotted
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import DISGUISED, Item, Monster, World
from nhlog.engines.delve.world.terrain import BARRIER

__all__ = ["breathe", "drop_missile", "fire_at_hero", "hurl", "launch", "path", "range_of_throw"]

RANGE: Final = 8
_AMMUNITION: Final = {name: number_of(name) for name in ("arrow", "dart")}


def path(world: World, start: int, offset: int, far: int) -> list[int]:
    """The squares in one direction before something solid, at most `far` of them."""
    way = []
    at = start
    for _ in range(far):
        at += offset
        if BARRIER[world.level.terrain[at]]:
            break
        way.append(at)
    return way


def range_of_throw(world: World) -> int:
    """The distance in squares that the hero can throw."""
    return RANGE + max(world.hero.strength - 14, 0) // 3


def launch(world: World, item: Item, offset: int, launcher: Item | None) -> None:
    """Let one item fly, which was removed from the pack already."""
    kind = KINDS[item.kind]
    at = world.hero.square
    for there in path(world, at, offset, range_of_throw(world) + (4 if launcher else 0)):
        at = there
        monster = world.level.occupants.get(at)
        if monster is not None and _strikes(world, item, monster, launcher):
            if kind.missile and world.dice.one_in(3):
                return
            break
    drop_missile(world, item, at)


def _strikes(world: World, item: Item, monster: Monster, launcher: Item | None) -> bool:
    """Whether the item hits the monster; includes the consequences."""
    kind, species, dice = KINDS[item.kind], SPECIES[monster.species], world.dice
    fits = launcher is not None and KINDS[launcher.kind].fires == kind.name
    bonus = kind.hit + item.bonus + (launcher.bonus + 2 if fits and launcher else 0)
    seen = spotted(world, monster) or bool(monster.flags & DISGUISED)
    name = call_monster(world, monster.species, seen=seen and not monster.flags & DISGUISED)
    thing = name_of(world.lore, item, 1).partition(" ")[2]
    if 1 + world.hero.level + species.armour + hit_bonus(world) + bonus + 2 <= 1 + dice.below(20):
        if seen:
            world.say(f"The {thing} misses {name}.")
        return False
    damage = dice.roll(*kind.damage) + item.bonus
    if fits and launcher:
        damage += launcher.bonus + dice.between(1, 3)
    elif kind.fires or kind.name == "arrow":
        damage = dice.between(1, 2)
    else:
        damage += damage_bonus(world) // 2
    world.say(f"The {thing} hits {name}{'.' if damage < monster.hp else '!'}")
    wound(world, monster, max(damage, 1))
    return True


def drop_missile(world: World, item: Item, at: int) -> None:
    """Put an item on a square, stacked with others of its kind."""
    for other in world.level.items_at(at):
        if alike(other, item):
            other.count += item.count
            return
    world.level.add_item(item, at)


def fire_at_hero(world: World, monster: Monster, ammunition: str) -> bool:
    """Let the monster shoot at the hero; returns False if it cannot from its place."""
    hero, level = world.hero, world.level
    far = distance(monster.square, hero.square)
    if far > RANGE or far < 2 or not in_line(world, monster.square):
        return False
    way = line(monster.square, hero.square)
    if any(BARRIER[level.terrain[at]] or at in level.occupants for at in way[:-1]):
        return False
    seen = spotted(world, monster)
    name = call_monster(world, monster.species, seen=seen)
    world.say(f"{name} {'shoots' if ammunition == 'arrow' else 'throws'} {article(ammunition)}.")
    world.disturbed = True
    item = Item(_AMMUNITION[ammunition])
    if 10 + SPECIES[monster.species].level + armour_class(world) > world.dice.between(1, 20) + 4:
        world.say(f"The {ammunition} hits you!")
        hurt(world, world.dice.roll(1, 6 if ammunition == "arrow" else 3), article(ammunition))
        if world.dice.one_in(2):
            return True
    else:
        world.say(f"The {ammunition} misses you.")
    drop_missile(world, item, hero.square)
    return True


def hurl(world: World, monster: Monster) -> bool:
    """Let the monster throw a rock at the hero; returns False if it cannot."""
    hero, level = world.hero, world.level
    way = line(monster.square, hero.square)
    if not 1 < len(way) <= 10 or not in_line(world, monster.square):
        return False
    if any(BARRIER[level.terrain[at]] or at in level.occupants for at in way[:-1]):
        return False
    world.say(f"{call_monster(world, monster.species, seen=spotted(world, monster))} hurls a boulder!")
    if 8 + SPECIES[monster.species].level + armour_class(world) > world.dice.between(1, 20):
        world.say("The boulder crashes into you!")
        hurt(world, world.dice.roll(2, 8), "a boulder")
    else:
        world.say("The boulder shatters beside you.")
    world.disturbed = True
    return True


def breathe(world: World, monster: Monster) -> bool:
    """Let the monster breathe fire if the hero is in one of eight directions; returns False if not."""
    hero = world.hero
    far = distance(monster.square, hero.square)
    if far > 7 or not in_line(world, monster.square):
        return False
    for offset in OFFSETS:
        if monster.square + offset * far == hero.square:
            break
    else:
        return False
    world.say(f"{call_monster(world, monster.species, seen=spotted(world, monster))} breathes fire!")
    world.disturbed = True
    for at in path(world, monster.square, offset, 7):
        if at == hero.square:
            damage = world.dice.roll(3, 6)
            world.say("The fire washes over you!")
            hurt(world, damage // 2 if has(world, "warding") else damage, f"the fire of {cause_of(monster)}")
            continue
        other = world.level.occupants.get(at)
        if other is not None and "fireproof" not in SPECIES[other.species].traits:
            wound(world, other, world.dice.roll(4, 6), fire=True, by_hero=False)
    return True
