"""How much a player may have: so many games and recordings, and so many bytes in all of the player's folder."""

import os
from collections.abc import Iterator
from typing import Final

from nhlog.errors import NhlogError
from nhlog.players.folders import PlayerFolder
from nhlog.values import NamedTuple

__all__ = ["OverQuota", "Quota", "check_quota", "excess"]

_MEGABYTE: Final = 1_000_000
_BLOCK: Final = 512  # bytes of one that the system counts
_HIDDEN: Final = 1 << 50  # bytes for a folder that nobody can look into: what a program puts there is not free either
_LEAST: Final = 4096  # bytes that a file counts for: a program may make a million that are empty


class OverQuota(NhlogError):
    """The player's quota is used up: no new game can start."""


class Quota(NamedTuple):
    """The most that a player has: `games` are logs and recordings; None for no limit."""

    games: int | None = None
    size: int | None = None


def check_quota(player: PlayerFolder, quota: Quota) -> None:
    """Raise :class:`OverQuota` if the player has no room for another game."""
    if quota.games is not None and _games(player) >= quota.games:
        raise OverQuota(f"{player.name} has all the games and recordings that are allowed: {quota.games}")
    if quota.size is not None and _has_as_many_bytes(player, quota.size):
        raise OverQuota(f"{player.name} has {quota.size / _MEGABYTE:.1f} MB of games and files: no more is allowed")


def excess(player: PlayerFolder, quota: Quota) -> tuple[int, int]:
    """How many games and recordings, and how many bytes, have to go before the player has room for another game."""
    games = 0 if quota.games is None else _games(player) - quota.games + 1
    size = 0 if quota.size is None else sum(_sizes(str(player.path))) - quota.size + 1
    return max(games, 0), max(size, 0)


def _games(player: PlayerFolder) -> int:
    return sum(_recordings(str(folder)) for folder in (player.games, player.recordings, *player.log_folders))


def _recordings(folder: str) -> int:
    """How many there are; the name of what is kept beside a recording begins with its name."""
    names = [entry.name for entry in _entries(folder) if entry.is_file(follow_symlinks=False)]
    count, last = 0, "."
    for name in sorted(names, key=lambda name: name.split(".")):  # "a.b" directly after "a", before "a-b"
        if not name.startswith((f"{last}.", ".")):
            count, last = count + 1, name
    return count


def _has_as_many_bytes(player: PlayerFolder, most: int) -> bool:
    """Whether the files in the player's folder take so much; beyond that none is counted, whatever a program made."""
    total = 0
    for size in _sizes(str(player.path)):
        total += size
        if total >= most:
            return True
    return False


def _sizes(folder: str) -> Iterator[int]:
    """The bytes of every file and folder below, however deep; no link is followed."""
    folders = [folder]
    while folders:
        inner = folders.pop()
        try:
            with os.scandir(inner) as entries:
                for entry in entries:
                    yield _size(entry)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except FileNotFoundError:  # it is gone
            continue
        except OSError:
            yield _HIDDEN


def _size(entry: "os.DirEntry[str]") -> int:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:  # it is gone
        return 0
    return max(status.st_blocks * _BLOCK, _LEAST)


def _entries(folder: str) -> Iterator["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:  # it is gone, or nobody's to read
        return
