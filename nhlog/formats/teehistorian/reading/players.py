"""The players: an immutable value per client, replaced by each message that changes it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.game import parse_packet
from nhlog.formats.teehistorian.wire.messages import Drop, Join, NetMessage
from nhlog.values import dataclass

__all__ = ["LEVELS", "Player", "decode_text", "updated_player"]

LEVELS: Final = {1: "helper", 2: "moderator", 3: "admin"}


def decode_text(text: bytes) -> str:
    """Decode recorded bytes as UTF-8, with replacement characters for invalid ones."""
    return text.decode(errors="replace")


@dataclass(frozen=True, slots=True)
class Player:
    """A client: `here` from its join to its drop, `seven` if it speaks protocol 0.7, `level` its rcon access.

    `version` is the version text of its program.  Unknown values are empty.
    """

    cid: int
    name: str = ""
    clan: str = ""
    here: bool = False
    seven: bool = False
    ready: bool = False
    team: int = 0
    level: str = ""
    version: str = ""

    @property
    def called(self) -> str:
        """The name, or ``client`` and the client id if there is none."""
        return self.name or f"client {self.cid}"


def updated_player(players: Mapping[int, Player], message: tuple[Any, ...]) -> Player | None:
    """The player as changed by the message, None if it changes no player; `players` are those before it."""
    match message:
        case extra.JoinVersion6(cid) | extra.JoinVersion7(cid):
            return Player(cid, seven=isinstance(message, extra.JoinVersion7))
        case Join(cid):
            player = players.get(cid)
            return replace(player, here=True) if player and not player.here else Player(cid, here=True)
        case (int(cid), *_) if not isinstance(message, _OF_TEAMS):
            old = players.get(cid) or Player(cid)
            new = _changed(old, message)
            return None if new is old else new
    return None


_OF_TEAMS: Final = (
    extra.SaveSuccess,
    extra.SaveFailure,
    extra.LoadSuccess,
    extra.LoadFailure,
    extra.TeamPractice,
    extra.TeamFinish,
)


def _changed(player: Player, message: tuple[Any, ...]) -> Player:
    match message:
        case Drop():
            return replace(player, here=False, ready=False)
        case NetMessage(_, data):
            info = parse_packet(data, player.seven).info
            return replace(player, name=decode_text(info.name), clan=decode_text(info.clan)) if info else player
        case extra.PlayerName(_, name):
            return replace(player, name=decode_text(name))
        case extra.PlayerReady():
            return replace(player, ready=True)
        case extra.PlayerTeam(_, team):
            return replace(player, team=team)
        case extra.AuthLogin(_, level) | extra.AuthInit(_, level):
            return replace(player, level=LEVELS.get(level, f"level {level}"))
        case extra.AuthLoginRole(_, role) | extra.AuthInitRole(_, role):
            return replace(player, level=decode_text(role))
        case extra.AuthLogout():
            return replace(player, level="")
        case extra.DdnetVersion(_, _, _, text):
            return replace(player, version=decode_text(text))
        case extra.DdnetVersionOld(_, version):
            return replace(player, version=str(version))
    return player
