"""A chunk as it is stored: its frames as they are, in one gzip member or in one zstd frame (spec 2)."""

from typing import Final

from nhlog.compression import GZIP, NONE, ZSTD, Compressor, Unpacked, decompress

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
"""What is written if nobody says: the reference as it was released does not read zstd."""

WRITABLE_COMPRESSIONS: Final = ("none", "gzip", "zstd_3", "zstd_7", "zstd_15", "zstd_22")


def unpack(data: bytes, compression: str) -> Unpacked:
    """The frames of a stored chunk, no more than `MAX_CHUNK` bytes of them, and what is wrong with it."""
    method, _ = _METHODS[compression]
    return decompress(data, method)


def pack(data: bytes, compression: str) -> bytes:
    """The frames of a chunk as they are stored."""
    method, level = _METHODS[compression]
    return Compressor(method, level, checksum=False)(data)
