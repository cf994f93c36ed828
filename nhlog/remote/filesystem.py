"""Files in whatever file system fsspec knows; each has errors of its own."""

from collections.abc import Callable
from typing import Any, TypeVar

from nhlog.errors import RemoteUnreachable, Unsupported
from nhlog.remote.address import MOST_DIGITS, Address, NotThere, ask, broken, is_empty, other_length, other_range, short

__all__ = ["FileSystemAddress", "file_system"]

T = TypeVar("T")


class FileSystemAddress(Address):
    """In a file system that fsspec knows."""

    def __init__(self, address: str) -> None:
        self.name = address
        self._files, place = ask(lambda: file_system(address), address)
        self._place = place.rstrip("/") + "/" if address.endswith("/") else place

    def size(self, name: str = "") -> int:
        """Its length."""
        return self._ask(name, lambda place: self._size(place))

    def pread(self, size: int, offset: int, name: str = "") -> bytes:
        """One request for that range."""
        if is_empty(size, offset):
            return b""
        return self._ask(name, lambda place: self._read(place, size, offset), size)

    def version(self, name: str = "") -> object:
        """What the file system says of it."""
        return self._ask(name, lambda place: repr(self._files.info(place)))

    def _ask(self, name: str, act: Callable[[str], T], size: int = 0) -> T:
        def request() -> T:
            try:
                self._files.invalidate_cache()
                return act(self._place + name)
            except FileNotFoundError:
                raise NotThere("there is no such file") from None
            except PermissionError as error:
                raise RemoteUnreachable(f"the server refuses the request: {short(str(error))}") from None

        return ask(request, self.name + name, size)

    def _size(self, place: str) -> int:
        size = int(self._files.size(place) or 0)
        if not 0 <= size < 10**MOST_DIGITS:
            raise other_length(size)
        return size

    def _read(self, place: str, size: int, offset: int) -> bytes:
        data: bytes = self._files.cat_file(place, start=offset, end=offset + size)
        if len(data) > size:
            raise other_range(size, offset, f"{len(data)} bytes")
        if len(data) < size and (end := min(self._size(place), offset + size)) > offset + len(data):
            raise broken(len(data), end - offset)
        return bytes(data)


def file_system(address: str) -> tuple[Any, str]:
    """fsspec's file system for an address, and the place in it."""
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]
    except ImportError:
        raise Unsupported("this address needs fsspec", expected="pip install 'nhlog[remote]'") from None
    try:
        files, place = url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise Unsupported(f"no such address: {short(str(error))}") from None
    return files, str(place)
