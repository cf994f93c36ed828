"""Whether a chunk has nothing but moves and the like in it: a regular expression, many times faster than decoding.

What matches, `chunks.decode_chunk` would decode to such events alone; of what does not match nothing is known.
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
    """Compiled when it is first used: that takes ten milliseconds."""
    return re.compile(rb"(?>" + _VAR + rb"(?>" + _COUNTED + rb"))*+", re.DOTALL)


def is_plain(raw: bytes, offset: int = 0) -> bool:
    """Whether the ticks from `offset` on have no event of a run, no item, and leave what the player holds."""
    return _plain().fullmatch(raw, offset) is not None
