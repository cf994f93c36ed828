"""Levels (save spec section 3).

Reading a level only finds its end; its squares, objects and monsters are unpacked on access.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final

from nhlog.nethack4.save.chains import Index, walk_monsters, walk_objects
from nhlog.nethack4.save.dungeon import DLevel
from nhlog.nethack4.save.levels.locations import COLNO, LOCATIONS_SIZE, ROWNO, Locations
from nhlog.nethack4.save.levels.regions import Region, walk_regions, walk_timestamp
from nhlog.nethack4.save.levels.timers import TIMER, Light, Timer, walk_lights
from nhlog.nethack4.save.monsters import Context, Monster, read_monsters
from nhlog.nethack4.save.objects import Obj, read_objects
from nhlog.nethack4.save.wire import (
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    BadSave,
    Bit,
    Bits,
    Cursor,
    Layout,
    check,
    text,
    unrotated,
)
from nhlog.values import NamedTuple

__all__ = ["Damage", "Engraving", "Level", "Room", "Stairs", "Trap", "Worm", "walk_level"]

_MAGIC, _ROOMS, _TRAPS, _ENGRAVINGS = b"LEVL", b"RDBT", b"TRPS", b"ENGR"
_WORM_SLOTS: Final = range(1, 32)
_ENGRAVING: Final = 3  # bytes before the text: x, y, type
_PAIR: Final = struct.Struct("<BB")
_STAIRWAYS: Final = ("up", "down", "up ladder", "down ladder", "special")
_COLUMNS: Final = range(COLNO)
_ROWS: Final = range(ROWNO)
_ROOM_COLUMNS: Final = range(-1, COLNO)  # -1 marks a room that is none
_ROOM_ROWS: Final = range(-1, ROWNO)
_TRAP_TYPES: Final = range(1, 24)
_MOST_NESTED_ROOMS: Final = 8  # the game's subrooms have none themselves
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
    """Damage in a shop that the shopkeeper will repair."""

    when: I32
    cost: I32
    x: I8
    y: I8
    typ: I8


class Engraving(NamedTuple):
    """An engraving on the floor."""

    x: int
    y: int
    type: int
    text: str


class Worm(NamedTuple):
    """The segments of a long worm, from the tail to the head, and the turn in which it grows next."""

    segments: tuple[tuple[int, int], ...]
    grow_time: int


_HEAD: Final = Layout(_HeadRecord, 66)
_LATE: Final = Layout(_LateRecord, 289)
_STAIRS: Final = Layout(Stairs, 5)
_ROOM: Final = Layout(Room, 10)
_TRAP: Final = Layout(Trap, 10)
_DAMAGE: Final = Layout(Damage, 11)


class _Parts(NamedTuple):
    """The result of walking a level: offsets, indexes and bytes, nothing unpacked."""

    locations_at: int
    late: _LateRecord
    rooms: slice
    timers: slice
    lights: tuple[Light, ...]
    monsters: Index
    worms: Mapping[int, Worm]
    traps: slice
    objects: Index
    buried: Index
    billed: Index
    engravings: tuple[Engraving, ...]
    damage: slice
    regions_timestamp: int
    regions: tuple[Region, ...]


_Records = Iterator[tuple[tuple[int, ...], int]]
"""The wire fields of rooms, and their offsets."""


@dataclass(frozen=True, eq=False)
class Level:
    """One level, with the names of the spec; `data` is the whole save."""

    ledger: int
    here: DLevel
    name: str
    data: bytes
    context: Context
    parts: _Parts

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

    @property
    def flags(self) -> int:
        """The word with the flag bits."""
        return self.parts.late.flags

    @property
    def lastmoves(self) -> int:
        """The last turn in which the hero was here."""
        return self.parts.late.lastmoves

    @cached_property
    def locations(self) -> Locations:
        """The squares of the level."""
        return Locations(self.data, self.parts.locations_at, self.context.edition)

    @property
    def no_arrival(self) -> tuple[int, int, int, int]:
        """Where nobody comes to by teleporting down to it: left, top, right and bottom."""
        left, top, right, bottom = self.parts.late.dndest[4:]
        return left, top, right, bottom

    @cached_property
    def stairs(self) -> dict[str, Stairs]:
        """The stairs by kind: "up", "down", "up ladder", "down ladder", "special" (to another dungeon)."""
        found = zip(_STAIRWAYS, _STAIRS.read_all(self.parts.late.stairs_raw), strict=True)
        return {name: stairs for name, stairs in found if stairs.x or stairs.y}

    @cached_property
    def doors(self) -> tuple[tuple[int, int], ...]:
        """The squares of the doors; a room has `doorct` of them, starting at index `fdoor`."""
        return _pairs(self.parts.late.doors_raw)

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        """The rooms; squares of the first one have room number 3."""
        rows = self.parts.rooms
        found = _ROOM.unpack_all(self.data[rows])
        records = zip(found, range(rows.start, rows.stop, _ROOM.size), strict=True)
        return tuple(_room(record, at, records) for record, at in records)

    @cached_property
    def timers(self) -> tuple[Timer, ...]:
        """The timers of things on the level."""
        return TIMER.read_all(self.data[self.parts.timers])

    @property
    def lights(self) -> tuple[Light, ...]:
        """The light sources on the level."""
        return self.parts.lights

    @cached_property
    def monsters(self) -> tuple[Monster, ...]:
        """All monsters of the level."""
        return read_monsters(self.data, self.parts.monsters, self.context)

    @property
    def worms(self) -> Mapping[int, Worm]:
        """The long worms by slot."""
        return self.parts.worms

    @cached_property
    def traps(self) -> tuple[Trap, ...]:
        """The traps."""
        rows = self.parts.traps
        traps = _TRAP.read_all(self.data[rows])
        for trap, at in zip(traps, range(rows.start, rows.stop, _TRAP.size), strict=True):
            check(trap.type, _TRAP_TYPES, "type of a trap", at)
            _check_square(trap.x, trap.y, "trap", at)
        return traps

    @cached_property
    def objects(self) -> tuple[Obj, ...]:
        """The objects on the floor; the first on a square lies on top."""
        objects = read_objects(self.data, self.parts.objects, self.context.edition)
        for obj, (at, _) in zip(objects, self.parts.objects, strict=True):
            _check_square(obj.x, obj.y, "object on the floor", at)
        return objects

    @cached_property
    def buried(self) -> tuple[Obj, ...]:
        """The objects buried under the floor."""
        return read_objects(self.data, self.parts.buried, self.context.edition)

    @cached_property
    def billed(self) -> tuple[Obj, ...]:
        """The objects that were used up in a shop and have to be paid."""
        return read_objects(self.data, self.parts.billed, self.context.edition)

    @property
    def engravings(self) -> tuple[Engraving, ...]:
        """The engravings on the floor."""
        return self.parts.engravings

    @cached_property
    def damage(self) -> tuple[Damage, ...]:
        """The damage that shopkeepers will repair."""
        return _DAMAGE.read_all(self.data[self.parts.damage])

    @property
    def regions(self) -> tuple[Region, ...]:
        """The regions, as they were at `regions_turn`."""
        return self.parts.regions

    @property
    def regions_turn(self) -> int:
        """The turn that the regions' `ttl` refers to; for the hero's level the current one."""
        relative = self.context.moves if self.context.encoding else 0
        return unrotated(self.parts.regions_timestamp, 32, relative)


def walk_level(cursor: Cursor, context: Context) -> Level:
    """Read the level at the cursor, beginning with its ledger number; raises :class:`BadSave`."""
    ledger = cursor.data[cursor.skip(1, "ledger number")]
    try:
        cursor.magic(_MAGIC, "level")
        head = cursor.record(_HEAD, "level")
        parts = _walk_parts(cursor)
    except BadSave as error:
        raise error.inside(f"level {ledger}") from None
    here, name = DLevel(head.dnum, head.dlevel), text(head.name_raw)
    return Level(ledger, here, name, cursor.data, context.on_level(parts.late.lastmoves), parts)


def _walk_parts(cursor: Cursor) -> _Parts:
    """Walk everything after the level's name, in order."""
    return _Parts(
        locations_at=cursor.skip(LOCATIONS_SIZE, "locations"),
        late=cursor.record(_LATE, "level flags"),
        rooms=_walk_rooms(cursor),
        timers=cursor.rows(TIMER.size, "timers"),
        lights=walk_lights(cursor, "lights"),
        monsters=walk_monsters(cursor, "monsters"),
        worms=_walk_worms(cursor),
        traps=_walk_traps(cursor),
        objects=walk_objects(cursor, "floor objects"),
        buried=walk_objects(cursor, "buried objects"),
        billed=walk_objects(cursor, "billed objects"),
        engravings=tuple(_walk_engravings(cursor)),
        damage=cursor.rows(_DAMAGE.size, "shop damage"),
        regions_timestamp=walk_timestamp(cursor),
        regions=walk_regions(cursor),
    )


