"""The uncompressed bytes of a file, in pieces or at any offset; offsets are those in the uncompressed bytes.

An uncompressed file is read directly.  For random access, a compressed one, or the input from a pipe, is decompressed
into a temporary file first, and a file that grows is decompressed on.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Final

from nhlog.compression import (
    MOST_MAGIC,
    NONE,
    PIECE,
    Decompressor,
    compressed,
    compression_of,
    decompressed,
    has_checksum,
)
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.files import CHUNK, STDIN, Fate, File, Stamp, first_bytes, open_file, read_at, read_pieces, refusals
from nhlog.progress import report

__all__ = ["UNGUARDED", "UnpackedSource", "cut_unpacked", "is_packed", "pieces", "stamp_to_cut", "unguarded"]

UNGUARDED: Final = "compressed without a checksum: a flipped bit is not noticed"
"""What is said of a file that is :func:`unguarded`."""

MOST_SPOOLED: Final = 1 << 34  # bytes of an unpacked recording that are kept in a temporary file
_KNOWN: Final = 256  # bytes by which a file is known again; more than tell how it is compressed


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


def unguarded(path: str) -> bool:
    """Whether a file is compressed without a checksum, so that a changed byte need not be noticed."""
    head = b"" if path == "-" else first_bytes(path, MOST_MAGIC)
    return compression_of(head) != NONE and not has_checksum(head)


def _chain(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest


def _name(path: str) -> str:
    return STDIN if path == "-" else path


class UnpackedSource:
    """Random access to the uncompressed bytes of a recording, which may grow; raises :class:`CannotOpen`.

    `fault` is the error of the compressed data, behind the bytes that could be decompressed; there is none for data
    that ends early, as the rest may come, unless it came through a pipe.
    """

    def __init__(self, path: str) -> None:
        self.name = _name(path)
        self.fault: Damaged | None = None
        self._file = None if path == "-" else open_file(path)
        self._spool: IO[bytes] | None = None
        self._head = self._file.pread(_KNOWN, 0) if self._file else b""
        kind = compression_of(self._head)
        if self._file and kind == NONE:
            return
        self._unpacking = Decompressor(kind)
        self._taken = 0  # bytes of the compressed file
        try:
            self._begin_spool()
            if self._file:
                self.catch_up()
            else:
                self._fill(pieces(path))
        except BaseException:
            self.close()
            raise

    @property
    def grows(self) -> bool:
        """Whether more bytes may be added later."""
        return self._file is not None and self.fault is None

    @property
    def file(self) -> File | None:
        """The file itself; None for standard input."""
        return self._file

    @property
    def packed(self) -> bool:
        """Whether it is a file with compressed bytes."""
        return self._file is not None and self._spool is not None

    @property
    def far(self) -> bool:
        """Whether its bytes are fetched from another machine as they are asked for."""
        return self._file is not None and self._file.far and not self.packed

    @property
    def complete(self) -> bool:
        """Whether compressed bytes have come to an end; what is not compressed does not say so."""
        return self.packed and self._unpacking.complete

    @property
    def fate(self) -> Fate:
        """What became of the file's name."""
        return self._file.fate if self._file else Fate.KEPT

    @property
    def place(self) -> str | None:
        """The name by which the file is found now; None if nobody knows one."""
        return self._file.place if self._file else self.name

    @property
    def fate_told(self) -> str:
        """The same in words."""
        return self._file.fate_told if self._file else ""

    def catch_up(self) -> bool:
        """Unpack what was appended to the file.

        Returns False, and does nothing, if the file was written anew: then it is to be opened again.
        """
        if not self._file:
            return True
        size = self._file.size()
        if size < max(len(self._head), self._taken if self._spool else 0):
            return False
        if self._file.pread(len(self._head), 0) != self._head:
            return False
        if self._spool and self.grows and size > self._taken:
            self._fill(self._unpacked(self._file, size))
        return True

    def _unpacked(self, file: File, end: int) -> Iterator[bytes]:
        while packed := file.pread(min(PIECE, end - self._taken), self._taken):
            self._taken += len(packed)
            for part in self._unpacking.feed(packed):
                report("unpacking", self._taken, end)
                yield part

    def _begin_spool(self) -> None:
        import tempfile  # which brings much with it

        self._spool_folder = tempfile.gettempdir()
        with refusals(self._spool_folder):
            self._spool = tempfile.TemporaryFile()  # noqa: SIM115  # closed by close()

    def _fill(self, parts: Iterator[bytes]) -> None:
        assert self._spool is not None
        with refusals(self._spool_folder):
            try:
                for part in parts:
                    self._spool.write(part)
                    if self._spool.tell() > MOST_SPOOLED:
                        raise Damaged(
                            "the unpacked data is too large", file=self.name, expected=f"at most {MOST_SPOOLED} bytes"
                        )
            except Damaged as error:
                self.fault = error.within(self.name)
            self._spool.flush()

    def size(self) -> int:
        """The current number of uncompressed bytes."""
        return os.fstat(self._spool.fileno()).st_size if self._spool else self._plain().size()

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; raises :class:`NhlogError` if the disk fails."""
        if self._spool:
            return read_at(self._spool.fileno(), size, offset, self.name)
        return self._plain().pread(size, offset)

    def _plain(self) -> File:
        assert self._file is not None
        return self._file

    def close(self) -> None:
        """Close the file, and delete the temporary one; may be called again."""
        if self._file is not None:
            self._file.close()
        if self._spool is not None:
            with suppress(OSError):  # there was no room for the rest of it
                self._spool.close()


def is_packed(path: str) -> bool:
    """Whether a file is compressed: then it is to be written anew when it is cut."""
    return compression_of(first_bytes(path, MOST_MAGIC)) != NONE


def stamp_to_cut(path: str) -> Stamp:
    """The stamp of a recording's file, before it is read to be cut; raises :class:`CannotOpen`."""
    if path == "-":
        raise Unsupported("only a file can be cut", file=STDIN)
    with File(path) as file:
        return file.stamp()


def cut_unpacked(
    path: str, stamp: Stamp, source: UnpackedSource, offset: int, *, ending: bytes = b"", keeping: bool = True
) -> str | None:
    """Cut the file that `source` reads, and that has this `stamp`, at an offset of its uncompressed bytes.

    It ends with `ending` then.  A compressed one is written anew, and kept as it was.  Returns the name of what is
    kept, and raises as :func:`nhlog.files.cuts.cut_tail`.
    """
    from nhlog.files.cuts import cut_tail, replace_whole  # who only reads has no need of it

    kind = compression_of(first_bytes(path, MOST_MAGIC))
    if kind == NONE:
        return cut_tail(path, offset, stamp, ending=ending, keeping=keeping)

    def parts() -> Iterator[bytes]:
        for at in range(0, offset, CHUNK):
            yield source.pread(min(CHUNK, offset - at), at)
        yield ending

    return replace_whole(path, compressed(parts(), kind), stamp, keeping=keeping)
