"""The place of one game in a list of scores, which is read a piece at a time: there may be thousands of games in it."""

from bisect import insort
from collections.abc import Iterable
from itertools import chain
from typing import Final

from nhlog.scores.table import Score, scores_in

__all__ = ["Ranking"]

KEPT: Final = 100  # of the best games, more than a screen has rows


class Ranking:
    """The game `own` among those of the same engine in `lists` (see :func:`scores_in`).

    `games` is how many there are, as far as they were read, `place` that of `own` among them; 0 for a game that
    does not count.  `best` are the best of them, the best first.  What cannot be read is left out.
    """

    def __init__(self, own: Score, lists: Iterable[str]) -> None:
        self.own = own
        self.games = int(own.is_contest)
        self.place = int(own.is_contest)
        self.best = [own] if own.is_contest else []
        self._left = chain.from_iterable(map(scores_in, lists))

    def work(self) -> bool:
        """Read the next score; returns False if there is none."""
        found = next(self._left, None)
        if isinstance(found, Score) and self._counts(found):
            self._add(found)
        return found is not None

    def _counts(self, score: Score) -> bool:
        told = self.own.player, self.own.start, self.own.end
        return score.is_contest and score.engine == self.own.engine and (score.player, score.start, score.end) != told

    def _add(self, score: Score) -> None:
        self.games += 1
        self.place += bool(self.place and score.rank > self.own.rank)
        insort(self.best, score, key=lambda each: (-each.rank[0], -each.rank[1]))
        del self.best[KEPT:]
