"""The dungeons, their branches and special levels (save spec section 2.4).

A level is identified by its dungeon and its number there; its ledger number counts through all dungeons.
"""

import struct
from functools import lru_cache
from itertools import chain, islice
from typing import Annotated, Final

from nhlog.nethack4.save.wire import I8, I32, U8, U32, Bit, Bits, Cursor, Layout, check, text
from nhlog.values import NamedTuple, dataclass

__all__ = [
    "DUNGEONS_MAGIC",
    "Branch",
    "DLevel",
    "Dungeon",
    "Dungeons",
    "SpecialLevel",
    "Topology",
    "walk_dungeons",
    "walk_special_levels",
]

DUNGEONS_MAGIC: Final = b"DGN\0"
_SECTION: Final = "dungeon"
_NUMBERS_OF_DUNGEONS: Final = range(1, 17)  # up to the game's MAXDUNGEON
_LEDGERS: Final = range(256)
_DEPTHS: Final = range(-128, 128)
_PAIR: Final = struct.Struct("<bb")
_PLACES, _NUMBERS, _LATER_PLACES = 20, 4, 4  # of the topology
_TOPOLOGY_SIZE: Final = 2 * _PLACES + _NUMBERS + 2 * _LATER_PLACES
_TUNE: Final = 6
_ENDGAME: Final = "The Elemental Planes"
_NAMES: Final = {  # the game's names for its status line, by the dungeon's own name
    "The Dungeons of Doom": "Dungeons",
    "Gehennom": "Gehennom",
    "The Gnomish Mines": "Mines",
    "Sokoban": "Sokoban",
    "Vlad's Tower": "Tower",
}


class DLevel(NamedTuple):
    """A level: the number of its dungeon, and its number there, counted from 1."""

    dnum: int
    dlevel: int


class _DungeonRecord(NamedTuple):
    name_raw: Annotated[bytes, "24s"]
    proto: Annotated[bytes, "15s"]
    boneid: I8
    flags: U32
    entry_lev: I8
    num_dunlevs: I8
    dunlev_ureached: I8
    ledger_start: I32
    depth_start: I32


class Dungeon(_DungeonRecord):
    """A dungeon: its number of levels, the deepest one reached, its first ledger number and depth."""

    __slots__ = ()

    town = Bit("flags", 31)
    hellish = Bit("flags", 30)
    maze_like = Bit("flags", 29)
    rogue_like = Bit("flags", 28)
    align = Bits("flags", 25, 27)

    @property
    def name(self) -> str:
        """The dungeon's name."""
        return text(self.name_raw)


class Topology(NamedTuple):
    """The levels of special places, and the numbers of the dungeons with special rules."""

    oracle: DLevel
    bigroom: DLevel
    rogue: DLevel
    medusa: DLevel
    stronghold: DLevel
    valley: DLevel
    wiz1: DLevel
    wiz2: DLevel
    wiz3: DLevel
    juiblex: DLevel
    orcus: DLevel
    baalzebub: DLevel
    asmodeus: DLevel
    portal: DLevel
    sanctum: DLevel
    earth: DLevel
    water: DLevel
    fire: DLevel
    air: DLevel
    astral: DLevel
    tower_dnum: int
    sokoban_dnum: int
    mines_dnum: int
    quest_dnum: int
    qstart: DLevel
    qlocate: DLevel
    nemesis: DLevel
    knox: DLevel


class Branch(NamedTuple):
    """A connection between two dungeons."""

    id: I32
    type: I32
    from_dnum: I8
    from_dlevel: I8
    to_dnum: I8
    to_dlevel: I8
    up: I8


class _SpecialRecord(NamedTuple):
    flags: U32
    dnum: I8
    dlevel: I8
    proto_raw: Annotated[bytes, "15s"]
    boneid: I8
    rndlevs: U8


