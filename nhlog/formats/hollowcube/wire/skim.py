"""Finds in a chunk what depends on no state, mostly by regular expressions, many times faster than decoding.

`chunks.decode_chunk` would find the same: an event is passed over only if it can be decoded, and what is behind a fault
does not count.
"""

import re
from contextlib import suppress
from functools import cache
from typing import Final, TypeGuard

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.wire.chunks import MAX_EVENTS, read_head, snapshot_span
from nhlog.formats.hollowcube.wire.events import (
    PLAYER,
    RUN_EVENTS,
    ChangeHeldSlot,
    CheckpointReached,
    CheckpointReset,
    Event,
    RunEnd,
    RunStart,
    read_event,
)
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.values import NamedTuple

__all__ = ["Skimmed", "Telling", "is_telling", "skim"]

TellingEvent = RunStart | CheckpointReached | CheckpointReset | RunEnd | ChangeHeldSlot
Telling = tuple[int, TellingEvent]
"""The tick of an event of a run, or of one that says which slot the player holds, and the event."""

_INT: Final = rb"[\x80-\xff]{0,4}+[\x00-\x7f]"
_LONG: Final = rb"[\x80-\xff]{0,9}+[\x00-\x7f]"
_LP_POS: Final = _LONG * 3 + rb".{4}"
_POS: Final = rb".{32}"
_LONG_SCALE: Final = b"[" + b"".join(b"\\x%02x-\\x%02x" % (byte, byte + 3) for byte in range(4, 256, 8)) + b"]"  # bit 2
_LP_VECTOR: Final = rb"(?>\x00|" + _LONG_SCALE + rb".{5}" + _INT + rb"|.{6})"
_HAND: Final = rb"[\x00\x01]"
_ZERO: Final = rb"\x80{0,4}+\x00"  # in any of its forms
_EVENT: Final = b"|".join(
    (
        rb"\x00" + _INT + _LP_POS + _LP_VECTOR,  # DeltaMove
        rb"\x01" + _INT + _POS + _LP_VECTOR,  # AbsoluteMove
        rb"\x02" + _INT + rb"[\x00-\x11].",  # EntityState
        rb"\x03" + _INT + _HAND,  # HandAnimation
        rb"\x04" + _INT + rb"(?>\x00|\x01" + _HAND + rb")",  # ItemUse
        rb"\x06(?!" + _ZERO + rb")" + _INT + _INT,  # ChangeHeldSlot of another than the player
        rb"\x07.{8}" + _INT,  # SetBlock
        rb"\x08" + _INT + _INT + _POS,  # SpawnEntity
        rb"\x09" + _INT,  # DestroyEntity
        rb"\x0e",  # ClearGhostBlocks
    )
)
_MOST: Final = 6  # events of a tick that is passed over at once
_TICK: Final = (
    _INT + rb"(?>" + b"|".join(rb"\x00\x%02x(?>%s){%d}" % (count, _EVENT, count) for count in range(_MOST + 1)) + rb")"
)
_EMPTY: Final = rb"(?>" + _INT + rb"\x00\x00)"
_LONGEST: Final = 48  # bytes of a text in an item that is passed over
_TEXT: Final = (
    rb"\x00(?>" + b"|".join(rb"\x%02x[\x01-\x7f]{%d}" % (length, length) for length in range(_LONGEST + 1)) + rb")"
)
_VALUE: Final = rb"(?>\x08%s%s|\x03%s.{4})" % (_TEXT, _TEXT, _TEXT)  # a string, an int
_ITEM: Final = _INT + rb"\x0a" + _VALUE + rb"{0,8}+\x00"  # with its slot: an id, a count and little more


class _Patterns(NamedTuple):
    """Of bytes that tell nothing: an `event`, a `tick`, several `ticks`, `empty` ones, the head and an `item` of an
    event of items; and the beginning of an event that `places` the player.
    """

    event: re.Pattern[bytes]
    tick: re.Pattern[bytes]
    ticks: re.Pattern[bytes]
    empty: re.Pattern[bytes]
    items: re.Pattern[bytes]
    item: re.Pattern[bytes]
    places: re.Pattern[bytes]


@cache
def _patterns() -> _Patterns:
    """The patterns, compiled at their first use, as that takes its time."""
    items = rb"\x05" + _INT + rb"([\x00-\x7f])"
    sources = (_EVENT, _TICK, rb"(?>" + _TICK + rb")*+", _EMPTY + rb"*+", items, _ITEM, rb"\x01" + _ZERO)
    return _Patterns(*(re.compile(source, re.DOTALL) for source in sources))


