"""A datafile open for reading: its head is read at once, data items on demand.

A fault does not prevent reading the rest: those of the head are in `findings`, `data` raises for a bad data item.
"""

import zlib
from collections.abc import Iterator
from typing import Self

from nhlog.errors import Damaged, NhlogError
from nhlog.files import CHUNK, Source, made_of, open_source
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
from nhlog.values import NamedTuple

__all__ = ["Datafile", "Digests", "digests_of", "open_datafile"]


class Digests(NamedTuple):
    """The digests of a whole file, in hexadecimal."""

    crc32: str
    sha256: str


def digests_of(source: Source) -> Digests:
    """The digests of all bytes of a source; raises :class:`NhlogError` if they cannot be read."""
    from hashlib import sha256 as sha256_of  # which brings all of OpenSSL with it

    sha256, crc32, offset = sha256_of(), 0, 0
    while piece := source.pread(CHUNK, offset):
        sha256.update(piece)
        crc32 = zlib.crc32(piece, crc32)
        offset += len(piece)
    return Digests(f"{crc32:08x}", sha256.hexdigest())


class Datafile:
    """A datafile in an open source, which :meth:`close` closes; raises :class:`NhlogError` if it is no datafile.

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the source."""
        self.source.close()

    @property
    def num_data(self) -> int:
        """The number of data items."""
        return len(self.head.data)

    def data(self, index: int, most: int = MAX_DATA) -> bytes:
        """The uncompressed bytes of a data item, at most the first `most` of them.

        Raises :class:`Damaged` if it does not exist or cannot be decompressed.
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
        """The first item of a type, None if there is none."""
        return next(self.of_type(type_id), None)


def open_datafile(path: str) -> Datafile:
    """Open the datafile in the file `path`, or on standard input for ``-``.

    Raises :class:`CannotOpen`, :class:`Unsupported` if it is no datafile, :class:`Damaged` if its head cannot be read
    at all.
    """
    return made_of(open_source(path), Datafile)
