"""The monsters' part of a turn: each acts according to its speed, and sometimes new ones come."""

from typing import Final

from nhlog.engines.delve.combat.harm import wake
from nhlog.engines.delve.maps.ground import floors
from nhlog.engines.delve.maps.stock import place_group, random_species
from nhlog.engines.delve.monsters.minds import act
from nhlog.engines.delve.world.board import distance
from nhlog.engines.delve.world.pack import has_ember
from nhlog.engines.delve.world.powers import has
from nhlog.engines.delve.world.sight import sees_hero
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import ASLEEP, DISGUISED, FLEEING, HURRIED, REVIVED, SLOWED, Monster, World

__all__ = ["act_all", "newcomers"]

ACTION: Final = 12  # energy that an action takes
CROWD: Final = 14  # monsters above which nobody comes
_COMING: Final = 90  # one in so many turns somebody comes


def act_all(world: World) -> None:
    """Let every monster of the level act, until the hero dies."""
    world.ways.clear()
    for monster in world.level.live():
        if monster.hp > 0:
            _turn_of(world, monster)
            if world.hero.hp <= 0:
                break


def _turn_of(world: World, monster: Monster) -> None:
    species = SPECIES[monster.species]
    speed = species.speed
    if monster.timer:
        monster.timer -= 1
        if not monster.timer:
            monster.flags &= ~(FLEEING | SLOWED)
            if monster.flags & REVIVED:
                wake(monster)
    if monster.flags & SLOWED:
        speed //= 2
    if monster.flags & HURRIED:
        speed = speed * 4 // 3
    if "regenerates" in species.traits and monster.hp < monster.most and not world.turn % 3:
        monster.hp += 1
    if monster.flags & ASLEEP:
        _stir(world, monster)
        return
    monster.energy = min(monster.energy + speed, 60)
    while monster.energy >= ACTION and monster.hp > 0 and world.hero.hp > 0 and not monster.flags & ASLEEP:
        monster.energy -= ACTION
        act(world, monster)


def _stir(world: World, monster: Monster) -> None:
    """Wake a sleeping monster by chance if the hero is near, unless a spell keeps it asleep."""
    if monster.timer or monster.flags & REVIVED:
        return
    far = distance(monster.square, world.hero.square)
    if has_ember(world) and far < 25:
        wake(monster)
    if far > 8 or not sees_hero(world, monster) or monster.flags & DISGUISED:
        return
    deep = 10 if "sleeps" in SPECIES[monster.species].traits or SPECIES[monster.species].mind == "warden" else 3
    if world.dice.one_in(deep * (3 if has(world, "stealth") else 1)):
        wake(monster)


def newcomers(world: World) -> None:
    """Sometimes add a group of monsters to the level, out of sight."""
    level, dice = world.level, world.dice
    pause = _COMING // 2 if has_ember(world) else _COMING
    if not dice.one_in(pause) or len(level.occupants) >= CROWD:
        return
    places = [at for at in floors(level) if distance(at, world.hero.square) > 10 and not world.view[at] & 1]
    if places:
        place_group(level, dice, random_species(dice, level.depth), dice.pick(places), places)
