"""The keyframes of a log in the user's cache, with a checksum of the log's bytes that they follow from.

Of bytes that are others now, nothing is taken from there.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from nhlog.cache import Cache, entry_name
from nhlog.errors import NhlogError
from nhlog.files import CHUNK, Identity
from nhlog.log.keyframes import STORED
from nhlog.log.wire.lines import BACKUP_HEAD

__all__ = ["ChainCache"]

_LONGEST: Final = 1 << 25  # bytes of a chain that may have some in the cache: a writer soon begins another


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

    `span` finds where in the log the saves between two numbers are, from the first one's line to the end of the last
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
        if not all(number > first and number % STORED == 0 for number in chain.numbers):
            return {}  # they would be taken for those of another chain
        span = self._span(first, max(chain.numbers))
        fits = span is not None and span == (chain.begin, chain.end) and self._sum(*span) == chain.checksum
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
            return  # the log is another now, or is locked: the next reading raises it

    def forget(self, first: int) -> None:
        """Keep none of the chain that begins with save `first` any more."""
        _CACHE.remove(self._name(first))

    def _name(self, first: int) -> str:
        return f"{entry_name(self._identity)}-{first:x}"

    def _sum(self, begin: int, end: int) -> int:
        """The checksum of the log's bytes there, without the head of the first line: its pointer is rewritten."""
        total = 0
        for at in range(begin + BACKUP_HEAD, end, CHUNK):
            total = zlib.crc32(self._read(at, min(at + CHUNK, end)), total)
        return total
