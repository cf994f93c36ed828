"""A .butter file written in one pass: chunks to a file without a name, then header and chunks into their place.

The header says how many bytes each chunk has and who played, which is known at the end alone.  The target is whole or
it is not there, whatever happens on the way, and no more than a chunk is held in memory.
"""

import os
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, Any, Final

from nhlog import atomic
from nhlog.errors import NhlogError, Unsupported, Usage

__all__ = ["DEFAULT_COMPRESSION", "WRITABLE_COMPRESSIONS", "pack", "write_chunks", "write_file"]

DEFAULT_COMPRESSION: Final = "gzip"
"""What is written if nobody says: the reference as it was released does not read zstd (spec 2)."""
_GZIP: Final = 31  # zlib's number for a gzip member
_GZIP_LEVEL: Final = 6
WRITABLE_COMPRESSIONS: Final = ("none", "gzip", "zstd_3", "zstd_7", "zstd_15", "zstd_22")
_ZSTD_LEVELS: Final = {"zstd_3": 3, "zstd_7": 7, "zstd_7_dict": 7, "zstd_15": 15, "zstd_22": 22}
_PIECE: Final = 1 << 20
_MOST_CHUNK: Final = 0xFFFFFFFF


def pack(data: bytes, compression: str) -> bytes:
    """The frames of a chunk as they are stored: one gzip member, or one zstd frame that says its size."""
    if compression == "none":
        return data
    if compression == "gzip":
        member = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP)
        return member.compress(data) + member.flush()
    import zstandard

    return zstandard.ZstdCompressor(level=_ZSTD_LEVELS[compression]).compress(data)


def write_chunks(target: str, chunks: Iterable[bytes], header: Callable[[Sequence[int]], bytes], *, force: bool) -> int:
    """Writes stored chunks and before them the header, made of their sizes; gives the size of the file."""
    folder = os.path.dirname(os.path.abspath(target))
    try:
        with tempfile.TemporaryFile(dir=folder) as spool:
            sizes = []
            for chunk in chunks:
                if len(chunk) > _MOST_CHUNK:
                    raise Unsupported("a chunk is too large", expected=f"at most {_MOST_CHUNK} bytes", found=len(chunk))
                spool.write(chunk)
                sizes.append(len(chunk))
            spool.seek(0)
            return write_file(target, chain((header(sizes),), _pieces(spool)), force=force)
    except OSError as error:
        raise NhlogError(f"cannot be written: {error.strerror}", file=target) from error


def _pieces(spool: IO[Any]) -> Iterator[bytes]:
    while piece := spool.read(_PIECE):
        yield piece


def write_file(target: str, parts: Iterable[bytes], *, force: bool) -> int:
    """A file of these parts; gives its size.  Raises :class:`Usage` if there is one and it is not to be replaced."""
    if not force and os.path.lexists(target):
        raise Usage("there is such a file already", file=target, expected="--force to replace it")
    size = 0

    def counted() -> Iterator[bytes]:
        nonlocal size
        for part in parts:
            size += len(part)
            yield part

    try:
        (atomic.replace if force else atomic.create)(target, counted())
    except FileExistsError:
        raise Usage("there is such a file already", file=target, expected="--force to replace it") from None
    except OSError as error:
        raise NhlogError(f"cannot be written: {error.strerror}", file=target) from error
    return size
