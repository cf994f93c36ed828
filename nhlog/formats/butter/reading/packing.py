"""A chunk as stored, and its frames: none, gzip or zstd (spec 2).

What is cut off gives what can be had of it, and says so.  No more than `MOST_UNPACKED` bytes ever come out.
"""

import zlib
from typing import Final

from nhlog.errors import Damaged

__all__ = ["MOST_UNPACKED", "unpack"]

MOST_UNPACKED: Final = 1 << 26
"""Bytes of a chunk: a whole one of 65,535 frames of a kilobyte each."""

_GZIP: Final = 31  # zlib's number for a gzip member
_PIECE: Final = 1 << 18
_MOST_WINDOW: Final = 1 << 27  # bytes: what zstd's highest level asks for


def unpack(data: bytes, compression: str) -> tuple[bytes, Damaged | None]:
    """The frames of a stored chunk, and what is wrong with it."""
    if compression == "none":
        return data, None
    return _gunzip(data) if compression == "gzip" else _unzstd(data)


def _gunzip(data: bytes) -> tuple[bytes, Damaged | None]:
    """One gzip member or several."""
    parts: list[bytes] = []
    room = MOST_UNPACKED
    while data:
        member = zlib.decompressobj(_GZIP)
        try:
            part = member.decompress(data, room)
        except zlib.error as error:
            return b"".join(parts), Damaged(f"the gzip data is damaged: {error}")
        parts.append(part)
        room -= len(part)
        if not member.eof:
            fault = Damaged("the gzip data is cut off") if not member.unconsumed_tail else _too_long()
            return b"".join(parts), fault
        if not room:
            return b"".join(parts), _too_long()
        data = member.unused_data
    return b"".join(parts), None


def _unzstd(data: bytes) -> tuple[bytes, Damaged | None]:
    import zstandard

    parts: list[bytes] = []
    size = 0
    try:
        expected = zstandard.frame_content_size(data)
        reader = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW).stream_reader(data)
        while part := reader.read(_PIECE):
            parts.append(part)
            size += len(part)
            if size > MOST_UNPACKED:
                return b"".join(parts)[:MOST_UNPACKED], _too_long()
    except zstandard.ZstdError as error:
        return b"".join(parts), Damaged(f"the zstd data is damaged: {error}")
    if size < expected:
        return b"".join(parts), Damaged("the zstd data is cut off", expected=f"{expected} bytes", found=size)
    return b"".join(parts), None


def _too_long() -> Damaged:
    return Damaged("a chunk too long to be one", expected=f"at most {MOST_UNPACKED} bytes")
