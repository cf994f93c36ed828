"""The interface that a game engine implements.

The state after a command depends only on the save before it, the command and the answers; loading a save and saving it
again gives the same bytes.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Protocol, runtime_checkable

from nhlog.engines.prompts import Prompt
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Argument, Command, Line
from nhlog.values import NamedTuple, dataclass

__all__ = [
    "Binding",
    "ClaimsKeys",
    "Engine",
    "Game",
    "GivesHints",
    "HasOptions",
    "LimitsHeroes",
    "MayFall",
    "MayLack",
    "NeedsPast",
    "NewGame",
    "Option",
    "ReadOptions",
    "ReadsBones",
    "ReadsOwnOptions",
    "Run",
    "TellsMessages",
    "TellsVitals",
    "TellsWorlds",
    "Vitals",
    "heroes",
    "option_command",
]

Run = Generator[Prompt, Line, None]
"""A command in progress: yields prompts, and is sent their answers."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """The options of a new game.

    `role`, `race`, `gender` and `alignment` are full words (see `Engine.roles`); `mode` is the play mode (a number of
    `nhlog.log.wire.header.MODES`), `seed` any non-negative number, from which the world is generated.  `start` is when
    the game begins, in UTC microseconds since 1970, for a world that depends on the date.  `own_options` is the text of
    the player's own options, for an engine that has such (see :class:`ReadsOwnOptions`).
    """

    name: str
    role: str
    race: str
    gender: str
    alignment: str
    mode: int
    seed: int
    start: int = 0
    own_options: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """A key binding: the command of a key, and its help text `does`, listed in the help section `group`.

    `key` is a key name of the client's keyboard (``h``, ``left``, ``ctrl-d``).  `asks` are the letters of the arguments
    that the user is asked for before the command is given: ``P`` a square, ``I`` an item's letter, ``S`` a spell's,
    ``T`` a text, ``D`` a direction.  A count typed before the key becomes argument ``L``, if the command takes one.
    """

    key: str
    command: Command
    asks: str
    group: str
    does: str


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a game that its player can change: its name, what it `does`, and its values, the default first."""

    name: str
    does: str
    values: tuple[str, ...]


def option_command(name: str, value: str) -> Command:
    """The command that sets an option (see `HasOptions`)."""
    return Command("option", (Argument("T", Blob.of(f"{name}={value}\0".encode())),))


class Game(Protocol):
    """A game in progress.

    Between two commands it is *neutral* unless it is `incomplete`: then ``repeat`` continues what the hero is doing (a
    long search, a journey) and ``interrupt`` stops it.  An incomplete game is not saved.
    """

    @property
    def turn(self) -> int:
        """The turn counter, from 1; it never decreases."""
        ...

    @property
    def here(self) -> tuple[str, int, int]:
        """The hero's place: level name, as in `state`, and x, y on the map of 79 columns by 21 rows."""
        ...

    @property
    def incomplete(self) -> bool:
        """Whether the last command continues for more turns and was not interrupted."""
        ...

    @property
    def state(self) -> str:
        """The hero's condition, for the log's second line: ``Exp:1, 4 turns, on Dungeons:1``."""
        ...

    @property
    def ending(self) -> str:
        """How the game ended (``killed by a newt``, ``quit``, ``escaped``); empty while it is in progress."""
        ...

    @property
    def bones(self) -> tuple[str, bytes] | None:
        """The bones that a dead hero leaves for later games: the level's name and the bytes; None if there are none."""
        ...

    def record(self) -> dict[str, Any]:
        """What the hero perceives, as plain values; the engine's own document describes the keys."""
        ...

    def save(self) -> bytes:
        """The whole neutral state; small changes of the game make small changes of these bytes."""
        ...

    def at_once(self, command: Command) -> Sequence[str] | None:
        """The messages of a command that takes no time and changes nothing; None if the command has to be run.

        Such a command leaves no trace in the log: a look around, a step into a wall that the hero sees.  This method
        must not change the game, and may be called during a command.
        """
        ...

    def run(self, command: Command) -> Run:
        """Carry out a command of :attr:`Engine.commands`; must not raise, whatever the arguments are.

        It may take several turns.  When it returns, the game has ended or the hero can act again (and is no longer
        helpless).
        """
        ...


