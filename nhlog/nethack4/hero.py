"""The hero's few facts that a ledger shows, from the first kilobytes of a save (save spec sections 2.2 to 2.4).

Nothing before the dungeon list is skipped by guess: each part's length is read from the part.
"""

import struct
from dataclasses import dataclass

__all__ = ["HERO_SIZE", "Hero", "read_hero"]

HERO_SIZE = 6144  # bytes from a save's start that hold all of this, killer strings and autopickup rules included

_VERSION = 0x04030000
_FLAGS = 16
_FLAGS_STRING = _FLAGS + 250  # u32 length, bytes, u32 number of autopickup rules
_RULE = 44
_AFTER_RULES = 2  # travel target
_YOU = struct.Struct("<16xiiiii")  # hit points, their maximum, power, its maximum; experience level
_YOU_PLACE = struct.Struct("<222xbb")
_KILLERS = 1783
_KILLER_STRINGS = 4
_DUNGEONS = b"DGN\0"
_DUNGEON = struct.Struct("<24s15xbIbbbii")  # name, boneid, flags, entry, levels, deepest, ledger start, depth start
_MAX_DUNGEONS = 16
_TOPOLOGY = {"valley": 5, "astral": 19}  # indices into the special levels after the dungeons
_BRANCHES = {  # the game's names for its status line, by the dungeon's own name
    "The Dungeons of Doom": "Dungeons",
    "Gehennom": "Gehennom",
    "The Gnomish Mines": "Mines",
    "Sokoban": "Sokoban",
    "Vlad's Tower": "Tower",
}


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
        return _read(head)
    except (struct.error, IndexError):
        return None


def _read(head: bytes) -> Hero | None:
    if _word(head, 0) != _VERSION:
        return None
    rules = _FLAGS_STRING + 4 + _word(head, _FLAGS_STRING)
    you = rules + 4 + _RULE * _word(head, rules) + _AFTER_RULES
    hp, hp_max, _, _, level = _YOU.unpack_from(head, you)
    dungeon, floor = _YOU_PLACE.unpack_from(head, you)
    after = you + _KILLERS
    for _ in range(_KILLER_STRINGS):
        after += 4 + _word(head, after)
    start = head.find(_DUNGEONS, after)
    if start < 0:
        return None
    return Hero(_place(head, start + len(_DUNGEONS), dungeon, floor), level, hp, hp_max)


def _place(head: bytes, at: int, dungeon: int, floor: int) -> str:
    count = _word(head, at)
    if count > _MAX_DUNGEONS:
        return ""
    at += 4
    name, _, _, _, _, _, _, depth_start = _DUNGEON.unpack_from(head, at + dungeon * _DUNGEON.size)
    special = at + count * _DUNGEON.size
    own = name.partition(b"\0")[0].decode("latin-1")
    here = (dungeon, floor)
    if here == _special(head, special, "astral"):
        return "Astral Plane"
    if own == "The Elemental Planes":
        return "End Game"
    if own == "The Quest":
        return f"Home:{floor}"
    depth = depth_start + floor - 1
    if here == _special(head, special, "valley"):
        return f"Valley:{depth}"
    return f"{_BRANCHES[own]}:{depth}" if own in _BRANCHES else own


def _special(head: bytes, at: int, name: str) -> tuple[int, int]:
    dungeon, floor = struct.unpack_from("<bb", head, at + 2 * _TOPOLOGY[name])
    return dungeon, floor


def _word(head: bytes, at: int) -> int:
    value: int = struct.unpack_from("<I", head, at)[0]
    return value
