"""The cost of the parts of a diff: their bytes, or an estimate of these after compression.

Invariant: the price of a part depends on the order of the commands, but on nothing else that was chosen before it. So
of all choices that lead to one byte with one order, only the cheapest need be kept.
"""

import zlib
from collections import Counter
from functools import lru_cache
from math import log2
from typing import Final, Protocol

from nhlog.mdiff.table import encode, size

__all__ = ["BYTES", "Deflated", "Frequencies", "Tariff"]


class Tariff(Protocol):
    """Prices of commands and their data, in bytes."""

    prices: list[float]
    """That of each of the 256 bytes; empty where each costs one."""

    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        """The price of a command in this order, without its data, and the order after it."""
        ...

    def data(self, data: bytes) -> float:
        """The price of the data of an edit."""
        ...


class _Bytes:
    def __init__(self) -> None:
        self.prices: list[float] = []

    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        return _sized(order, command, arg1.bit_length())

    def data(self, data: bytes) -> float:
        return len(data)


BYTES: Final[Tariff] = _Bytes()
"""Each byte costs one."""


@lru_cache(maxsize=1 << 15)
def _sized(order: bytes, command: int, bits: int) -> tuple[int, bytes]:
    """The size of a command whose arg1 has so many bits, and the order after it."""
    arg1 = (1 << bits) - 1
    return size(order, command, arg1), encode(order, command, arg1)[1]


class Frequencies:
    """Each byte costs what an entropy coder would need for it, by the byte frequencies of another diff.

    A diff that is chosen by these prices is more repetitive than the other one, and compresses better.
    """

    _PRIOR: Final = 2.0
    """The count that each byte starts with. (From 0.5 to 8, this makes no difference.)"""

    _GRAIN: Final = 1 << 20
    """Parts of a bit that prices are rounded to, so that sums of them are exact, in any order."""

    def __init__(self, diff: bytes) -> None:
        counts = Counter(diff)
        total = len(diff) + 256 * self._PRIOR
        bits = [log2(total / (counts[byte] + self._PRIOR)) for byte in range(256)]
        self.prices = [round(price * self._GRAIN) / self._GRAIN / 8 for price in bits]
        self._commands: dict[tuple[bytes, int, int, int], tuple[float, bytes]] = {}

    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        """See :meth:`Tariff.command`."""
        key = order, command, arg1, arg2
        known = self._commands.get(key)
        if known is None:
            code, after = encode(order, command, arg1, arg2)
            known = self._commands[key] = self.data(code), after
        return known

    def data(self, data: bytes) -> float:
        """See :meth:`Tariff.data`."""
        return sum(map(self.prices.__getitem__, data))


class Deflated:
    """The size of each block of new bytes as compressed by zlib, after the blocks of earlier calls."""

    _FLUSH: Final = 3.0
    """Bytes that flushing adds to a block: its end, and often the end of a match."""

    def __init__(self) -> None:
        self._zlib = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=-zlib.MAX_WBITS, strategy=zlib.Z_FIXED)

    def __call__(self, block: bytes) -> float:
        """The price of the next block, in bytes."""
        added = len(self._zlib.compress(block)) + len(self._zlib.flush(zlib.Z_PARTIAL_FLUSH))
        return min(len(block), max(0, added - self._FLUSH))
