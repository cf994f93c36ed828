"""Where the bytes of a recording come from: a file, packed or not, or a pipe; unpacked in pieces of bounded size.

Offsets are those in the unpacked bytes.  What a damaged packing still gave is given before it is told.
"""

import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, Final, cast

from nhlog.errors import Damaged, NhlogError
from nhlog.files import CannotOpen

__all__ = ["PACKINGS", "PIECE", "Seekable", "packing_of", "pieces"]

PIECE: Final = 1 << 16  # bytes given at a time
MOST_MEMORY: Final = 1 << 27  # bytes that unpacking may take: enough for the strongest usual settings of xz and zstd
MOST_SPOOLED: Final = 1 << 34  # bytes of an unpacked recording that are kept in a temporary file

_MAGIC: Final = {b"\x1f\x8b": "gz", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zst"}
PACKINGS: Final = ("gz", "xz", "zst")
_HEAD: Final = max(map(len, _MAGIC))

Read = Callable[[], bytes]


def packing_of(head: bytes) -> str:
    """How bytes that begin so are packed: one of `PACKINGS`, or empty."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), "")


def pieces(path: str) -> Iterator[bytes]:
    """The unpacked bytes of the file `path`, or of standard input for ``-``.

    Raises :class:`CannotOpen`, and :class:`Damaged` where the packing breaks.
    """
    if path == "-":
        yield from _unpacked(lambda: sys.stdin.buffer.read(PIECE), "standard input")
        return
    fd = _open(path)
    try:
        yield from _unpacked(lambda: os.read(fd, PIECE), path)
    finally:
        os.close(fd)


def _open(path: str) -> int:
    """A descriptor of a regular file."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise CannotOpen((error.strerror or str(error)).lower(), file=path) from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise CannotOpen("not a regular file", file=path)
    return fd


def _unpacked(read: Read, name: str) -> Iterator[bytes]:
    head = read()
    rest = iter(read, b"")
    unpack = _UNPACKERS.get(packing_of(head))
    packed = _again(head, rest)
    try:
        yield from packed if unpack is None else unpack(packed)
    except NhlogError as error:
        raise error.within(name) from None


def _again(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
        yield from rest


def _gunzip(packed: Iterator[bytes]) -> Iterator[bytes]:
    member, data, begun = zlib.decompressobj(31), b"", False
    for more in packed:
        data += more
        while data:
            try:
                piece = member.decompress(data, PIECE)
            except zlib.error as error:
                raise Damaged(f"gzip: {error}") from None
            begun = True
            data = member.unconsumed_tail
            if piece:
                yield piece
            if member.eof:
                data, member, begun = member.unused_data.lstrip(b"\0"), zlib.decompressobj(31), False
            elif not piece:
                break
    if begun:
        raise Damaged("gzip: the packed data ends early")


def _unxz(packed: Iterator[bytes]) -> Iterator[bytes]:
    import lzma

    stream, data, begun = lzma.LZMADecompressor(memlimit=MOST_MEMORY), b"", False
    for more in packed:
        data += more
        while data or not stream.needs_input:
            try:
                piece = stream.decompress(data, PIECE)
            except (lzma.LZMAError, MemoryError) as error:
                raise Damaged(f"xz: {error or 'needs too much memory'}") from None
            begun = True
            data = b""
            if piece:
                yield piece
            if stream.eof:
                data, stream, begun = (
                    stream.unused_data.lstrip(b"\0"),
                    lzma.LZMADecompressor(memlimit=MOST_MEMORY),
                    False,
                )
                if not data:
                    break
    if begun:
        raise Damaged("xz: the packed data ends early")


def _unzstd(packed: Iterator[bytes]) -> Iterator[bytes]:
    import zstandard

    try:
        with zstandard.ZstdDecompressor(max_window_size=MOST_MEMORY).stream_reader(
            cast(IO[bytes], _Readable(packed)), read_across_frames=True
        ) as reader:
            while piece := reader.read(PIECE):
                yield piece
    except zstandard.ZstdError as error:
        raise Damaged(f"zstd: {error}") from None


class _Readable:
    """Pieces as a file to read from; a reader gets what there is next."""

    def __init__(self, packed: Iterator[bytes]) -> None:
        self._packed = packed
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, nothing at the end."""
        data = self._rest or next(self._packed, b"")
        if size < 0:
            size = len(data)
        self._rest = data[size:]
        return data[:size]


_UNPACKERS: Final[dict[str, Callable[[Iterator[bytes]], Iterator[bytes]]]] = {
    "gz": _gunzip,
    "xz": _unxz,
    "zst": _unzstd,
}


class Seekable:
    """The unpacked bytes of a recording, any of them at any time.

    A plain file is read as it is, also while it grows; all else is unpacked into a temporary file first, and `fault`
    says what broke on the way.
    """

    def __init__(self, path: str) -> None:
        self.name = "standard input" if path == "-" else path
        self.fault: Damaged | None = None
        self._spool: IO[bytes] | None = None
        self._fd = -1 if path == "-" else _open(path)
        if self._fd < 0 or packing_of(os.pread(self._fd, _HEAD, 0)):
            self.close()
            self._unpack(path)

    @property
    def grows(self) -> bool:
        """Whether more may be found there later."""
        return self._spool is None

    def _unpack(self, path: str) -> None:
        import tempfile

        spool = tempfile.TemporaryFile()  # noqa: SIM115  # closed by close()
        self._spool, self._fd = spool, spool.fileno()
        size = 0
        try:
            for piece in pieces(path):
                spool.write(piece)
                size += len(piece)
                if size > MOST_SPOOLED:
                    raise Damaged("unpacks to too much", file=self.name, expected=f"at most {MOST_SPOOLED} bytes")
            spool.flush()
        except Damaged as error:
            with suppress(OSError):
                spool.flush()
            self.fault = error
        except BaseException:
            self.close()
            raise

    def size(self) -> int:
        """The length now."""
        return os.fstat(self._fd).st_size

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end."""
        return os.pread(self._fd, size, offset)

    def close(self) -> None:
        """Let go of it."""
        if self._spool is not None:
            self._spool.close()
        elif self._fd >= 0:
            os.close(self._fd)
        self._spool, self._fd = None, -1
