"""The highlights of a game (see :mod:`nhlog.highlights`) but for death: the end of a log tells of that, with its cause.

Found from the heads of the saves alone, which are read when markers are needed, each once; those of a game that is over
are kept in the user's cache.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from nhlog.highlights import DEATH, Fortunes
from nhlog.log.file import LogCopy, LogFile
from nhlog.log.log import Log
from nhlog.nethack4.save.head import Hero
from nhlog.timeline import Marker

if TYPE_CHECKING:
    from nhlog.cache import Fingerprint

__all__ = ["Highlights", "kept_highlights"]

_LAYOUT: Final = 2  # of what is kept, and of the rules by which it was found


class Highlights:
    """The highlights up to any save of one log, as markers at the lines of the saves.

    `save_lines` has the line of each save; `hero` returns the hero of a save by number, None if it is not known.
    """

    def __init__(self, save_lines: Sequence[int], hero: Callable[[int], Hero | None]) -> None:
        self._save_lines, self._hero = save_lines, hero
        self._found: list[Marker] = []
        self._seen = 0
        self._fortunes = Fortunes()

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
        self._fortunes, found = self._fortunes.then(line, hero.place, hero.level, hero.hp, hero.hp_max)
        self._found.extend(marker for marker in found if marker.kind != DEATH)


def kept_highlights(log: Log, highlights: Highlights) -> list[Marker]:
    """All `highlights` of a log; those that are kept of it, where there are some."""
    from nhlog.cache import Index  # which few logs need

    index = Index("highlights", _LAYOUT, list[Marker])
    state, lines = _state(log), len(log)
    kept = index.load(state)
    if kept is not None and all(0 <= marker.step < lines for marker in kept):
        return kept
    found = highlights.upto(len(log.columns.save_lines))
    if state == _state(log):
        index.store(state, found)
    return found


def _state(log: Log) -> "Fingerprint | None":
    """The state of its file; None where it has no file, or other lines by now than are known."""
    from nhlog.cache import fingerprint

    if not isinstance(log.source, LogFile | LogCopy):
        return None
    state = fingerprint(log.source)
    return state if log.is_as_known() else None
