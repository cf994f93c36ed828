"""The engine: starts and loads games, and gives their keys to the machines.

A save shows a game to everybody.  To go on with it, its past has to be known here, as it is to whom has played it; who
has only the log learns it from there (`recall`).  NetHack is needed for that, and for nothing else.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from nhlog.engines.nethack.bindings import BINDINGS, COMMANDS, PREFIX
from nhlog.engines.nethack.game import Game, keys_of, saved_at
from nhlog.engines.nethack.machines import Fallen, Machines
from nhlog.engines.nethack.news import deeds_in, firsts_in, identified_in, states_of
from nhlog.engines.nethack.options import read_options
from nhlog.engines.nethack.past import Past, seeds_of, start_of
from nhlog.engines.nethack.roles import ROLES, allows, hero_of
from nhlog.engines.nethack.save import Saved, read_save, read_words
from nhlog.engines.nethack.seen import Seen
from nhlog.engines.protocol import Binding, NewGame, ReadOptions, Vitals
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.log.wire.lines import Command

__all__ = ["ENGINE", "NetHack"]

_ESCAPE: Final = b"\x1b"  # the key that may be pressed at any time
_KNOWN: Final = 1 << 14  # pasts that are remembered: those of the latest keys


class NetHack:
    """The engine of NetHack."""

    name: str = "nethack"
    version: str = "3.006.007"
    commands: Mapping[str, str] = {"welcome": "", "repeat": "", "interrupt": "", **COMMANDS}
    roles: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = ROLES
    looks: frozenset[str] = frozenset()
    bindings: Sequence[Binding] = BINDINGS
    prefix: str = PREFIX
    options_file: str = ".nethackrc"
    options_variable: str = "NETHACKOPTIONS"

    def __init__(self) -> None:
        self.machines = Machines()
        self._known: OrderedDict[tuple[int, int, int], Past] = OrderedDict()

    @property
    def lacking(self) -> str:
        """What is missing for playing here; empty if nothing is."""
        try:
            _ = self.machines.build
        except NhlogError as error:
            return error.message
        return ""

    def allows(self, role: str, race: str, gender: str, alignment: str) -> bool:
        """Whether there is such a hero."""
        return allows(role, race, gender, alignment)

    def read_own_options(self, text: str) -> ReadOptions:
        """What a player's `.nethackrc` says of the hero, and what of it no game in a log can have."""
        found = read_options(text)
        return ReadOptions(hero_of(found.hero), found.faults)

    def new(self, options: NewGame) -> Game:
        """Start a game; raises :class:`~nhlog.errors.Usage` for options that it does not know."""
        return Game(self._at(Past(start_of(options))), self._press)

    def load(self, save: bytes) -> Game:
        """Load a save; raises :class:`~nhlog.errors.Damaged` for bytes that are not a save of NetHack."""
        return Game(read_save(save), self._press)

    def migrate(self, save: bytes) -> bytes:
        """Carry a save of an earlier version over; raises :class:`Unsupported`, as there is none."""
        raise Unsupported("no earlier version of NetHack has saves of its own here")

    def vitals(self, save: bytes) -> Vitals:
        """How the hero of a save is; raises :class:`~nhlog.errors.Damaged` for bytes that are not of NetHack."""
        seen = Seen(read_words(save))
        status, message = seen.status, seen.message
        return Vitals(
            hp=status[10],
            hp_max=status[11],
            level=status[18],
            depth=status[12],
            score=status[9],
            place=seen.place,
            states=states_of(seen),
            deeds=deeds_in(message),
            firsts=(*firsts_in(message), *identified_in(seen.captions)),
        )

    def world(self, save: bytes) -> str:
        """The seeds of a save's game; raises :class:`~nhlog.errors.Damaged` for bytes that are not of NetHack."""
        return _seeds(read_save(save).start.seeds)

    def world_of(self, seed: int) -> str:
        """The seeds of NetHack's generators in games with this seed."""
        return _seeds(seeds_of(seed))

    def recalls(self, save: bytes) -> bool:
        """Whether the past of a save is known here, so that its game can go on."""
        return _name(read_save(save)) in self._known

    def recall(self, first: bytes, commands: Iterable[Command], save: bytes) -> None:
        """Learn the past of a save: the `first` one of its game, and all commands since that one.

        Raises :class:`Unsupported` where NetHack is not installed, or makes another game of them.
        """
        begun, wanted = read_save(first), read_save(save)
        past = Past(begun.start, keys_of(commands, begun.start)[: wanted.keys])
        if (past.start, past.count, past.name) != (wanted.start, wanted.keys, wanted.past):
            raise Damaged("the keys of the log are not those of its save", expected=wanted.keys, found=past.count)
        made = self._at(past)
        if made._replace(build=wanted.build) != wanted:
            other = "" if made.build == wanted.build else f"; it is another build than the log's {wanted.build.hex()}"
            raise Unsupported(f"NetHack makes another game of the log's keys here{other}")
        self._learn(wanted, past)

    def leads_on(self, save: bytes) -> bool:
        """Whether NetHack takes a key after this save: at some of its questions it falls over any."""
        past = self._known.get(_name(read_save(save)))
        if past is None:
            return False
        try:
            self.machines.seen(past.then(_ESCAPE))
        except Fallen:
            return False
        return True

    def _press(self, game: Game, key: int) -> Saved:
        past = self._known.get(_name(game.saved))
        if past is None:
            raise Unsupported("what led to this place of the game is not known here")
        return self._at(past.then(bytes((key,))))

    def _at(self, past: Past) -> Saved:
        """The save after a past, which is remembered."""
        seen = self.machines.seen(past)
        saved = saved_at(self.machines.build.digest, past, seen)
        self._learn(saved, past)
        return saved

    def _learn(self, saved: Saved, past: Past) -> None:
        self._known[_name(saved)] = past
        self._known.move_to_end(_name(saved))
        while len(self._known) > _KNOWN:
            self._known.popitem(last=False)


def _seeds(seeds: tuple[int, int, int]) -> str:
    return " ".join(f"{seed:016x}" for seed in seeds)


def _name(saved: Saved) -> tuple[int, int, int]:
    """What a save calls its past; with what is seen then, as the name is short."""
    return saved.keys, saved.past, hash(saved.seen)


ENGINE: Final = NetHack()
