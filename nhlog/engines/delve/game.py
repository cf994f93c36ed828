"""A game as the session uses it: a world, and the functions that run it.

A game changes only inside `run`.  Commands that take no time and change nothing are tried out on a copy of the world,
which is then thrown away.
"""

from collections.abc import Sequence
from typing import Any, Final

from nhlog.engines.delve.bindings import LOOKS
from nhlog.engines.delve.commands.actions import USES
from nhlog.engines.delve.course.arrival import place_name
from nhlog.engines.delve.course.command import carry_out
from nhlog.engines.delve.hero.input import Arguments
from nhlog.engines.delve.hero.moving import terrain_at
from nhlog.engines.delve.perception import record
from nhlog.engines.delve.wire import read_world, write_world
from nhlog.engines.delve.world.board import OFFSETS, X, Y
from nhlog.engines.delve.world.state import World
from nhlog.engines.delve.world.terrain import TERRAINS
from nhlog.engines.protocol import Run
from nhlog.log.wire.lines import Argument, Command

__all__ = ["DelveGame"]

_STEPS: Final = ("move", "run", "rush")
_MAY_BE_FREE: Final = frozenset({"look", "pickup", "up", "down", "open", "close", "explore", "attack", *_STEPS})
"""The commands that can end without a turn and without a question; the others are not worth a copy of the world."""
_NEEDING: Final = frozenset({*USES, "throw", "drop", "multidrop", "call", "cast", "fire"})
"""Those that do so only where the hero has nothing for them, which is told before anything is asked."""

_NOTHING: Final = ("There is nothing here.",)


class DelveGame:
    """A game of delve; `world` may be read by others, but not changed."""

    __slots__ = ("world",)

    def __init__(self, world: World) -> None:
        self.world = world

    @property
    def turn(self) -> int:
        """The turn counter, from 1."""
        return self.world.turn

    @property
    def here(self) -> tuple[str, int, int]:
        """The hero's place: level name, column and row."""
        at = self.world.hero.square
        return place_name(self.world.level.depth), X[at], Y[at]

    @property
    def incomplete(self) -> bool:
        """Whether the last command continues for more turns."""
        return self.world.occupation is not None

    @property
    def state(self) -> str:
        """The hero's condition, for the log's second line."""
        return f"Exp:{self.world.hero.level}, {self.world.turn} turns, on {place_name(self.world.level.depth)}"

    @property
    def ending(self) -> str:
        """How the game ended; empty while it is in progress."""
        return self.world.ending

    @property
    def bones(self) -> tuple[str, bytes] | None:
        """The level name and bytes of a dead hero's bones; None if there are none."""
        return self.world.bones

    @property
    def messages(self) -> Sequence[str]:
        """The messages of the last command."""
        return tuple(self.world.messages)

    def record(self) -> dict[str, Any]:
        """What the hero perceives, as plain values."""
        return record(self)

    def save(self) -> bytes:
        """The whole state as bytes."""
        return write_world(self.world)

    def at_once(self, command: Command) -> tuple[str, ...] | None:
        """What the command tells, if here it takes no time and changes nothing; None if it has to be run."""
        return _try_out(self.world, command)

    def run(self, command: Command) -> Run:
        """Carry out a command; does nothing if the game has ended."""
        if not self.world.ending:
            yield from carry_out(self.world, command)


def _try_out(world: World, command: Command) -> tuple[str, ...] | None:
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
