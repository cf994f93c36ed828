"""The decisions of monsters, by the words of `species.Species.mind`.

The function of a mind is called once for each action of an awake monster, and does one thing.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.combat.blows import assail, blink
from nhlog.engines.delve.combat.harm import free_near, frighten, wake, wake_all
from nhlog.engines.delve.combat.missiles import breathe, fire_at_hero, hurl
from nhlog.engines.delve.maps.stock import new_monster
from nhlog.engines.delve.monsters.pursuit import (
    beside,
    chase,
    flee,
    is_afraid,
    may_go,
    stroll,
    walk_to,
)
from nhlog.engines.delve.world.board import distance, line
from nhlog.engines.delve.world.kinds import EMBER
from nhlog.engines.delve.world.names import call_monster, name_of
from nhlog.engines.delve.world.sight import in_line, sees_hero, spotted
from nhlog.engines.delve.world.species import LURKING, SPECIES, species_named
from nhlog.engines.delve.world.state import ASLEEP, CARRIED, FLEEING, Monster, World
from nhlog.engines.delve.world.terrain import FLOOR, LIT, SOLID

__all__ = ["MINDS", "act"]

_BONES: Final = species_named("rattling bones")
_HOUND: Final = species_named("ember hound")


def act(world: World, monster: Monster) -> None:
    """Do one action of an awake monster."""
    species = SPECIES[monster.species]
    if sees_hero(world, monster):
        monster.goal = world.hero.square
    if monster.flags & FLEEING or is_afraid(world, monster):
        if "blinks" in species.traits and world.dice.one_in(4):
            blink(world, monster)
        elif not flee(world, monster) and beside(world, monster) and not is_afraid(world, monster):
            assail(world, monster)
        return
    MINDS[species.mind](world, monster)


def hunt(world: World, monster: Monster) -> None:
    """Approach by the shortest way, and attack."""
    if beside(world, monster):
        assail(world, monster)
    elif not chase(world, monster):
        stroll(world, monster)


def still(world: World, monster: Monster) -> None:
    """Stay in place until touched."""


def flutter(world: World, monster: Monster) -> None:
    """Fly about, attacking in passing."""
    if world.dice.one_in(3):
        stroll(world, monster)
    elif beside(world, monster):
        assail(world, monster)
        if monster.hp > 0:
            stroll(world, monster)
    elif not monster.goal or not chase(world, monster):
        stroll(world, monster)


def wander(world: World, monster: Monster) -> None:
    """Walk randomly; attack the hero if adjacent, and hunt when wounded."""
    if beside(world, monster) and world.dice.below(3):
        assail(world, monster)
    elif monster.hp < monster.most:
        hunt(world, monster)
    else:
        stroll(world, monster)


def skirmish(world: World, monster: Monster) -> None:
    """Throw missiles from a distance while there are any, else approach."""
    if not beside(world, monster) and world.dice.one_in(2) and fire_at_hero(world, monster, "dart"):
        return
    hunt(world, monster)


def archer(world: World, monster: Monster) -> None:
    """Keep a distance, and shoot."""
    far = distance(monster.square, world.hero.square)
    if far < 4 and world.dice.below(3) and flee(world, monster):
        return
    if far > 1 and world.dice.below(3) and fire_at_hero(world, monster, "arrow"):
        return
    hunt(world, monster)


def pack(world: World, monster: Monster) -> None:
    """Alert others of the species and attack; keep a distance when alone and wounded."""
    kin = [
        other
        for other in world.level.live()
        if other.species == monster.species and distance(other.square, monster.square) <= 7
    ]
    for other in kin:
        if monster.goal and not other.goal:
            other.goal = monster.goal
            wake(other)
    alone = len(kin) < 2 and monster.hp < monster.most
    if alone and distance(monster.square, world.hero.square) < 4 and world.dice.below(3) and flee(world, monster):
        return
    hunt(world, monster)


def shriek(world: World, monster: Monster) -> None:
    """Scream when it sees the hero, which attracts others."""
    if not sees_hero(world, monster) or world.dice.below(4):
        return
    if spotted(world, monster):
        world.say(f"{call_monster(world, monster.species, seen=True)} shrieks!")
    else:
        world.say("You hear a shriek.")
    world.disturbed = True
    wake_all(world)


def thief(world: World, monster: Monster) -> None:
    """Approach and attack; keep away from the hero once it carries something."""
    if world.level.items_at(CARRIED + world.level.slot_of(monster)):
        if not flee(world, monster):
            blink(world, monster)
        return
    hunt(world, monster)


def magpie(world: World, monster: Monster) -> None:
    """Collect items from the floor, and attack the hero if adjacent."""
    level = world.level
    if here := [item for item in level.items_at(monster.square) if item.kind != EMBER]:
        here[0].place = CARRIED + level.slot_of(monster)
        if spotted(world, monster):
            name = call_monster(world, monster.species, seen=True)
            world.say(f"{name} picks up {name_of(world.lore, here[0])}.")
        return
    lying = [item.place for item in level.items if item is not None and item.place < CARRIED and item.kind != EMBER]
    near = min(
        (at for at in lying if distance(at, monster.square) < 8), key=lambda at: distance(at, monster.square), default=0
    )
    if beside(world, monster) and world.dice.one_in(2):
        assail(world, monster)
    elif not near or not walk_to(world, monster, near):
        thief(world, monster)


def coward(world: World, monster: Monster) -> None:
    """Hunt; flee when badly wounded."""
    if monster.hp * 3 < monster.most + 2 and world.dice.below(4):
        frighten(world, monster, 8)
    hunt(world, monster)


def lurk(world: World, monster: Monster) -> None:
    """Wait until the hero is near or it is wounded, then hunt."""
    if monster.goal and (distance(monster.square, world.hero.square) <= LURKING or monster.hp < monster.most):
        hunt(world, monster)


def mimic(world: World, monster: Monster) -> None:
    """Stay disguised as an item until touched (see `combat.fighting`)."""
    if monster.hp < monster.most or not monster.disguise:
        hunt(world, monster)


def blinker(world: World, monster: Monster) -> None:
    """Hunt, teleporting to the hero and away."""
    if not beside(world, monster) and sees_hero(world, monster) and world.dice.one_in(3):
        if at := free_near(world, world.hero.square):
            world.level.move_monster(monster, at)
            return
    elif beside(world, monster) and world.dice.one_in(6):
        blink(world, monster)
        return
    hunt(world, monster)


def caller(world: World, monster: Monster) -> None:
    """Raise undead, and let them fight."""
    near = sum(distance(other.square, monster.square) < 6 for other in world.level.live())
    if sees_hero(world, monster) and near < 6 and world.dice.one_in(4):
        at = free_near(world, monster.square)
        if at and world.level.add_monster(new_monster(world.dice, _BONES, at)):
            world.say("Bones rise from the floor!" if in_line(world, at) else "You hear bones rattle.")
            world.disturbed = True
            return
    if distance(monster.square, world.hero.square) < 4 and flee(world, monster):
        return
    hunt(world, monster)


def mender(world: World, monster: Monster) -> None:
    """Heal a wounded monster nearby, else keep a distance or hunt."""
    for other in world.level.live():
        if other is not monster and other.hp < other.most and distance(other.square, monster.square) <= 6:
            other.hp = min(other.hp + world.dice.roll(2, 4), other.most)
            if spotted(world, other):
                world.say(f"{call_monster(world, other.species, seen=True)} looks better.")
            return
    if distance(monster.square, world.hero.square) < 5 and flee(world, monster):
        return
    hunt(world, monster)


def sleeper(world: World, monster: Monster) -> None:
    """Hunt; sometimes fall asleep again while the hero is out of sight."""
    if not sees_hero(world, monster) and world.dice.one_in(10):
        monster.flags |= ASLEEP
        monster.goal = 0
        return
    hunt(world, monster)


def phase(world: World, monster: Monster) -> None:
    """Approach in a straight line through everything."""
    if beside(world, monster):
        assail(world, monster)
    elif distance(monster.square, world.hero.square) <= 20 and (monster.goal or world.dice.one_in(3)):
        monster.goal = world.hero.square
        walk_to(world, monster, monster.goal)
    else:
        stroll(world, monster)


def burrow(world: World, monster: Monster) -> None:
    """Approach in a straight line, digging a tunnel."""
    if beside(world, monster) or not monster.goal:
        hunt(world, monster)
        return
    ahead = line(monster.square, monster.goal)[:1]
    if ahead and SOLID[world.level.terrain[ahead[0]]] and may_go(world, monster, ahead[0], through=True):
        world.level.terrain[ahead[0]] = FLOOR | world.level.terrain[ahead[0]] & LIT
        world.ways.clear()
    if not ahead or not walk_to(world, monster, ahead[0]):
        hunt(world, monster)


def hurler(world: World, monster: Monster) -> None:
    """Throw rocks from a distance."""
    if not beside(world, monster) and world.dice.one_in(2) and hurl(world, monster):
        return
    hunt(world, monster)


def breather(world: World, monster: Monster) -> None:
    """Breathe fire along a line."""
    if not world.dice.below(4) and breathe(world, monster):
        return
    hunt(world, monster)


def swim(world: World, monster: Monster) -> None:
    """Hunt; the terrain that it can enter keeps it in the water."""
    hunt(world, monster)


def warden(world: World, monster: Monster) -> None:
    """Guard the hearth: call hounds, breathe fire, and never stop the pursuit."""
    monster.goal = world.hero.square
    near = sum(distance(other.square, monster.square) < 8 for other in world.level.live())
    if sees_hero(world, monster) and near < 5 and world.dice.one_in(8):
        at = free_near(world, monster.square)
        if at and world.level.add_monster(new_monster(world.dice, _HOUND, at)):
            world.say("The Warden calls, and the ashes answer.")
            return
    if not beside(world, monster) and world.dice.one_in(3) and breathe(world, monster):
        return
    hunt(world, monster)


MINDS: Final[dict[str, Callable[[World, Monster], None]]] = {
    "hunt": hunt,
    "still": still,
    "flutter": flutter,
    "wander": wander,
    "skirmish": skirmish,
    "archer": archer,
    "pack": pack,
    "shriek": shriek,
    "thief": thief,
    "magpie": magpie,
    "coward": coward,
    "lurk": lurk,
    "mimic": mimic,
    "blink": blinker,
    "caller": caller,
    "mender": mender,
    "sleeper": sleeper,
    "phase": phase,
    "burrow": burrow,
    "hurler": hurler,
    "breather": breather,
    "swim": swim,
    "warden": warden,
}
