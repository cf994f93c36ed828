"""The index of an archived file and its frames, as bytes and as values; nothing is read or written here.

The problem: a store of objects delays and bills by the request, and has neither "append" nor "rename"; whoever looks at
a game wants its row in a list, its first screen and any later one, and not all of its bytes.

- The bytes of a file are in one object, frame after frame.  A frame is a zstd frame of its own, so that the whole
  object is what ``zstd -d`` unpacks, or the bytes as they are, where they are packed already.
- The index has the sizes and the digest of each frame, the edges of the file, and what the readers of its format keep
  of a file anyway.  Opening is one request for it (37 kB for a game of 588 kB), a seek one for the range of a frame.
- A frame has 128 KiB at least: so that a save and the backup it needs are in one as a rule.  It ends where a whole
  state begins if there is such a place before 256 KiB, else with a whole line or event.
- The index is written last, and a file without one does not count as archived: there is nothing in between.

An index is a magic, the CRC-32 of the rest, and packed MessagePack.  What comes from a store is checked before it is
believed: every size against a maximum, and all of them against one another.

Rejected: the file as one zstd stream (346 kB for that game; any save of it takes all of them); frames of 8 KiB (72 of
them, 379 kB) or 32 KiB (367 kB) instead of four or five (356 kB), as a save with its backup then takes several; frames
of one size, as a save then lies across two of them; an object for each frame, of which some may be there and others
not.

Who changes this keeps: an older archive is read as it is, so a field may come and never goes; and no length of an index
is used before `_is_sound` saw it.
"""

import hashlib
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

from nhlog.beside.file import MOST_BYTES
from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.decoding import msgpack_decoder
from nhlog.errors import Damaged

__all__ = [
    "HEAD",
    "LARGEST_FRAME",
    "LEAST",
    "MOST",
    "MOST_INDEX",
    "TAIL",
    "Frame",
    "Index",
    "Packing",
    "digest_of",
    "divide",
    "pack_checked",
    "pack_index",
    "pack_talk",
    "unpack_checked",
    "unpack_frame",
    "unpack_index",
    "unpack_row",
    "unpack_talk",
]

LEAST: Final = 1 << 17  # bytes of a frame, unpacked: from here on the next good place ends it
MOST: Final = 1 << 18  # where there is no better place, one for a whole event ends it
LARGEST_FRAME: Final = 1 << 20  # of an event as long as that
HEAD: Final = 1 << 14  # bytes from a file's start that are in its index: what formats are recognised by, most headers
TAIL: Final = 1 << 12  # from its end: what caches know it by
MOST_INDEX: Final = 1 << 26  # bytes of an index as it is stored
_MOST_UNPACKED: Final = 1 << 28
_MOST_FOR_EACH: Final = 100  # bytes of an index for each that it is unpacked from, beyond those of a small one
_SMALL: Final = 1 << 20  # bytes: 16 KiB of a file, and a summary, may be all alike
_MOST_SUMMARY: Final = 1 << 16  # bytes
_MOST_FRAMES: Final = 1 << 20
_MOST_KINDS: Final = 64  # of what readers keep of a file; a format has four at most
_MAGIC: Final = b"nhlogix1"
_CHECKSUM: Final = 4  # bytes
_DIGEST: Final = 16  # bytes
_HOLE: Final = "a frame of the archive is damaged, zero bytes are read in its place"

Packing = Literal["zstd", "none"]
_Value = TypeVar("_Value")


