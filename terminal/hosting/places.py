"""Finds a player's running games: each has a lock as long as its host lives, and a socket to connect to it.

Both are in a folder that only the player's account can look into, and that no game can write to.
"""

import os
import re
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from glob import iglob
from pathlib import Path
from typing import Final

from nhlog.config import GameProgram
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.files import (
    create_file,
    is_being_written,
    lock_whole,
    open_folder,
    open_regular,
    read_whole,
    reason,
    refusals,
)
from nhlog.files.processes import all_locks
from nhlog.players import PlayerFolder

__all__ = ["Place", "folder_of", "is_saved", "made", "named", "new_recording", "players_of", "root_of", "running_games"]

_LOCK, _SOCKET = ".lock", ".socket"
_LONGEST: Final = 1 << 12  # bytes of a path
_NAMED: Final = re.compile(
    r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.\d{4}-\d\d-\d\d\.\d{6}(?:-\d+)?\.(?:cast|ttyrec)(?:\..+)?"
)
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")


class Place:
    """The lock and the socket of the game `game` of a player."""

    def __init__(self, folder: PlayerFolder, game: str) -> None:
        self._folder, self._game = folder.running, game
        self._lock = str(self._folder / f"{game}{_LOCK}")

    def take(self) -> int:
        """Have it for as long as the descriptor is open; raises :class:`LockNotObtained` if the game runs already."""
        try:
            fd = create_file(self._lock, 0o600, os.O_RDWR)
        except FileExistsError:
            fd = open_regular(self._lock, os.O_RDWR)
        except OSError as error:
            raise NhlogError(reason(error), file=self._lock) from None
        try:
            lock_whole(fd, self._lock)
        except LockNotObtained:
            os.close(fd)
            raise
        return fd

    def tell(self, fd: int, recording: str) -> None:
        """Store which recording the game is in; `fd` is the one that `take` returned."""
        with refusals(self._lock):
            os.ftruncate(fd, 0)
            os.pwrite(fd, os.fsencode(recording), 0)

    @property
    def recording(self) -> str | None:
        """The recording of the game that runs here; None if none does."""
        try:
            if is_being_written(self._lock):
                return os.fsdecode(read_whole(self._lock, _LONGEST)) or None
        except NhlogError:  # it never ran
            pass
        return None

    def listen(self) -> socket.socket:
        """A socket to which players come; what an earlier host left is replaced: the place is ours."""
        listener = _new_socket()
        with self._address() as address:
            with suppress(FileNotFoundError):
                os.unlink(address)
            listener.bind(address)
        listener.listen()
        return listener

    def connect(self) -> socket.socket | None:
        """A connection to the game's host; None if there is no host."""
        connection = _new_socket()
        try:
            with self._address() as address:
                connection.connect(address)
        except OSError:
            connection.close()
            return None
        return connection

    @contextmanager
    def _address(self) -> Iterator[str]:
        """The socket's path, as short as sockets want it however long the folder's is."""
        folder = open_folder(str(self._folder))
        try:
            yield f"/proc/self/fd/{folder}/{self._game}{_SOCKET}"
        finally:
            os.close(folder)


def _new_socket() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def made(game: GameProgram, folder: PlayerFolder) -> PlayerFolder:
    """The player's folder as this program has it, by its whole path; all its parts are made if they are not there."""
    folder = folder_of(game, replace(folder, path=folder.path.absolute()))
    folder.path.parent.mkdir(parents=True, exist_ok=True)
    folder.make()
    return folder


def folder_of(game: GameProgram, folder: PlayerFolder) -> PlayerFolder:
    """The player's folder as this program has it."""
    return replace(folder, apart=game.name if game.own_home else "")


def running_games(folder: PlayerFolder) -> dict[str, str]:
    """The player's games that run, by their recordings."""
    try:
        names = os.listdir(folder.running)
    except OSError:  # none ever ran
        return {}
    games = [name.removesuffix(_LOCK) for name in names if name.endswith(_LOCK)]
    found = {game: Place(folder, game).recording for game in games}
    return {recording: game for game, recording in found.items() if recording is not None}


def new_recording(folder: Path, player: str, game: GameProgram) -> str:
    """A path in `folder` that does not exist: ``PLAYER.GAME.DATE.TIME.cast``; creates the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    whose = _UNSAFE.sub("_", player) or "nobody"
    name = f"{whose}.{game.name}.{time.strftime('%Y-%m-%d.%H%M%S', time.gmtime())}"
    path, count = folder / f"{name}.{game.record}", 1
    while os.path.lexists(path):
        count += 1
        path = folder / f"{name}-{count}.{game.record}"
    return str(path)


def named(recording: str) -> tuple[str, str] | None:
    """The player and the game of the recording with this path; None if it is not named so."""
    found = _NAMED.fullmatch(os.path.basename(recording))
    return (found[1], found[2]) if found else None


def is_saved(game: GameProgram, folder: PlayerFolder) -> bool:
    """Whether there are files of a game that the player can go on with."""
    with suppress(OSError):
        if os.listdir(folder.brought(game.name)):
            return True
    patterns = game.for_player(folder.name, folder_of(game, folder).home).save_files
    return any(any(iglob(str(Path(*root_of(game, folder, pattern))))) for pattern in patterns)


def root_of(game: GameProgram, folder: PlayerFolder, pattern: str) -> tuple[Path, Path]:
    """The folder that a pattern is in, which no game can replace, and what the pattern is there.

    It is the player's home, or a folder that is the player's own copy of the system's.
    """
    from nhlog.recorder.walls import own_folder  # with all of the recorder, which nobody needs who lists games

    logs, folder = game.walls.logs, folder_of(game, folder)
    if logs is not None and Path(pattern).is_relative_to(logs):
        return folder.logs / game.name, Path(pattern).relative_to(logs)
    for place in game.walls.own_folders:
        if Path(pattern).is_relative_to(place):
            return own_folder(place, folder.home), Path(pattern).relative_to(place)
    return folder.home, Path(pattern)


def players_of(game: str, recordings: Iterable[Path], besides: str) -> int:
    """How many people play the game now, counted by recordings in these folders, `besides` the one with this path."""
    locked = {inode for (_, inode), locks in all_locks().items() if any(locks.content.values())}
    playing = 0
    for folder in recordings:
        with suppress(OSError), os.scandir(folder) as entries:
            played = [entry.path for entry in entries if entry.inode() in locked and entry.path != besides]
            playing += sum((named(path) or ("", ""))[1] == game and _is_played(path) for path in played)
    return playing


def _is_played(recording: str) -> bool:
    try:
        return is_being_written(recording)
    except NhlogError:  # it is kept from us, or gone
        return False
