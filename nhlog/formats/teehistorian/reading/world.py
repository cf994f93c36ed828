"""The state of the game as messages are applied to it: tick, positions, inputs and players.

The tick rule (spec 2): a player record with a client id lower than or equal to the last one's begins a tick; a
TICK_SKIP resets the last one.  It is implemented in the kernel, here for the rarer messages, and reversed in `writer`.
"""

from array import array
from collections import Counter
from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.wire.codec import BadMessage, decode
from nhlog.formats.teehistorian.wire.extra import EXTRA_NAMES
from nhlog.formats.teehistorian.wire.messages import (
    Finish,
    Input,
    InputDiff,
    InputNew,
    PlayerDiff,
    PlayerGone,
    PlayerNew,
    PlayerOld,
)
from nhlog.kernels.teehistorian import CLIENT, CLIENTS, COUNTS, INPUTS, KINDS, LAST, MOST_CLIENTS, TICK

__all__ = ["FOREVER", "KIND_NAMES", "Inputs", "OnMessage", "Place", "World"]

FOREVER: Final = 1 << 62  # no recording has so many ticks
KIND_NAMES: Final = (
    "finish",
    "tick_skip",
    "player_new",
    "player_old",
    "input_diff",
    "input_new",
    "message",
    "join",
    "drop",
    "console_command",
    "ex",
    "player_diff",
)
"""The kinds of messages, in the order in which the kernel counts them."""

_HERE, _X, _Y, _SENT, _INPUT = 0, 1, 2, 3, 4  # places in the numbers of a client
_PLAYER_RECORDS: Final = (PlayerNew, PlayerOld, PlayerDiff)
_FIRST_KIND: Final = 0x40
_EX: Final = 0x4A
_NOW: Final = Struct("<qq")  # tick, and client id of the last player record in it

Place = tuple[int, int]
Inputs = tuple[int, ...]
Meaning = tuple[Any, ...]
OnMessage = Callable[[int, int, int, Meaning], None]


class World:
    """The state of the game after the messages applied so far (see :class:`Stream`, which applies them).

    `state` is that of the kernel, `players` are by client id.  `extras` counts EX messages by name.  `on_message` is
    called with tick, offset, size and value of each message except movements, further inputs, TICK_SKIP and FINISH,
    before it changes `players`.
    """

    def __init__(self, on_message: OnMessage | None = None) -> None:
        self.state = [0] * CLIENTS
        self.state[LAST] = FOREVER
        self.players: dict[int, Player] = {}
        self.extras: Counter[str] = Counter()
        self.on_message = on_message

    @property
    def tick(self) -> int:
        """The current tick."""
        return self.state[TICK]

    @property
    def messages(self) -> int:
        """The number of messages applied."""
        return sum(self.state[COUNTS : COUNTS + KINDS])

    @property
    def counts(self) -> Counter[str]:
        """The numbers of messages by kind."""
        counts: dict[str, int] = dict(zip(KIND_NAMES, self.state[COUNTS:], strict=False))
        return +Counter(counts)

    @property
    def places(self) -> dict[int, Place]:
        """Of the living tees, by client id: (x, y) in world units, 32 to a tile."""
        return {cid: (one[_X], one[_Y]) for cid, one in self._clients() if one[_HERE]}

    def place(self, cid: int) -> Place | None:
        """That of one client's tee; None if it has none."""
        one = self.state[CLIENTS + cid * CLIENT : CLIENTS + (cid + 1) * CLIENT]
        return (one[_X], one[_Y]) if one and one[_HERE] else None

    @property
    def inputs(self) -> dict[int, Inputs]:
        """The last input of every client that ever sent one, by client id."""
        return {cid: tuple(one[_INPUT:]) for cid, one in self._clients() if one[_SENT]}

    def _clients(self) -> list[tuple[int, list[int]]]:
        return [(cid, self.state[at : at + CLIENT]) for cid, at in enumerate(range(CLIENTS, len(self.state), CLIENT))]

    def pack(self) -> bytes:
        """Tick, places and inputs as compact bytes, for :meth:`unpack`."""
        return _NOW.pack(self.state[TICK], self.state[LAST]) + array("i", self.state[CLIENTS:]).tobytes()

    def unpack(self, packed: bytes, players: dict[int, Player]) -> None:
        """Restore the state from :meth:`pack`; `players` are those of that moment, and the counts are 0."""
        self.state[:] = [0] * CLIENTS
        self.state[TICK], self.state[LAST] = _NOW.unpack_from(packed)
        self.state += array("i", packed[_NOW.size :])
        self.players = players

    @staticmethod
    def is_packed(packed: bytes) -> bool:
        """Whether :meth:`unpack` takes these bytes, as far as their size tells."""
        clients, rest = divmod(len(packed) - _NOW.size, CLIENT * array("i").itemsize)
        return 0 <= clients <= MOST_CLIENTS and not rest

    def take(self, data: bytes, offset: int, until: int = FOREVER) -> Meaning | None:
        """Apply a whole message that the kernel leaves to us, at an offset of the recording, if it is of tick `until`.

        Returns its value; None, and nothing is applied, if it is of a later tick.  Raises :class:`BadMessage` for one
        that contradicts those before it.
        """
        message = decode(data)
        if isinstance(message, _PLAYER_RECORDS):
            cid = message[0]
            if cid <= self.state[LAST]:
                if self.tick >= until:
                    return None
                self.state[TICK] += 1
            self.state[LAST] = cid
        meaning = self._apply(message, offset)
        self.state[COUNTS + data[0] - _FIRST_KIND] += 1
        if data[0] == _EX:
            self.extras[EXTRA_NAMES.get(data[1:17], "")] += 1
        if self.on_message and not isinstance(message, Finish):
            self.on_message(self.tick, offset, len(data), meaning)
        player = updated_player(self.players, meaning)
        if player is not None:
            self.players = {**self.players, player.cid: player}
        return meaning

    def _apply(self, message: Meaning, offset: int) -> Meaning:
        match message:
            case PlayerNew(cid, x, y):
                at = self._client(cid)
                if self.state[at + _HERE]:
                    raise BadMessage("a tee appears that already exists", offset=offset, found=f"client {cid}")
                self.state[at + _HERE : at + _SENT] = [1, x, y]
            case PlayerOld(cid):
                at = self._client(cid)
                if not self.state[at + _HERE]:
                    raise _absent(cid, offset)
                self.state[at + _HERE] = 0
                return PlayerGone(cid, *self.state[at + _X : at + _SENT])
            case InputNew(cid, numbers):
                at = self._client(cid)
                self.state[at + _SENT : at + _INPUT + INPUTS] = [1, *numbers]
                return Input(cid, numbers, True)
            case PlayerDiff(cid) | InputDiff(cid):
                raise _absent(cid, offset)
        return message

    def _client(self, cid: int) -> int:
        """Where the numbers of a client are; there is room for them from now on."""
        at = CLIENTS + cid * CLIENT
        missing = at + CLIENT - len(self.state)
        if missing > 0:
            self.state += [0] * missing
        return at


def _absent(cid: int, offset: int) -> BadMessage:
    return BadMessage("a difference, but to nothing", offset=offset, found=f"client {cid}")
