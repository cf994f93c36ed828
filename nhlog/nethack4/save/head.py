"""The first kilobytes of a save: whose it is, turn, flags, hero and dungeons (save spec sections 2.1 to 2.4).

What follows them is not looked at; flags and hero are unpacked for who wants all of them.
"""

from typing import NamedTuple

from nhlog.nethack4.save.chains import walk_monster
from nhlog.nethack4.save.dungeon import Dungeons, walk_dungeons
from nhlog.nethack4.save.flags import Flags, FlagsParts, read_flags, skip_flags
from nhlog.nethack4.save.version import VERSION, Version, check_engine
from nhlog.nethack4.save.wire import Cursor, check
from nhlog.nethack4.save.you import You, YouParts, read_you, skip_you

__all__ = ["Opening", "OpeningParts", "skip_opening", "walk_opening"]


class OpeningParts(NamedTuple):
    """What a save begins with, flags and hero not unpacked yet; the hero's record as a monster is at `monster_at`."""

    version: Version
    moves: int
    flags: FlagsParts
    you: YouParts
    monster_at: int
    dungeons: Dungeons


class Opening(NamedTuple):
    """The same, unpacked."""

    version: Version
    moves: int
    flags: Flags
    you: You
    monster_at: int
    dungeons: Dungeons


def skip_opening(cursor: Cursor) -> OpeningParts:
    """Step over the opening at the cursor, which stands at a save's start."""
    version = check_engine(cursor.data)
    cursor.skip(VERSION.size, "version")
    moves = cursor.signed("turn")
    flags = skip_flags(cursor)
    you = skip_you(cursor)
    monster_at = cursor.at
    walk_monster(cursor, "hero's monster")
    return OpeningParts(version, moves, flags, you, monster_at, walk_dungeons(cursor))


def walk_opening(cursor: Cursor) -> Opening:
    """The opening at the cursor, which stands at a save's start."""
    parts = skip_opening(cursor)
    flags = read_flags(cursor.data, parts.flags)
    you = read_you(cursor.data, parts.you, flags.relative(parts.moves))
    check(you.dnum, range(len(parts.dungeons.all)), "you: dungeon", parts.you.at)
    return Opening(parts.version, parts.moves, flags, you, parts.monster_at, parts.dungeons)
