"""A game as the session uses it: a world, and the functions that run it.

A game changes only inside `run`.
"""

from collections.abc import Sequence
from typing import Any

from nhlog.engines.delve.course.arrival import place_name
from nhlog.engines.delve.course.command import carry_out
from nhlog.engines.delve.course.trial import try_out
from nhlog.engines.delve.perception import record
from nhlog.engines.delve.wire import write_world
from nhlog.engines.delve.world.board import X, Y
from nhlog.engines.delve.world.state import World
from nhlog.engines.protocol import Run
from nhlog.log.wire.lines import Command

__all__ = ["DelveGame"]


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
        return try_out(self.world, command)

    def run(self, command: Command) -> Run:
        """Carry out a command; does nothing if the game has ended."""
        if not self.world.ending:
            yield from carry_out(self.world, command)
