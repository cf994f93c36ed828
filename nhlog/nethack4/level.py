"""Levels (save spec section 3).

A level is walked to find its end; its squares, objects and monsters are unpacked when they are asked for.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, NamedTuple

from nhlog.nethack4.chains import Index, walk_monsters, walk_objects
from nhlog.nethack4.dungeon import DLevel
from nhlog.nethack4.locations import LOCATIONS_SIZE, Locations
from nhlog.nethack4.monsters import Monster, Party, read_monsters
from nhlog.nethack4.objects import Obj, read_objects
from nhlog.nethack4.region import Region, walk_regions
from nhlog.nethack4.timers import LIGHT, TIMER, Light, Timer
from nhlog.nethack4.wire import I8, I16, I32, U8, U16, U32, BadSave, Bit, Bits, Cursor, Layout, text

__all__ = ["Damage", "Engraving", "Level", "Room", "Stairs", "Trap", "Worm", "walk_level"]

_MAGIC, _ROOMS, _TRAPS, _ENGRAVINGS = b"LEVL", b"RDBT", b"TRPS", b"ENGR"
_WORM_SLOTS: Final = range(1, 32)
_ENGRAVING: Final = struct.Struct("<BBB")
_SUBROOMS_AT: Final = 8  # in a room's record


class _HeadRecord(NamedTuple):
    dnum: I8
    dlevel: I8
    name_raw: Annotated[bytes, "64s"]


class _LateRecord(NamedTuple):
    lastmoves: I32
    stairs_raw: Annotated[bytes, "25s"]
    updest: Annotated[bytes, "8s"]
    dndest: Annotated[bytes, "8s"]
    flags: U32
    doors_raw: Annotated[bytes, "240s"]


class Stairs(NamedTuple):
    """Stairs or a ladder, and the level they lead to."""

    x: I8
    y: I8
    dnum: I8
    dlevel: I8
    up: I8


class Room(NamedTuple):
    """A room by its inner columns and rows, both ends included; `lit` and `irregular` are 0 or 1."""

    lx: I8
    hx: I8
    ly: I8
    hy: I8
    type: I8
    lit: I8
    doorct: I8
    fdoor: I8
    nsubrooms: U8
    irregular: I8
    subrooms: "tuple[Room, ...]"


class _TrapRecord(NamedTuple):
    x: U8
    y: U8
    to_dnum: I8
    to_dlevel: I8
    launch_x: I8
    launch_y: I8
    bits: U16
    launch_otyp: I16


class Trap(_TrapRecord):
    """A trap; `type` counts from 1."""

    __slots__ = ()

    type = Bits("bits", 11, 15)
    seen = Bit("bits", 10)
    once = Bit("bits", 9)
    made_by_you = Bit("bits", 8)


class Damage(NamedTuple):
    """What a shopkeeper has to mend."""

    when: I32
    cost: I32
    x: I8
    y: I8
    typ: I8


class Engraving(NamedTuple):
    """A text on the floor."""

    x: int
    y: int
    type: int
    text: str


class Worm(NamedTuple):
    """The segments of a long worm, from the tail to the head, and the turn in which it grows."""

    segments: tuple[tuple[int, int], ...]
    grow_time: int


_HEAD: Final = Layout(_HeadRecord, 66)
_LATE: Final = Layout(_LateRecord, 289)
_STAIRS: Final = Layout(Stairs, 5)
_ROOM: Final = Layout(Room, 10)
_TRAP: Final = Layout(Trap, 10)
_DAMAGE: Final = Layout(Damage, 11)


@dataclass(frozen=True, eq=False)
class Level:
    """One level; what it has is read from `data`, the whole save, where the walk found it to be."""

    ledger: int
    here: DLevel
    name: str
    data: bytes
    known: Party
    locations_at: int
    lastmoves: int
    flags: int
    worms: Mapping[int, Worm]
    engravings: tuple[Engraving, ...]
    regions_timestamp: int
    regions: tuple[Region, ...]
    _late: _LateRecord
    _rooms: bytes
    _timers: bytes
    _lights: bytes
    _traps: bytes
    _damage: bytes
    _monsters: Index
    _objects: Index
    _buried: Index
    _billed: Index

    noteleport = Bit("flags", 22)
    hardfloor = Bit("flags", 21)
    nommap = Bit("flags", 20)
    hero_memory = Bit("flags", 19)
    shortsighted = Bit("flags", 18)
    graveyard = Bit("flags", 17)
    is_maze = Bit("flags", 16)
    is_cavernous = Bit("flags", 15)
    arboreal = Bit("flags", 14)
    forgotten = Bit("flags", 13)
