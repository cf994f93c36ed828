"""Recognises chunks that contain only moves and similar events by a regular expression, much faster than decoding.

`chunks.decode_chunk` would decode a chunk that matches to such events alone; one that does not match may contain any.
"""

import re
from functools import cache
from typing import Final

__all__ = ["is_plain"]

_VAR: Final = rb"[\x80-\xff]{0,9}+[\x00-\x7f]"
_LP_POS: Final = _VAR * 3 + rb".{4}"
_POS: Final = rb".{32}"
_LONG_SCALE: Final = b"[" + b"".join(b"\\x%02x" % byte for byte in range(256) if byte & 4) + b"]"
_LP_VECTOR: Final = rb"(?>\x00|" + _LONG_SCALE + rb".{5}" + _VAR + rb"|.{6})"
_EVENT: Final = b"|".join(
    (
        rb"\x00" + _VAR + _LP_POS + _LP_VECTOR,  # DeltaMove
        rb"\x01" + _VAR + _POS + _LP_VECTOR,  # AbsoluteMove
        rb"\x02" + _VAR + _VAR + rb".",  # EntityState
        rb"\x03" + _VAR + _VAR,  # HandAnimation
        rb"\x04" + _VAR + rb"(?>\x00|\x01" + _VAR + rb")",  # ItemUse
        rb"\x06(?!\x00)" + _VAR + _VAR,  # ChangeHeldSlot of another than the player
        rb"\x07.{8}" + _VAR,  # SetBlock
        rb"\x08" + _VAR + _VAR + _POS,  # SpawnEntity
        rb"\x09" + _VAR,  # DestroyEntity
        rb"\x0e",  # ClearGhostBlocks
    )
)
_MOST: Final = 12  # events of a tick that is passed over
_COUNTED: Final = b"|".join(rb"\x00\x%02x(?>%s){%d}" % (count, _EVENT, count) for count in range(_MOST + 1))


@cache
def _plain() -> re.Pattern[bytes]:
    """The pattern, compiled at its first use, as that takes ten milliseconds."""
    return re.compile(rb"(?>" + _VAR + rb"(?>" + _COUNTED + rb"))*+", re.DOTALL)


def is_plain(raw: bytes, offset: int = 0) -> bool:
    """Whether the ticks from `offset` on contain no event of a run, no item and no change of the held slot."""
    return _plain().fullmatch(raw, offset) is not None
