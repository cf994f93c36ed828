"""The games that ended, as ever more of them end: for whoever asks about them again and again, as a server of pages.

Each line of an xlogfile is read once: a look costs no more than what is new.  A list that is not what it was (another
file, a shorter one, another last line) is read again.  Only whole lines count: the last one may be half written.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, Protocol

from nhlog.errors import Damaged, NhlogError
from nhlog.files import CHUNK, Identity, Stamp, open_file, stamp_of
from nhlog.formats.nhgame.listing import glance_at_game
from nhlog.replay import Status
from nhlog.scores.crawl import in_nethacks_words
from nhlog.scores.table import Score, score_in, scores_in
from nhlog.scores.wire import MAX_ENTRY, parse_entry
from nhlog.scores.xlogfile import GAME, XLOGFILE

__all__ = ["History"]

MOST: Final = 100_000
"""Games that are remembered of each list, the last ones: some 100 MB."""

_FEW: Final = 10  # logs that are opened at a look: each may take a second


class _Source(Protocol):
    """Something that says which games ended."""

    @property
    def scores(self) -> list[Score]:
        """The games."""
        ...

    def look(self) -> bool:
        """Read what is new; returns whether there is anything."""
        ...


class History:
    """The games in some xlogfiles, and in folders: of a folder with an xlogfile its lines, else the finished logs.

    What cannot be read is passed over, and tried again when it has changed.
    """

    def __init__(self, places: Iterable[str]) -> None:
        self._places = [*dict.fromkeys(places)]
        self._sources: dict[str, _Source] = {}

    @property
    def scores(self) -> Iterator[Score]:
        """The games, those of a list in its order."""
        return (score for source in self._sources.values() for score in source.scores)

    def look(self) -> bool:
        """Read what is new; returns whether there is anything."""
        changed = False
        for place in self._places:
            name = os.path.join(place, XLOGFILE) if os.path.isdir(place) else place
            is_list = os.path.lexists(name)
            before = self._sources.get(place)
            if before is None or isinstance(before, _List) != is_list:
                self._sources[place] = _List(name) if is_list else _Logs(place)
                changed = changed or bool(before and before.scores)
            changed = self._sources[place].look() or changed
        return changed


class _List:
    """The xlogfile at `path`, of which the first `_read` bytes were read."""

    def __init__(self, path: str) -> None:
        self._scores: list[Score] = []
        self._path = path
        self._stamp: Stamp | None = None
        self._identity: Identity | None = None
        self._read = 0
        self._last = b""  # the line that ends there

    @property
    def scores(self) -> list[Score]:
        """The games."""
        return self._scores

    def look(self) -> bool:
        """Read the lines that are new."""
        stamp = stamp_of(self._path)
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        before = len(self._scores)
        forgot = False
        with suppress(NhlogError), open_file(self._path) as file:
            identity, size = file.stamp().identity, file.size()
            is_same = identity == self._identity and size >= self._read
            if not is_same or file.pread(len(self._last), self._read - len(self._last)) != self._last:
                forgot = bool(self._scores)
                self._identity, self._read, self._last, before = identity, 0, b"", 0
                self._scores.clear()
            while piece := file.pread(CHUNK, self._read):
                end = piece.rfind(b"\n") + 1 or (len(piece) if len(piece) > MAX_ENTRY else 0)
                if not end:
                    break
                self._take(piece[:end])
                self._read += end
        found = len(self._scores) > before
        del self._scores[:-MOST]
        return forgot or found

    def _take(self, lines: bytes) -> None:
        for line in lines.split(b"\n"):
            if line:
                with suppress(Damaged):
                    self._scores.append(score_in(in_nethacks_words(parse_entry(line)), self._path))
        self._last = lines[-MAX_ENTRY:]


class _Logs:
    """The finished logs in the folder `path`, each of which is opened once, and again when it was changed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._found: dict[str, tuple[Stamp, Score | None]] = {}

    @property
    def scores(self) -> list[Score]:
        """The games."""
        return [score for _, score in self._found.values() if score is not None]

    def look(self) -> bool:
        """Read some that are new, and forget those that are gone."""
        try:
            names = [name for name in sorted(os.listdir(self._path)) if name.endswith(GAME)]
        except OSError:
            names = []
        gone = self._found.keys() - set(names)
        for name in gone:
            del self._found[name]
        few = _FEW
        changed = bool(gone)
        for name in names[:MOST]:
            stamp = stamp_of(os.path.join(self._path, name))
            known = self._found.get(name)
            if stamp is None or (known and known[0] == stamp):
                continue
            score = _score_of(os.path.join(self._path, name))
            self._found[name] = stamp, score
            changed = changed or score is not None or bool(known and known[1])
            few -= score is not None
            if not few:
                break
        return changed


def _score_of(path: str) -> Score | None:
    """The score of a log; None if it is not finished, or cannot be read."""
    try:
        if glance_at_game(path).status is not Status.FINISHED:
            return None
    except NhlogError:
        return None
    return next((found for found in scores_in(path) if isinstance(found, Score)), None)
