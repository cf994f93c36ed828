"""Commands of wizard mode.

In other modes they only give a message, and take no time.
"""

from typing import Final

from nhlog.engines.delve.combat.harm import free_near
from nhlog.engines.delve.hero.input import Arguments, Asking, ask_text
from nhlog.engines.delve.items.learning import identify
from nhlog.engines.delve.items.magic import magic_map
from nhlog.engines.delve.maps.stock import new_item, new_monster
from nhlog.engines.delve.world.kinds import GOLD, KINDS
from nhlog.engines.delve.world.pack import put_in_pack
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import ASLEEP, BLESSED, CURSED, World

__all__ = ["create", "identify_all", "level_teleport", "show_map", "wish"]

WIZARD: Final = 2
_MOST: Final = 50


def _may(world: World) -> bool:
    if world.person.mode != WIZARD:
        world.say("Only in wizard mode.")
    return world.person.mode == WIZARD


def wish(world: World, given: Arguments) -> Asking[bool]:
    """Create an item by its name: "3 blessed potion of healing", "+2 long sword"."""
    if not _may(world):
        return False
    text = given.text
    if text is None:
        text = yield from ask_text("What do you wish for?")
    words = text.lower().split()
    count, bonus, flags = 1, None, 0
    while words:
        word = words[0]
        if word.isascii() and word.isdigit():
            count = min(max(int(word[:6]), 1), _MOST)
        elif word[0] in "+-" and word[1:].isascii() and word[1:].isdigit():
            bonus = max(min(int(word[:3]), 7), -7)
        elif word in ("blessed", "cursed"):
            flags = BLESSED if word == "blessed" else CURSED
        elif word not in ("a", "an", "the", "uncursed"):
            break
        words.pop(0)
    name = " ".join(words)
    number = next((number for number, kind in enumerate(KINDS) if number and kind.name.lower() == name), 0)
    if not number or KINDS[number].name == "corpse":
        world.say("Nothing of that name is known.")
        return False
    item = new_item(world.dice, number, plain=True)
    item.flags = flags
    item.bonus = item.bonus if bonus is None else bonus
    item.count = count if KINDS[number].symbol in "!?%" or KINDS[number].missile or number == GOLD else 1
    put_in_pack(world, item)
    return False


def level_teleport(world: World, given: Arguments) -> Asking[bool]:
    """Go to another level."""
    if not _may(world):
        return False
    depth = given.limit
    if depth is None:
        text = yield from ask_text("To what level?")
        depth = int(text[:4]) if text.isascii() and text.isdigit() else 0
    if depth < 1:
        world.say("You stay where you are.")
        return False
    world.destination = (min(depth, 100), "elsewhere")
    return True


def show_map(world: World) -> bool:
    """Map the level."""
    if _may(world):
        magic_map(world)
    return False


def identify_all(world: World) -> bool:
    """Identify everything that the hero carries."""
    if _may(world):
        for item in world.hero.pack:
            if item is not None:
                identify(world, item)
        world.say("You know all that you carry.")
    return False


def create(world: World, given: Arguments) -> Asking[bool]:
    """Create a monster by its name."""
    if not _may(world):
        return False
    text = given.text
    if text is None:
        text = yield from ask_text("Create what?")
    name = text.lower()
    number = next((number for number, kind in enumerate(SPECIES) if number and kind.name.lower() == name), 0)
    at = free_near(world, world.hero.square)
    if not number or not at:
        world.say("Nothing comes." if number else "Nobody of that name is known.")
        return False
    monster = new_monster(world.dice, number, at)
    monster.flags &= ~ASLEEP
    world.level.add_monster(monster)
    return False
