"""The highlights of a game: a new place, a new level of experience, little health left.

Found from the heads of the saves alone, which are read when markers are needed, each once.
"""

from collections.abc import Callable, Sequence
from typing import Final

from nhlog.nethack4.save.head import Hero
from nhlog.timeline import Marker

__all__ = ["Highlights"]

_LOW: Final = 7  # the part of the health from which the game itself calls it low


class Highlights:
    """The highlights up to any save of one log, as markers at the lines of the saves.

    `save_lines` has the line of each save; `hero` returns the hero of a save by number, None if it is not known.
    """

    def __init__(self, save_lines: Sequence[int], hero: Callable[[int], Hero | None]) -> None:
        self._save_lines, self._hero = save_lines, hero
        self._found: list[Marker] = []
        self._seen = 0
        self._places: set[str] = set()
        self._level = 0
        self._lows = 0
        self._is_low = False

    def upto(self, saves: int) -> list[Marker]:
        """The highlights in the first `saves` saves, in order."""
        while self._seen < saves:
            hero = self._hero(self._seen)
            if hero is not None:
                self._look(self._save_lines[self._seen], hero)
            self._seen += 1
        end = self._save_lines[saves - 1] if saves else -1
        return [marker for marker in self._found if marker.step <= end]

    def _look(self, line: int, hero: Hero) -> None:
        if self._places and hero.place not in self._places:
            self._found.append(Marker(line, "place", hero.place))
        self._places.add(hero.place)
        if 0 < self._level < hero.level:
            self._found.append(Marker(line, "level", f"level {hero.level}"))
        self._level = max(self._level, hero.level)
        is_low = hero.hp * _LOW <= hero.hp_max
        if is_low and not self._is_low:
            self._lows += 1
            self._found.append(Marker(line, "low HP", f"low HP {self._lows}"))
        self._is_low = is_low
