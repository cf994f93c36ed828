"""Damage and death, of monsters and of the hero; experience.

All loss of hit points happens here.  The hero's death itself is handled after the action (see `course.command`).
"""

from typing import Final

from nhlog.engines.delve.maps.stock import new_item, new_kind
from nhlog.engines.delve.world.board import OFFSETS
from nhlog.engines.delve.world.kinds import number_of
from nhlog.engines.delve.world.names import call_monster
from nhlog.engines.delve.world.roles import ROLES
from nhlog.engines.delve.world.sight import spotted
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import (
    ASLEEP,
    DISGUISED,
    FLEEING,
    HELD,
    HURRIED,
    REVIVED,
    Item,
    Monster,
    World,
)
from nhlog.engines.delve.world.terrain import WALK

__all__ = [
    "MOST_LEVEL",
    "earn",
    "free_near",
    "frighten",
    "heal",
    "hurt",
    "kill",
    "lose_level",
    "make_helpless",
    "raise_level",
    "threshold",
    "wake",
    "wake_all",
    "wound",
]

MOST_LEVEL: Final = 20
CORPSE: Final = number_of("corpse")
_HEALTHY: Final = 4  # a corpse's chances to be left, one in so many
_FINDS: Final = 9  # a thing's


def hurt(world: World, amount: int, by: str) -> None:
    """Take hit points from the hero; `by` is the cause of a death."""
    if amount > 0:
        world.hero.hp = max(world.hero.hp - amount, -999)
        world.disturbed = True
        world.killer = by


def heal(world: World, amount: int, *, beyond: int = 0) -> None:
    """Give hit points to the hero; `beyond` is added to the maximum if the hero was at full health."""
    hero = world.hero
    hero.hp += amount
    if hero.hp > hero.hp_most:
        hero.hp_most = min(hero.hp_most + beyond, 999)
        hero.hp = hero.hp_most


def make_helpless(world: World, turns: int, how: str) -> None:
    """Prevent the hero from acting for some turns."""
    if turns > world.helpless:
        world.helpless, world.helpless_how = turns, how
    world.disturbed = True


def wake(monster: Monster) -> None:
    """Wake a monster, and end its disguise."""
    monster.flags &= ~(ASLEEP | DISGUISED)
    monster.disguise = 0


def wake_all(world: World) -> None:
    """Wake all undisguised monsters of the level, and let them know where the hero is."""
    for monster in world.level.live():
        if not monster.flags & DISGUISED:
            monster.flags &= ~ASLEEP
            monster.goal = world.hero.square


def frighten(world: World, monster: Monster, turns: int) -> None:
    """Wake a monster and let it flee for some turns, unless it is fearless."""
    if SPECIES[monster.species].mind != "warden":
        wake(monster)
        monster.flags = (monster.flags | FLEEING) & ~HELD
        monster.timer = min(max(monster.timer, turns), 200)


def free_near(world: World, at: int) -> int:
    """A square next to `at` where a monster can stand; 0 if there is none."""
    level = world.level
    places = [
        at + offset
        for offset in OFFSETS
        if WALK[level.terrain[at + offset]] and at + offset not in level.occupants and at + offset != world.hero.square
    ]
    return world.dice.pick(places) if places else 0


