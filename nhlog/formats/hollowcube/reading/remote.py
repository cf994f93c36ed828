"""The source of recordings at an HTTP address: a file, or a folder, given as ``.../`` or ``.../preamble.dat``."""

from contextlib import AbstractContextManager

from nhlog import files
from nhlog.errors import Unsupported
from nhlog.formats.hollowcube.reading.source import PREAMBLE, Missing
from nhlog.remote import NotThere, open_address

__all__ = ["Remote"]


class Remote:
    """A recording at an address, with one request per range; raises as :func:`nhlog.remote.open_address` does."""

    local = False

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = path.endswith(("/", f"/{PREAMBLE}"))
        self._address = open_address(path.removesuffix(PREAMBLE) if self.folder else path)

    def read(self, name: str, offset: int, length: int) -> bytes:
        """A byte range of a file; raises :class:`Missing` if the server does not have it."""
        try:
            return self._address.pread(length, offset, name)
        except NotThere as error:
            raise Missing(f"{name or 'the file'} is not there", file=self.path, found=error.found) from None

    def opened(self, name: str) -> AbstractContextManager[files.Source]:
        """Raise :class:`Unsupported`: it is no file of this machine."""
        raise Unsupported("the recording is not on this machine", file=self.path)

    def size(self, name: str) -> int | None:
        """The size that the server gives for a file, None if there is none."""
        try:
            return self._address.size(name)
        except NotThere:
            return None

    def names(self) -> tuple[str, ...]:
        """Always empty, as folders cannot be listed: the files are those that the index names."""
        return ()

    def stamp(self, name: str) -> object:
        """The version that the server gives for a file of a folder; None for a single file, which never changes."""
        try:
            return self._address.version(name) if self.folder else None
        except NotThere:
            return None

    def reopen(self) -> None:
        """Do nothing, as no file is open."""

    def close(self) -> None:
        """Close the connection."""
        self._address.close()