class Frame(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`raw` bytes of the file, stored as `packed` ones that have this `digest`."""

    raw: int
    packed: int
    digest: bytes


class Index(msgspec.Struct, frozen=True):
    """What is known of an archived file without its frames.

    `modified` is when it was last written to, in nanoseconds since 1970; `summary` is its row in a list.  `found` is
    what the readers of its format keep of a file, by the part of the cache that it belongs to: where turns and times
    are, markers, some states.  With it nothing has to be read to open it.  `apart` is whether its object has a name of
    its own, as other bytes stand at the usual one.  `talk` is what was said beside the file (`nhlog.beside.talk`); None
    in an index that was made before there was such a thing: then it may have an object of its own.
    """

    format: str
    size: int
    packing: Packing
    frames: list[Frame]
    digest: bytes
    modified: int
    head: bytes
    tail: bytes
    summary: dict[str, Any]
    found: Annotated[dict[str, bytes], msgspec.Meta(max_length=_MOST_KINDS)]
    apart: bool = False
    talk: Annotated[bytes, msgspec.Meta(max_length=MOST_BYTES)] | None = None

    @property
    def starts(self) -> list[int]:
        """Where each frame begins in the file, and where the last one ends."""
        return _summed([frame.raw for frame in self.frames])

    @property
    def places(self) -> list[int]:
        """The same in the object."""
        return _summed([frame.packed for frame in self.frames])


def _summed(sizes: Sequence[int]) -> list[int]:
    sums = [0]
    for size in sizes:
        sums.append(sums[-1] + size)
    return sums


def digest_of(data: bytes) -> bytes:
    """The digest of a frame as it is stored."""
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


def divide(size: int, good: Sequence[int], possible: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The frames of a file: from where to where.

    A frame ends at the first `good` place (that of a whole state), else at the last `possible` one (that of a whole
    event), else where it has `MOST` bytes.  Both are sorted offsets.
    """
    start = 0
    while start < size:
        end = _end(start, size, good, possible)
        yield start, end
        start = end


def _end(start: int, size: int, good: Sequence[int], possible: Sequence[int]) -> int:
    if size - start <= LEAST:
        return size
    number = bisect_right(good, start + LEAST - 1)
    if number < len(good) and good[number] <= min(start + MOST, size):
        return good[number]
    if size - start <= MOST:
        return size
    number = bisect_right(possible, start + MOST)
    if number and possible[number - 1] > start:
        return possible[number - 1]
    if number < len(possible) and possible[number] - start <= LARGEST_FRAME:
        return possible[number]
    return start + MOST


def unpack_frame(data: bytes, frame: Frame, packing: Packing) -> bytes:
    """The bytes of the file in a frame; raises :class:`Damaged` if they are not the archived ones."""
    if len(data) != frame.packed or digest_of(data) != frame.digest:
        raise Damaged(f"{_HOLE}: wrong digest")
    if packing == "none":
        return data
    unpacked = decompress(data, ZSTD, frame.raw)
    if unpacked.fault is not None or len(unpacked.data) != frame.raw:
        raise Damaged(f"{_HOLE}: wrong size when unpacked")
    return unpacked.data


class _Outline(msgspec.Struct, frozen=True):
    """What is looked at before an index becomes values: of an empty map, which is a byte, Python makes 72."""

    summary: msgspec.Raw


def pack_index(index: Index) -> bytes:
    """The object of an index."""
    return _MAGIC + pack_checked(index)


def unpack_index(data: bytes) -> Index:
    """The index in an object; raises :class:`Damaged` if it is not an index, or contradicts itself."""
    if not data.startswith(_MAGIC):
        raise Damaged("not the index of an archived game", offset=0)
    try:
        unpacked = _unpack(data[len(_MAGIC) :], _MOST_UNPACKED, _MOST_FOR_EACH)
        unpack_row(_decode(unpacked, _Outline).summary)
        index = _decode(unpacked, Index)
        if not _is_sound(index):
            raise Damaged("its sizes contradict one another")
    except Damaged as error:
        raise Damaged(f"the index of the archived game is damaged: {error.message}") from None
    return index


def pack_talk(lines: bytes) -> bytes:
    """The object of what was said beside a file whose index has no place for it."""
    return pack_checked(lines)


def unpack_talk(data: bytes) -> bytes:
    """The lines in such an object; raises :class:`Damaged`."""
    try:
        lines = unpack_checked(data, bytes, _SMALL, _MOST_FOR_EACH)
        if len(lines) > MOST_BYTES:
            raise Damaged("it is too long", expected=f"{MOST_BYTES} bytes", found=str(len(lines)))
    except Damaged as error:
        raise Damaged(f"the talk of the archived game is damaged: {error.message}") from None
    return lines


def unpack_row(row: msgspec.Raw) -> dict[str, Any]:
    """What a list tells of a game; raises :class:`Damaged`."""
    data = bytes(row)
    if len(data) > _MOST_SUMMARY:
        raise Damaged("its row in the list is too long", expected=f"{_MOST_SUMMARY} bytes", found=str(len(data)))
    return _decode(data, dict[str, Any])


def pack_checked(value: object) -> bytes:
    """A value as it is stored where it can be checked: the CRC-32 of the rest, and packed MessagePack."""
    packed = Compressor(ZSTD, 9)(msgspec.msgpack.encode(value))
    return zlib.crc32(packed).to_bytes(_CHECKSUM, "big") + packed


def unpack_checked(data: bytes, kind: type[_Value], most: int, for_each: int) -> _Value:
    """The value in what :func:`pack_checked` gave; raises :class:`Damaged` for anything else.

    At most `most` bytes of MessagePack are unpacked, and beyond a mebibyte `for_each` for each byte.
    """
    return _decode(_unpack(data, most, for_each), kind)


def _unpack(data: bytes, most: int, for_each: int) -> bytes:
    packed, most = data[_CHECKSUM:], min(_SMALL + for_each * len(data), most)
    if data[:_CHECKSUM] != zlib.crc32(packed).to_bytes(_CHECKSUM, "big"):
        raise Damaged("wrong checksum")
    unpacked = decompress(packed, ZSTD, most)
    if unpacked.fault is not None:
        raise unpacked.fault
    return unpacked.data


def _decode(data: bytes, kind: type[_Value]) -> _Value:
    try:
        return msgpack_decoder(kind).decode(data)
    except (ValueError, RecursionError) as error:
        raise Damaged(str(error)) from None


def _is_sound(index: Index) -> bool:
    sizes = all(0 < one.raw <= LARGEST_FRAME and 0 < one.packed <= 2 * LARGEST_FRAME for one in index.frames)
    plain = index.packing == "zstd" or all(one.raw == one.packed for one in index.frames)
    edges = (len(index.head), len(index.tail)) == (min(index.size, HEAD), min(index.size, TAIL))
    total = index.size == sum(one.raw for one in index.frames)
    known = 0 <= index.modified < 1 << 63 and all(len(one.digest) == _DIGEST for one in index.frames)
    return sizes and plain and edges and total and known and len(index.frames) <= _MOST_FRAMES
