"""A game as the session sees it: a world, and what runs it.

A game changes only inside `run`; what it says of itself follows from the world.
"""

from collections.abc import Sequence
from typing import Any

from nhlog.engines.delve.course.arrival import place_name
from nhlog.engines.delve.course.command import carry_out
from nhlog.engines.delve.record import record
from nhlog.engines.delve.wire import write_world
from nhlog.engines.delve.world.board import X, Y
from nhlog.engines.delve.world.state import World
from nhlog.engines.protocol import Run
from nhlog.log.wire.lines import Command

__all__ = ["DelveGame"]


class DelveGame:
    """A game of delve; `world` is for those who look, not for those who change."""

    __slots__ = ("world",)

    def __init__(self, world: World) -> None:
        self.world = world

    @property
    def turn(self) -> int:
        """The turn counter, from 1."""
        return self.world.turn

    @property
    def here(self) -> tuple[str, int, int]:
        """Where the hero is: the level's name, column and row."""
        at = self.world.hero.square
        return place_name(self.world.level.depth), X[at], Y[at]

    @property
    def incomplete(self) -> bool:
        """Whether the last command goes on for more turns."""
        return self.world.occupation is not None

    @property
    def state(self) -> str:
        """How the hero is, for the log's second line."""
        return f"Exp:{self.world.hero.level}, {self.world.turn} turns, on {place_name(self.world.level.depth)}"

    @property
    def ending(self) -> str:
        """What ended the game; empty while it goes on."""
        return self.world.ending

    @property
    def bones(self) -> tuple[str, bytes] | None:
        """What a hero who died leaves for others."""
        return self.world.bones

    @property
    def messages(self) -> Sequence[str]:
        """What the last command had to tell."""
        return tuple(self.world.messages)

    def record(self) -> dict[str, Any]:
        """What the hero perceives, as plain values."""
        return record(self)

    def save(self) -> bytes:
        """The whole state."""
        return write_world(self.world)

    def run(self, command: Command) -> Run:
        """Carry out a command; of a game that has ended nothing changes."""
        if not self.world.ending:
            yield from carry_out(self.world, command)
