"""A compressed recording as its writer leaves it on the disk, which flushes its compressor after each part."""

import lzma
import zlib
from collections.abc import Iterable

import zstandard

__all__ = ["flushed"]


def flushed(kind: str, parts: Iterable[bytes]) -> list[bytes]:
    """What is written of each part, by `gzip`, `zstd` or `xz`; at last the end of the stream."""
    if kind == "xz":  # of which a writer can only begin another stream
        return [*map(lzma.compress, parts), b""]
    if kind == "gzip":
        stream, flush = zlib.compressobj(wbits=31), zlib.Z_SYNC_FLUSH
    else:
        stream, flush = zstandard.ZstdCompressor().compressobj(), zstandard.COMPRESSOBJ_FLUSH_BLOCK
    return [*(stream.compress(part) + stream.flush(flush) for part in parts), stream.flush()]
