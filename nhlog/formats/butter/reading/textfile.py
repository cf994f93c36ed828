"""The text of an .echoreplay file, plain or the first entry of a zip, readable from any offset.

A zip is read from its start, never by its directory: one that is cut off gives the text before the cut, then a fault.
The state of the decompressor is saved every 4 MiB of text, so that seeking back is cheap.  Only one block is held in
memory at a time.
"""

import zlib
from bisect import bisect_right
from collections.abc import Iterator
from struct import Struct
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nhlog.errors import Damaged, NhlogError, TooShort, Unsupported
from nhlog.files import open_file
from nhlog.progress import report
from nhlog.values import NamedTuple

__all__ = ["CutOff", "TextFile"]

if TYPE_CHECKING:
    Inflation: TypeAlias = "zlib._Decompress"
else:
    Inflation = Any

_LOCAL: Final = Struct("<4sHHHHHIIIHH")  # the header of a zip's entry
_SIGNATURE: Final = b"PK\x03\x04"
_ENCRYPTED, _SIZES_BEHIND = 1, 8  # flags
_STORED, _DEFLATED = 0, 8  # methods
_LARGE: Final = 0xFFFFFFFF  # the size is in the extra field
_ZIP64: Final = 1
_READ: Final = 1 << 16
_BLOCK: Final = 1 << 18  # bytes of text at a time
_APART: Final = 1 << 22  # bytes of text between two places to go on from


class _Place(NamedTuple):
    """A saved state of the decompressor, with its offset in the text and its offset `at` in the file."""

    offset: int
    at: int
    inflation: Inflation


class CutOff(Damaged):
    """The zip ends before its text does: it is cut off, or not written to its end yet."""


class TextFile:
    """An open .echoreplay file; `known` is the same file as opened before, if it has only grown since.

    Raises :class:`NhlogError` if it cannot be opened, :class:`Unsupported` for a zip that is encrypted or uses another
    method than stored or deflated, :class:`TooShort` for one cut off in its header.
    """

    def __init__(self, path: str, known: "TextFile | None" = None) -> None:
        self.path = path
        self.cut_off = False  # as far as it was read
        self._file = open_file(path)
        try:
            self.stamp = self._file.stamp()
            self.size, self.changed = self.stamp.size, self.stamp.modified // 1000
            self.zipped = self._read(0, 4) == _SIGNATURE
            self._start, self._end = self._entry() if self.zipped else (0, self.size)
        except NhlogError as error:
            self.close()
            raise error.within(path) from None
        grown = known is not None and known.stamp.identity == self.stamp.identity and known.size <= self.size
        self._places: list[_Place] = [*known._places] if known is not None and grown else []

    @property
    def place(self) -> str:
        """The name by which the file is found now, or was if it has none."""
        return self._file.place or self.path

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _read(self, at: int, count: int) -> bytes:
        return self._file.pread(count, at)

    def _entry(self) -> tuple[int, int]:
        """The offsets in the file at which the first entry's data begins and ends (the file's end if unknown)."""
        head = self._read(0, _LOCAL.size)
        if len(head) < _LOCAL.size:
            raise TooShort("the zip is cut off in its first header", offset=len(head))
        _, _, flags, method, _, _, _, packed, _, names, extras = _LOCAL.unpack(head)
        if flags & _ENCRYPTED or method not in (_STORED, _DEFLATED):
            raise Unsupported("the zip is encrypted or uses an unknown compression", offset=0, found=f"method {method}")
        start = _LOCAL.size + names + extras
        self._deflated = method == _DEFLATED
        if self._deflated or flags & _SIZES_BEHIND:
            return start, self.size
        return start, start + (self._large(self._read(start - extras, extras)) if packed == _LARGE else packed)

    def _large(self, extras: bytes) -> int:
        """The size of an uncompressed entry of 4 GiB or more, from its zip64 extra field."""
        at = 0
        while at + 4 <= len(extras):
            kind, length = (
                int.from_bytes(extras[at : at + 2], "little"),
                int.from_bytes(extras[at + 2 : at + 4], "little"),
            )
            if kind == _ZIP64 and length >= 16:
                return int.from_bytes(extras[at + 12 : at + 20], "little")
            at += 4 + length
        raise Damaged("the zip does not say how large its entry is", offset=_LOCAL.size)

    def blocks(self, start: int = 0) -> Iterator[bytes]:
        """The text from its byte `start` on, in blocks.

        Raises :class:`CutOff` where a zip ends early, :class:`Damaged` where it is broken.
        """
        if self.zipped and self._deflated:
            for offset, block in self._inflated(start):
                if offset + len(block) > start:
                    yield block[max(start - offset, 0) :]
            return
        at = self._start + start
        while block := self._read(at, min(_BLOCK, max(self._end - at, 0))):
            at += len(block)
            report("reading", at, self._end)
            yield block
        if at < self._end:
            raise self._ends(start)

    def _inflated(self, start: int) -> Iterator[tuple[int, bytes]]:
        """Decompressed blocks with their offsets, from the last saved state at or before `start` on."""
        known = bisect_right(self._places, start, key=lambda place: place.offset)
        if known:
            offset, at, kept = self._places[known - 1]
            inflation = kept.copy()
        else:
            offset, at, inflation = 0, self._start, zlib.decompressobj(-zlib.MAX_WBITS)
        waiting = b""
        while not inflation.eof:
            if not waiting:
                self._keep(offset, at, inflation)
                waiting = self._read(at, _READ)
                at += len(waiting)
                if not waiting:
                    raise self._ends(offset)
            try:
                block = inflation.decompress(waiting, _BLOCK)
            except zlib.error as error:
                raise Damaged(f"the zip is damaged: {error}", offset=offset, file=self.path) from None
            waiting = inflation.unconsumed_tail
            report("reading", at - len(waiting), self._end)
            yield offset, block
            offset += len(block)

    def _ends(self, offset: int) -> CutOff:
        self.cut_off = True
        return CutOff("the zip is cut off", offset=offset, file=self.path)

    def _keep(self, offset: int, at: int, inflation: Inflation) -> None:
        """Save the state of the decompressor, unless another one was saved less than `_APART` bytes before."""
        if offset >= (self._places[-1].offset if self._places else 0) + _APART:
            self._places.append(_Place(offset, at, inflation.copy()))
