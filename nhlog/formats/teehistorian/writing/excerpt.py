"""The beginning of an excerpt: the messages that a server writes for players who are there already.

With them the state at every tick of an excerpt is that of the whole recording.
"""

from collections.abc import Iterator
from typing import Any, Final

from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.game import parse_packet
from nhlog.formats.teehistorian.wire.messages import Drop, Input, NetMessage, PlayerChange, PlayerGone, PlayerNew

__all__ = ["InitialMessages"]


class InitialMessages:
    """The messages before an excerpt, reduced to those that still matter at its begin."""

    def __init__(self) -> None:
        self._players: dict[int, Player] = {}
        self._about: dict[int, dict[object, tuple[Any, ...]]] = {}  # by client id and kind, the last message
        self._places: dict[int, PlayerNew] = {}
        self._inputs: dict[int, Input] = {}

    def add(self, message: tuple[Any, ...]) -> None:
        """Add a message from before the excerpt."""
        player = updated_player(self._players, message)
        if player:
            self._players[player.cid] = player
        match message:
            case PlayerNew(cid, x, y) | PlayerChange(cid, x, y):
                self._places[cid] = PlayerNew(cid, x, y)
            case PlayerGone(cid):
                del self._places[cid]
            case Input(cid, numbers):
                self._inputs[cid] = Input(cid, numbers, True)
            case extra.JoinVersion6(cid) | extra.JoinVersion7(cid):
                self._about[cid] = {type(message): message}
            case Drop(cid):
                self._about.pop(cid, None)
            case _ if player:
                self._replace(player, message)

    def _replace(self, player: Player, message: tuple[Any, ...]) -> None:
        """Replace the last message of the same kind about this player by this one."""
        about = self._about.setdefault(player.cid, {})
        kind: object = type(message)
        if isinstance(message, NetMessage):
            kind = parse_packet(message.data, player.seven).name
        elif kind in _RCON:
            kind = _RCON
        about.pop(kind, None)
        about[kind] = message

    def messages(self) -> Iterator[tuple[Any, ...]]:
        """The first messages of the excerpt, as a server writes them after a change of map."""
        for cid in sorted(self._players):
            yield from self._about.get(cid, {}).values()
        yield from (place for _, place in sorted(self._places.items()))
        yield from (given for _, given in sorted(self._inputs.items()))


_RCON: Final = (extra.AuthInit, extra.AuthLogin, extra.AuthInitRole, extra.AuthLoginRole, extra.AuthLogout)
