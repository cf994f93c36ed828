"""Decoding and encoding of one message; encoding a decoded message of DDNet gives the same bytes."""

from typing import Any

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.wire.extra import decode_extra, encode_extra
from nhlog.formats.teehistorian.wire.messages import (
    ConsoleCommand,
    Drop,
    Finish,
    InputDiff,
    InputNew,
    Join,
    NetMessage,
    PlayerDiff,
    PlayerNew,
    PlayerOld,
    TickSkip,
)
from nhlog.formats.teehistorian.wire.varint import pack, unpack, unpack_all
from nhlog.kernels.teehistorian import MOST_CLIENTS

__all__ = ["MOST_CLIENTS", "BadMessage", "decode", "encode"]


class BadMessage(Damaged):
    """An invalid message; `offset` counts from its first byte."""


def decode(message: bytes) -> tuple[Any, ...]:
    """Decode a complete message, as :class:`Splitter` returns it."""
    number, at = unpack(message, 0)
    if number >= 0:
        return PlayerDiff(*unpack_all(message))
    match number:
        case -1:
            return Finish()
        case -2:
            return TickSkip(unpack(message, at)[0])
        case -11:
            uuid = message[at : at + 16]
            return decode_extra(uuid, message[unpack(message, at + 16)[1] :])
    cid, after = unpack(message, at)
    match number:
        case -3:
            return PlayerNew(*unpack_all(message[at:]))
        case -4:
            return PlayerOld(cid)
        case -5:
            return InputDiff(cid, unpack_all(message[after:]))
        case -6:
            return InputNew(cid, unpack_all(message[after:]))
        case -7:
            return NetMessage(cid, message[unpack(message, after)[1] :])
        case -8:
            return Join(cid)
        case -9:
            return Drop(cid, message[after:-1])
    flags, after = unpack(message, after)
    end = message.index(b"\0", after)
    count, rest = unpack(message, end + 1)
    args = tuple(message[rest:].split(b"\0")[:count])
    return ConsoleCommand(cid, flags, message[after:end], args)


def encode(value: tuple[Any, ...]) -> bytes:
    """Encode a message, with the bytes that DDNet would write."""
    match value:
        case PlayerDiff():
            return b"".join(map(pack, value))
        case Finish():
            return pack(-1)
        case TickSkip(dt):
            return pack(-2) + pack(dt)
        case PlayerNew():
            return pack(-3) + b"".join(map(pack, value))
        case PlayerOld(cid):
            return pack(-4) + pack(cid)
        case InputDiff(cid, difference):
            return pack(-5) + pack(cid) + b"".join(map(pack, difference))
        case InputNew(cid, numbers):
            return pack(-6) + pack(cid) + b"".join(map(pack, numbers))
        case NetMessage(cid, data):
            return pack(-7) + pack(cid) + pack(len(data)) + data
        case Join(cid):
            return pack(-8) + pack(cid)
        case Drop(cid, reason):
            return pack(-9) + pack(cid) + reason + b"\0"
        case ConsoleCommand(cid, flags, command, args):
            head = pack(-10) + pack(cid) + pack(flags) + command + b"\0" + pack(len(args))
            return head + b"".join(arg + b"\0" for arg in args)
    uuid, data = encode_extra(value)
    return pack(-11) + uuid + pack(len(data)) + data
