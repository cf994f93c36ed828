"""Who is on the server: each lobby of a player has a file in the player's folder `running`, locked while it is there.

The hosts of the player's games have such files, too.  So who is there is what the system says of locks: a lobby or a
host that was killed left a file behind, and nothing more.  No game can write in that folder.
"""

import json
import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import create_file, lock_whole, read_whole
from nhlog.files.processes import Process, end, is_same_process, locks_on, process
from nhlog.players.folders import PlayerFolder
from nhlog.values import NamedTuple

__all__ = ["Present", "address_of_session", "attending", "end_all", "games_of", "present"]

_SESSION, _GAME = ".session", ".lock"
PATIENCE: Final = 30.0  # seconds for all of them to end: a game may save for five
PAUSE: Final = 0.05
_LONGEST: Final = 1 << 12  # bytes of such a file
_ADDRESS: Final = re.compile(r"[0-9A-Za-z.:%]{1,64}")


class Present(NamedTuple):
    """A lobby of a player, and where the player's ssh comes from; empty if that is not known."""

    process: Process
    address: str


@contextmanager
def attending(folder: PlayerFolder) -> Iterator[None]:
    """A scope in which the player of this folder, who came by ssh or not, is on the server."""
    path = str(folder.running / f"{os.getpid()}{_SESSION}")
    with suppress(FileNotFoundError):
        os.unlink(path)  # of a process that had the same number, and was killed
    fd = create_file(path, 0o600, os.O_RDWR)
    try:
        lock_whole(fd, path)
        os.write(fd, json.dumps({"address": address_of_session()}).encode())
        yield
    finally:
        os.close(fd)
        with suppress(FileNotFoundError):
            os.unlink(path)


def address_of_session() -> str:
    """The address from which the user of this process came by ssh; empty if they did not."""
    return os.environ.get("SSH_CONNECTION", "").partition(" ")[0]


def present(folder: PlayerFolder) -> list[Present]:
    """The lobbies of the player, by their processes' numbers."""
    found = [Present(held, _address(path)) for path, held in _held(folder, _SESSION)]
    return sorted(found, key=lambda there: there.process.pid)


def games_of(folder: PlayerFolder) -> dict[str, Process]:
    """The hosts of the player's games that run, by the games' names."""
    return {os.path.basename(path).removesuffix(_GAME): held for path, held in _held(folder, _GAME)}


def end_all(folder: PlayerFolder) -> tuple[int, int]:
    """End the player's lobbies, and then the games, as if the connections were lost: games can save.

    Returns how many there were of each.  Raises :class:`NhlogError` if one does not end, and :class:`PermissionError`
    for another user's.
    """
    games = games_of(folder)
    lobbies = _end([there.process for there in present(folder)])
    _end([*games_of(folder).values()])  # also one that was begun just now
    return lobbies, len(games)


def _end(processes: list[Process]) -> int:
    for known in processes:
        end(known, signal.SIGHUP)
    deadline = time.monotonic() + PATIENCE
    while left := [known for known in processes if is_same_process(known)]:
        if time.monotonic() > deadline:
            raise NhlogError(f"{left[0].who} does not end")
        time.sleep(PAUSE)
    return len(processes)


def _held(folder: PlayerFolder, ending: str) -> Iterator[tuple[str, Process]]:
    """The files with this ending, each with the process that has it locked."""
    try:
        names = sorted(os.listdir(folder.running))
    except OSError:  # nobody was ever there, or it is kept from us
        return
    for name in names:
        if name.endswith(ending):
            path = str(folder.running / name)
            with suppress(OSError):
                status = os.stat(path, follow_symlinks=False)
                for pid in locks_on((status.st_dev, status.st_ino)).content:
                    yield path, process(pid)


def _address(path: str) -> str:
    try:
        found = json.loads(read_whole(path, _LONGEST))
        address = found.get("address") if isinstance(found, dict) else None
    except (NhlogError, ValueError, RecursionError):
        return ""
    return address if isinstance(address, str) and _ADDRESS.fullmatch(address) else ""
