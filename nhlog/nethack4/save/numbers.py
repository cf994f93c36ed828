"""The numbers of kinds, species and backgrounds by those that an edition stores.

Ours are those of the tables: NetHack 4's own, and behind them what a fork has besides.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from nhlog.nethack4.save.wire import NETHACK4, check
from nhlog.nethack4.tables import fork
from nhlog.values import NamedTuple

__all__ = ["Numbers", "numbers_of"]

_KINDS: Final = range(432)
_SPECIES: Final = range(381)
_BACKGROUNDS: Final = range(55)


class Numbers(NamedTuple):
    """Our numbers by an engine's."""

    kinds: Sequence[int]
    species: Sequence[int]
    backgrounds: Sequence[int]

    def kind(self, number: int, what: str, at: int) -> int:
        """Our number of a kind; raises :class:`BadSave` if the engine has no such kind."""
        return self.kinds[check(number, range(len(self.kinds)), what, at)]

    def one_of(self, number: int, what: str, at: int) -> int:
        """Our number of a species; raises :class:`BadSave` if the engine has no such species."""
        return self.species[check(number, range(len(self.species)), what, at)]

    def background(self, number: int, what: str, at: int) -> int:
        """Our number of a background; raises :class:`BadSave` if the engine has no such background."""
        return self.backgrounds[check(number, range(len(self.backgrounds)), what, at)]


@cache
def numbers_of(edition: str) -> Numbers:
    """The numbers of an edition whose saves are parsed."""
    if edition == NETHACK4:
        return Numbers(_KINDS, _SPECIES, _BACKGROUNDS)
    own = fork()["editions"][edition]
    return Numbers(tuple(own["kinds"]), tuple(own["species"]), tuple(own["backgrounds"]))
