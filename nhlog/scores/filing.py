"""Putting a finished game away: a dumplog of its last state, its line in the xlogfile, and its log in another folder.

The steps come in this order, and each does nothing where it was done already.  So a process that dies between two of
them loses nothing, and whoever looks next ends the work: no line is written twice, no game is there twice.  All of it
is done under the lock of the xlogfile, by the owner of the game or by root.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import Final

from nhlog.beside.file import move_along
from nhlog.beside.talk import close_talk
from nhlog.errors import LogRecovered, NhlogError
from nhlog.files import Fate, atomic, open_folder, read_whole, refusals
from nhlog.formats.nhgame.listing import glance_at_game
from nhlog.log.file import LogFile
from nhlog.log.reading import pieces, settled, stands
from nhlog.replay import Status
from nhlog.scores.entry import Ended, entry_of, identity_of, log_of, open_ended
from nhlog.scores.xlogfile import DUMPLOG, GAME, XLOGFILE, open_xlogfile

__all__ = ["Draw", "is_due", "put_away"]

Draw = Callable[[Ended], str]
"""What makes the dumplog of a game that stands at its last line."""

NUMBERED: Final = 100  # names with a number that are tried, before those that nobody can have taken


def is_due(path: str) -> bool:
    """Whether a file is a finished game that this process may put away: as its owner, or as root.

    Raises :class:`NhlogError` for such a file that is no log.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return False
    ours = stat.S_ISREG(status.st_mode) and os.geteuid() in (0, status.st_uid)
    return ours and glance_at_game(path).status is Status.FINISHED


def put_away(path: str, folder: Path, draw: Draw, known: Mapping[str, str | int] = MappingProxyType({})) -> str:
    """Put the finished game in the file `path` away to `folder`, and return its new path.

    What is `known` of it stands in its line of the xlogfile in place of what the log says.  The log must not be open in
    this process.  Raises :class:`NhlogError` where it cannot be done, or not now: then it can be tried again.
    """
    games = os.path.dirname(os.path.abspath(path))
    if not is_due(path):
        raise NhlogError("not a finished game, or not this user's game", file=path)
    if not os.access(games, os.W_OK | os.X_OK):  # else the game would be there twice
        raise NhlogError("the game's folder is write-protected, so the game stays there", file=path)
    with refusals(path), closing(open_ended(path)) as replay:
        game = log_of(replay).log.source
        assert isinstance(game, LogFile)
        dumplog, entry = draw(replay).encode("utf-8", "replace"), {**entry_of(replay, game.status().st_uid), **known}
        with _opened(folder, games) as shelf, open_xlogfile(shelf, str(folder / XLOGFILE)) as xlogfile:
            if game.fate is not Fate.KEPT:  # somebody else was quicker
                raise NhlogError(game.fate_told, file=path)
            stem = _free_name(game, folder, dumplog)
            if not os.path.lexists(stem + DUMPLOG):
                atomic.create(stem + DUMPLOG, [dumplog])
            if not xlogfile.holds(identity_of(entry)):
                xlogfile.append({**entry, "dumplog": os.path.basename(stem) + DUMPLOG})
            _move(game, stem + GAME)
            move_along(path, stem + GAME)
            close_talk(stem + GAME)
    return stem + GAME


@contextmanager
def _opened(folder: Path, games: str) -> Iterator[int]:
    """A descriptor of `folder`; whose own the folder `games` is makes it where it is missing.

    Raises :class:`OSError`, and :class:`NhlogError` for the folder of a user who owns neither `games` nor this process.
    """
    owner = os.stat(games).st_uid
    if owner == os.geteuid():
        folder.mkdir(parents=True, exist_ok=True)
    shelf = open_folder(str(folder))
    try:
        if os.fstat(shelf).st_uid not in (owner, os.geteuid(), 0):
            raise NhlogError(
                "the folder belongs to another player; finished games are not moved there", file=str(folder)
            )
        yield shelf
    finally:
        os.close(shelf)


def _free_name(game: LogFile, folder: Path, dumplog: bytes) -> str:
    """A path without ending under which log and dumplog are already, or have room."""
    first = str(folder / os.path.basename(game.name).removesuffix(GAME))
    numbered = (f"{first}-{number}" for number in range(2, NUMBERED))
    unheard_of = (f"{first}-{os.urandom(8).hex()}" for _ in count())
    names = chain([first], numbered, unheard_of)
    size = game.size()
    return next(
        name
        for name in names
        if _fits(name + DUMPLOG, len(dumplog), [dumplog]) and _fits(name + GAME, size, pieces(game.pread, 0, size))
    )


def _fits(path: str, size: int, parts: Iterable[bytes]) -> bool:
    """Whether nothing has this path, or a file with just these `size` bytes, which a process left that died."""
    if not os.path.lexists(path):
        return True
    try:
        return os.lstat(path).st_size == size and read_whole(path, size) == b"".join(parts)
    except NhlogError:  # a link, a pipe, a folder: whatever it is, it is not ours
        return False


def _move(game: LogFile, target: str) -> None:
    """Give the game the path `target`, which is nobody's or that of a copy of it.

    Whoever has it open goes on, and is told where it is: by the system, but for a move to another file system.
    """
    try:
        os.rename(game.name, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        if not os.path.lexists(target):
            _copy(game, target)
        os.unlink(game.name)
    atomic.sync_folder(os.path.dirname(target))


def _copy(game: LogFile, target: str) -> None:
    """Copy the game; raises :class:`LogRecovered` where somebody has written to it meanwhile."""
    moment = settled(game)

    def check(draft: str) -> None:
        if game.size() != moment.size or not stands(game, moment):
            raise LogRecovered("the game changed meanwhile; nothing was done", file=game.name)
        atomic.keep_status(draft, game.status())

    atomic.create(target, pieces(game.pread, 0, moment.size), check)
