"""The highlights of a game (see :mod:`nhlog.highlights`) but for death: the end of a log tells of that, with its cause.

Found from the heads of the saves alone, which are read when markers are needed, each once: that takes 2 s for 40 MB.
So what was found is kept in the user's cache: of a game that is over all of it, with the state of its file; of one that
goes on what follows from the lines that the log's index knows, with the index' mark.  There only the saves since are
looked at again, of which there are few: an index is written again once 64 kB have come.  Where an engine tells of the
hero, what was found while another one did, or none was installed, is not taken.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from nhlog.highlights import DEATH, Fortunes
from nhlog.log.file import LogCopy, LogFile
from nhlog.log.log import Log
from nhlog.nethack4.save.head import Hero
from nhlog.timeline import Marker
from nhlog.values import NamedTuple

if TYPE_CHECKING:
    from nhlog.cache import Fingerprint

__all__ = ["Highlights", "highlights_so_far", "kept_highlights"]

_LAYOUT: Final = 5  # of what is kept, and of the rules by which it was found


class Found(NamedTuple):
    """The highlights in the first `saves` saves of a log, and how the hero stands after them.

    `mark` is that of the lines from which they follow (see :class:`~nhlog.log.kept.index.Indexed`), `teller` the engine
    that told of the hero.
    """

    mark: tuple[int, int, int]
    saves: int
    fortunes: Fortunes
    markers: list[Marker]
    teller: str


class Highlights:
    """The highlights up to any save of one log, as markers at the lines of the saves.

    `save_lines` has the line of each save; `hero` returns the hero of a save by number, None if it is not known.
    """

    def __init__(self, save_lines: Sequence[int], hero: Callable[[int], Hero | None]) -> None:
        self._save_lines, self._hero = save_lines, hero
        self._found: list[Marker] = []
        self.seen = 0  # saves
        self._fortunes = Fortunes()
        self._latest: Hero | None = None

    def upto(self, saves: int) -> list[Marker]:
        """The highlights in the first `saves` saves, in order."""
        while self.seen < saves:
            hero = self._hero(self.seen)
            if hero is not None and hero is not self._latest:  # who is as before changes nothing
                self._look(self._save_lines[self.seen], hero)
                self._latest = hero
            self.seen += 1
        end = self._save_lines[saves - 1] if saves else -1
        return [marker for marker in self._found if marker.step <= end]

    def go_on_from(self, found: Found) -> None:
        """Begin behind these saves, with what was found in them."""
        self.seen, self._fortunes, self._found = found.saves, found.fortunes, list(found.markers)

    def found(self, mark: tuple[int, int, int], teller: str) -> Found:
        """What was found up to here, to go on from it another time."""
        return Found(mark, self.seen, self._fortunes, self._found, teller)

    def _look(self, line: int, hero: Hero) -> None:
        self._fortunes, told = self._fortunes.also(line, hero.states, hero.deeds, hero.firsts)
        self._fortunes, found = self._fortunes.then(line, hero.place, hero.level, hero.hp, hero.hp_max)
        self._found.extend(marker for marker in (*found, *told) if marker.kind != DEATH)


def kept_highlights(log: Log, highlights: Highlights, teller: str) -> list[Marker]:
    """All `highlights` of a log that is over; those that are kept of it, where there are some by this teller."""
    from nhlog.cache import Index  # which few logs need

    index = Index("highlights", _LAYOUT, list[Marker])
    state, lines = _state(log), len(log)
    kept = index.load(state, teller)
    if kept is not None and all(0 <= marker.step < lines for marker in kept):
        return kept
    found = highlights_so_far(log, highlights, teller)
    if state == _state(log):
        index.store(state, found, teller)
    return found


def highlights_so_far(log: Log, highlights: Highlights, teller: str) -> list[Marker]:
    """All `highlights` of a log that may go on; those that are kept, by this teller, are not looked for again."""
    saves, indexed = len(log.columns.save_lines), log.indexed
    if indexed is None or not isinstance(log.source, LogFile | LogCopy):
        return highlights.upto(saves)
    from nhlog.cache import Cache, entry_name

    cache, name = Cache("highlights-so-far", _LAYOUT, Found), entry_name(log.source.identity)
    kept = cache.load(name) if highlights.seen < indexed.saves else None
    is_ours = kept is not None and kept.teller == teller and highlights.seen < kept.saves <= indexed.saves
    if kept is not None and is_ours and indexed.begins_with(kept.mark):
        highlights.go_on_from(kept)
    if highlights.seen < indexed.saves:
        highlights.upto(indexed.saves)
        cache.store(name, highlights.found(indexed.mark, teller))
    return highlights.upto(saves)


def _state(log: Log) -> "Fingerprint | None":
    """The state of its file; None where it has no file, or other lines by now than are known."""
    from nhlog.cache import fingerprint

    if not isinstance(log.source, LogFile | LogCopy):
        return None
    state = fingerprint(log.source)
    return state if log.is_as_known() else None
