"""What an environment of NLE takes for NLE's `Nethack`: a game of the same library, with a log of its keys.

An environment does all by its attribute `nethack`: this stands in that one's place, and gives it the same arrays, in
which the library writes.  NLE loads its library itself, and refuses one that is loaded; but the call of `time` has to
be led to a clock that stands after the library was loaded and before a game begins.  So it is driven as in the process
of a machine, by `machine.library`; each episode has a copy of its own, as the library is a game's state.
"""

import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Final

import numpy
from nle.nethack import nethack as nle

from nhlog.engines.nethack.game import saved_at
from nhlog.engines.nethack.machine.folder import Folder
from nhlog.engines.nethack.machine.library import LARGEST, NO_LEVELS, Library, last_line, lay_out, system_slots
from nhlog.engines.nethack.machine.wire import FIELDS, MOST_OPTIONS
from nhlog.engines.nethack.options import check_options
from nhlog.engines.nethack.past import Past, Start
from nhlog.engines.nethack.seen import Seen
from nhlog.engines.protocol import NewGame
from nhlog.errors import Damaged, Usage
from nhlog.files import read_whole
from nhlog.gym.episode import Episode
from nhlog.values import dataclass

__all__ = ["Core", "Place", "new_path"]

_TOLD: Final = {name for name, _ in FIELDS}
_SEEDS: Final = 1 << 63
_HERO: Final = re.compile(r"You are an? (\w+) (?:(male|female) )?(\w+) (\w+)\.")
_WIZARD: Final = 2
_UNKNOWN: Final = "?"
_RACES: Final = {"elven": "elf"}  # of others the header's three letters are the same
_NUMBERS: Final = count()  # of the logs that this process made
_FEMALE: Final = ("Valkyrie", "Cavewoman", "Priestess")  # whose gender NetHack does not say


@dataclass(frozen=True, slots=True)
class Place:
    """How logs are written: in which folder, after how many keys or seconds, and what tells when a game begins."""

    folder: str
    every: int
    seconds: float
    clock: Callable[[], float]