class SpecialLevel(_SpecialRecord):
    """A level that is generated from the description `proto`."""

    __slots__ = ()

    @property
    def proto(self) -> str:
        """The name of the level's description."""
        return text(self.proto_raw)


_DUNGEON: Final = Layout(Dungeon, 55)
_BRANCH: Final = Layout(Branch, 13)
_SPECIAL: Final = Layout(SpecialLevel, 23)


@dataclass(frozen=True, slots=True)
class Dungeons:
    """All dungeons; `tune` opens the castle, `invocation` is the vibrating square (0, 0 if there is none yet).

    `start` is their offset in the save.
    """

    all: tuple[Dungeon, ...]
    topology: Topology
    tune: str
    branches: tuple[Branch, ...]
    invocation: tuple[int, int]
    start: int

    def __getitem__(self, dnum: int) -> Dungeon:
        """A dungeon by number; raises :class:`BadSave` if there is none."""
        return self.all[check(dnum, range(len(self.all)), "number of a dungeon", self.start)]

    def ledger(self, place: DLevel) -> int:
        """The ledger number of a level; raises :class:`BadSave` if its dungeon does not exist."""
        return self[place.dnum].ledger_start + place.dlevel

    def depth(self, place: DLevel) -> int:
        """The depth of a level; raises :class:`BadSave` if its dungeon does not exist."""
        return self[place.dnum].depth_start + place.dlevel - 1

    def is_endgame(self, place: DLevel) -> bool:
        """Whether a level belongs to the endgame."""
        return self[place.dnum].name == _ENDGAME

    def place(self, here: DLevel) -> str:
        """A level as named in the game's status line and the log's second line (``Dungeons:2``)."""
        own = self[here.dnum].name
        if here == self.topology.astral:
            return "Astral Plane"
        if own == _ENDGAME:
            return "End Game"
        if own == "The Quest":
            return f"Home:{here.dlevel}"
        if here == self.topology.valley:
            return f"Valley:{self.depth(here)}"
        return f"{_NAMES[own]}:{self.depth(here)}" if own in _NAMES else own


def walk_dungeons(cursor: Cursor) -> Dungeons:
    """Read the dungeons at the cursor; raises :class:`BadSave`."""
    cursor.magic(DUNGEONS_MAGIC, _SECTION)
    start = cursor.at
    dungeons = cursor.many(_DUNGEON.size, "dungeons")
    topology = cursor.take(_TOPOLOGY_SIZE, "dungeon topology")
    tune = cursor.take(_TUNE, "castle tune")
    branches = cursor.many(_BRANCH.size, "dungeon branches")
    invocation = cursor.take(_PAIR.size, "invocation position")
    return _read_dungeons(dungeons, topology, tune, branches, invocation, start)


@lru_cache(maxsize=16)
def _read_dungeons(
    dungeons: bytes, topology: bytes, tune: bytes, branches: bytes, invocation: bytes, start: int
) -> Dungeons:
    """The dungeons from their bytes, which seldom change from save to save; `start` is their offset."""
    every = _DUNGEON.read_all(dungeons)
    check(len(every), _NUMBERS_OF_DUNGEONS, "number of dungeons", start)
    for dungeon in every:
        check(dungeon.ledger_start, _LEDGERS, "dungeons: ledger start", start)
        check(dungeon.depth_start, _DEPTHS, "dungeons: depth start", start)
    places = map(DLevel._make, _PAIR.iter_unpack(topology))
    special, numbers, later = islice(places, _PLACES), islice(places, _NUMBERS // 2), places
    x, y = invocation
    return Dungeons(
        every,
        Topology._make((*special, *chain.from_iterable(numbers), *later)),
        text(tune),
        _BRANCH.read_all(branches),
        (x, y),
        start,
    )


def walk_special_levels(cursor: Cursor) -> tuple[SpecialLevel, ...]:
    """Read the chain of special levels at the cursor; raises :class:`BadSave`."""
    return _SPECIAL.read_all(cursor.many(_SPECIAL.size, "special levels"))
