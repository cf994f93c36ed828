"""Compression of a chunk: none, one gzip member or one zstd frame (spec 2).

A frame of ours ends in a checksum, which every decoder of zstd reads and compares; the reference writes none, so in its
files a changed byte is told only where the frames do not fit any more, and `verify` says so.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.compression import GZIP, MAX_CHUNK, NONE, ZSTD, Compressor, decompressed
from nhlog.errors import Damaged

__all__ = ["DEFAULT_COMPRESSION", "WRITABLE_COMPRESSIONS", "pack", "unpack"]

_METHODS: Final = {  # and levels, by the names that headers have for them
    "none": (NONE, None),
    "gzip": (GZIP, 6),
    "zstd_3": (ZSTD, 3),
    "zstd_7": (ZSTD, 7),
    "zstd_15": (ZSTD, 15),
    "zstd_22": (ZSTD, 22),
    "zstd_7_dict": (ZSTD, 7),
}

DEFAULT_COMPRESSION: Final = "gzip"
"""The compression that is written by default: the released reference does not read zstd."""

WRITABLE_COMPRESSIONS: Final = ("none", "gzip", "zstd_3", "zstd_7", "zstd_15", "zstd_22")


def unpack(data: bytes, compression: str) -> Iterator[bytes]:
    """Decompress a chunk, in pieces.

    Raises :class:`Damaged` behind what could be decompressed, and beyond `MAX_CHUNK` bytes.
    """
    method, _ = _METHODS[compression]
    size = 0
    for piece in decompressed([data], method):
        size += len(piece)
        if size > MAX_CHUNK:
            raise Damaged("the unpacked data is too large", expected=f"at most {MAX_CHUNK} bytes")
        yield piece


def pack(data: bytes, compression: str) -> bytes:
    """Compress a chunk; `compression` is one of `WRITABLE_COMPRESSIONS`."""
    method, level = _METHODS[compression]
    return Compressor(method, level)(data)
