"""Events, with a text each, for messages that are neither movement nor input.

`_DESCRIBERS` has their kinds and texts.  Messages without interest for a person have no event.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from nhlog.formats.teehistorian.reading.players import LEVELS, Player, decode_text
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire import messages as wire
from nhlog.formats.teehistorian.wire.extra import uuid_text
from nhlog.formats.teehistorian.wire.game import parse_packet
from nhlog.formats.teehistorian.wire.messages import CHAT
from nhlog.replay import Event
from nhlog.timeline import MICROSECONDS
from nhlog.values import dataclass

__all__ = [
    "KINDS",
    "MARKER_KINDS",
    "TICK",
    "TICKS_PER_SECOND",
    "TeeEvent",
    "client_of",
    "clock",
    "describe",
    "message_text",
]

TICKS_PER_SECOND: Final = 50
TICK: Final = MICROSECONDS // TICKS_PER_SECOND
LONGEST_WORD: Final = 120  # characters of somebody else's text within an event

KINDS: Final = (
    "join",
    "leave",
    "name",
    "appear",
    "disappear",
    "kill",
    "command",
    "login",
    "team",
    "save",
    "finish",
    "emoticon",
    "other",
)
MARKER_KINDS: Final = ("join", "save", "finish")  # events that are markers of the timeline


@dataclass(frozen=True, slots=True)
class TeeEvent(Event):
    """An event of a kind (see `KINDS`); `cid` is the client that it is about, or None.

    `offset` is that of its message in the uncompressed recording.
    """

    kind: str
    cid: int | None
    player: str
    offset: int


def clock(ticks: int) -> str:
    """The time of a race as text, ``m:ss.hh``, from ticks."""
    minutes, rest = divmod(max(ticks, 0), 60 * TICKS_PER_SECOND)
    return f"{minutes}:{rest / TICKS_PER_SECOND:05.2f}"


def _word(text: bytes) -> str:
    """A text from the recording, on one line and clipped to `LONGEST_WORD` characters."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in decode_text(text[: 4 * LONGEST_WORD]))
    return shown if len(shown) <= LONGEST_WORD else shown[: LONGEST_WORD - 1] + "…"


Names = Mapping[int, Player]


def _who(players: Names, cid: int) -> str:
    player = players.get(cid)
    return _word(player.name.encode()) if player and player.name else f"client {cid}"


def describe(players: Names, message: tuple[Any, ...]) -> tuple[str, str] | None:
    """The kind (one of `KINDS`) and the text of a message's event, None if it has none.

    `players` are those before the message, by client id.
    """
    describer = _DESCRIBERS.get(type(message))
    return describer(players, message) if describer else None


def client_of(message: tuple[Any, ...]) -> int | None:
    """The client id that a message is about, or None."""
    cid = getattr(message, "cid", -1)
    return cid if isinstance(cid, int) and cid >= 0 else None


def message_text(message: tuple[Any, ...]) -> str:
    """A message as one line of text: its name and its fields, each clipped."""
    parts = [type(message).__name__]
    for field in message:
        fields = field if isinstance(field, tuple) else (field,)
        parts += [_word(part) if isinstance(part, bytes) else str(part) for part in fields[:16]]
    return " ".join(parts)


def _packet(players: Names, message: wire.NetMessage) -> tuple[str, str] | None:
    player = players.get(message.cid)
    packet = parse_packet(message.data, bool(player and player.seven))
    who = _who(players, message.cid)
    match packet.name:
        case "StartInfo" if packet.info:
            return "join", f"{_word(packet.info.name) or who} joins"
        case "ChangeInfo" if packet.info and player and decode_text(packet.info.name) != player.name:
            return "name", f"{who} is now {_word(packet.info.name)}"
        case "Kill":
            return "kill", f"{who} gives up"
        case "Emoticon":
            return "emoticon", f"{who} shows emoticon {packet.number}"
        case "SetTeam":
            return "team", f"{who} goes to the {'spectators' if packet.number < 0 else 'game'}"
    return None


