"""Decoding of the packets in NetMessage (spec 3) that a viewer needs, in the game's protocols 0.6 and 0.7."""

from typing import Final

from nhlog.formats.teehistorian.wire.varint import NeedMore, pack, unpack
from nhlog.values import NamedTuple

__all__ = ["ClientInfo", "Packet", "parse_packet", "renamed"]

_SIX: Final = {
    18: "SetTeam",
    19: "SetSpectatorMode",
    20: "StartInfo",
    21: "ChangeInfo",
    22: "Kill",
    23: "Emoticon",
    26: "IsDDNetLegacy",
}
_SEVEN: Final = {25: "SetTeam", 26: "SetSpectatorMode", 27: "StartInfo", 28: "Kill", 29: "ReadyChange", 30: "Emoticon"}
INFOS: Final = ("StartInfo", "ChangeInfo")


class ClientInfo(NamedTuple):
    """The name and clan that a player chose: bytes that need not be UTF-8."""

    name: bytes
    clan: bytes


class Packet(NamedTuple):
    """A packet: `name` is that of the protocol, empty if unknown; `number` is its first number, `info` its names."""

    name: str
    number: int
    info: ClientInfo | None


def parse_packet(data: bytes, seven: bool) -> Packet:
    """Parse the packet in `data`; an incomplete or unknown one has no name.  `seven` selects protocol 0.7."""
    try:
        head, at = unpack(data, 0)
        name = "" if head & 1 else (_SEVEN if seven else _SIX).get(head >> 1, "")
        if name in INFOS:
            texts = data[at:].split(b"\0", 2)
            return Packet(name, 0, ClientInfo(*texts[:2])) if len(texts) == 3 else Packet("", 0, None)
        number = unpack(data, at)[0] if name in ("SetTeam", "SetSpectatorMode", "Emoticon") else 0
    except NeedMore:
        return Packet("", 0, None)
    return Packet(name, number, None)


def renamed(data: bytes, seven: bool, info: ClientInfo) -> bytes:
    """The packet with another name and clan; unchanged if it has none."""
    if parse_packet(data, seven).info is None:
        return data
    head, at = unpack(data, 0)
    rest = data[at:].split(b"\0", 2)[2]
    return pack(head) + info.name + b"\0" + info.clan + b"\0" + rest
