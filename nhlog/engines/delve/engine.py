"""The engine: the game's commands, roles and keys; starts and loads games.

Importing it is cheap: the modules that play the game are imported with the first game.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from nhlog.engines.delve.bindings import BINDINGS, COMMANDS, HINTS, LOOKS, OPTIONS
from nhlog.engines.delve.world.roles import ROLES
from nhlog.engines.protocol import Binding, NewGame, Option, Vitals
from nhlog.errors import Unsupported

if TYPE_CHECKING:
    from nhlog.engines.delve.game import DelveGame

__all__ = ["ENGINE", "Delve"]


class Delve:
    """The engine of delve."""

    name: str = "delve"
    version: str = "1.000.002"
    commands: Mapping[str, str] = COMMANDS
    roles: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
        name: (role.races, role.genders, role.alignments) for name, role in ROLES.items()
    }
    looks: frozenset[str] = LOOKS
    bindings: Sequence[Binding] = BINDINGS
    hints: Sequence[tuple[str, str]] = HINTS
    options: Sequence[Option] = OPTIONS

    def new(self, options: NewGame) -> "DelveGame":
        """Start a game; raises :class:`~nhlog.errors.Usage` for options that it does not know."""
        from nhlog.engines.delve.course.beginning import begin
        from nhlog.engines.delve.game import DelveGame

        return DelveGame(begin(options))

    def load(self, save: bytes) -> "DelveGame":
        """Load a save; raises :class:`~nhlog.errors.Damaged` for bytes that are not a save of this game."""
        from nhlog.engines.delve.game import DelveGame
        from nhlog.engines.delve.wire import read_world

        return DelveGame(read_world(save))

    def epitaph(self, bones: bytes) -> tuple[str, str, str]:
        """Who died, on which level, and how; raises :class:`~nhlog.errors.Damaged` for what are no bones."""
        from nhlog.engines.delve.course.arrival import place_name
        from nhlog.engines.delve.wire import read_bones

        read = read_bones(bones)
        return read.name, place_name(read.depth), read.cause

    def vitals(self, save: bytes) -> Vitals:
        """How the hero of a save is; raises :class:`~nhlog.errors.Damaged` for bytes that are not of this game."""
        from nhlog.engines.delve.course.arrival import place_name
        from nhlog.engines.delve.course.score import score_of
        from nhlog.engines.delve.wire.world import read_hero

        found = read_hero(save)
        hero = found.hero
        return Vitals(
            hp=hero.hp,
            hp_max=hero.hp_most,
            level=hero.level,
            depth=found.depth,
            score=score_of(found),
            place=place_name(found.depth),
        )

    def world(self, save: bytes) -> str:
        """What the levels of a save grow from; raises :class:`~nhlog.errors.Damaged` if it is not of this game."""
        from nhlog.engines.delve.wire.world import read_seed

        return f"{read_seed(save):016x}"

    def world_of(self, seed: int) -> str:
        """What the levels of games with this seed grow from."""
        from nhlog.engines.delve.course.beginning import grown_from
        from nhlog.engines.delve.world.dice import Dice

        return f"{grown_from(Dice.seeded(seed)):016x}"

    def migrate(self, save: bytes) -> bytes:
        """Carry a save of an earlier version over; raises :class:`Unsupported`, as there is none."""
        raise Unsupported("no earlier version of this game has saves of its own")


ENGINE: Final = Delve()
