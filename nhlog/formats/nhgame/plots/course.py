"""How the hero is in the saves of a game, found in one pass.

Hit points, level and depth stand in the first bytes of a save, which are cheap to rebuild one after the other.  The
score of NetHack 4 takes a whole save, so that it is worked out for some of them only.
"""

from array import array
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.nhgame.ledger import Ledger, hero_of
from nhlog.log.log import Log
from nhlog.nethack4.save.head import Hero
from nhlog.plots import evenly
from nhlog.values import NamedTuple

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
        self.looked = evenly(len(log.columns.save_lines), _MOST_SAVES)
        self.heroes: list[Hero | None] = []
        self.numbers = {name: Values(array("Q"), array("q")) for name in NUMBERS}

    def survey(self) -> Iterator[int]:
        """Look at the saves; yields the lines up to which that was done."""
        rated = frozenset(evenly(len(self.looked), _MOST_SCORES) if self._ledger.engine is None else ())
        for number, save in enumerate(self.looked):
            self._look(save)
            if number in rated:
                self._rate(save)
            if number % _PIECE == 0:
                yield self._log.columns.save_lines[save]

    def _look(self, save: int) -> None:
        told = self._ledger.vitals(save)
        hero = self._ledger.hero(save) if told is None else hero_of(told)
        self.heroes.append(hero)
        if hero is not None:
            for name in ("hp", "hp_max", "level", "depth"):
                self._note(name, save, getattr(hero, name))
        if told is not None and told.score is not None:
            self._note("score", save, told.score)

    def _rate(self, save: int) -> None:
        from nhlog.nethack4.hero.score import score_of
        from nhlog.nethack4.save.save import Save

        with suppress(Damaged, Unsupported):
            self._note("score", save, score_of(Save.parse(self._log.save(save))))

    def _note(self, name: str, save: int, value: int) -> None:
        self.numbers[name].saves.append(save)
        self.numbers[name].values.append(value)