class Core:
    """What an environment takes for NLE's `Nethack`; `made` is the one that it made, whose settings are taken over."""

    def __init__(self, made: nle.Nethack, place: Place) -> None:
        self.episode: Episode | None = None
        self._place = place
        self._options = ",".join(made.options)
        self._wanted = tuple(made._obs_buffers)
        self._slots = system_slots(nle.DLPATH)
        self._seeds: tuple[int, int, int] | None = None
        self._library: Library | None = None
        self._folder: Folder | None = None
        self._keys = bytearray()  # that are not yet in the log
        self._due = 0.0  # when they have to be

    # what an environment calls

    def set_initial_seeds(self, core: int, disp: int, reseed: bool = False, lgen: int | None = None) -> None:
        """Set the seeds of the next game; raises :class:`Usage` if NetHack is to take others now and then."""
        if reseed:
            raise Usage("a game that NetHack seeds anew cannot be made again", expected="reseed=False")
        self._seeds = core, disp, NO_LEVELS if lgen is None else lgen

    def set_current_seeds(self, *seeds: object, **named: object) -> None:
        """Raise :class:`Usage`: a log has the seeds of its beginning."""
        raise Usage("the seeds of a game in a log cannot be changed", expected="seeds before `reset`")

    def get_current_seeds(self) -> tuple[int, int, bool, int | None]:
        """The seeds with which the game began, as `set_initial_seeds` takes them."""
        assert self.episode is not None
        core, disp, levels = self.episode.past.start.seeds
        return core, disp, False, None if levels == NO_LEVELS else levels

    def in_normal_game(self) -> bool:
        """Whether a game is going on."""
        return self._library is not None and self._library.is_normal

    def how_done(self) -> int:
        """How the game ended."""
        return self._library.how_done if self._library else 0

    def reset(self, new_ttyrec: None = None, options: Any = None) -> tuple[Any, ...]:
        """Begin another game, in a log of its own."""
        if options is not None:
            raise Usage("a game in a log has no wizard's kit", expected="options=None")
        seeds = self._seeds or (secrets.randbelow(_SEEDS), secrets.randbelow(_SEEDS), NO_LEVELS)
        self._seeds = None  # as with NLE: else every game was the same
        past = Past(Start(int(self._place.clock()), seeds, self._options.encode()))
        told = self._begin(past.start)
        self.episode = Episode.begin(new_path(self._place.folder), past, told, self._hero(told))
        return self._seen

    def step(self, key: int) -> tuple[tuple[Any, ...], bool]:
        """Give a key; what was done before is written where it is time.

        Raises :class:`RuntimeError` where the game is over, as NLE does.
        """
        if self._library is None or self._library.is_over:
            raise RuntimeError("Called step on finished NetHack")
        if len(self._keys) >= self._place.every or time.monotonic() >= self._due:
            self.flush()
        self._keys.append(key)
        self._give(key)
        if done := self._library.is_over:
            self.flush()
        return self._seen, done

    def close(self) -> None:
        """Write what is left, and let go of game and log, and of what the games share."""
        self._leave()
        if self._folder is not None:
            self._folder.remove()
            os.close(self._copy)
            self._folder = None

    def _leave(self) -> None:
        """Write what is left, and let go of game and log."""
        if self.episode is not None:
            self.flush()
            self.episode.close()
            self.episode = None
        if self._library is not None:
            self._library.end()
            self._library = None

    # what logs need

    @property
    def count(self) -> int:
        """How many keys the game was given."""
        return len(self._keys) + (self.episode.past.count if self.episode else 0)

    def flush(self) -> None:
        """Write the keys since the last time, and what is seen now."""
        if self._keys and self.episode is not None:
            self.episode.add(bytes(self._keys), self._told())
            self._keys.clear()
        self._due = time.monotonic() + self._place.seconds

    def stand_at(self, path: str, past: Past, seen: bytes) -> tuple[Any, ...]:
        """Stand at a past, where this was seen, and go on in the log at `path`, which ends there.

        Raises :class:`Damaged` where NLE comes to something else.
        """
        check_options(past.start.options.decode("latin-1"))  # as it is NetHack in this process that reads them
        self._begin(past.start)
        for key in past.keys:
            self._give(key)
        if saved_at(b"", past, self._told()).seen != seen:
            raise Damaged("the keys of the log lead NLE to another place than that of its save")
        self.episode = Episode.go_on(path, past)
        return self._seen

    def _begin(self, start: Start) -> bytes:
        """Begin the game; returns what is seen, as a machine tells it."""
        if len(start.options) > MOST_OPTIONS:
            raise Usage("too many options", expected=f"at most {MOST_OPTIONS} bytes", found=len(start.options))
        self._leave()
        folder = self._emptied()
        others = {name: numpy.zeros(**nle.OBSERVATION_DESC[name]) for name in self._wanted if name not in _TOLD}
        more = {name: array.ctypes.data for name, array in others.items()}
        self._library = Library(f"/proc/self/fd/{self._copy}", self._slots, more)
        self._give = self._library.give
        arrays = others | dict(_arrays(self._library.memory))
        self._seen = tuple(arrays[name] for name in self._wanted)
        self._due = time.monotonic() + self._place.seconds
        return self._library.begin(start.second, start.seeds, start.options, folder)

    def _emptied(self) -> str:
        """The folder of the game, without what another one left there."""
        package = os.path.dirname(nle.DLPATH)
        if self._folder is None:
            self._copy = os.memfd_create("nhlog-nethack")
            left = memoryview(read_whole(nle.DLPATH, LARGEST))
            while left:
                left = left[os.write(self._copy, left) :]
            self._folder = Folder()
        else:
            for name in os.listdir(self._folder.path):
                path = os.path.join(self._folder.path, name)
                (os.rmdir if os.path.isdir(path) else os.unlink)(path)
        lay_out(package, self._folder.path)
        return self._folder.path

    def _told(self) -> bytes:
        """What is seen, as a machine tells it."""
        assert self._library is not None
        assert self._folder is not None
        return self._library.told() + (last_line(self._folder.path) if self._library.is_over else b"")

    def _hero(self, told: bytes) -> NewGame:
        """Who is played, as NetHack says at the beginning."""
        name = self._options.rpartition("name:")[2].partition(",")[0].partition("-")[0]
        mode = _WIZARD if "playmode:debug" in self._options else 0
        found = _HERO.search(Seen(told).message)
        if found is None:
            return NewGame(name, _UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN, mode, seed=0)
        alignment, gender, race, role = found.groups()
        gender = gender or ("female" if role in _FEMALE else "male")
        race, gender, alignment = (word.lower() for word in (race, gender, alignment))
        race = _RACES.get(race, race)
        return NewGame(name, role, race, gender, alignment, mode, seed=0)


def new_path(folder: str) -> str:
    """A path in this folder, which is made, that no file has."""
    os.makedirs(folder, exist_ok=True)
    while os.path.lexists(path := os.path.join(folder, f"nle.{os.getpid()}.{next(_NUMBERS)}.nhgame")):
        pass
    return path


def _arrays(memory: Any) -> Iterator[tuple[str, Any]]:
    """The fields of what is seen as arrays of NLE's: what the library writes there is theirs."""
    at = 0
    for name, size in FIELDS:
        if name in nle.OBSERVATION_DESC:
            told = nle.OBSERVATION_DESC[name]
            kind = numpy.dtype(told["dtype"])
            yield name, numpy.frombuffer(memory, kind, size // kind.itemsize, at).reshape(told["shape"])
        at += size
