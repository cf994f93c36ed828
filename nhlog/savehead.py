"""The first bytes of every binary save in a log, whichever engine wrote it: turn, clock, time zone, signature.

The layout is NetHack 4.3's (log spec section 7, save spec section 2).  Other engines use the same first words; the
third of them, the signature, distinguishes the saves of different engines.
"""

import struct
from typing import Final

from nhlog.values import NamedTuple

__all__ = ["HEAD_SIZE", "VERSIONS", "SaveHead", "format_save_head", "parse_save_head", "signature_of"]

_HEAD: Final = struct.Struct("<IIIIqiii")  # version, features, signature; turn; clock; two counts of the game's; zone
HEAD_SIZE: Final = _HEAD.size
_VERSION: Final = 0x04030000  # of every NetHack 4.3 save
VERSIONS: Final = [_VERSION, 0x04030100]
"""And of FIQHack's, which begins alike; forks with others may not."""
_LETTERS: Final = 4  # of an engine's id that are its signature


class SaveHead(NamedTuple):
    """The first words of a save: turn counter, log clock (microseconds, zone included), zone (seconds east of UTC).

    `signature` identifies the engine: see :func:`signature_of`.
    """

    turn: int
    clock: int
    zone: int
    signature: int


def parse_save_head(save: bytes) -> SaveHead | None:
    """The head of a save; None if the save is too short or is a fork's with another version word."""
    if len(save) < HEAD_SIZE:
        return None
    version, _, signature, turn, clock, _, _, zone = _HEAD.unpack_from(save)
    return SaveHead(turn, clock, zone, signature) if version in VERSIONS else None


def format_save_head(head: SaveHead) -> bytes:
    """The bytes of a save head (`HEAD_SIZE` of them); the clock is taken modulo 2**64."""
    return _HEAD.pack(_VERSION, 0, head.signature, head.turn, _signed(head.clock), 0, 0, head.zone)


def _signed(clock: int) -> int:
    return (clock + (1 << 63)) % (1 << 64) - (1 << 63)


def signature_of(engine: str) -> int:
    """The signature word of an engine's saves: the first four letters of its id, as a little-endian number."""
    return int.from_bytes(engine[:_LETTERS].encode("ascii"), "little")
