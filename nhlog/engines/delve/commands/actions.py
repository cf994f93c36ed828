"""The action of each command of `bindings.COMMANDS`.

An action returns whether a turn was used; one that prompts is a generator that returns it.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.bindings import COMMANDS
from nhlog.engines.delve.commands import doings, occupations, wizardry
from nhlog.engines.delve.hero import moving, options
from nhlog.engines.delve.hero.input import NOWHERE, Arguments, Asking, ask_direction, ask_item
from nhlog.engines.delve.items import handling, shooting, using
from nhlog.engines.delve.world.kinds import AMULET, ARMOUR, FOOD, KINDS, POTION, RING, SCROLL, TOOL, WAND, WEAPON
from nhlog.engines.delve.world.state import WORN, Item, World
from nhlog.values import NamedTuple

__all__ = ["ACTIONS", "USES"]

Action = Callable[[World, Arguments], bool | Asking[bool]]


class Use(NamedTuple):
    """A command that uses an item: its action, its prompt, and the items that it accepts."""

    act: Callable[[World, int], bool | Asking[bool]]
    question: str
    fits: Callable[[Item], bool]


def _of(*symbols: str) -> Callable[[Item], bool]:
    return lambda item: KINDS[item.kind].symbol in symbols and not item.flags & WORN


def _worn(*symbols: str) -> Callable[[Item], bool]:
    return lambda item: KINDS[item.kind].symbol in symbols and bool(item.flags & WORN)


USES: Final = {
    "wield": Use(handling.wield, "What do you want to wield?", _of(WEAPON, TOOL)),
    "wear": Use(handling.wear, "What do you want to wear?", _of(ARMOUR)),
    "takeoff": Use(handling.take_off, "What do you want to take off?", _worn(ARMOUR)),
    "puton": Use(handling.put_on, "What do you want to put on?", _of(RING, AMULET)),
    "remove": Use(handling.remove, "What do you want to remove?", _worn(RING, AMULET)),
    "quiver": Use(handling.quiver, "What do you want to make ready?", _of(WEAPON)),
    "quaff": Use(using.quaff, "What do you want to drink?", _of(POTION)),
    "read": Use(using.read, "What do you want to read?", _of(SCROLL, "+")),
    "zap": Use(using.zap, "What do you want to zap?", _of(WAND)),
    "eat": Use(using.eat, "What do you want to eat?", _of(FOOD)),
    "apply": Use(using.apply, "What do you want to use?", _of(TOOL)),
}


def _with_item(use: Use) -> Action:
    """An action with an item: the one given as an argument, or else prompted for."""

    def action(world: World, given: Arguments) -> Asking[bool]:
        slot = given.slot
        if given.letter is None:
            slot, _ = yield from ask_item(world, use.question, use.fits)
            if slot == NOWHERE:
                return False
        elif slot < 0 or world.hero.pack[slot] is None:
            world.say("You do not have that.")
            return False
        done = use.act(world, slot)
        return done if isinstance(done, bool) else (yield from done)

    return action


def _with_direction(act: Callable[[World, int], bool | Asking[bool]], question: str) -> Action:
    """An action with a direction: the one given as an argument, or else prompted for."""

    def action(world: World, given: Arguments) -> Asking[bool]:
        direction = given.direction
        if direction is None:
            direction = yield from ask_direction(world, question)
            if direction == NOWHERE:
                return False
        done = act(world, direction)
        return done if isinstance(done, bool) else (yield from done)

    return action


def _alone(act: Callable[[World], bool | Asking[bool]]) -> Action:
    return lambda world, given: act(world)


ACTIONS: Final[dict[str, Action]] = {
    "welcome": _alone(doings.welcome),
    "repeat": _alone(occupations.go_on),
    "interrupt": _alone(doings.interrupt),
    "move": _with_direction(moving.step, "Go where?"),
    "run": _with_direction(occupations.run, "Run where?"),
    "rush": _with_direction(occupations.rush, "Run where?"),
    "explore": _alone(occupations.explore),
    "attack": _alone(occupations.attack),
    "fight": _with_direction(moving.fight, "Strike where?"),
    "travel": doings.travel,
    "up": _alone(occupations.go_up),
    "down": _alone(occupations.go_down),
    "search": lambda world, given: occupations.search(world, given.limit),
    "rest": lambda world, given: occupations.rest(world, given.limit),
    "look": _alone(moving.look_here),
    "pickup": _alone(handling.pick_up),
    "drop": _alone(handling.drop),
    "multidrop": _alone(handling.multidrop),
    **{name: _with_item(use) for name, use in USES.items()},
    "throw": shooting.throw,
    "fire": _with_direction(shooting.fire, "Fire where?"),
    "cast": using.cast,
    "open": _with_direction(moving.open_door, "Open what?"),
    "close": _with_direction(moving.close_door, "Close what?"),
    "kick": _with_direction(moving.kick, "Kick where?"),
    "engrave": doings.engrave,
    "call": doings.call,
    "pray": _alone(doings.pray),
    "option": options.set_option,
    "quit": _alone(doings.quit_game),
    "wish": wizardry.wish,
    "levelteleport": wizardry.level_teleport,
    "map": _alone(wizardry.show_map),
    "identify": _alone(wizardry.identify_all),
    "create": wizardry.create,
}
assert ACTIONS.keys() == COMMANDS.keys()
