"""What an engine owes the session.

The state after a command depends on the save before it, the command and the answers alone; loading what was saved and
saving it again gives the same bytes.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nhlog.engines.prompts import Prompt
from nhlog.log.wire.lines import Command, Line

__all__ = ["Binding", "Engine", "Game", "NewGame", "Run"]

Run = Generator[Prompt, Line, None]
"""A command being carried out: yields what it asks, is sent the answers."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a game begins with: the header's words (`role` ... `alignment` in full, see `Engine.roles`), the play mode
    (a number of `nhlog.log.wire.header.MODES`) and the seed that the world grows from (any non-negative number).
    """

    name: str
    role: str
    race: str
    gender: str
    alignment: str
    mode: int
    seed: int


@dataclass(frozen=True, slots=True)
class Binding:
    """A key of a game: the command that it gives, and what help says of it, in its group.

    `key` is named as by the client's keyboard (``h``, ``left``, ``ctrl-d``).  `asks` are the letters of arguments that
    the person is asked for before the command is given: ``P`` a square, ``I`` an item's letter, ``S`` a spell's, ``T``
    a text, ``D`` a direction.  A count that was typed before the key becomes argument ``L``, if the command takes one.
    """

    key: str
    command: Command
    asks: str
    group: str
    does: str


class Game(Protocol):
    """A game as it stands.

    Between two commands it is *neutral*, unless it is `incomplete`: then ``repeat`` goes on with what the hero is doing
    (a long search, a journey) and ``interrupt`` gives it up.  No save is made of an incomplete game.
    """

    @property
    def turn(self) -> int:
        """The turn counter, from 1; it never falls."""

    @property
    def here(self) -> tuple[str, int, int]:
        """Where the hero is: the level's name, as in `state`, and the square on the map of 79 columns by 21 rows."""

    @property
    def incomplete(self) -> bool:
        """Whether the last command goes on for more turns, and nothing has interrupted it."""

    @property
    def state(self) -> str:
        """How the hero is, for the log's second line: ``Exp:1, 4 turns, on Dungeons:1``."""

    @property
    def ending(self) -> str:
        """What ended the game (``killed by a newt``, ``quit``, ``escaped``); empty while it goes on."""

    @property
    def bones(self) -> tuple[str, bytes] | None:
        """What a hero who died leaves for others to find: the level's name and its bytes; None if nothing."""

    def record(self) -> dict[str, Any]:
        """What the hero perceives, as plain values, which the engine's own document names."""

    def save(self) -> bytes:
        """The whole neutral state.  Small changes of the game make small changes of these bytes."""

    def run(self, command: Command) -> Run:
        """Carry out a command of :attr:`Engine.commands`; whatever its arguments say it does not fail.

        It may take turns, a long one even several (helplessness is over when it returns).  After the last one the game
        has ended, or the hero can act again.
        """


class Engine(Protocol):
    """A kind of game.

    `commands` has the letters of the arguments that each command takes (``move`` takes ``D``); besides the game's own
    there are always ``welcome`` (somebody enters the game: no time passes), ``repeat`` and ``interrupt``.  `roles` are
    those one can play, with the races, genders and alignments each of them may have.  `bindings` are in the order in
    which help tells of them.
    """

    @property
    def name(self) -> str:
        """The engine's id, which is also the name of its entry point: four or more ASCII letters, digits or dashes."""

    @property
    def version(self) -> str:
        """Nine characters for the log's first line: ``1.000.000``."""

    @property
    def commands(self) -> Mapping[str, str]:
        """The letters of the arguments of each command."""

    @property
    def roles(self) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]:
        """The races, genders and alignments of each role."""

    @property
    def bindings(self) -> Sequence[Binding]:
        """The keys, for dispatching and for help."""

    def new(self, options: NewGame) -> Game:
        """A game at its beginning; raises :class:`~nhlog.errors.Usage` for options that it does not know."""

    def load(self, save: bytes) -> Game:
        """The game that was saved; raises :class:`~nhlog.errors.Damaged` for bytes that are no such save."""
