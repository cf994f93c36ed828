"""The state of the game as messages are applied to it: tick, positions, inputs and players.

The tick rule (spec 2): a player record with a client id lower than or equal to the last one's begins a tick; a
TICK_SKIP resets the last one.  It is implemented here, in `counter`, which counts ticks, and reversed in `writer`.
"""

import marshal
from collections.abc import Callable, Sequence
from operator import add
from struct import Struct
from struct import error as StructError  # noqa: N812
from typing import Any, Final

from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.wire.codec import BadMessage, decode
from nhlog.formats.teehistorian.wire.messages import (
    INPUTS,
    Input,
    InputNew,
    PlayerChange,
    PlayerGone,
    PlayerNew,
    PlayerOld,
)
from nhlog.formats.teehistorian.wire.varint import unpack, unpack_all, wrapped

__all__ = ["FOREVER", "Applied", "World", "wrap_inputs"]

FOREVER: Final = 1 << 62  # no recording has so many ticks
_MEMO: Final = 1 << 14  # short messages that are remembered with what they say; the same come again and again
_TALL: Final = 1 << 31
_FIT: Final = Struct(f"{INPUTS}i").pack
_FINISH, _SKIP, _INPUT_DIFF = 0x40, 0x41, 0x44  # first bytes
_PLAYER_RECORDS: Final = (0x42, 0x43)
_SIGN: Final = 0x40

Place = tuple[int, int]
Inputs = tuple[int, ...]
Applied = tuple[int, int, tuple[Any, ...]]  # tick, index among the messages, meaning
OnMessage = Callable[[int, int, tuple[Any, ...]], None]

_tuple: Final[Callable[[Any, tuple[Any, ...]], tuple[Any, ...]]] = tuple.__new__  # a NamedTuple in half the time


class _Memo(dict[bytes, Inputs]):
    """A cache of limited size for the numbers decoded from bytes."""

    def __missing__(self, data: bytes) -> Inputs:
        if len(self) >= _MEMO:
            self.clear()
        numbers = self[data] = unpack_all(data)
        return numbers


class World:
    """The state of the game after the messages applied so far.

    By client id: `places` of living tees, (x, y) in world units; the last `inputs` of every client that ever sent one
    (see :func:`wrap_inputs`); `players`.  `on_message` is called with tick, index and value of each message except
    movements, further inputs, TICK_SKIP and FINISH, before it changes `players`.
    """

    def __init__(self, on_message: OnMessage | None = None) -> None:
        self.tick = 0
        self.last = FOREVER  # client id of the last player record in this tick
        self.places: dict[int, Place] = {}
        self.inputs: dict[int, Inputs] = {}
        self.players: dict[int, Player] = {}
        self.on_message = on_message
        self._memo = _Memo()

    def pack(self) -> bytes:
        """Tick, places and inputs as compact bytes, for :meth:`unpack`."""
        return marshal.dumps((self.tick, self.last, self.places, self.inputs))

    def unpack(self, packed: bytes, players: dict[int, Player]) -> None:
        """Restore the state from :meth:`pack`; `players` are those of that moment."""
        self.tick, self.last, self.places, self.inputs = marshal.loads(packed)
        self.players = players

    def apply(
        self, messages: Sequence[bytes], begin: int = 0, until: int = FOREVER, applied: list[Applied] | None = None
    ) -> int:
        """Apply the messages from index `begin` on, up to those of tick `until`.

        Returns the index of the first one that was not applied.  Their values are appended to `applied`, each with its
        tick and index, except TICK_SKIP and FINISH.  Raises :class:`BadMessage` for one that contradicts those before
        it, with its index as `offset`.
        """
        tick, last, places, inputs, memo = self.tick, self.last, self.places, self.inputs, self._memo
        index = begin
        try:
            for index in range(begin, len(messages)):
                message = messages[index]
                head = message[0]
                if not head & _SIGN:
                    cid, x, y = memo[message]
                    if cid <= last:
                        if tick >= until:
                            return index
                        tick += 1
                    last = cid
                    old_x, old_y = places[cid]
                    x += old_x
                    y += old_y
                    if not (-_TALL <= x < _TALL and -_TALL <= y < _TALL):
                        x, y = wrapped(x), wrapped(y)
                    places[cid] = x, y
                    if applied is not None:
                        applied.append((tick, index, _tuple(PlayerChange, (cid, x, y, old_x, old_y))))
                elif head == _INPUT_DIFF:
                    cid = message[1]
                    if cid < _SIGN:
                        difference = memo[message[2:]]
                    else:
                        cid, difference = unpack(message, 1)[0], unpack_all(message[1:])[1:]
                    inputs[cid] = new = tuple(map(add, inputs[cid], difference))
                    if applied is not None:
                        applied.append((tick, index, _tuple(Input, (cid, wrap_inputs(new), False))))
                elif head == _SKIP:
                    dt = memo[message][1]
                    if tick + dt >= until:
                        return index
                    tick += dt + 1
                    last = -1
                elif head != _FINISH:
                    if head in _PLAYER_RECORDS:
                        cid = memo[message][1]
                        if cid <= last:
                            if tick >= until:
                                return index
                            tick += 1
                        last = cid
                    meaning = self._apply_rare(tick, index, decode(message))
                    if applied is not None:
                        applied.append((tick, index, meaning))
            return len(messages)
        except KeyError as error:
            what = "a difference, but to nothing"
            raise BadMessage(what, offset=index, found=f"client {error.args[0]}") from None
        finally:
            self.tick, self.last = tick, last

    def _apply_rare(self, tick: int, index: int, message: tuple[Any, ...]) -> tuple[Any, ...]:
        """Apply a message of one of the rarer kinds; returns its value."""
        match message:
            case PlayerNew(cid, x, y):
                if cid in self.places:
                    raise BadMessage("a tee that is there appears", offset=index, found=f"client {cid}")
                self.places[cid] = (x, y)
            case PlayerOld(cid):
                message = PlayerGone(cid, *self.places.pop(cid))
            case InputNew(cid, numbers):
                self.inputs[cid] = numbers
                message = Input(cid, numbers, True)
        if self.on_message:
            self.on_message(tick, index, message)
        player = updated_player(self.players, message)
        if player is not None:
            self.players = {**self.players, player.cid: player}
        return message


def wrap_inputs(inputs: Inputs) -> Inputs:
    """Wrap inputs to signed 32 bits, as the sums of differences in `World.inputs` are not wrapped."""
    try:
        _FIT(*inputs)  # the fastest way to look at them all
    except StructError:
        return tuple(map(wrapped, inputs))
    return inputs
