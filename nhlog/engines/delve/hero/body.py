"""The changes of the hero's body in a turn: hunger, healing, lights that burn down, powers that end.

Nothing here prompts the player.
"""

from typing import Final

from nhlog.engines.delve.combat.harm import heal, hurt, make_helpless
from nhlog.engines.delve.world.kinds import EMBER, KINDS
from nhlog.engines.delve.world.names import name_of
from nhlog.engines.delve.world.powers import has
from nhlog.engines.delve.world.state import LIGHTED, World
from nhlog.engines.delve.world.terrain import FOUNTAIN, LIT, WATER

__all__ = ["FAINTING", "HUNGRY", "SATIATED", "WEAK", "hunger_word", "live_on"]

# What is in the stomach: below, a word tells.
SATIATED: Final = 1000
HUNGRY: Final = 150
WEAK: Final = 50
FAINTING: Final = 0
STARVED: Final = -150


def hunger_word(nutrition: int) -> str:
    """The word for hunger at this nutrition; empty if not hungry."""
    if nutrition > SATIATED:
        return "Satiated"
    for limit, word in ((HUNGRY, ""), (WEAK, "Hungry"), (FAINTING, "Weak")):
        if nutrition >= limit:
            return word
    return "Fainting"


def live_on(world: World) -> None:
    """Let the hero's body change for one turn; may set `World.destination`."""
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
