"""How the hero is in the saves of a game, found in one pass.

Hit points, level and depth stand in the first bytes of a save, which are cheap to rebuild one after the other.  The
score of NetHack 4 takes a whole save, so that it is worked out for some of them only.
"""

from array import array
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from nhlog.engines import engine_named, engines
from nhlog.engines.guarded import vitals
from nhlog.engines.protocol import Engine, Vitals
from nhlog.errors import Damaged, Unsupported
from nhlog.formats.nhgame.engine import engine_name, head_of
from nhlog.formats.nhgame.ledger import Ledger
from nhlog.log.log import Log
from nhlog.nethack4.save.head import Hero
from nhlog.plots import evenly
from nhlog.savehead import HEAD_SIZE

__all__ = ["NUMBERS", "Course", "Values"]

NUMBERS: Final = ("hp", "hp_max", "level", "depth", "score")

_MOST_SAVES: Final = 20_000  # that are looked at: of more, so many at equal distances, far more than a picture has dots
_MOST_SCORES: Final = 400  # saves of NetHack 4 whose score is worked out: each takes some milliseconds
_PIECE: Final = 16  # saves after which one tells how far it is


class Values(NamedTuple):
    """The values of a number, and the saves that have them."""

    saves: "array[int]"
    values: "array[int]"


class Course:
    """The hero's way through the saves of a game.

    `looked` are the numbers of the saves that are looked at, `heroes` those found in them so far, None where a save
    does not tell; `numbers` has the values of each of the `NUMBERS`.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._ledger = Ledger(log)
        self._engine = _engine_of(log)
        self.looked = evenly(len(log.columns.save_lines), _MOST_SAVES)
        self.heroes: list[Hero | None] = []
        self.numbers = {name: Values(array("Q"), array("q")) for name in NUMBERS}

    def survey(self) -> Iterator[int]:
        """Look at the saves; yields the lines up to which that was done."""
        rated = frozenset(evenly(len(self.looked), _MOST_SCORES) if self._engine is None else ())
        for number, save in enumerate(self.looked):
            self._look(save)
            if number in rated:
                self._rate(save)
            if number % _PIECE == 0:
                yield self._log.columns.save_lines[save]

    def _look(self, save: int) -> None:
        hero = self._ledger.hero(save) if self._engine is None else self._played(self._engine, save)
        self.heroes.append(hero)
        if hero is not None:
            for name in ("hp", "hp_max", "level", "depth"):
                self._note(name, save, getattr(hero, name))

    def _played(self, engine: Engine, save: int) -> Hero | None:
        """The hero of a save of an engine's game; notes the score."""
        told = _vitals(engine, self._ledger.head(save)) or _vitals(engine, self._whole(save))
        if told is None:
            return None
        if told.score is not None:
            self._note("score", save, told.score)
        return Hero("", told.level or 0, told.hp, told.hp_max, told.depth or 0)

    def _rate(self, save: int) -> None:
        from nhlog.nethack4.hero.score import score_of
        from nhlog.nethack4.save.save import Save

        with suppress(Damaged, Unsupported):
            self._note("score", save, score_of(Save.parse(self._log.save(save))))

    def _whole(self, save: int) -> bytes:
        try:
            return self._log.save(save)
        except (Damaged, Unsupported):
            return b""

    def _note(self, name: str, save: int, value: int) -> None:
        self.numbers[name].saves.append(save)
        self.numbers[name].values.append(value)


def _engine_of(log: Log) -> Engine | None:
    """The engine of the game, None for NetHack 4 and what nobody knows."""
    name = engine_name(log.header.identification.version, head_of(log))
    return engine_named(name) if name in engines() else None


def _vitals(engine: Engine, save: bytes) -> Vitals | None:
    """How the hero of a save is, or of its first bytes; None where they do not tell."""
    try:
        return vitals(engine, save[HEAD_SIZE:]) if save else None
    except (Damaged, Unsupported):
        return None
