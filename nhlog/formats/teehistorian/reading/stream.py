"""The messages of a recording, from bytes that come in pieces of any size, applied to a world.

The kernel goes over movements and inputs, nearly all there are; the rarer messages are decoded one by one.
"""

from collections.abc import Iterator
from itertools import repeat
from typing import Any, Final

from nhlog.formats.teehistorian.reading.world import FOREVER, World
from nhlog.formats.teehistorian.wire.codec import BadMessage
from nhlog.formats.teehistorian.wire.messages import Input, PlayerChange, TimedMessage
from nhlog.formats.teehistorian.wire.split import LONGEST, length_of
from nhlog.kernels.teehistorian import ALL, COUNT, INPUT, LENGTH, MOVE, POSITIONS, RARE, STATE, UNTIL, WHY, walk

__all__ = ["ALL", "POSITIONS", "Stream"]

_FINISH: Final = 0x40

_make: Final[Any] = tuple.__new__  # a NamedTuple in half the time


class Stream:
    """Applies messages to `world`; `offset`, that of the next one, begins with the argument.

    After FINISH (`finished`) there are no more messages, and `junk` counts the bytes that follow.  An invalid message,
    or one that contradicts those before it, sets `error`, and nothing follows.
    """

    def __init__(self, world: World, offset: int = 0) -> None:
        self.world = world
        self.finished = False
        self.junk = 0
        self.error: BadMessage | None = None
        self._data = b""
        self._base = offset  # of the data
        self._at = 0
        self._later = False

    @property
    def offset(self) -> int:
        """The offset of the next message."""
        return self._base + self._at

    @property
    def end(self) -> int:
        """The offset of the end of the bytes fed so far."""
        return self._base + len(self._data) + self.junk

    def feed(self, data: bytes) -> None:
        """Add bytes."""
        if self.finished:
            self.junk += len(data)
        else:
            self._base += self._at
            self._data = self._data[self._at :] + data if self._at < len(self._data) else data
            self._at = 0

    def apply(self, until: int = FOREVER) -> bool:
        """Apply the messages up to those of tick `until`; returns whether one of a later tick follows."""
        while self._walk(until, STATE, _Found()) is not None:
            pass
        return self._later

    def count(self) -> None:
        """Count messages and ticks, without keeping the state."""
        while self._walk(FOREVER, COUNT, _Found()) is not None:
            pass

    def records(self, depth: int = ALL) -> Iterator[TimedMessage]:
        """Apply the messages; yields them all, or with `POSITIONS` only player records (inputs are not applied).

        They are made one by one, which is twice as fast as in a list, through which the garbage collector goes.
        """
        more = True
        while more:
            found = _Found()
            rare = self._walk(FOREVER, depth, found)
            yield from found.messages()
            more = rare is not None and not self.finished
            if rare is not None and more:
                yield rare

    def _walk(self, until: int, depth: int, found: "_Found") -> TimedMessage | None:
        """Apply messages up to the first of the rarer ones, and that; the others are added to `found`.

        Returns that one; None at the end of the bytes or of tick `until`, after FINISH, and at an error.
        """
        self._later = False
        if self.finished or self.error:
            return None
        state = self.world.state
        self._at = walk(
            self._data,
            self._at,
            until,
            depth,
            self._base,
            state,
            found.moves,
            found.inputs,
            found.pressed,
            found.order,
        )
        if state[WHY] != RARE:
            self._later = state[WHY] == UNTIL
            return None
        try:
            message = self._rare(state[LENGTH])
            meaning = self.world.take(message, self.offset, until) if message else None
        except BadMessage as error:
            self.error = error
            return None
        if meaning is None:
            self._later = bool(message)
            return None
        rare = TimedMessage(self.world.tick, self.offset, meaning)
        self._at += len(message)
        self.finished = message[0] == _FINISH
        if self.finished:
            self.junk += len(self._data) - self._at
            self._data = self._data[: self._at]
        return rare

    def _rare(self, length: int) -> bytes:
        """The message at which the kernel stopped; empty if it is not whole.  Raises :class:`BadMessage`."""
        message = self._data[self._at : self._at + (length if length > 0 else LONGEST + 1)]
        if length > 0:
            return message
        try:
            return message[: length_of(message)]
        except BadMessage as error:
            error.offset = self.offset + (error.offset or 0)
            raise


class _Found:
    """What the kernel found, as numbers."""

    __slots__ = ("inputs", "moves", "order", "pressed")

    def __init__(self) -> None:
        self.moves: list[int] = []
        self.inputs: list[int] = []
        self.pressed: list[tuple[int, ...]] = []
        self.order: list[int] = []

    def messages(self) -> Iterator[TimedMessage]:
        """The same as messages, in their order."""
        moves, inputs = self.moves, self.inputs
        changes = map(_make, repeat(PlayerChange), zip(*(moves[at::MOVE] for at in range(2, MOVE)), strict=True))
        moved = map(_make, repeat(TimedMessage), zip(moves[::MOVE], moves[1::MOVE], changes, strict=True))
        if not inputs:
            return moved
        values = map(_make, repeat(Input), zip(inputs[2::INPUT], self.pressed, repeat(False), strict=False))
        pressed = map(_make, repeat(TimedMessage), zip(inputs[::INPUT], inputs[1::INPUT], values, strict=True))
        return map(next, map((moved, pressed).__getitem__, self.order))
