"""Commands that take no time and change nothing: tried out on a copy of the world, which is then thrown away."""

from typing import Final

from nhlog.engines.delve.bindings import LOOKS
from nhlog.engines.delve.commands.actions import USES
from nhlog.engines.delve.course.command import carry_out
from nhlog.engines.delve.hero.input import Arguments
from nhlog.engines.delve.hero.moving import terrain_at
from nhlog.engines.delve.wire import read_world, write_world
from nhlog.engines.delve.world.board import OFFSETS
from nhlog.engines.delve.world.state import World
from nhlog.engines.delve.world.terrain import TERRAINS
from nhlog.log.wire.lines import Argument, Command

__all__ = ["try_out"]

_STEPS: Final = ("move", "run", "rush")
_MAY_BE_FREE: Final = frozenset({"look", "pickup", "up", "down", "open", "close", "explore", "attack", *_STEPS})
"""The commands that can end without a turn and without a question; the others are not worth a copy of the world."""
_NEEDING: Final = frozenset({*USES, "throw", "drop", "multidrop", "call", "cast", "fire"})
"""Those that do so only where the hero has nothing for them, which is told before anything is asked."""

_NOTHING: Final = ("There is nothing here.",)


def try_out(world: World, command: Command) -> tuple[str, ...] | None:
    """The messages of a command that takes no time and changes nothing but them; None for any other."""
    if world.ending or not _is_worth_it(world, command):
        return None
    before = write_world(world)
    copy = read_world(before)
    for _ in carry_out(copy, _anywhere(command)):
        return None  # it asks
    told = tuple(copy.messages) or (_NOTHING if command.name in LOOKS else ())
    copy.messages[:] = world.messages
    return told if write_world(copy) == before else None


def _is_worth_it(world: World, command: Command) -> bool:
    """Whether the command is worth a copy of the world."""
    if command.name in _NEEDING:
        return not command.arguments
    return command.name in _MAY_BE_FREE and not (command.name in _STEPS and _way_is_free(world, command))


def _anywhere(command: Command) -> Command:
    """The command; what would be asked before it turns out that nothing is ready to be fired is answered."""
    unasked = command.name == "fire" and not command.arguments
    return Command("fire", (Argument("D", 0),)) if unasked else command


def _way_is_free(world: World, command: Command) -> bool:
    """Whether a step certainly leads somewhere: that is most of what is done, and takes a turn."""
    direction = Arguments(command).direction
    if direction is None or not 0 <= direction < len(OFFSETS):
        return False
    return TERRAINS[terrain_at(world, world.hero.square + OFFSETS[direction])].walk
