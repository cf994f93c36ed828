"""Recordings at an address: a lone file, or a folder whose preamble is named, or with a slash at its end."""

from nhlog.formats.hollowcube.reading.source import PREAMBLE, Missing
from nhlog.remote import NotThere, open_address

__all__ = ["Remote"]


class Remote:
    """A recording at an address, one request for each range; raises as :func:`nhlog.remote.open_address` does."""

    local = False

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = path.endswith(("/", f"/{PREAMBLE}"))
        self._address = open_address(path.removesuffix(PREAMBLE) if self.folder else path)

    def read(self, name: str, offset: int, length: int) -> bytes:
        """That range of a file."""
        try:
            return self._address.pread(length, offset, name)
        except NotThere as error:
            raise Missing(f"{name or 'the file'} is not there", file=self.path, found=error.found) from None

    def size(self, name: str) -> int | None:
        """What is said of its length."""
        try:
            return self._address.size(name)
        except NotThere:
            return None

    def names(self) -> tuple[str, ...]:
        """Folders there are not listed: what the index names is asked for."""
        return ()

    def stamp(self, name: str) -> object:
        """What is said of its version; a lone file is complete, and never asked for."""
        try:
            return self._address.version(name) if self.folder else None
        except NotThere:
            return None

    def reopen(self) -> None:
        """Nothing is open."""

    def close(self) -> None:
        """Give the address back."""
        self._address.close()
