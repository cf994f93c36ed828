"""Messages that cannot be, by what is said of them."""

from typing import Final

from nhlog.formats.teehistorian.wire.split import LONGEST, MOST_ARGS
from nhlog.formats.teehistorian.wire.varint import pack

__all__ = ["HOSTILE"]

HOSTILE: Final = {
    "unknown message": b"\x7f",
    "unknown message, known but in two bytes": b"\xc4\x00\x03" + bytes(10),
    "client id out of range": b"\x42\x40\x00\x00",
    "client id out of range, too large": b"\x42" + pack(192) + b"\0\0",
    "client id out of range, of a movement": pack(1 << 30) + b"\0\0",
    "ticks skipped backwards": b"\x41\x40",
    "impossible size": b"\x46\x00\x40",
    "impossible size, too large": b"\x4a" + bytes(16) + pack(LONGEST + 1),
    "impossible number of arguments": b"\x49\x00\x04x\0\x40",
    "impossible number of arguments, too large": b"\x49\x00\x04x\0" + pack(MOST_ARGS + 1),
    "message too long": b"\x48\x00" + b"x" * (LONGEST + 1),
    "message too long, of arguments": b"\x49\x00\x04x\0" + pack(1000) + b"x" * LONGEST + b"\0" + b"y" * LONGEST,
}