class Skimmed(NamedTuple):
    """What was found in a chunk: the `events` that tell something beyond it.

    `is_anchor` is whether it begins with a snapshot, so that a state can be computed without the chunks before it;
    `is_still` whether it is sound and nothing happens in it.
    """

    events: tuple[Telling, ...]
    is_anchor: bool
    is_still: bool


def is_telling(event: Event) -> TypeGuard[TellingEvent]:
    """Whether an event is of a run, or says which slot the player holds."""
    return isinstance(event, RUN_EVENTS) or (type(event) is ChangeHeldSlot and event.entity == PLAYER)


def skim(raw: bytes, layout: Layout, start: int, ticks: int, snapshot: bool) -> Skimmed:
    """Skim a chunk; the arguments are those of :func:`~nhlog.formats.hollowcube.wire.chunks.decode_chunk`.

    Never raises: of an invalid chunk, what stands before the fault is found.
    """
    found = _Telling(raw)
    with suppress(Damaged):
        if layout is Layout.GAME:
            found.skim_game(start, ticks, snapshot)
        else:
            found.skim_text(start, ticks, snapshot)
    return Skimmed(tuple(found.events), found.is_anchor, found.is_still)


class _Telling:
    """What is found while a chunk is skimmed."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._patterns = _patterns()
        self.events: list[Telling] = []
        self.is_anchor = self.is_still = False

    def skim_game(self, start: int, ticks: int, snapshot: bool) -> None:
        """Skim a chunk in the game's layout; raises :class:`Damaged` at a fault."""
        raw, plain = self._raw, self._patterns.tick.match
        if self._patterns.empty.fullmatch(raw):
            self.is_still = len(self._patterns.tick.findall(raw)) == ticks
            return
        at = 0
        if snapshot and ticks:
            _, count, body = read_head(raw, 0)
            at = self._skim_events(start, body, count, snapshot=True)
        if self._patterns.ticks.fullmatch(raw, at):
            return
        for number in range(start + (1 if at else 0), start + ticks):
            match = plain(raw, at)
            if match is not None:
                at = match.end()
                continue
            _, count, body = read_head(raw, at)
            at = self._skim_events(number, body, count)

    def skim_text(self, start: int, ticks: int, snapshot: bool) -> None:
        """Skim a chunk in the text's layout; raises :class:`Damaged` at a fault."""
        raw, plain, least = self._raw, self._patterns.tick.match, 0
        at = self._behind_snapshot() if snapshot else 0
        self.is_anchor = snapshot
        if at == len(raw):
            self.is_still = True
        if self._patterns.ticks.fullmatch(raw, at):
            return
        while at < len(raw):
            field, count, body = read_head(raw, at)
            if not least <= field < ticks:
                return
            match = plain(raw, at)
            at = self._skim_events(start + field, body, count) if match is None else match.end()
            least = field + 1

    def _skim_events(self, tick: int, at: int, count: int, *, snapshot: bool = False) -> int:
        """Note those of `count` events that tell something, and return the offset behind all of them."""
        if count > MAX_EVENTS:
            raise Damaged("too many events in a tick", offset=at, expected=MAX_EVENTS, found=count)
        raw, found, is_anchor = self._raw, [], False
        for _ in range(count):
            if snapshot and self._patterns.places.match(raw, at):
                is_anchor = True
            end = self._behind_plain(at)
            if end is None:
                event, end = read_event(raw, at)
                if is_telling(event):
                    found.append((tick, event))
            at = end
        self.events += found
        self.is_anchor |= is_anchor
        return at

    def _behind_snapshot(self) -> int:
        """The offset behind the snapshot block; raises :class:`Damaged` as decoding it would."""
        at, end = snapshot_span(self._raw)
        while at < end:
            at = self._behind_plain(at) or read_event(self._raw, at)[1]
        if at != end:
            raise Damaged("the snapshot's last event goes beyond its end", offset=end, found=at)
        return end

    def _behind_plain(self, at: int) -> int | None:
        """The offset behind an event at `at` that tells nothing, as far as that can be seen without decoding it."""
        match = self._patterns.event.match(self._raw, at)
        if match is not None:
            return match.end()
        match = self._patterns.items.match(self._raw, at)
        for _ in range(match[1][0] if match is not None else 0):
            assert match is not None
            match = self._patterns.item.match(self._raw, match.end())
            if match is None:
                return None
        return None if match is None else match.end()
