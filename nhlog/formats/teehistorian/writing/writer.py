"""Encodes messages and their ticks as DDNet would write them (spec 2).

A tick is written as a TICK_SKIP before its first message, unless that is a player record whose client id implies it.
So writing the result of `read_records` gives the same bytes.
"""

from operator import sub
from typing import Any, Final

from nhlog.formats.teehistorian.wire.codec import encode
from nhlog.formats.teehistorian.wire.messages import (
    Finish,
    Input,
    InputDiff,
    InputNew,
    PlayerChange,
    PlayerDiff,
    PlayerGone,
    PlayerNew,
    PlayerOld,
    TickSkip,
)
from nhlog.formats.teehistorian.wire.varint import wrapped

__all__ = ["Writer"]

_NOBODY: Final = -1  # any client id is above it, so the next record tells its tick by itself
_EVERYBODY: Final = 1 << 31  # no client id is


class Writer:
    """Encodes one message after another, tracking the state that differences count from."""

    def __init__(self) -> None:
        self.tick = 0
        self._written = 0  # the last tick that a reader knows of
        self._highest = _EVERYBODY  # client id of the tick's last player record
        self._before = _EVERYBODY  # the same of the tick before
        self._places: dict[int, tuple[int, int]] = {}
        self._inputs: dict[int, tuple[int, ...]] = {}

    def write(self, tick: int, message: tuple[Any, ...]) -> bytes:
        """The bytes of a message in this tick, which must not be lower than the last one.

        Takes the values of `TimedMessage.message`; raises :class:`ValueError` for one that contradicts those before it.
        """
        self._begin(tick)
        match message:
            case PlayerNew(cid, x, y):
                if cid in self._places:
                    raise ValueError(f"client {cid} is there")
                self._places[cid] = (x, y)
                return self._player(cid) + encode(message)
            case PlayerGone(cid):
                self._place(cid)
                del self._places[cid]
                return self._player(cid) + encode(PlayerOld(cid))
            case PlayerChange(cid, x, y):
                old_x, old_y = self._place(cid)
                self._places[cid] = (x, y)
                return self._player(cid) + encode(PlayerDiff(cid, wrapped(x - old_x), wrapped(y - old_y)))
            case Input(cid, numbers, first):
                old = self._inputs.get(cid)
                self._inputs[cid] = numbers
                if first or old is None:
                    return self._other() + encode(InputNew(cid, numbers))
                return self._other() + encode(InputDiff(cid, tuple(map(wrapped, map(sub, numbers, old)))))
        return self._other() + encode(message)

    def finish(self) -> bytes:
        """The bytes that end the file."""
        return encode(Finish())

    def _place(self, cid: int) -> tuple[int, int]:
        """The position of a tee; raises :class:`ValueError` if it does not exist."""
        if cid not in self._places:
            raise ValueError(f"client {cid} is not there")
        return self._places[cid]

    def _begin(self, tick: int) -> None:
        if tick < self.tick:
            raise ValueError(f"tick {tick} after tick {self.tick}")
        if tick > self.tick:
            self._before = self._highest if tick == self.tick + 1 else _NOBODY
            self._highest = _NOBODY
            self.tick = tick

    def _player(self, cid: int) -> bytes:
        """The TICK_SKIP before a player record, if one is needed."""
        if cid <= self._highest and self._highest != _EVERYBODY:
            raise ValueError(f"client {cid} after client {self._highest} in tick {self.tick}")
        implied = cid <= self._before and self._written + 1 == self.tick
        head = b"" if implied else self._other()
        self._highest, self._written = cid, self.tick
        return head

    def _other(self) -> bytes:
        """The TICK_SKIP before any other message, if one is needed."""
        if self._written == self.tick:
            return b""
        dt, self._written = self.tick - self._written - 1, self.tick
        return encode(TickSkip(dt))
