"""The places of the chunks of a file: as the header's table says, or as found by a search if the table is wrong.

A chunk begins with a mark.  If there is none where the table puts a chunk's start or end, the nearest mark is taken
instead, and the chunk before ends there: so one wrong size loses no frame.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Final

from nhlog.formats.butter.wire.header import Header
from nhlog.values import NamedTuple

__all__ = ["Extent", "extents", "listed_extents"]

_MARKS: Final = {"none": b"\xfc\xfe", "gzip": b"\x1f\x8b\x08"}
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_DATES: Final = range(10**12, 5 * 10**12)  # ms: what a keyframe may say, from 2001 to 2128
_REACH: Final = 1 << 16  # bytes to either side that are searched
_MOST_SEARCHES: Final = 64  # in a file: one with more wrong places is not worth it

Read = Callable[[int, int], bytes]


class Extent(NamedTuple):
    """A chunk's offsets `start` and `end` (excluded) in the file; `said` is the table's wrong start, or None."""

    start: int
    end: int
    said: int | None = None


def listed_extents(header: Header) -> Sequence[Extent]:
    """The place of each chunk as the header's table says."""
    ends = [*accumulate(header.sizes[: len(header.sizes) - header.room], initial=header.end)]
    return [Extent(start, end) for start, end in pairwise(ends)]


def extents(header: Header, size: int, read: Read) -> Sequence[Extent]:
    """The place of each chunk in a file of `size` bytes; `read` takes an offset and a number of bytes."""
    found: list[Extent] = []
    at, wrong = header.end, 0
    for length in header.sizes[: len(header.sizes) - header.room]:
        after = at + length
        if length and after != size and not (_begins(header, read(at, 16)) or _begins(header, read(after, 16))):
            lowest = found[-1].start + 1 if found else header.end - 4 * len(header.sizes)
            start = _search(header, read, at, max(lowest, 0)) if wrong < _MOST_SEARCHES else None
            wrong += 1
            if start is not None:
                if found:
                    found[-1] = found[-1]._replace(end=start)
                found.append(Extent(start, start + length, at))
                at = start + length
                continue
        found.append(Extent(at, after))
        at = after
    if wrong and found:
        found += _unlisted(header, size, read, at)
    return found


def _begins(header: Header, data: bytes) -> bool:
    mark = _MARKS.get(header.compression, _ZSTD)
    if not data.startswith(mark):
        return False
    return header.compression != "none" or int.from_bytes(data[2:10], "little", signed=True) in _DATES


def _search(header: Header, read: Read, at: int, lowest: int) -> int | None:
    """The offset of the mark nearest to `at`, not before `lowest`; None if there is none."""
    first = max(at - _REACH, lowest)
    data = read(first, at + _REACH - first)
    places = [first + place for place in _places(header, data)]
    return min(places, key=lambda place: abs(place - at), default=None)


def _places(header: Header, data: bytes) -> list[int]:
    mark = _MARKS.get(header.compression, _ZSTD)
    places = []
    at = data.find(mark)
    while at >= 0:
        if _begins(header, data[at : at + 16]):
            places.append(at)
        at = data.find(mark, at + 1)
    return places


def _unlisted(header: Header, size: int, read: Read, at: int) -> list[Extent]:
    """Chunks behind the last one of the table, which is wrong already."""
    if at >= size or size - at > _REACH * _MOST_SEARCHES or not _begins(header, read(at, 16)):
        return []
    places = [at + place for place in _places(header, read(at, size - at))]
    return [Extent(start, end, size) for start, end in zip(places, [*places[1:], size], strict=True)]
