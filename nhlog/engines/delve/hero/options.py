"""The options of a game: they are kept with the hero and set by a command, so that a replay does what the game did."""

from typing import Final

from nhlog.engines.delve.bindings import OPTIONS
from nhlog.engines.delve.hero.input import Arguments, Asking, ask_text, ask_yes
from nhlog.engines.delve.hero.trap_effects import fly_over
from nhlog.engines.delve.world.kinds import AMULET, BOOK, EMBER, GOLD, KINDS, POTION, RING, SCROLL, WAND
from nhlog.engines.delve.world.names import CORPSE
from nhlog.engines.delve.world.pack import put_in_pack
from nhlog.engines.delve.world.state import Hero, Item, World

__all__ = ["collect", "confirm", "options_of", "set_option", "takes_gold"]

_PLACES: Final = {"autopickup": (1, 3), "confirm": (3, 1)}
"""Where the number of an option's value is in `Hero.settings`: the first bit, and the mask of its bits."""

_MAGIC: Final = (POTION, SCROLL, BOOK, WAND, RING, AMULET)
_SAID: Final = 40  # characters of what was typed that a message repeats


def options_of(hero: Hero) -> dict[str, str]:
    """The value of each option."""
    return {option.name: option.values[_number(hero, option.name)] for option in OPTIONS}


def set_option(world: World, given: Arguments) -> Asking[bool]:
    """Set the option given as an argument, or else asked for: ``name=value``; takes no time."""
    text = given.text
    if text is None:
        text = yield from ask_text(f"Which option? ({', '.join(f'{each.name}={each.values[1]}' for each in OPTIONS)})")
    name, _, value = (part.strip() for part in text.partition("="))
    option = next((option for option in OPTIONS if option.name == name), None)
    if option is None:
        world.say(f"There is no option {name[:_SAID]}." if name else "Never mind.")
    elif value not in option.values:
        world.say(f"{name} can be {', '.join(option.values)}.")
    else:
        shift, mask = _PLACES[name]
        settings = world.hero.settings & ~(mask << shift)
        world.hero.settings = settings | option.values.index(value) << shift
        world.say(f"{name}: {value}.")
    return False


def takes_gold(hero: Hero) -> bool:
    """Whether the hero picks up gold by walking over it."""
    return options_of(hero)["autopickup"] != "nothing"


def collect(world: World) -> None:
    """Pick up what the hero picks up by walking over it, besides gold."""
    wanted = options_of(world.hero)["autopickup"]
    if wanted not in ("magic", "all") or fly_over(world):
        return
    for item in world.level.items_at(world.hero.square):
        if _is_wanted(item, wanted):
            world.level.remove_item(item)
            place = item.place
            if not put_in_pack(world, item):
                world.level.add_item(item, place)
                return
            world.noticed = True


def _is_wanted(item: Item, wanted: str) -> bool:
    if item.kind in (GOLD, EMBER, CORPSE):  # gold is no thing to be carried, and nobody takes the Ember by accident
        return False
    return wanted == "all" or KINDS[item.kind].symbol in _MAGIC


def confirm(world: World, question: str) -> Asking[bool]:
    """Ask whether the player means it, unless they do not want to be asked."""
    return options_of(world.hero)["confirm"] == "off" or (yield from ask_yes(question))


def _number(hero: Hero, name: str) -> int:
    shift, mask = _PLACES[name]
    return hero.settings >> shift & mask