def _walk_rooms(cursor: Cursor) -> slice:
    """The range of the rooms' records, each followed by those of its subrooms."""
    cursor.magic(_ROOMS, "rooms")
    left = cursor.count(_ROOM.size, "rooms")
    start = cursor.at
    while left:
        left += cursor.data[cursor.skip(_ROOM.size, "rooms") + _SUBROOMS_AT] - 1
    return slice(start, cursor.at)


def _room(record: tuple[int, ...], at: int, records: _Records, depth: int = 0) -> Room:
    """The room of a record, and its subrooms, whose records follow."""
    check(depth, range(_MOST_NESTED_ROOMS), "room in a room: depth", at)
    lx, hx, ly, hy = record[:4]
    for x, y in ((lx, ly), (hx, hy)):
        check(x, _ROOM_COLUMNS, "column of a room", at)
        check(y, _ROOM_ROWS, "row of a room", at)
    inside = tuple(_room(*next(records), records, depth + 1) for _ in range(record[_SUBROOMS_AT]))
    return Room._make((*record, inside))


def _walk_worms(cursor: Cursor) -> dict[int, Worm]:
    worms = {}
    for slot in _WORM_SLOTS:
        segments = cursor.many(_PAIR.size, "worm segments")
        if segments:
            worms[slot] = Worm(_pairs(segments), cursor.signed("worms"))
            for x, y in worms[slot].segments:
                _check_square(x, y, "worm", cursor.at)
    return worms


def _walk_traps(cursor: Cursor) -> slice:
    cursor.magic(_TRAPS, "traps")
    return cursor.rows(_TRAP.size, "traps")


def _walk_engravings(cursor: Cursor) -> Iterator[Engraving]:
    cursor.magic(_ENGRAVINGS, "engravings")
    while length := cursor.word("engravings"):
        x, y, kind = cursor.take(_ENGRAVING, "engravings")
        yield Engraving(x, y, kind, text(cursor.take(length, "engravings")))


def _check_square(x: int, y: int, what: str, at: int) -> None:
    check(x, _COLUMNS, f"column of a {what}", at)
    check(y, _ROWS, f"row of a {what}", at)


def _pairs(raw: bytes) -> tuple[tuple[int, int], ...]:
    return tuple(_PAIR.iter_unpack(raw))
