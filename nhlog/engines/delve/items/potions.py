"""The effects of potions when they are drunk, and when they break.

A potion whose effect is noticed becomes known.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.combat.harm import frighten, heal, hurt, make_helpless, raise_level, wound
from nhlog.engines.delve.combat.missiles import path
from nhlog.engines.delve.items.learning import learn
from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.names import call_monster
from nhlog.engines.delve.world.powers import POWERS, has
from nhlog.engines.delve.world.sight import notice, spotted
from nhlog.engines.delve.world.state import ASLEEP, BLESSED, CURSED, SLOWED, Item, Monster, World

__all__ = ["drink", "shatter"]

MOST_TIME: Final = 2000


def drink(world: World, item: Item) -> None:
    """Apply the effect of drinking a potion, which was removed from the pack already."""
    strength = 1 + bool(item.flags & BLESSED) - bool(item.flags & CURSED)
    if _POTIONS[KINDS[item.kind].name](world, strength):
        learn(world, item.kind)
    notice(world)


def _longer(world: World, name: str, turns: int) -> None:
    setattr(world.hero, name, min(getattr(world.hero, name) + turns, MOST_TIME))


def _healing(world: World, strength: int) -> bool:
    world.say("You feel better.")
    heal(world, world.dice.roll(4 + 2 * strength, 4), beyond=strength)
    world.hero.blind = world.hero.poisoned = 0
    return True


def _great_healing(world: World, strength: int) -> bool:
    world.say("You feel much better.")
    heal(world, world.dice.roll(6 + 2 * strength, 6), beyond=2 + 2 * strength)
    world.hero.blind = world.hero.poisoned = world.hero.confused = 0
    return True


def _swiftness(world: World, strength: int) -> bool:
    world.say("Your feet are light as wind.")
    _longer(world, "fast", world.dice.between(20, 40) * (1 + strength))
    return True


def _blindness(world: World, strength: int) -> bool:
    world.say("A cloud of darkness falls on you.")
    _longer(world, "blind", world.dice.between(20, 60) // (1 + strength) + 5)
    return True


def _confusion(world: World, strength: int) -> bool:
    world.say("Huh? What? Where are you?")
    _longer(world, "confused", world.dice.between(15, 40) // (1 + strength) + 5)
    return True


def _sleep(world: World, strength: int) -> bool:
    if has(world, "freedom"):
        world.say("You yawn.")
    else:
        world.say("You fall asleep.")
        make_helpless(world, world.dice.between(5, 15) // (1 + strength // 2), "asleep")
    return True


def _experience(world: World, strength: int) -> bool:
    if not strength:
        world.say("For a moment you remember less.")
        return False
    raise_level(world)
    return True


def _keen_sight(world: World, strength: int) -> bool:
    world.say("Nothing can hide from your eyes now." if strength else "Your eyes itch.")
    world.hero.blind = 0
    if strength:
        world.hero.powers |= 1 << POWERS.index("true sight")
    return strength > 0


def _might(world: World, strength: int) -> bool:
    gain = 1 if strength < 2 else 2
    if not strength:
        world.say("It tastes of rusty iron.")
        return False
    world.say("Your muscles swell.")
    world.hero.strength = min(world.hero.strength + gain, 25)
    return True


def _floating(world: World, strength: int) -> bool:
    world.say("You float up, a hand above the floor.")
    world.hero.stuck = 0
    _longer(world, "floating", world.dice.between(20, 50))
    return True


def _venom(world: World, strength: int) -> bool:
    world.say("It burns like fire!")
    if world.person.role == "Rogue" or strength > 1:
        world.say("You spit it out in time.")
    else:
        _longer(world, "poisoned", world.dice.between(4, 9))
        hurt(world, world.dice.roll(1, 4), "poison")
    return True


def _clear_mind(world: World, strength: int) -> bool:
    hero = world.hero
    world.say("Your thoughts are as clear as spring water.")
    hero.confused = 0
    hero.pw_most = min(hero.pw_most + 1 + strength, 999)
    hero.pw = min(hero.pw + world.dice.roll(2 + strength, 8), hero.pw_most)
    return True


_POTIONS: Final[dict[str, Callable[[World, int], bool]]] = {
    "potion of healing": _healing,
    "potion of great healing": _great_healing,
    "potion of swiftness": _swiftness,
    "potion of blindness": _blindness,
    "potion of confusion": _confusion,
    "potion of sleep": _sleep,
    "potion of experience": _experience,
    "potion of keen sight": _keen_sight,
    "potion of might": _might,
    "potion of floating": _floating,
    "potion of venom": _venom,
    "potion of clear mind": _clear_mind,
}


def shatter(world: World, item: Item, offset: int) -> None:
    """Break a thrown potion on what it hits."""
    for at in path(world, world.hero.square, offset, 8):
        monster = world.level.occupants.get(at)
        if monster is not None:
            world.say(f"The flask breaks on {call_monster(world, monster.species, seen=spotted(world, monster))}.")
            _splash(world, item, monster)
            return
    world.say("The flask breaks on the floor.")


def _splash(world: World, item: Item, monster: Monster) -> None:
    name = KINDS[item.kind].name
    monster.goal = world.hero.square
    if name == "potion of venom":
        wound(world, monster, world.dice.roll(3, 8))
    elif name in ("potion of healing", "potion of great healing"):
        monster.hp = monster.most
    elif name == "potion of sleep":
        wound(world, monster, 1)
        if monster.hp > 0:
            monster.flags |= ASLEEP
            monster.timer = world.dice.between(8, 16)
    elif name in ("potion of blindness", "potion of confusion"):
        frighten(world, monster, 12)
    elif name == "potion of might":
        monster.most = min(monster.most + 6, 999)
        monster.hp = min(monster.hp + 6, monster.most)
    else:
        wound(world, monster, 1)
        if monster.hp > 0 and name == "potion of floating":
            monster.flags |= SLOWED
            monster.timer = 20