def wound(world: World, monster: Monster, amount: int, *, fire: bool = False, by_hero: bool = True) -> bool:
    """Take hit points from a monster; returns whether that kills it."""
    wake(monster)
    traits = SPECIES[monster.species].traits
    monster.hp -= max(amount, 0)
    if by_hero and not monster.goal:
        monster.goal = world.hero.square
    if monster.hp > 0:
        if "splits" in traits and monster.hp > 1 and amount > 0 and not fire:
            _split(world, monster)
        if "rages" in traits and monster.hp * 2 < monster.most and not monster.flags & HURRIED:
            monster.flags |= HURRIED
            if spotted(world, monster):
                world.say(f"{call_monster(world, monster.species, seen=True)} howls with rage!")
        return False
    if "revives" in traits and not fire and not monster.flags & REVIVED:
        monster.flags = (monster.flags | REVIVED | ASLEEP) & ~HELD
        monster.hp, monster.timer = max(monster.most // 2, 1), 10
        if spotted(world, monster):
            world.say(f"{call_monster(world, monster.species, seen=True)} falls, but its wounds are closing.")
        return False
    kill(world, monster, by_hero=by_hero)
    return True


def _split(world: World, monster: Monster) -> None:
    at = free_near(world, monster.square)
    if not at:
        return
    half = monster.hp // 2
    twin = Monster(monster.species, at, half, half, goal=monster.goal)
    if half and world.level.add_monster(twin):
        monster.hp -= half
        monster.most = max(monster.hp, monster.most - half)
        if spotted(world, monster):
            world.say(f"{call_monster(world, monster.species, seen=True)} splits in two!")


def kill(world: World, monster: Monster, *, by_hero: bool) -> None:
    """Remove a monster from the level; it drops what it carried."""
    level, dice = world.level, world.dice
    species = SPECIES[monster.species]
    seen = spotted(world, monster)
    name = call_monster(world, monster.species, seen=seen)
    level.remove_monster(monster)
    if by_hero:
        world.say(f"You {'destroy' if 'dead' in species.traits else 'kill'} {name}!")
        world.hero.kills = min(world.hero.kills + 1, 30_000)
        earn(world, _worth(monster))
    elif seen:
        world.say(f"{name} {'is destroyed' if 'dead' in species.traits else 'dies'}!")
    if not WALK[level.terrain[monster.square]]:
        return
    if species.level > 0 and "dead" not in species.traits and "frail" not in species.traits and dice.one_in(_HEALTHY):
        level.add_item(Item(CORPSE, extra=monster.species), monster.square)
    elif dice.one_in(_FINDS):
        level.add_item(new_item(dice, new_kind(dice)), monster.square)


def _worth(monster: Monster) -> int:
    """The experience points for a monster's death."""
    species = SPECIES[monster.species]
    blows = sum(attack.dice * attack.sides for attack in species.attacks)
    return 1 + species.level**2 + max(species.speed - 12, 0) // 3 + blows // 4 + 3 * len(species.traits)


def threshold(level: int) -> int:
    """The experience points at which a hero of this level reaches the next one."""
    return 10 * level * (level + 1)


def earn(world: World, points: int) -> None:
    """Give experience points to the hero."""
    hero = world.hero
    hero.points = min(hero.points + points, 1_000_000_000)
    while hero.level < MOST_LEVEL and hero.points >= threshold(hero.level):
        raise_level(world)


def raise_level(world: World) -> None:
    """Raise the hero's experience level."""
    hero, dice = world.hero, world.dice
    if hero.level >= MOST_LEVEL:
        return
    role = ROLES[world.person.role]
    hero.points = max(hero.points, threshold(hero.level))
    hero.level += 1
    gained = max(dice.between(2, role.hit_die) + max(hero.constitution - 14, 0) // 2, 1)
    hero.hp_most = min(hero.hp_most + gained, 999)
    hero.hp = min(hero.hp + gained, hero.hp_most)
    power = dice.between(1, role.pw_die) + max(max(hero.intelligence, hero.wisdom) - 12, 0) // 3
    hero.pw_most = min(hero.pw_most + power, 999)
    hero.pw = min(hero.pw + power, hero.pw_most)
    world.say(f"Welcome to experience level {hero.level}.")


def lose_level(world: World) -> None:
    """Lower the hero's experience level; at the first level that kills."""
    hero = world.hero
    if hero.level == 1:
        hurt(world, 10, "the loss of all life")
        return
    hero.level -= 1
    hero.points = min(hero.points, threshold(hero.level) - 1)
    hero.hp_most = max(hero.hp_most - world.dice.between(3, 6), 5)
    hero.hp = min(hero.hp, hero.hp_most)
    world.say(f"Goodbye, experience level {hero.level + 1}.")