def _named(players: Names, message: extra.PlayerName) -> tuple[str, str] | None:
    player = players.get(message.cid)
    if player and player.name in ("", decode_text(message.name)):
        return None
    return "name", f"{_who(players, message.cid)} is now {_word(message.name)}"


def _command(players: Names, message: wire.ConsoleCommand) -> tuple[str, str]:
    words = " ".join(map(_word, (message.command, *message.args[:16])))
    if message.cid < 0:
        return "command", f"server: {words}"
    who = _who(players, message.cid)
    return "command", f"{who}: /{words}" if message.flags & CHAT else f"{who} (rcon): {words}"


def _drop(players: Names, message: wire.Drop) -> tuple[str, str]:
    reason = f" ({_word(message.reason)})" if message.reason else ""
    return "leave", f"{_who(players, message.cid)} leaves{reason}"


def _login(players: Names, message: Any) -> tuple[str, str]:
    as_what = message[1] if isinstance(message[1], bytes) else LEVELS.get(message[1], f"level {message[1]}").encode()
    return "login", f"{_who(players, message.cid)} has rcon access as {_word(as_what)} ({_word(message.name)})"


def _of_player(kind: str, words: str) -> Callable[[Names, Any], tuple[str, str]]:
    """A describer that puts a player's name before the words."""

    def describe_player(players: Names, message: Any) -> tuple[str, str]:
        return kind, f"{_who(players, message.cid)} {words}"

    return describe_player


def _of_team(kind: str, words: str) -> Callable[[Names, Any], tuple[str, str]]:
    def describe_team(players: Names, message: Any) -> tuple[str, str]:
        return kind, f"team {message.team} {words}"

    return describe_team


_DESCRIBERS: Final[dict[type, Callable[[Names, Any], tuple[str, str] | None]]] = {
    wire.NetMessage: _packet,
    wire.ConsoleCommand: _command,
    wire.Drop: _drop,
    wire.Join: _of_player("other", "connects"),
    wire.PlayerNew: _of_player("appear", "appears"),
    wire.PlayerOld: _of_player("disappear", "disappears"),
    wire.PlayerGone: _of_player("disappear", "disappears"),
    extra.PlayerName: _named,
    extra.AuthInit: _login,
    extra.AuthLogin: _login,
    extra.AuthInitRole: _login,
    extra.AuthLoginRole: _login,
    extra.AuthLogout: _of_player("login", "gives rcon access back"),
    extra.RejoinVersion6: _of_player("other", "connects again"),
    extra.PlayerTeam: lambda players, it: ("team", f"{_who(players, it.cid)} is in team {it.team}"),
    extra.PlayerSwap: lambda players, it: (
        "team",
        f"{_who(players, it.cid)} and {_who(players, it.other)} change places",
    ),
    extra.TeamPractice: lambda players, it: (
        "team",
        f"team {it.team} {'practises' if it.practice else 'no longer practises'}",
    ),
    extra.SaveSuccess: _of_team("save", "is saved"),
    extra.SaveFailure: _of_team("save", "could not be saved"),
    extra.LoadSuccess: _of_team("save", "is loaded"),
    extra.LoadFailure: _of_team("save", "could not be loaded"),
    extra.PlayerFinish: lambda players, it: ("finish", f"{_who(players, it.cid)} finishes in {clock(it.time)}"),
    extra.TeamFinish: lambda players, it: ("finish", f"team {it.team} finishes in {clock(it.time)}"),
    extra.Antibot: lambda players, it: ("other", f"bot detection: {len(it.rest)} bytes"),
    extra.Test: lambda players, it: ("other", "a test"),
    extra.UnknownExtra: lambda players, it: ("other", f"unknown message {uuid_text(it.uuid)}, {len(it.data)} bytes"),
}
