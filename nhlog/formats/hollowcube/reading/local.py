"""The sources of local recordings: a single file, or a folder of segments."""

import os
from contextlib import AbstractContextManager, nullcontext

from nhlog import files
from nhlog.errors import Damaged, NhlogError
from nhlog.files import CannotOpen, stamp_of
from nhlog.formats.hollowcube.reading.source import Missing

__all__ = ["File", "Folder"]


class File:
    """A recording in one file, which stays open; raises :class:`~nhlog.files.CannotOpen`."""

    folder = False
    local = True

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = files.File(path)

    def read(self, name: str, offset: int, length: int) -> bytes:
        """A byte range of the file; `name` is ignored."""
        return _read(self._file, offset, length)

    def opened(self, name: str) -> AbstractContextManager[files.File]:
        """The file; it stays open."""
        return nullcontext(self._file)

    def size(self, name: str) -> int:
        """The size of the file in bytes."""
        return self._file.size()

    def names(self) -> tuple[str, ...]:
        """Always empty: there is no folder."""
        return ()

    def stamp(self, name: str) -> object:
        """A value that changes when the file is replaced or modified."""
        return stamp_of(self._file.place or self.path)

    def reopen(self) -> None:
        """Open the file again, where it is now, in case it was replaced."""
        old, self._file = self._file, files.File(self._file.place or self.path)
        old.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Folder:
    """A recording in segments; no file stays open, as any may be replaced at any moment, but the folder does.

    It may be moved, and is followed there.
    """

    folder = True
    local = True

    def __init__(self, path: str, root: str) -> None:
        self.path, self._folder = path, root or os.curdir
        self._fd = files.open_folder(self._folder)

    @property
    def _root(self) -> str:
        return files.place_of(self._folder, self._fd) or self._folder

    def read(self, name: str, offset: int, length: int) -> bytes:
        """A byte range of the file `name`; raises :class:`Missing` if it cannot be opened."""
        try:
            file = files.File(os.path.join(self._root, name))
        except CannotOpen as error:
            raise Missing(f"{name}: {error.what}", file=self.path) from None
        with file:
            return _read(file, offset, length)

    def opened(self, name: str) -> AbstractContextManager[files.File]:
        """The file `name`; raises :class:`CannotOpen`."""
        return files.File(os.path.join(self._root, name))

    def size(self, name: str) -> int | None:
        """The size of the file `name` in bytes, None if there is none."""
        stamp = stamp_of(os.path.join(self._root, name))
        return None if stamp is None else stamp.size

    def names(self) -> tuple[str, ...]:
        """The names of its files, sorted."""
        try:
            return tuple(sorted(os.listdir(self._root)))
        except OSError:
            return ()

    def stamp(self, name: str) -> object:
        """A value that changes when the file `name` is replaced or modified."""
        return stamp_of(os.path.join(self._root, name))

    def reopen(self) -> None:
        """Do nothing, as no file is open."""

    def close(self) -> None:
        """Close the folder."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _read(file: files.File, offset: int, length: int) -> bytes:
    try:
        return file.pread(length, offset)
    except NhlogError as error:  # of the disk, or of an offset that no file reaches: a chunk is lost, others are not
        raise Damaged(error.what, offset=error.offset) from None
