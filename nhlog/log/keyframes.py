"""Saves that were passed on the way to others, each as what differs from the save that its chain begins with.

Some stay in memory.  Of a chain that is long they stay in the user's cache, too, with a checksum of the log's bytes
that they follow from: of bytes that are others now, nothing is taken from there.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import Final, Protocol

import msgspec

from nhlog.cache import Cache, entry_name
from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.errors import NhlogError
from nhlog.files import CHUNK, Identity
from nhlog.log.wire.lines import BACKUP_HEAD

__all__ = ["SPACING", "ChainCache", "Keyframes", "Store"]

SPACING: Final = 16  # saves from one keyframe to the next
STORED: Final = 32  # saves between those in the cache
_FEW: Final = 4  # keyframes that are not worth storing
_MOST_BYTES: Final = 4 << 20  # of keyframes in memory, and of the saves that they differ from
_LONGEST: Final = 1 << 25  # bytes of a chain that may have some in the cache: a writer soon begins another
_LEVEL: Final = 3  # of zstd; with the lower ones it looks for too few places to find a save again in another


class Store(Protocol):
    """Where the keyframes of a chain stay, by the number of its first save: each save's number, and the bytes."""

    def load(self, first: int) -> dict[int, bytes]:
        """Those that are there."""

    def store(self, first: int, frames: Mapping[int, bytes]) -> None:
        """Keep these, and those that are there."""


class Keyframes:
    """The keyframes of a log in memory; `begin` gives the save that a chain begins with, by its number."""

    def __init__(self, begin: Callable[[int], bytes], store: Store | None = None) -> None:
        self._begin = begin
        self._store = store
        self._frames: dict[int, bytes] = {}  # what was not used for longest first
        self._begins: dict[int, bytes] = {}
        self._packer: tuple[int, Compressor] | None = None
        self._new: tuple[int, int] = (-1, 0)  # the chain that was walked last, and how many are to be stored

    def __contains__(self, number: int) -> bool:
        return number in self._frames

    def first(self, number: int) -> bytes:
        """Save `number`, which a chain begins with."""
        save = self._begins.pop(number, None) or self._begin(number)
        self._begins[number] = save
        _bound(self._begins)
        return save

    def latest(self, first: int, start: int, number: int) -> int | None:
        """The number of the latest keyframe behind `start` and up to `number` of the chain that begins with `first`."""
        known = self._known(start, number)
        if self._store and number - (start if known is None else known) > STORED:
            for at, frame in self._store.load(first).items():
                self._frames.setdefault(at, frame)
            _bound(self._frames)
            known = self._known(start, number)
        return known

    def _known(self, start: int, number: int) -> int | None:
        ways = range(number // SPACING * SPACING, start, -SPACING)
        return next((at for at in ways if at in self._frames), None)

    def restore(self, first: int, number: int) -> bytes | None:
        """The save of keyframe `number`; None, and no such keyframe any more, where that is damaged."""
        frame = self._frames.pop(number)
        save, fault = decompress(frame, ZSTD, dictionary=self.first(first))
        if fault is not None:
            return None
        self._frames[number] = frame
        return save

    def keep(self, first: int, number: int, save: bytes) -> None:
        """Keep save `number` of the chain that begins with `first`."""
        if self._packer is None or self._packer[0] != first:
            self._packer = (first, Compressor(ZSTD, _LEVEL, self.first(first), checksum=False))
        self._frames[number] = self._packer[1](save)
        _bound(self._frames)
        if number % STORED == 0:
            self._new = (first, self._new[1] + 1 if self._new[0] == first else 1)

    def settle(self, last: int) -> None:
        """Store what is worth it of the chain that was walked last, up to save `last`."""
        first, new = self._new
        if self._store is None or new < _FEW:
            return
        numbers = range(first // STORED * STORED + STORED, last + 1, STORED)
        self._store.store(first, {at: self._frames[at] for at in numbers if at in self._frames})
        self._new = (-1, 0)


def _bound(kept: dict[int, bytes]) -> None:
    """Let go of those that were not used for longest."""
    size = sum(map(len, kept.values()))
    while size > _MOST_BYTES and len(kept) > 1:
        size -= len(kept.pop(next(iter(kept))))


class _Chain(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The keyframes of a chain; `checksum` is that of the log's bytes from `begin` to `end`, which they follow from."""

    begin: int
    end: int
    checksum: int
    numbers: list[int]
    frames: list[bytes]


_CACHE: Final = Cache("saves", 1, _Chain)


class ChainCache:
    """The keyframes of one log in the user's cache.

    `span` tells where in the log the saves between two numbers are, from the first one's line to the end of the last
    one's; `read` gives the log's bytes between two offsets.
    """

    def __init__(
        self, identity: Identity, span: Callable[[int, int], tuple[int, int] | None], read: Callable[[int, int], bytes]
    ) -> None:
        self._identity, self._span, self._read = identity, span, read

    def load(self, first: int) -> dict[int, bytes]:
        """Those of the chain that begins with save `first`, where the log is as it was up to the last of them."""
        chain = _CACHE.load(self._name(first))
        if chain is None or len(chain.numbers) != len(chain.frames) or not chain.numbers:
            return {}
        span = self._span(first, max(chain.numbers))
        fits = span == (chain.begin, chain.end) and self._sum(*span) == chain.checksum
        return dict(zip(chain.numbers, chain.frames, strict=True)) if fits else {}

    def store(self, first: int, frames: Mapping[int, bytes]) -> None:
        """Keep these of the chain that begins with save `first`, with those that are there; nothing of one too long."""
        try:
            frames = {**self.load(first), **frames}
            span = self._span(first, max(frames))
            if span is not None and span[1] - span[0] <= _LONGEST:
                chain = _Chain(*span, self._sum(*span), [*frames], [*frames.values()])
                _CACHE.store(self._name(first), chain)
        except NhlogError:
            return  # the log is another now, or somebody keeps it from us: who reads on is told

    def _name(self, first: int) -> str:
        return f"{entry_name(self._identity)}-{first:x}"

    def _sum(self, begin: int, end: int) -> int:
        """The checksum of the log's bytes there, without the head of the first line: its pointer is rewritten."""
        total = 0
        for at in range(begin + BACKUP_HEAD, end, CHUNK):
            total = zlib.crc32(self._read(at, min(at + CHUNK, end)), total)
        return total
