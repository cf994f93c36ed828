"""Where dead heroes' levels wait for others: a folder with a file for each level.

Whoever finds bones takes them away: a file is renamed before it is read, so that two finders cannot both have it.

The folder is shared, and what is read from it goes into a log that everybody can read.  So nothing is read but what
somebody left there who may, and could show to all who may: a regular file, under its only name.  Whatever else is
there is no bones; nothing in the folder can make a game wait or fail.
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

__all__ = ["BonesFolder"]

FOLDER: Final = "bones"  # beside the games
MAX_BONES: Final = 1 << 20  # bytes
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9]+")


class BonesFolder:
    """The bones of one engine's games: the folder ``bones/ENGINE`` in the folder `games`."""

    def __init__(self, games: Path, engine: str) -> None:
        self._games = games
        self._engine = engine

    def leave(self, name: str, bones: bytes) -> None:
        """Keep them, unless there are some for that level already or there is no room for them.

        The folder is made where the games' folder is the user's own; whoever sets up a shared one makes both.
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
        """The bones of that level, which are nobody else's then; None where there are none."""
        with suppress(OSError, NhlogError), self._opened() as folder:
            mine = f".taken-{os.urandom(8).hex()}"
            os.rename(_file(name), mine, src_dir_fd=folder, dst_dir_fd=folder)
            try:
                return _read(folder, mine)
            finally:
                os.unlink(mine, dir_fd=folder)
        return None

    @contextmanager
    def _opened(self, make: bool = False) -> Iterator[int]:
        """A descriptor of the folder; raises :class:`OSError` where there is none, or none that is to be trusted."""
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
    return f"{_UNSAFE.sub('-', level)}.bones"


def _taken(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _write(fd: int, data: bytes) -> None:
    """All of it; raises :class:`OSError`."""
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
    """Whether the file's owner may have left it in the folder, and all who may put something there may read it.

    What was left in a shared folder has the folder's group, which is what its bit "set group id" is for.
    """
    by_owner = file.st_uid in (folder.st_uid, os.geteuid())
    if folder.st_mode & stat.S_IWOTH:
        return bool(file.st_mode & stat.S_IROTH)
    if folder.st_mode & stat.S_IWGRP:
        of_group = file.st_gid == folder.st_gid
        readers = stat.S_IROTH | (stat.S_IRGRP if of_group else 0)
        return (by_owner or of_group) and bool(file.st_mode & readers)
    return by_owner and (folder.st_uid in (os.geteuid(), 0) or bool(file.st_mode & stat.S_IROTH))
