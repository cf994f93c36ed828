"""A folder of objects at an address: listed, read, and written as a whole, never a part of one.

Anything that fsspec knows: ``s3``, ``file``, ``memory``.  No name is given twice: who creates an object that is there
is told so, where the store itself can tell.
"""

import errno
import posixpath
from collections.abc import Callable
from typing import Final, TypeVar

from nhlog.errors import Damaged, NhlogError, RemoteUnreachable
from nhlog.files import atomic
from nhlog.remote.address import NotThere, ask, short
from nhlog.remote.filesystem import file_system

__all__ = ["Exists", "Store"]

_AT_FIRST: Final = 1 << 20  # bytes asked for of an object whose size is not known: nearly every index has fewer

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)

T = TypeVar("T")


class Exists(NhlogError):
    """There is such an object already."""


class Store:
    """The objects below an address; names are those below it.

    Every method raises :class:`~nhlog.errors.RemoteUnreachable` where no proper answer comes.
    """

    def __init__(self, address: str) -> None:
        self.name = address.rstrip("/")
        self._files, self._root = ask(lambda: file_system(self.name), self.name)

    @property
    def bucket(self) -> str:
        """The bucket that they are in, which is never made here; empty for folders, which are as they are needed."""
        first, host = self._root.partition("/")[0], self.name.partition("://")[2].partition("/")[0]
        return first if first == host else ""

    def check(self, name: str = "") -> None:
        """Raise :class:`NotThere` where no object, as the one of this name, can be: there is no such bucket or folder.

        Web servers do not tell of their folders.
        """
        place = self.bucket or self._root
        if "://" not in place and not self._ask("", lambda: self._files.exists(place)):
            raise NotThere(f"no such {'bucket' if self.bucket else 'folder'}", file=f"{self.name}/{name}".rstrip("/"))

    def names(self, folder: str) -> list[str]:
        """The names of the objects in a folder; none where there is no such folder."""

        def listed() -> list[str]:
            try:
                found = self._files.ls(self._place(folder), detail=False)
            except FileNotFoundError:
                return []
            return sorted(posixpath.basename(str(one).rstrip("/")) for one in found)

        return self._ask(folder, listed, 1 << 23)

    def whole(self, name: str, most: int) -> bytes:
        """All of an object, in one request, or three where it is a large one: then its size is asked, and the rest.

        Raises :class:`NotThere`, and :class:`Damaged` for one of more than `most` bytes.
        """
        start = self.read(name, _AT_FIRST, 0)
        if len(start) < _AT_FIRST:
            return start
        size = self._ask(name, lambda: int(self._files.size(self._place(name)) or 0))
        if not 0 <= size <= most:
            raise Damaged("the object is too large", file=f"{self.name}/{name}", expected=f"{most} bytes", found=size)
        return start + self.read(name, size - len(start), len(start)) if size > len(start) else start

    def read(self, name: str, size: int, offset: int) -> bytes:
        """`size` bytes of an object, fewer or none where it does not have them, in one request.

        Raises :class:`NotThere`.
        """

        def got() -> bytes:
            try:
                return bytes(self._files.cat_file(self._place(name), start=offset, end=offset + size))[:size]
            except OSError as error:
                if error.errno != errno.EINVAL:  # so s3fs says that no such range is there
                    raise
                return b""

        return self._ask(name, got, size)

    def create(self, name: str, data: bytes) -> None:
        """Put a new object there, whole or not at all; raises :class:`Exists` where there is one.

        Folders of this machine are made, but no bucket: raises :class:`NotThere`.
        """

        def put() -> None:
            place = self._place(name)
            try:
                if "file" in self._files.protocol:
                    atomic.make_folders(posixpath.dirname(place))
                    atomic.create(place, [data])
                else:
                    self._files.pipe_file(place, data, mode="create")
            except FileExistsError:
                raise Exists("the object exists") from None
            except FileNotFoundError:
                raise NotThere("no such bucket or folder") from None

        self._ask(name, put, len(data), attempts=1)

    def remove(self, name: str) -> None:
        """Take an object away; raises :class:`NotThere`."""
        self._ask(name, lambda: self._files.rm_file(self._place(name)))

    def _place(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}".rstrip("/")

    def _ask(self, name: str, act: Callable[[], T], size: int = 0, attempts: int | None = None) -> T:
        def request() -> T:
            try:
                self._files.invalidate_cache()
                return act()
            except FileNotFoundError:
                raise NotThere("no such object") from None
            except OSError as error:
                if not isinstance(error, PermissionError) and error.errno not in _FULL:
                    raise
                told = short(error.strerror or str(error))
                raise RemoteUnreachable(f"the store refuses the request: {told}") from None

        return ask(request, f"{self.name}/{name}", size, attempts=attempts)
