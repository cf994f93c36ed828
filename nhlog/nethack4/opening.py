"""The first kilobytes of a save: whose it is, turn, flags, hero and dungeons (save spec sections 2.1 to 2.4).

What follows them is not looked at.
"""

from typing import NamedTuple

from nhlog.nethack4.chains import walk_monster
from nhlog.nethack4.dungeon import Dungeons, walk_dungeons
from nhlog.nethack4.flags import Flags, walk_flags
from nhlog.nethack4.version import VERSION, Version, check_engine
from nhlog.nethack4.wire import Cursor, check
from nhlog.nethack4.you import You, walk_you

__all__ = ["Opening", "walk_opening"]


class Opening(NamedTuple):
    """What a save begins with; the hero's own record as a monster lies at `monster_at`."""

    version: Version
    moves: int
    flags: Flags
    you: You
    monster_at: int
    dungeons: Dungeons


def walk_opening(cursor: Cursor) -> Opening:
    """The opening at the cursor, which stands at a save's start."""
    version = check_engine(cursor.data)
    cursor.skip(VERSION.size, "version")
    moves = cursor.signed("turn")
    flags = walk_flags(cursor)
    you_at = cursor.at
    you = walk_you(cursor, flags.relative(moves))
    monster_at = cursor.at
    walk_monster(cursor, "hero's monster")
    dungeons = walk_dungeons(cursor)
    check(you.dnum, range(len(dungeons.all)), "you: dungeon", you_at)
    return Opening(version, moves, flags, you, monster_at, dungeons)
