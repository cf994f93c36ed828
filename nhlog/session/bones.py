"""The storage of bones (the levels of dead heroes, for other games to find): a folder with a file per level.

Finding bones removes them: a file is renamed before it is read, so that two finders cannot both get it.

The folder is shared, and bones read from it go into a log that everybody can read.  So a file is read only if its owner
may write to the folder, all who may do so can read it, and it is a regular file without other hard links.  All other
files are ignored; nothing in the folder can make a game wait or fail.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import create_file, open_folder, open_only_name, open_subfolder, read_at
from nhlog.values import NamedTuple

__all__ = ["BonesFolder", "Left", "engines_with_bones"]

FOLDER: Final = "bones"  # beside the games
MAX_BONES: Final = 1 << 20  # bytes
ENDING: Final = ".bones"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9]+")


class Left(NamedTuple):
    """Bones that nobody found yet: their file's name, its owner's user id, and when it was written, in nanoseconds."""

    name: str
    owner: int
    when: int
    bones: bytes


def engines_with_bones(games: Path) -> list[str]:
    """The ids of the engines that have a folder of bones beside these games."""
    try:
        return sorted(entry.name for entry in os.scandir(games / FOLDER) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


class BonesFolder:
    """The bones of one engine's games: the folder ``bones/ENGINE`` in the folder `games`."""

    def __init__(self, games: Path, engine: str) -> None:
        self._games = games
        self._engine = engine

    def leave(self, name: str, bones: bytes) -> None:
        """Store bones, unless there are some for that level already or they cannot be written.

        The folder is created only if the folder of games belongs to the user; for a shared one, its owner creates both.
        """
        if len(bones) > MAX_BONES:
            return
        with suppress(OSError), self._opened(make=True) as folder:
            file, draft = _file(name), f".left-{os.urandom(8).hex()}"
            if _taken(folder, file):
                return
            fd = create_file(draft, folder=folder)
            try:
                _write(fd, bones)
                os.rename(draft, file, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                os.unlink(draft, dir_fd=folder)
            finally:
                os.close(fd)

    def take(self, name: str) -> bytes | None:
        """Remove and return the bones of that level; None if there are none."""
        with suppress(OSError, NhlogError), self._opened() as folder:
            mine = f".taken-{os.urandom(8).hex()}"
            os.rename(_file(name), mine, src_dir_fd=folder, dst_dir_fd=folder)
            try:
                return _read(folder, mine)
            finally:
                os.unlink(mine, dir_fd=folder)
        return None

    def left(self) -> list[Left]:
        """The bones that are there to be found, the oldest first; they stay."""
        found = []
        with suppress(OSError), self._opened() as folder:
            for name in os.listdir(folder):
                if name.endswith(ENDING) and not name.startswith("."):
                    with suppress(OSError, NhlogError):
                        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
                        if (bones := _read(folder, name)) is not None:
                            found.append(Left(name, status.st_uid, status.st_mtime_ns, bones))
        return sorted(found, key=lambda left: (left.when, left.name))

    @contextmanager
    def _opened(self, make: bool = False) -> Iterator[int]:
        """A descriptor of the folder; raises :class:`OSError` if there is none, or one that cannot be trusted."""
        folder = open_folder(str(self._games))
        try:
            owner = os.fstat(folder).st_uid
            for name in (FOLDER, self._engine):
                if make and owner == os.geteuid():
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=folder)
                outer, folder = folder, open_subfolder(folder, name)
                os.close(outer)
                if os.fstat(folder).st_uid not in (owner, os.geteuid(), 0):
                    raise PermissionError(f"{name} is another player's folder")
            yield folder
        finally:
            os.close(folder)


def _file(level: str) -> str:
    return f"{_UNSAFE.sub('-', level)}{ENDING}"


def _taken(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _write(fd: int, data: bytes) -> None:
    """Write all bytes; raises :class:`OSError`."""
    while data:
        data = data[os.write(fd, data) :]


def _read(folder: int, name: str) -> bytes | None:
    fd = open_only_name(folder, name)
    try:
        if not _was_left(os.fstat(fd), os.fstat(folder)):
            return None
        bones = read_at(fd, MAX_BONES + 1, 0, name)
        return bones if len(bones) <= MAX_BONES else None
    finally:
        os.close(fd)


def _was_left(file: os.stat_result, folder: os.stat_result) -> bool:
    """Whether the file's owner may write to the folder, and all who may write there can read the file.

    A file created in a shared folder has the folder's group, as that has the set-group-ID bit.
    """
    by_owner = file.st_uid in (folder.st_uid, os.geteuid())
    if folder.st_mode & stat.S_IWOTH:
        return bool(file.st_mode & stat.S_IROTH)
    if folder.st_mode & stat.S_IWGRP:
        of_group = file.st_gid == folder.st_gid
        readers = stat.S_IROTH | (stat.S_IRGRP if of_group else 0)
        return (by_owner or of_group) and bool(file.st_mode & readers)
    return by_owner and (folder.st_uid in (os.geteuid(), 0) or bool(file.st_mode & stat.S_IROTH))
