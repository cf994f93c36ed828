"""The passing of a turn: monsters act, the body goes on, others come.

Nothing here asks the player anything.
"""

from typing import Final

from nhlog.engines.delve.combat.harm import heal, hurt, make_helpless, wake
from nhlog.engines.delve.maps.ground import floors
from nhlog.engines.delve.maps.stock import place_group, random_species
from nhlog.engines.delve.monsters.minds import act
from nhlog.engines.delve.world.board import distance
from nhlog.engines.delve.world.kinds import EMBER, KINDS
from nhlog.engines.delve.world.names import name_of
from nhlog.engines.delve.world.powers import has
from nhlog.engines.delve.world.sight import notice, sees_hero
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import (
    ASLEEP,
    DISGUISED,
    FLEEING,
    HURRIED,
    LIGHTED,
    REVIVED,
    SLOWED,
    Monster,
    World,
)
from nhlog.engines.delve.world.terrain import FOUNTAIN, LIT, WATER

__all__ = ["FAINTING", "HUNGRY", "SATIATED", "WEAK", "has_ember", "hunger_word", "pass_turn"]

SATIATED: Final = 1000
HUNGRY: Final = 150
WEAK: Final = 50
FAINTING: Final = 0
STARVED: Final = -150
ACTION: Final = 12  # energy that an action takes
CROWD: Final = 14  # monsters above which nobody comes
_COMING: Final = 90  # one in so many turns somebody comes
_LATEST: Final = 2_000_000_000


def pass_turn(world: World) -> None:
    """Everybody else has their turn."""
    if world.hero.fast and world.dice.one_in(3):
        return
    notice(world)
    world.ways.clear()
    for monster in world.level.live():
        if monster.hp > 0:
            _turn_of(world, monster)
            if world.hero.hp <= 0:
                break
    if world.hero.hp > 0:
        _body(world)
        _others(world)
    world.turn = min(world.turn + 1, _LATEST)


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
    """A sleeper may wake when the hero is near, unless a spell keeps it asleep."""
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


def has_ember(world: World) -> bool:
    """Whether the hero carries what the quest is for."""
    return any(item is not None and item.kind == EMBER for item in world.hero.pack)


def _body(world: World) -> None:
    """The hero's body goes on by a turn."""
    hero = world.hero
    for name in ("blind", "confused", "fast", "floating", "sensing"):
        left = getattr(hero, name)
        if left:
            setattr(hero, name, left - 1)
            if left == 1:
                world.say(_OVER[name])
    if not hero.floating and world.level.terrain[hero.square] & ~LIT == WATER:
        world.say("You sink, and a current drags you away.")
        hurt(world, world.dice.roll(1, 8), "drowning")
        world.destination = (world.level.depth, "anywhere")
    hero.prayer = max(hero.prayer - 1, 0)
    if hero.poisoned:
        hero.poisoned -= 1
        hurt(world, 1, "poison")
    _recover(world)
    _starve(world)
    _burn_lights(world)
    if has(world, "restlessness") and world.dice.one_in(80):
        world.destination = (world.level.depth, "anywhere")
    if hero.recall:
        hero.recall -= 1
        if not hero.recall:
            world.destination = (1, "recall")


_OVER: Final = {
    "blind": "You can see again.",
    "confused": "Your head is clear again.",
    "fast": "You slow down.",
    "floating": "Your feet touch the floor.",
    "sensing": "The minds around you fade.",
}


def _recover(world: World) -> None:
    hero = world.hero
    if hero.hp < hero.hp_most and hero.nutrition > FAINTING:
        pause = max(10 - hero.level // 2 - max(hero.constitution - 12, 0) // 3, 2)
        spring = world.level.terrain[hero.square] & ~LIT == FOUNTAIN
        if spring or has(world, "regeneration") or world.turn % pause == 0:
            heal(world, 1)
    if hero.pw < hero.pw_most and not has(world, "lead"):
        pause = max(20 - hero.level - max(max(hero.intelligence, hero.wisdom) - 12, 0), 4)
        if world.turn % pause == 0:
            hero.pw += 1


def hunger_word(nutrition: int) -> str:
    """How hungry one is with so much in the stomach; empty for not at all."""
    if nutrition > SATIATED:
        return "Satiated"
    for limit, word in ((HUNGRY, ""), (WEAK, "Hungry"), (FAINTING, "Weak")):
        if nutrition >= limit:
            return word
    return "Fainting"


def _starve(world: World) -> None:
    hero = world.hero
    before = hunger_word(hero.nutrition)
    hero.nutrition -= 1 + (has(world, "hunger") or has(world, "regeneration")) * (world.turn % 2)
    after = hunger_word(hero.nutrition)
    if after != before and after:
        world.disturbed = True
        world.say(f"You are {after.lower()}." if after != "Weak" else "You are weak from hunger.")
    if hero.nutrition < STARVED:
        hurt(world, hero.hp, "starvation")
    elif hero.nutrition < FAINTING and not world.helpless and world.dice.one_in(12):
        world.say("You faint from lack of food.")
        make_helpless(world, world.dice.between(2, 6), "fainted")


def _burn_lights(world: World) -> None:
    for item in world.hero.pack:
        if item is None or not item.flags & LIGHTED or item.kind == EMBER:
            continue
        item.extra = max(item.extra - 1, 0)
        if item.extra == 50:
            world.say(f"{name_of(world.lore, item).partition(' ')[2]} flickers.")
        if item.extra == 0:
            item.flags &= ~LIGHTED
            world.disturbed = True
            world.say(f"Your {KINDS[item.kind].name} goes out.")


def _others(world: World) -> None:
    """Now and then somebody comes."""
    level, dice = world.level, world.dice
    pause = _COMING // 2 if has_ember(world) else _COMING
    if not dice.one_in(pause) or len(level.occupants) >= CROWD:
        return
    places = [at for at in floors(level) if distance(at, world.hero.square) > 10 and not world.view[at] & 1]
    if places:
        place_group(level, dice, random_species(dice, level.depth), dice.pick(places), places)
