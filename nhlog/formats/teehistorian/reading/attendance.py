"""The presence of players: a stay lasts from a join to the drop, and counts actions; their number is limited."""

from dataclasses import dataclass, field
from typing import Any, Final

from nhlog.formats.teehistorian.reading.players import Player, decode_text, updated_player
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.game import parse_packet
from nhlog.formats.teehistorian.wire.messages import CHAT, ConsoleCommand, Drop, Join, NetMessage, PlayerGone, PlayerNew

__all__ = ["Attendance", "Finish", "Stay"]

MOST_STAYS: Final = 1 << 16  # a busy server sees some thousands a day
MOST_FINISHES: Final = 1 << 16


@dataclass(slots=True)
class Stay:
    """A stay of a player, from tick `first` to `last`, which is None while it goes on; `number` counts stays from 0.

    `spawns` and `deaths` count tees that appeared and disappeared, `kills` the player's requests to be killed,
    `commands` chat commands.
    """

    number: int
    player: Player
    first: int
    last: int | None = None
    reason: str = ""
    spawns: int = 0
    deaths: int = 0
    kills: int = 0
    commands: int = 0


@dataclass(frozen=True, slots=True)
class Finish:
    """A race finished at `tick` after `time` ticks, by a player or a team."""

    tick: int
    time: int
    team: int | None
    player: str


@dataclass(slots=True)
class Attendance:
    """The stays and finishes so far; pass :meth:`on_message` to a `World`."""

    stays: list[Stay] = field(default_factory=list)
    finishes: list[Finish] = field(default_factory=list)
    present: dict[int, Stay] = field(default_factory=dict)
    players: dict[int, Player] = field(default_factory=dict)

    def stay(self, cid: int, tick: int) -> Stay:
        """The current stay of a client; a new one from `tick` on if it has none."""
        found = self.present.get(cid)
        if found is None:
            number = len(self.stays)
            found = self.present[cid] = Stay(number, self.players.get(cid) or Player(cid), tick)
            if number < MOST_STAYS:
                self.stays.append(found)
        return found

    def on_message(self, tick: int, offset: int, size: int, message: tuple[Any, ...]) -> None:
        """Process a message that is neither movement nor input; `offset` and `size` are not used."""
        player = updated_player(self.players, message)
        if player is not None:
            self.players[player.cid] = player
            self._update(tick, player, message)
        match message:
            case PlayerNew(cid):
                self.stay(cid, tick).spawns += 1
            case PlayerGone(cid) if cid in self.present:
                self.present[cid].deaths += 1
            case NetMessage(cid, data) if parse_packet(data, self.stay(cid, tick).player.seven).name == "Kill":
                self.stay(cid, tick).kills += 1
            case ConsoleCommand(cid, flags) if cid in self.present and flags & CHAT:
                self.present[cid].commands += 1
            case extra.PlayerFinish(cid, time):
                self._finish(Finish(tick, time, None, self.stay(cid, tick).player.called))
            case extra.TeamFinish(team, time):
                self._finish(Finish(tick, time, team, ""))

    def _update(self, tick: int, player: Player, message: tuple[Any, ...]) -> None:
        """Update the stays after a message that changed a player."""
        cid = player.cid
        match message:
            case Join() | extra.JoinVersion6() | extra.JoinVersion7():
                if cid in self.present and not isinstance(message, Join):
                    self.present.pop(cid).last = tick  # nobody said that he left
                self.stay(cid, tick).player = player
            case Drop(_, reason):
                stay = self.stay(cid, tick)
                stay.last, stay.reason = tick, decode_text(reason)
                del self.present[cid]
            case _:
                self.stay(cid, tick).player = player

    def _finish(self, finish: Finish) -> None:
        if len(self.finishes) < MOST_FINISHES:
            self.finishes.append(finish)
