"""The events of a recording, kept so that who opens it again, or from an archive, need not read all of it.

Those of an archive come back with its index, as all that was in the cache, and are checked like it: what contradicts
itself or the file is not used, and then the events are looked for in the file.  A local recording that has grown since
is read from there on; that it was only appended to is believed where its ends are the same.

The columns are packed, their numbers byte by byte: the first byte of all of them, then the second.  That is a sixth of
the bytes; and to check the seal of so many more takes longer than to unpack these.  It is done piece by piece, so that
beside a column there is only its packed form in memory: of 10 million events, 1 GB, all at once took 240 MB more.
"""

from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from operator import add, le
from typing import Final, TypeVar

import msgspec

from nhlog.cache import Fingerprint, Index, fingerprint
from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.kernels import COMPILED, event_columns
from nhlog.screencast.events import MARKER, Events, Found, Header
from nhlog.screencast.guess import CHARSETS
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

__all__ = ["keep_events", "recalled"]

_MOST_LABELS: Final = 1 << 10  # markers whose text is kept
_MOST: Final = 1 << 24  # events, of 1.7 GB or so: their entry takes an eighth of the cache
_AT_ONCE: Final = 1 << 16  # events that are packed, unpacked and compared with each other at a time


class _Kept(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Events of a `kind`, as `found`; the columns are packed."""

    kind: str
    version: int | None
    header: Header
    names: list[str]
    codes: bytes
    times: bytes
    offsets: bytes
    sizes: bytes
    numbers: tuple[int, int, int, int]
    labels: dict[int, bytes]


_INDEX: Final = Index("events", 4, _Kept)
_LEVEL: Final = 1  # of zstd
E = TypeVar("E", bound=Events)


def keep_events(events: Events, state: Fingerprint | None) -> None:
    """Keep what is known of the events of a file, if that is all there is, and nothing is wrong with it.

    `state` is the fingerprint of the file from before it was read: if it was written to since, nothing is kept.
    """
    file = events.source.file
    if file is None or len(events) > _MOST or fingerprint(file) != state:
        return
    found = events.found(islice(events.numbers(MARKER), _MOST_LABELS))
    if found is None:
        return
    with suppress(ValueError, OverflowError, TypeError):  # a header that cannot be kept
        if _are_in_order(found):
            kept = _Kept(
                kind=type(events).__name__,
                version=found.version,
                header=found.header,
                names=found.names,
                codes=_packed(array("B", found.codes)),
                times=_packed(found.times),
                offsets=_packed(found.offsets),
                sizes=_packed(found.sizes),
                numbers=found.numbers,
                labels=dict(found.labels),
            )
            _INDEX.store(state, kept)


def recalled(
    source: UnpackedSource, kinds: Sequence[type[E]], size: Size | None = None, charset: str | None = None
) -> E | None:
    """The events of a file, of one of these `kinds`, as they are known; None if they are not.

    Size and characters that are given are used instead of those that were found.
    """
    known = None if source.file is None else _INDEX.load_appended(source.file)
    kind = next((one for one in kinds if known and one.__name__ == known.value.kind), None)
    if known is None or kind is None:
        return None
    try:
        found = _found(known.value, min(known.end, _MOST))  # an event has a byte at the least
    except (ValueError, OverflowError):  # columns of broken length, numbers that are too large
        return None
    if not (_fits(found, known.end) and _are_in_order(found)):
        return None
    header = replace(found.header, size=size or found.header.size, charset=charset or found.header.charset)
    events = kind.__new__(kind)
    Events.__init__(events, source)
    events.recall(found._replace(header=header))
    if source.size() > known.end:
        events.extend()
    return events


def _packed(column: "array[int]") -> bytes:
    width, count = column.itemsize, len(column)
    packed = bytearray(width * count)
    for start in range(0, count, _AT_ONCE):
        data = column[start : start + _AT_ONCE].tobytes()
        for byte in range(width):
            at = byte * count + start
            packed[at : at + len(data) // width] = data[byte::width]
    return Compressor(ZSTD, _LEVEL)(packed)


def _unpacked(kind: str, packed: bytes, most: int) -> "array[int]":
    """The column of at most so many events; raises ValueError for what is none."""
    column = array(kind)
    width = column.itemsize
    data, fault = decompress(packed, ZSTD, most * width)
    count, rest = divmod(len(data), width)
    if fault or rest:
        raise ValueError(fault or rest)
    for start in range(0, count, _AT_ONCE):
        numbers = bytearray(width * min(_AT_ONCE, count - start))
        for byte in range(width):
            at = byte * count + start
            numbers[byte::width] = data[at : at + len(numbers) // width]
        column.frombytes(numbers)
    return column


def _found(kept: _Kept, most: int) -> Found:
    """What was found, of at most so many events; raises ValueError for columns that are none."""
    codes = _unpacked("B", kept.codes, most).tobytes()
    times, offsets = _unpacked("q", kept.times, most), _unpacked("Q", kept.offsets, most)
    sizes = _unpacked("I", kept.sizes, most)
    return Found(kept.version, kept.header, kept.names, codes, times, offsets, sizes, kept.numbers, kept.labels)


def _fits(found: Found, size: int) -> bool:
    """Whether columns are of one length, all events lie in a file of this size, and can be decoded."""
    lengths = {len(found.codes), len(found.times), len(found.offsets), len(found.sizes)}
    if len(lengths) != 1 or not found.codes or found.header.charset not in CHARSETS:
        return False
    if found.codes.translate(None, bytes(range(len(found.names[:256])))):  # a code without a name
        return False
    end, limit, _, _ = found.numbers
    return found.offsets[-1] + found.sizes[-1] <= end <= limit == size


def _are_in_order(found: Found) -> bool:
    """Whether the times never fall, and each event lies behind the one before it."""
    columns = found.times, found.offsets, found.sizes
    blocks = (slice(start, start + _AT_ONCE + 1) for start in range(0, len(found.times), _AT_ONCE))
    return all(_IN_ORDER(*(column[block].tobytes() for column in columns)) for block in blocks)


def _follow(times: bytes, offsets: bytes, sizes: bytes) -> bool:
    """What the kernel does, where it is not compiled."""
    moments, places = array("q", times), array("Q", offsets)
    ends = map(add, places, array("I", sizes))
    return min(moments[:1], default=0) >= 0 and all(map(le, moments, moments[1:])) and all(map(le, ends, places[1:]))


_IN_ORDER: Final = event_columns.in_order if COMPILED else _follow
