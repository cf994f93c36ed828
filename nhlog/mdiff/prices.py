"""What the parts of a diff cost: in bytes, or roughly in what is left of them when the diff is compressed."""

import zlib
from collections import Counter
from functools import lru_cache
from math import log2
from typing import Final, Protocol

from nhlog.mdiff.commands import encode, size

__all__ = ["BYTES", "Deflated", "Frequencies", "Tariff"]


class Tariff(Protocol):
    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        """The price of a command without its data, written after `order`, and the order after it."""

    def data(self, data: bytes) -> float:
        """The price of edited bytes."""


@lru_cache(1 << 14)
def _sized(order, command, bits):
    arg1 = (1 << bits) - 1
    return size(order, command, arg1), encode(order, command, arg1)[1]


class Bytes:
    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        return _sized(order, command, arg1.bit_length())

    def data(self, data: bytes) -> float:
        return len(data)


BYTES: Final = Bytes()

SMOOTH = 2.0
class Frequencies:
    def __init__(self, diff: bytes) -> None:
        counts = Counter(diff)
        total = len(diff) + 256 * SMOOTH
        self._prices = [-log2((counts[byte] + SMOOTH) / total)/8 for byte in range(256)]
        self._known = {}

    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        key = order, command, arg1, arg2
        known = self._known.get(key)
        if known is None:
            code, after = encode(order, command, arg1, arg2)
            known = self._known[key] = self.data(code), after
        return known

    def data(self, data: bytes) -> float:
        return sum(map(self._prices.__getitem__, data))

OVERHEAD=3.0; PK=1.5; PMIN=.6
class Deflated:
    """Prices of literal blocks: what zlib adds for each"""
    def __init__(self) -> None:
        self._zlib = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FIXED)

    def __call__(self, block: bytes) -> float:
        added = len(self._zlib.compress(block)) + len(self._zlib.flush(zlib.Z_PARTIAL_FLUSH))
        return min(len(block), max(PMIN, PK * (added - OVERHEAD)))
