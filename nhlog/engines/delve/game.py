"""The game as the session sees it: a world, and the engine that begins, loads and runs it.

A game changes only inside `run`; what it says of itself follows from the world.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from nhlog.engines.delve.actions import COMMANDS
from nhlog.engines.delve.arrival import place_name
from nhlog.engines.delve.beginning import begin
from nhlog.engines.delve.bindings import BINDINGS
from nhlog.engines.delve.board import X, Y
from nhlog.engines.delve.course import carry_out
from nhlog.engines.delve.roles import ROLES
from nhlog.engines.delve.state import World
from nhlog.engines.delve.wire import read_world, write_world
from nhlog.engines.protocol import Binding, NewGame, Run
from nhlog.log.lines import Command

__all__ = ["ENGINE", "Delve", "DelveGame"]


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
        from nhlog.engines.delve.record import record  # which looks with what only a look needs

        return record(self)

    def save(self) -> bytes:
        """The whole state."""
        return write_world(self.world)

    def run(self, command: Command) -> Run:
        """Carry out a command; of a game that has ended nothing changes."""
        if not self.world.ending:
            yield from carry_out(self.world, command)


class Delve:
    """The engine."""

    name: str = "delve"
    version: str = "1.000.000"
    commands: Mapping[str, str] = COMMANDS
    roles: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
        name: (role.races, role.genders, role.alignments) for name, role in ROLES.items()
    }
    bindings: Sequence[Binding] = BINDINGS

    def new(self, options: NewGame) -> DelveGame:
        """A game at its beginning; raises :class:`~nhlog.errors.Usage` for options that it does not know."""
        return DelveGame(begin(options))

    def load(self, save: bytes) -> DelveGame:
        """The game that was saved; raises :class:`~nhlog.errors.Damaged` for bytes that are no such save."""
        return DelveGame(read_world(save))


ENGINE: Final = Delve()
