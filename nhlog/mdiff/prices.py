"""What the parts of a diff cost: their bytes, or what is left of these when the diff is compressed.

Invariant: a price depends only on the part itself and on the diff that a tariff was made from; so the way that is
cheapest to the end of the save begins with a way that is cheapest to each byte in between.
"""

import zlib
from collections import Counter
from functools import lru_cache
from math import log2
from typing import Final, Protocol

from nhlog.mdiff.commands import encode, size

__all__ = ["BYTES", "Deflated", "Frequencies", "Tariff"]


class Tariff(Protocol):
    """Prices of what a diff consists of, in bytes."""

    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        """The price of a command after this order, without its data, and the order after it."""

    def data(self, data: bytes) -> float:
        """The price of the data of an edit."""


class _Bytes:
    """Every byte costs one."""

    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        return _sized(order, command, arg1.bit_length())

    def data(self, data: bytes) -> float:
        return len(data)


BYTES: Final[Tariff] = _Bytes()


@lru_cache(maxsize=1 << 15)
def _sized(order: bytes, command: int, bits: int) -> tuple[int, bytes]:
    """The bytes of a command whose arg1 has so many bits, and the order after it."""
    arg1 = (1 << bits) - 1
    return size(order, command, arg1), encode(order, command, arg1)[1]


class Frequencies:
    """A byte costs what its frequency in another diff suggests that an entropy coder would make of it.

    A diff that is chosen by these prices says the same in the same way more often than the other one.
    """

    _PRIOR: Final = 2.0
    """How often each byte is taken to have occurred besides. (From 0.5 to 8 it makes no difference.)"""

    def __init__(self, diff: bytes) -> None:
        counts = Counter(diff)
        total = len(diff) + 256 * self._PRIOR
        self._prices = [log2(total / (counts[byte] + self._PRIOR)) / 8 for byte in range(256)]
        self._commands: dict[tuple[bytes, int, int, int], tuple[float, bytes]] = {}

    def command(self, order: bytes, command: int, arg1: int, arg2: int) -> tuple[float, bytes]:
        """As in Tariff."""
        key = order, command, arg1, arg2
        known = self._commands.get(key)
        if known is None:
            code, after = encode(order, command, arg1, arg2)
            known = self._commands[key] = self.data(code), after
        return known

    def data(self, data: bytes) -> float:
        """As in Tariff."""
        return sum(map(self._prices.__getitem__, data))


class Deflated:
    """Prices blocks of fresh bytes by what zlib makes of each, after those that were asked for before."""

    _FLUSH: Final = 3.0
    """What a block costs more for being flushed on its own: its end mark, and a match that is cut in two."""

    def __init__(self) -> None:
        self._zlib = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=-zlib.MAX_WBITS, strategy=zlib.Z_FIXED)

    def __call__(self, block: bytes) -> float:
        """The price of the next block; never more than its bytes."""
        added = len(self._zlib.compress(block)) + len(self._zlib.flush(zlib.Z_PARTIAL_FLUSH))
        return min(len(block), max(0, added - self._FLUSH))
