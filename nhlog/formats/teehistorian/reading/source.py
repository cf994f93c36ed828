"""The uncompressed bytes of a recording, in pieces or at any offset; offsets are those in the uncompressed bytes.

An uncompressed file is read directly, also while it grows.  For random access, a compressed one, or the input from a
pipe, is decompressed into a temporary file first.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Final

from nhlog.compression import NONE, compression_of, decompressed
from nhlog.errors import Damaged, NhlogError
from nhlog.files import STDIN, File, read_at, read_pieces, refusals

__all__ = ["UnpackedSource", "pieces"]

MOST_SPOOLED: Final = 1 << 34  # bytes of an unpacked recording that are kept in a temporary file
_HEAD: Final = 6  # bytes that tell how data is compressed


def pieces(path: str) -> Iterator[bytes]:
    """The uncompressed bytes of the file `path`, or of standard input for ``-``, in pieces of some 64 KiB.

    Raises :class:`CannotOpen`, and :class:`Damaged` behind what could be decompressed of damaged data.
    """
    packed = read_pieces(path)
    head = next(packed, b"")
    try:
        yield from decompressed(_chain(head, packed), compression_of(head))
    except NhlogError as error:
        raise error.within(_name(path)) from None


def _chain(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest


def _name(path: str) -> str:
    return STDIN if path == "-" else path


class UnpackedSource:
    """Random access to the uncompressed bytes of a recording; raises :class:`CannotOpen`.

    `grows` is whether more bytes may be added later, `fault` the error of the compressed data, behind the bytes that
    could be decompressed.
    """

    def __init__(self, path: str) -> None:
        self.name = _name(path)
        self.fault: Damaged | None = None
        self._file = None if path == "-" else File(path)
        self._spool: IO[bytes] | None = None
        self.grows = self._file is not None and compression_of(self._file.pread(_HEAD, 0)) == NONE
        if not self.grows:
            self.close()
            self._unpack(path)

    def _unpack(self, path: str) -> None:
        import tempfile  # which brings much with it

        spool = self._spool = tempfile.TemporaryFile()  # noqa: SIM115  # closed by close()
        try:
            with refusals(tempfile.gettempdir()):
                self._fill(spool, path)
                spool.flush()
        except BaseException:
            self.close()
            raise

    def _fill(self, spool: IO[bytes], path: str) -> None:
        size = 0
        try:
            for piece in pieces(path):
                spool.write(piece)
                size += len(piece)
                if size > MOST_SPOOLED:
                    raise Damaged("unpacks to too much", file=self.name, expected=f"at most {MOST_SPOOLED} bytes")
        except Damaged as error:
            self.fault = error

    def size(self) -> int:
        """The current number of uncompressed bytes."""
        return self._file.size() if self._file else os.fstat(self._descriptor()).st_size

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; raises :class:`NhlogError` if the disk fails."""
        if self._file:
            return self._file.pread(size, offset)
        return read_at(self._descriptor(), size, offset, self.name)

    def _descriptor(self) -> int:
        assert self._spool is not None
        return self._spool.fileno()

    def close(self) -> None:
        """Close the file, or delete the temporary one; may be called again."""
        if self._file is not None:
            self._file.close()
        if self._spool is not None:
            with suppress(OSError):  # there was no room for the rest of it
                self._spool.close()
        self._file = self._spool = None
