"""Counts messages and ticks, without decoding the messages.

Applies the tick rule of `world` to whole batches: every player record becomes its client id + 1 and every TICK_SKIP a
0, so that a tick begins wherever a number is not above the one before it.
"""

from collections import Counter
from itertools import compress
from operator import itemgetter, le
from typing import Final

from nhlog.formats.teehistorian.wire.extra import EXTRA_NAMES
from nhlog.formats.teehistorian.wire.varint import unpack

__all__ = ["KINDS", "MessageCounter", "player_record_mask"]

KINDS: Final = {
    0x40: "finish",
    0x41: "tick_skip",
    0x42: "player_new",
    0x43: "player_old",
    0x44: "input_diff",
    0x45: "input_new",
    0x46: "message",
    0x47: "join",
    0x48: "drop",
    0x49: "console_command",
    0x4A: "ex",
}
"""The kinds of messages by first byte; all others are movements, ``player_diff``."""

_SKIP, _NEW, _OLD, _EX = 0x41, 0x42, 0x43, 0x4A
_START: Final = 255  # above every mark: the first player record begins a tick
_OTHER: Final = 254


def _mark(head: int) -> int:
    """The mark of a message by its first byte, assuming that client ids from 64 on have 1 as their second byte."""
    if head < 0x40:
        return head + 1
    return 0 if head == _SKIP else head - 0x80 + 64 + 1 if 0x80 <= head < 0xC0 else _OTHER


_MARKS: Final = bytes(map(_mark, range(256)))
_LONG: Final = bytes(0x80 <= head < 0xC0 for head in range(256))
_APPEARS: Final = bytes(head in (_NEW, _OLD) for head in range(256))
_SKIPS: Final = bytes(head == _SKIP for head in range(256))
_EXTRAS: Final = bytes(head == _EX for head in range(256))
_MOVING: Final = bytes(not head & 0x40 or head in (_SKIP, _NEW, _OLD) for head in range(256))
_SECOND: Final = itemgetter(1)


def player_record_mask(messages: list[bytes]) -> bytes:
    """For each message, 1 if it is a player record or a TICK_SKIP, else 0."""
    return bytes(map(itemgetter(0), messages)).translate(_MOVING)


class MessageCounter:
    """Counts batches of messages, given in order: messages by kind, ticks, EX messages by name."""

    def __init__(self) -> None:
        self.tick = 0
        self.extras: Counter[str] = Counter()
        self._heads: Counter[int] = Counter()
        self._last = _START

    @property
    def counts(self) -> Counter[str]:
        """Messages by kind."""
        found: Counter[str] = Counter()
        for head, count in self._heads.items():
            found[KINDS.get(head, "player_diff")] += count
        return found

    def take(self, messages: list[bytes]) -> None:
        """Count a batch."""
        heads = bytes(map(itemgetter(0), messages))
        for head in set(heads):
            self._heads[head] += heads.count(head)
        marks = bytes((self._last,)) + self._marks(messages, heads)
        self._last = marks[-1]
        self.tick += sum(map(le, marks[1:], marks))
        if _SKIP in heads:
            self.tick += sum(unpack(message, 1)[0] for message in compress(messages, heads.translate(_SKIPS)))
        if _EX in heads:
            for message in compress(messages, heads.translate(_EXTRAS)):
                self.extras[EXTRA_NAMES.get(message[1:17], "")] += 1

    def _marks(self, messages: list[bytes], heads: bytes) -> bytes:
        """The marks of the player records and TICK_SKIPs."""
        long, appears = heads.translate(_LONG), heads.translate(_APPEARS)
        marks = heads.translate(_MARKS)
        seconds = set(map(_SECOND, compress(messages, long)))
        if seconds - {1} or 1 in appears:
            exact = bytearray(marks)
            odd = compress(range(len(messages)), map(int.__or__, long, appears))
            for index in odd:
                exact[index] = unpack(messages[index], int(heads[index] in (_NEW, _OLD)))[0] + 1
            marks = bytes(exact)
        return marks.translate(None, bytes((_OTHER,)))
