"""Alignments, and the gods of the hero's pantheon."""

from typing import Final

from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import roles

__all__ = ["ALIGNMENTS", "CHAOTIC", "LAWFUL", "NEUTRAL", "UNALIGNED", "altar_alignment", "god_name"]

LAWFUL, NEUTRAL, CHAOTIC, UNALIGNED = 1, 0, -1, -128
ALIGNMENTS: Final = {LAWFUL: "lawful", NEUTRAL: "neutral", CHAOTIC: "chaotic", UNALIGNED: "unaligned"}
_ALTARS: Final = {1: CHAOTIC, 2: NEUTRAL, 4: LAWFUL}  # by the low bits of a square's flags
_ALTAR_MASK: Final = 7
_MOLOCH: Final = "Moloch"
_NOBODY: Final = "someone"


def altar_alignment(flags: int) -> int:
    """The alignment of an altar, from the flags of its square."""
    return _ALTARS.get(flags & _ALTAR_MASK, UNALIGNED)


def god_name(save: Save, alignment: int) -> str:
    """The name of the god of an alignment."""
    if alignment == UNALIGNED:
        return _MOLOCH
    if alignment not in ALIGNMENTS:
        return _NOBODY
    name = roles()[save.you.upantheon].gods[LAWFUL - alignment]
    return name.removeprefix("_") if name else _NOBODY  # the mark of a goddess