@runtime_checkable
class TellsMessages(Protocol):
    """Optional for a :class:`Game`: messages for the player."""

    @property
    def messages(self) -> Sequence[str]:
        """The messages of the last command, in order.

        A new command empties the list; while a command waits for an answer, messages are only added.  Saves contain
        them, too, or at least the latest ones that fit.
        """
        ...


class Engine(Protocol):
    """A kind of game.

    `commands` always has, besides the game's own commands, ``welcome`` (a player enters the game; takes no time),
    ``repeat`` and ``interrupt``.
    """

    @property
    def name(self) -> str:
        """The engine's id and the name of its entry point: four or more ASCII letters, digits or dashes."""
        ...

    @property
    def version(self) -> str:
        """The version for the log's first line, nine characters: ``1.000.000``.

        Versions that differ in the last number only have the same rules and the same saves.
        """
        ...

    @property
    def commands(self) -> Mapping[str, str]:
        """For each command, the letters of the arguments that it takes (``move`` takes ``D``)."""
        ...

    @property
    def roles(self) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]:
        """For each playable role, the races, genders and alignments that it may have."""
        ...

    @property
    def looks(self) -> frozenset[str]:
        """The commands that never take time or change anything; spectators may use them, too."""
        ...

    @property
    def bindings(self) -> Sequence[Binding]:
        """The key bindings, in the order in which help lists them."""
        ...

    def new(self, options: NewGame) -> Game:
        """Start a game; raises :class:`~nhlog.errors.Usage` for unknown options."""
        ...

    def load(self, save: bytes) -> Game:
        """Load a save; raises :class:`~nhlog.errors.Damaged` for bytes that are not a save of this engine."""
        ...

    def migrate(self, save: bytes) -> bytes:
        """Convert a save of an earlier version to this version.

        Raises :class:`~nhlog.errors.Unsupported` if it is not such a save, or cannot be converted.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """The hero's condition in numbers, None if unknown; a higher `level` is better, a higher `depth` is deeper.

    `place` is what the game calls the level (``Delve:3``), empty if unknown.  Markers are made of these; and where one
    of the `states` begins (``blind``, ``weak``), at each of the `deeds` since the last key (``prayer``), and where one
    of the `firsts` is told first (``kills newt``).
    """

    hp: int
    hp_max: int
    level: int | None = None
    depth: int | None = None
    score: int | None = None
    place: str = ""
    states: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    firsts: tuple[str, ...] = ()


@runtime_checkable
class TellsVitals(Protocol):
    """Optional for an :class:`Engine`: the hero's condition in a save, without loading the save.

    It is called for all saves of a game, for example to make plots.
    """

    def vitals(self, save: bytes) -> Vitals:
        """The hero's condition; raises :class:`~nhlog.errors.Damaged` if this is not a save of the engine.

        `save` may be only the first bytes of a save, 4096 or more.  If they are not enough, raise :class:`Damaged`:
        the method is then called again with the whole save.
        """
        ...


@runtime_checkable
class TellsWorlds(Protocol):
    """Optional for an :class:`Engine`: from which seed a world was made.

    Both methods return the same text for a game and for its seed, and another one for every other seed.
    """

    def world(self, save: bytes) -> str:
        """The world of a save, the same in all saves of a game; raises :class:`~nhlog.errors.Damaged`."""
        ...

    def world_of(self, seed: int) -> str:
        """The world of games that begin with this seed (`NewGame.seed`), whoever is played."""
        ...


@runtime_checkable
class LimitsHeroes(Protocol):
    """Optional for an :class:`Engine`: which of the heroes there are that `roles` makes up."""

    def allows(self, role: str, race: str, gender: str, alignment: str) -> bool:
        """Whether there is such a hero; :meth:`Engine.new` refuses others."""
        ...


def heroes(engine: Engine, role: str) -> list[tuple[str, str, str]]:
    """Race, gender and alignment of each hero of this role that there is."""
    made_up = product(*engine.roles[role])
    return [hero for hero in made_up if not isinstance(engine, LimitsHeroes) or engine.allows(role, *hero)]


@runtime_checkable
class MayLack(Protocol):
    """Optional for an :class:`Engine`: something that it needs for playing may not be installed."""

    @property
    def lacking(self) -> str:
        """What is missing for playing here, and how one gets it, in words; empty if nothing is."""
        ...


@runtime_checkable
class NeedsPast(Protocol):
    """Optional for an :class:`Engine`: a save shows its game, but only all commands since the beginning continue it.

    None of them is run for who only looks at such a game: it is shown at its saves.  Who plays it tells the engine its
    past, where the engine does not know it.  Saves are without their head here, as for :meth:`Engine.load`.
    """

    def recalls(self, save: bytes) -> bool:
        """Whether the game of this save can go on: its past was given, or is stored here."""
        ...

    def recall(self, first: bytes, commands: Iterable[Command], save: bytes) -> None:
        """Learn the past of a save: the `first` save of its game, and the commands since that one.

        Raises :class:`~nhlog.errors.Unsupported` where the engine cannot run here, or makes another game of them, and
        :class:`~nhlog.errors.Damaged` for what is no such past.
        """


@runtime_checkable
class MayFall(Protocol):
    """Optional for an :class:`Engine` that :class:`NeedsPast`: there are places at which it falls over every command.

    Who goes back from a command over which the game fell goes back to before them.
    """

    def leads_on(self, save: bytes) -> bool:
        """Whether a command can be run after this save, whose past is known (`NeedsPast.recall`)."""
        ...


@runtime_checkable
class GivesHints(Protocol):
    """Optional for an :class:`Engine`: the keys that a new player needs first."""

    @property
    def hints(self) -> Sequence[tuple[str, str]]:
        """Commands and a word or two about each; shown with their keys in the first turns of a game."""
        ...


@runtime_checkable
class ClaimsKeys(Protocol):
    """Optional for an :class:`Engine`: every key that it binds is the game's, also those that the client has elsewhere.

    What the client does with such a key in other games is done by the `prefix` and then the key.
    """

    @property
    def prefix(self) -> str:
        """The name of a key that the engine does not bind (see `Binding.key`)."""
        ...


@runtime_checkable
class ReadsBones(Protocol):
    """Optional for an :class:`Engine`: who left the bones."""

    def epitaph(self, bones: bytes) -> tuple[str, str, str]:
        """Who died, on which level, and how; raises :class:`~nhlog.errors.Damaged` if these are not the engine's bones.

        The level is named as in :attr:`Game.bones`.
        """
        ...


class ReadOptions(NamedTuple):
    """What a player's own options say: who is to be played, by fields of `NewGame`, in words of `Engine.roles`; and
    what no game here can have, each with its line.
    """

    hero: Mapping[str, str]
    faults: Sequence[str]


@runtime_checkable
class ReadsOwnOptions(Protocol):
    """Optional for an :class:`Engine`: players have a file with options for all their games (`NewGame.own_options`)."""

    @property
    def options_file(self) -> str:
        """The file's name in a player's home: ``.nethackrc``."""
        ...

    @property
    def options_variable(self) -> str:
        """An environment variable with more options, or with ``@`` and the name of another file: ``NETHACKOPTIONS``."""
        ...

    def read_own_options(self, text: str) -> ReadOptions:
        """What this text says; must not raise, whatever it is."""
        ...


@runtime_checkable
class HasOptions(Protocol):
    """Optional for an :class:`Engine`: settings of its games.

    The command ``option`` sets one with the text ``name=value``; it takes no time.  ``options`` in the record of a game
    maps each name to its value.
    """

    @property
    def options(self) -> Sequence[Option]:
        """The settings, in the order in which they are shown."""
        ...
