"""Anonymises a recording: names become numbers, and other data that could identify a player is left out."""

from typing import Any

from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.game import ClientInfo, parse_packet, renamed
from nhlog.formats.teehistorian.wire.messages import ConsoleCommand, Drop, NetMessage

__all__ = ["Anonymiser"]


class Anonymiser:
    """Anonymises messages, which must come in order; a name always gets the same number."""

    def __init__(self) -> None:
        self._names: dict[bytes, bytes] = {}
        self._players: dict[int, Player] = {}

    def anonymise(self, message: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The message without names, or None to leave it out."""
        player = updated_player(self._players, message)
        if player:
            self._players[player.cid] = player
        match message:
            case NetMessage(cid, data):
                return NetMessage(cid, self._packet(data, bool((known := self._players.get(cid)) and known.seven)))
            case extra.PlayerName(cid, name, rest):
                return extra.PlayerName(cid, self._number(name), rest)
            case extra.AuthInit() | extra.AuthLogin() | extra.AuthInitRole() | extra.AuthLoginRole():
                return message._replace(name=b"")
            case extra.DdnetVersion():
                return message._replace(connection=bytes(16))
            case extra.SaveSuccess() | extra.LoadSuccess():
                return message._replace(save=b"")
            case Drop(cid, reason):
                return Drop(cid, self._without_names(reason))
            case ConsoleCommand(args=args):
                return message._replace(args=tuple(map(self._without_names, args)))
            case extra.Antibot() | extra.UnknownExtra():
                return None
        return message

    def _packet(self, data: bytes, seven: bool) -> bytes:
        info = parse_packet(data, seven).info
        return renamed(data, seven, ClientInfo(self._number(info.name), b"")) if info else data

    def _number(self, name: bytes) -> bytes:
        """The replacement of a name: ``player`` and a number."""
        return self._names.setdefault(name, b"player %d" % (len(self._names) + 1)) if name else name

    def _without_names(self, text: bytes) -> bytes:
        """A text with all names found so far replaced."""
        for name in sorted(self._names, key=len, reverse=True):
            text = text.replace(name, self._names[name])
        return text
