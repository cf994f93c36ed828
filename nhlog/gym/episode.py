"""The log of one episode: keys are added to it many at once, with one save after them.

A save of each key would cost a hundred times what a step of NLE does.  What lies between two saves is in the keys, and
whoever has NetHack makes it again.
"""

from dataclasses import replace
from typing import Final

from nhlog.engines.nethack.bindings import KEY
from nhlog.engines.nethack.engine import ENGINE
from nhlog.engines.nethack.game import Game, saved_at
from nhlog.engines.nethack.past import Past
from nhlog.engines.nethack.save import Saved
from nhlog.engines.protocol import NewGame
from nhlog.errors import NhlogError
from nhlog.log.append import Writer, create_log
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import CLOCK_WRAP, Argument, Command, Time
from nhlog.savehead import SaveHead, format_save_head, parse_save_head, signature_of
from nhlog.session.creation import first_header
from nhlog.session.gamestate import utc_now

__all__ = ["Episode"]

_LINES: Final = tuple(Command(KEY, (Argument("K", code),)).format() for code in range(256))
_AT_ONCE: Final = b"\n%s\n" % Time(0).format()  # between keys: when exactly each was given nobody wants to know


class Episode:
    """A log at `path` whose game stands at `past`, and its writer."""

    def __init__(self, writer: Writer, past: Past, start: int) -> None:
        self.log = writer.log
        self.path = self.log.source.name
        self.past = past
        self._writer = writer
        self._clock = start  # of the log, in microseconds

    @classmethod
    def begin(cls, path: str, past: Past, told: bytes, hero: NewGame) -> "Episode":
        """Create the log of a game that begins with `past`, at which `told` is seen; its seeds are those of `past`."""
        now = utc_now()
        game = _game(past, told)
        header = first_header(ENGINE.version, replace(hero, start=now), game.state)
        return cls(create_log(path, header, _bytes_of(game, now)), past, now)

    @classmethod
    def go_on(cls, path: str, past: Past) -> "Episode":
        """Go on in a log whose last line is the save of a game at `past`."""
        log = Log(LogFile(path, writable=True))
        head = parse_save_head(log.save(len(log.columns.save_lines) - 1))
        return cls(Writer(log), past, head.clock if head else utc_now())

    def add(self, keys: bytes, told: bytes) -> None:
        """Add keys, and the save of what is seen after them; raises what :class:`Writer` does."""
        now = max(utc_now(), self._clock)
        self.past = self.past.then(keys)
        game = _game(self.past, told)
        passed = Time((now - self._clock) % CLOCK_WRAP)
        self._clock = now
        self._writer.extend(_AT_ONCE.join(map(_LINES.__getitem__, keys)) + b"\n" + passed.format())
        self._writer.back_up(_bytes_of(game, now), game.state)
        if game.ending:
            self._writer.finish(game.ending)

    def close(self) -> None:
        """Close the log: a game that is not over can be played on, by anybody."""
        self._writer.close()


def _game(past: Past, told: bytes) -> Game:
    return Game(saved_at(ENGINE.machines.build.digest, past, told), _refuse)


def _refuse(game: Game, key: int) -> Saved:
    raise NhlogError("a game that an agent plays is given its keys by NLE")


def _bytes_of(game: Game, clock: int) -> bytes:
    """The save as it stands in the log."""
    head = SaveHead(game.turn, clock, 0, signature_of(ENGINE.name))
    return format_save_head(head) + game.save()
