"""All kinds of traps: names, and the least depth of each.

A kind's number is its index in `TRAPS`, which saves refer to; 0 is none.  Imports nothing of the game.
"""

from typing import Final

from nhlog.values import NamedTuple

__all__ = ["TRAPS", "TrapKind"]


class TrapKind(NamedTuple):
    """A kind of trap."""

    name: str
    color: int
    depth: int


TRAPS: Final = (
    TrapKind("nothing", 0, 99),
    TrapKind("dart trap", 5, 1),
    TrapKind("pit", 8, 1),
    TrapKind("snare", 3, 2),
    TrapKind("alarm wire", 11, 2),
    TrapKind("sleep gas vent", 13, 2),
    TrapKind("trapdoor", 6, 2),
    TrapKind("fire jet", 9, 4),
    TrapKind("standing stone of elsewhere", 12, 3),
)
