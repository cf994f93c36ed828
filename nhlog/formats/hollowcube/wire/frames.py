"""The zstd frames of chunks: finds them without an index, and decompresses them.

The end of a frame is computed from its block headers (RFC 8878, 3.1.1), without decompressing it.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.compression import ZSTD, Decompressor, has_checksum
from nhlog.errors import Damaged
from nhlog.formats.hollowcube.wire.chunks import MAX_RAW

__all__ = ["MAGIC", "blocks_end", "content_size", "frame_end", "frames", "unpack"]

MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SIZE_BYTES: Final = (0, 2, 4, 8)  # of the content size, by the descriptor's top two bits
_DICTIONARY_BYTES: Final = (0, 1, 2, 4)  # of the dictionary's ID, by its lowest two
_SINGLE_SEGMENT: Final = 0x20
_RUN: Final = 1  # a block type: one byte, repeated
_RESERVED: Final = 3


def frame_end(data: bytes, start: int) -> int | None:
    """The offset behind the frame that begins at `start`; None if there is none or it is incomplete."""
    for at, last in _blocks(data, start):
        if last:
            end = at + (4 if has_checksum(data[start : start + 5]) else 0)
            return end if end <= len(data) else None
    return None


def blocks_end(data: bytes, start: int) -> int:
    """The offset behind the last complete block of the frame that begins at `start`; `start` if there is none."""
    return max((at for at, _ in _blocks(data, start)), default=start)


def _blocks(data: bytes, start: int) -> Iterator[tuple[int, bool]]:
    """The offsets behind the complete blocks of the frame at `start`, and whether each is its last."""
    if not data.startswith(MAGIC, start) or start + 5 > len(data):
        return
    at, size_bytes = _size_field(data[start + 4], start)
    at += size_bytes
    last = False
    while not last and at + 3 <= len(data):
        head = int.from_bytes(data[at : at + 3], "little")
        last, kind = bool(head & 1), head >> 1 & 3
        at += 3 + (1 if kind == _RUN else head >> 3)
        if kind == _RESERVED or at > len(data):
            return
        yield at, last


def content_size(data: bytes, start: int) -> int | None:
    """The decompressed size of the complete frame at `start`; None if its header does not have it."""
    at, size_bytes = _size_field(data[start + 4], start)
    if not size_bytes:
        return None
    size = int.from_bytes(data[at : at + size_bytes], "little")
    return size + 256 if size_bytes == 2 else size  # those below have a field of one byte


def _size_field(descriptor: int, start: int) -> tuple[int, int]:
    """Offset and length of the field with the content size in the frame at `start`."""
    single = bool(descriptor & _SINGLE_SEGMENT)
    size_bytes = _SIZE_BYTES[descriptor >> 6] or (1 if single else 0)
    return start + 5 + (0 if single else 1) + _DICTIONARY_BYTES[descriptor & 3], size_bytes


def frames(data: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
    """Offset and end of every complete frame from `start` on; bytes between frames are skipped."""
    at = data.find(MAGIC, start)
    while at >= 0:
        end = frame_end(data, at)
        if end is not None:
            yield at, end
        at = data.find(MAGIC, at + 1 if end is None else end)


def unpack(frame: bytes, raw_length: int, dictionary: bytes = b"") -> tuple[bytes, Damaged | None]:
    """Decompress a zstd frame to at most `raw_length` bytes; returns them, and a fault if the length differs.

    Raises :class:`~nhlog.errors.Damaged` for a frame that cannot be decompressed, or whose checksum does not match.
    """
    if raw_length > MAX_RAW:
        raise Damaged("a chunk is too large", expected=f"at most {MAX_RAW} bytes", found=raw_length)
    if not frame.startswith(MAGIC):
        raise Damaged("a chunk cannot be unpacked: it is no zstd frame")
    raw = bytearray()
    try:
        for piece in Decompressor(ZSTD, dictionary).feed(frame[: frame_end(frame, 0)]):
            raw += piece
            if len(raw) > raw_length:
                break
    except Damaged as error:
        raise Damaged(f"a chunk cannot be unpacked: {error.what}") from None
    if len(raw) == raw_length:
        return bytes(raw), None
    found = "more" if len(raw) > raw_length else len(raw)
    return bytes(raw[:raw_length]), Damaged(
        "a chunk is not as long as the index says", expected=raw_length, found=found
    )
