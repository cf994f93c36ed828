"""A datafile open for reading: its head is read at once, a data item when it is asked for.

What is broken costs only itself: `findings` tells of the head, `data` raises for a data item.
"""

import os
import stat
import sys
from collections.abc import Iterator
from typing import Final, Protocol

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.datafile.wire import (
    HEADER_SIZE,
    MAX_DATA,
    DataItem,
    Finding,
    Head,
    Item,
    head_size,
    inflate,
    parse_head,
    parse_header,
)

__all__ = ["CHUNK", "Datafile", "Memory", "Source", "open_datafile"]


class Source(Protocol):
    """Where the bytes come from."""

    name: str

    def size(self) -> int:
        """How many there are."""

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end."""

    def close(self) -> None:
        """Give it back."""


class _File:
    """A file that is read where it is looked at."""

    def __init__(self, path: str) -> None:
        self.name = path
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise NhlogError((error.strerror or str(error)).lower(), file=path) from None
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            self.close()
            raise NhlogError("not a regular file", file=path)

    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def pread(self, size: int, offset: int) -> bytes:
        parts = []
        while size > 0 and (part := os.pread(self._fd, min(size, CHUNK), offset)):
            parts.append(part)
            size -= len(part)
            offset += len(part)
        return b"".join(parts)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


CHUNK: Final = 1 << 20  # bytes that are asked of the system at once


class Memory:
    """Bytes that are there already: what came through a pipe, or was made."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self._data = data

    def size(self) -> int:
        """Their number."""
        return len(self._data)

    def pread(self, size: int, offset: int) -> bytes:
        """Some of them."""
        return self._data[offset : offset + size]

    def close(self) -> None:
        """Nothing to give back."""


class Datafile:
    """An open datafile; raises :class:`NhlogError` for what is none.

    `header`, `item_types`, `items` and `findings` are those of :class:`~nhlog.formats.datafile.wire.Head`.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.size = source.size()
        try:
            first = source.pread(HEADER_SIZE, 0)
            rest = head_size(parse_header(first), self.size) - len(first)
            self.head: Head = parse_head(first + source.pread(rest, len(first)), self.size)
        except NhlogError as error:
            raise error.within(source.name) from None
        self.header = self.head.header
        self.item_types = self.head.item_types
        self.items: tuple[Item, ...] = self.head.items
        self.findings: tuple[Finding, ...] = self.head.findings

    def __enter__(self) -> "Datafile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self.source.close()

    @property
    def num_data(self) -> int:
        """How many data items there are."""
        return len(self.head.data)

    def data(self, index: int, most: int = MAX_DATA) -> bytes:
        """The uncompressed bytes of a data item, of a longer one the first `most`, whatever comes after them.

        Raises :class:`Damaged` where they cannot be had.
        """
        if not 0 <= index < len(self.head.data):
            raise Damaged(f"no data item {index}", file=self.source.name, expected=f"0 to {len(self.head.data) - 1}")
        place = self.head.data[index]
        if place.fault:
            _, what, expected, found, _ = place.fault
            raise Damaged(what, file=self.source.name, offset=place.fault.offset, expected=expected, found=found)
        raw = self.source.pread(place.end - place.start, place.start)
        try:
            return self._unpacked(raw, place, most)
        except Damaged as error:
            error.what = f"data item {index}: {error.what}"
            error.offset = 0  # of the data item
            raise error.within(self.source.name, place.start) from None

    def _unpacked(self, raw: bytes, place: DataItem, most: int) -> bytes:
        if self.header.version == 4 and place.start < place.end:
            return inflate(raw, place.size, most)
        if len(raw) < place.size:
            raise Damaged("cut", expected=f"{place.size} bytes", found=len(raw))
        return raw[:most]

    def of_type(self, type_id: int) -> Iterator[Item]:
        """The items of a type, in order."""
        return (item for item in self.items if item.type_id == type_id)

    def first(self, type_id: int) -> Item | None:
        """The first item of a type, if there is one."""
        return next(self.of_type(type_id), None)


def open_datafile(path: str) -> Datafile:
    """The datafile in `path`, or in what comes through ``-``, standard input."""
    source = Memory("standard input", sys.stdin.buffer.read()) if path == "-" else _File(path)
    try:
        return Datafile(source)
    except BaseException:
        source.close()
        raise
