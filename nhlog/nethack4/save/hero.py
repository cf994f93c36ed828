"""The hero's few facts that a ledger shows, from the first kilobytes of a save.

Costs the same for a long game as for a short one; whatever is no save of NetHack 4.3 gives nothing.
"""

from dataclasses import dataclass
from typing import Final

from nhlog.errors import Damaged, Unsupported
from nhlog.nethack4.save.dungeon import DLevel
from nhlog.nethack4.save.head import skip_opening
from nhlog.nethack4.save.wire import Cursor
from nhlog.nethack4.save.you import YOU

__all__ = ["HERO_SIZE", "Hero", "read_hero"]

HERO_SIZE = 6144  # bytes from a save's start that hold all of this, killer strings and autopickup rules included
_FIELDS: Final = YOU.part("uhp", "uhpmax", "ulevel", "dnum", "dlevel")


@dataclass(frozen=True, slots=True)
class Hero:
    """Where the hero is and how well; `place` as in the log's second line ("Dungeons:2")."""

    place: str
    level: int
    hp: int
    hp_max: int


def read_hero(head: bytes) -> Hero | None:
    """The hero of a save that begins with `head`; None for other engines' saves and for a head that is too short."""
    try:
        opening = skip_opening(Cursor(head))
        hp, hp_max, level, dnum, dlevel = _FIELDS.unpack_from(head, opening.you.at)
        return Hero(opening.dungeons.place(DLevel(dnum, dlevel)), level, hp, hp_max)
    except (Damaged, Unsupported):
        return None
