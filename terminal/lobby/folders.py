"""The recordings and folders in some folders, and which of them changed since they were last looked at.

A look costs the same however many files there are: what the system tells of is looked at, and the next few of all the
others, as it does not tell everything.  Names are read again only where a folder changed.
"""

import os
import stat
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from nhlog.files import Identity, Stamp, stamp_of
from nhlog.files.events import FolderEvents, is_remote
from nhlog.formats import is_recording
from nhlog.players import Players

__all__ = ["Folders"]

FEW: Final = 50  # files looked at each time, whatever the system tells
LOOKS: Final = 2  # in which all are looked at where it tells nothing: a second of the lobby's
GRAIN: Final = 2_000_000_000  # nanoseconds between two times of the coarsest file systems


class Folders:
    """The recordings in `paths`, and in the folders of all `players`; a context manager, inside which the system tells
    what changes.

    Outside of it all files are looked at in turn.  Folders that are not there have no recordings yet.
    """

    def __init__(self, paths: Iterable[Path], players: Players | None = None) -> None:
        self._folders = [_Folder(os.fspath(path)) for path in dict.fromkeys(paths)]
        self._players = players
        self._halls = {} if players is None else {players.path: _Folder(os.fspath(players.path))}
        self._stamps: dict[str, Stamp] = {}  # of all that there is, as it was last seen
        self._due: deque[str] = deque()  # what is to be looked at next
        self._rest: Iterator[str] = iter(())  # what is left of a turn through all
        self._told: set[str] = set()  # by another thread, which only adds to it
        self._events: FolderEvents | None = None
        self._rests = False

    def __enter__(self) -> "Folders":
        self._listen()
        return self

    def __exit__(self, *_: object) -> None:
        if self._events is not None:
            self._events.stop()

    def _listen(self) -> None:
        with suppress(OSError):  # the system tells so many processes of a user and no more
            self._events = FolderEvents(self._told.add)

    def rest(self) -> None:
        """Hear of nothing until the next look.

        While its user plays, a lobby would be woken by each line that anybody writes: of 100 players at once that took
        more of the processor than all that they did.
        """
        if self._events is not None:
            self._events.stop()
            self._events, self._rests = None, True

    def _wake(self) -> None:
        """Hear again, and look at all that is known of."""
        self._rests = False
        self._listen()
        for folder in self._folders:
            folder.forget()
        self._due.extend(self._stamps)

    @property
    def waiting(self) -> int:
        """How many files are known of that were not looked at yet."""
        return len(self._due)

    @property
    def several(self) -> bool:
        """Whether more than one of the folders has something in it."""
        return sum(bool(folder.names) for folder in self._folders) > 1

    def look(self, most: int) -> dict[str, os.stat_result | None]:
        """What changed since the last look, at most so many files: the status of each, None for one that is gone."""
        if self._rests:
            self._wake()
        self._let_come()
        for folder in self._folders:
            self._due.extend(folder.changes(self._events))
        if not self._due:
            self._due.extend(self._next())
        self._due.extend(sorted(self._told.pop() for _ in range(len(self._told))))
        changed: dict[str, os.stat_result | None] = {}
        while self._due and len(changed) < most:
            path = self._due.popleft()
            status = _status(path)
            stamp = None if status is None else Stamp.of(status)
            if stamp == self._stamps.get(path):
                continue
            if stamp is None:
                del self._stamps[path]
            else:
                self._stamps[path] = stamp
            changed[path] = status if status is not None and _is_ours(path, status) else None
        return changed

    def _let_come(self) -> None:
        """Have the folders of players who came since the last look, and of programs that write logs of their own."""
        came = [hall.changes(None) for hall in self._halls.values()]
        if self._players is None or not any(came):
            return
        for player in self._players.all:
            self._halls.setdefault(player.logs, _Folder(os.fspath(player.logs)))
        known = {folder.path for folder in self._folders}
        shown = map(os.fspath, self._players.shown)
        self._folders += [_Folder(path, links=False) for path in shown if path not in known]

    def _next(self) -> Iterable[str]:
        """What is read although no event names it: links and folders, and the next few of all."""
        silent = any(folder.silent for folder in self._folders)
        few = max(FEW, -(-len(self._stamps) // LOOKS) if silent else 0)
        some = [*islice(self._rest, few)]
        if len(some) < few:
            self._rest = iter([*self._stamps])
            some += islice(self._rest, few - len(some))
        return dict.fromkeys((*(path for folder in self._folders for path in folder.untold), *some))


class _Folder:
    """The folder at `path`: its `names` are paths, and `untold` are those of which the system tells nothing.

    Without `links` there are none in it for us: what a player's program leaves there may lead to another player's.
    """

    def __init__(self, path: str, *, links: bool = True) -> None:
        self.path, self._links = path, links
        self._stamp: Stamp | None = None  # as of the last reading; None where one cannot go by it
        self._identity: Identity | None = None
        self._watched = False
        self.names: frozenset[str] = frozenset()
        self.untold: frozenset[str] = frozenset()

    def forget(self) -> None:
        """Look at it anew the next time, and have the system tell of it."""
        self._stamp, self._identity, self._watched = None, None, False

    @property
    def silent(self) -> bool:
        """Whether the system tells nothing of what is in it."""
        return bool(self.names) and not self._watched

    def changes(self, events: FolderEvents | None) -> list[str]:
        """The paths that came and went since the last time, in order."""
        now = time.time_ns()
        stamp = stamp_of(self.path)
        if stamp is not None and stamp == self._stamp:
            return []
        identity = stamp.identity if stamp else None
        if identity != self._identity:
            self._identity = identity
            self._watched = identity is not None and events is not None and _watch(events, self.path)
        before = self.names
        self._read()
        sure = self._watched or stamp is None or now - stamp.modified > GRAIN
        self._stamp = stamp if sure else None
        return sorted(before ^ self.names)

    def _read(self) -> None:
        try:
            with os.scandir(self.path) as found:
                ours = (entry for entry in found if self._links or not entry.is_symlink())
                told = {entry.path: entry.is_file(follow_symlinks=False) for entry in ours}
        except OSError:
            told = {}
        self.names = frozenset(told)
        self.untold = frozenset(path for path, plain in told.items() if not plain)


def _watch(events: FolderEvents, path: str) -> bool:
    """Have the system tell of a folder, if it does."""
    if is_remote(path):
        return False
    try:
        events.watch(path)
    except OSError:
        return False
    return True


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _is_ours(path: str, status: os.stat_result) -> bool:
    """Whether it is a recording, or a folder in which there may be some: not one that hides."""
    if stat.S_ISDIR(status.st_mode):
        return not os.path.basename(path).startswith(".")
    return stat.S_ISREG(status.st_mode) and is_recording(path)
