"""The places of a datafile's data items, and their compression (zlib).

No data item shares bytes with another, and none is decompressed beyond its declared size.
"""

import zlib
from bisect import bisect_right
from collections.abc import Container
from operator import le

from nhlog.errors import Damaged
from nhlog.formats.datafile.wire.values import MAX_DATA, MAX_RATIO, DataItem, Finding, Header, Layout, integers

__all__ = ["deflate", "inflate", "read_data"]


def read_data(head: bytes, header: Header, layout: Layout, findings: list[Finding]) -> tuple[DataItem, ...]:
    """The places of the data items: each ends where the next begins; the first begins at 0."""
    offsets = integers(head, layout.data_offsets, header.num_data)
    sizes = integers(head, layout.data_sizes, header.num_data) if header.version == 4 else ()
    right = _longest_rising(offsets, header.data_size)
    data = []
    end = after = header.data_size
    for number in reversed(range(len(offsets))):
        offset = offsets[number]
        at = layout.data_offsets + 4 * number
        size = sizes[number] if number < len(sizes) else end - offset if header.version == 3 else 0
        fault = None
        if number not in right:
            fault = Finding(at, f"wrong offset of data item {number}", f"at most {after}", str(offset))
        elif header.version == 3 and end != after:
            fault = Finding(at + 4, f"where data item {number} ends is not known", "a right offset", str(after))
        else:
            fault = _check_size(number, size, end - offset, layout.data_sizes + 4 * number)
        if fault:
            findings.append(fault)
        data.append(DataItem(layout.data + offset, layout.data + end, size, fault))
        end = offset if number in right else end
        after = offset
    if offsets and offsets[0]:
        at = layout.data_offsets
        findings.append(Finding(at, "the first data item does not begin at 0", "0", str(offsets[0])))
    return tuple(reversed(data))


def _longest_rising(offsets: tuple[int, ...], most: int) -> Container[int]:
    """The numbers of the offsets that can be right: those of the longest non-decreasing subsequence."""
    if all(map(le, offsets, offsets[1:])) and (not offsets or (offsets[0] >= 0 and offsets[-1] <= most)):
        return range(len(offsets))
    ends: list[int] = []  # by length, the least offset that a rising row of so many can end with
    chain: list[int] = []  # and whose it is
    before: dict[int, int] = {}
    for number, offset in enumerate(offsets):
        if not 0 <= offset <= most:
            continue
        length = bisect_right(ends, offset)
        ends[length : length + 1] = [offset]
        chain[length : length + 1] = [number]
        before[number] = chain[length - 1] if length else -1
    right = set()
    number = chain[-1] if chain else -1
    while number >= 0:
        right.add(number)
        number = before[number]
    return right


def _check_size(number: int, size: int, length: int, at: int) -> Finding | None:
    """A finding if a data item of `length` bytes cannot have `size` uncompressed ones."""
    most = min(MAX_DATA, length * MAX_RATIO)
    if 0 <= size <= most:
        return None
    return Finding(at, f"data item {number} cannot be of that size", f"0 to {most} bytes", str(size))


def deflate(data: bytes) -> bytes:
    """Compress `data` to a zlib stream."""
    return zlib.compress(data)


def inflate(data: bytes, size: int, most: int = MAX_DATA) -> bytes:
    """Decompress the zlib stream `data` of `size` bytes, or the first `most` of them; never produces more.

    Raises :class:`Damaged` for a bad or cut stream, or another size.
    """
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data, most if most < size else size + 1)
    except zlib.error as error:
        raise Damaged("bad zlib stream", found=str(error).rpartition(": ")[2]) from None
    if len(found) == most < size:
        return found
    if len(found) > size:
        raise Damaged("more bytes than declared", expected=size, found=f"at least {len(found)}")
    if not stream.eof:
        raise Damaged("truncated zlib stream", expected=f"{size} bytes", found=len(found))
    if len(found) < size:
        raise Damaged("fewer bytes than declared", expected=size, found=len(found))
    return found
