"""The bytes of a level: a head with counts, terrain, memory, then the slots.

All squares are checked here, so that the rules never leave the board.
"""

from struct import Struct
from typing import Final

from nhlog.engines.delve.wire.records import SLOT_STEP, Cursor, Field, Record, pack_slots, pack_text, read_slots
from nhlog.engines.delve.world.board import INSIDE, SIZE, WIDTH
from nhlog.engines.delve.world.kinds import EMBER, KINDS, number_of
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import (
    BLESSED,
    CARRIED,
    CURSED,
    KIND_MEMORY,
    MOST_ENGRAVINGS,
    MOST_ITEMS,
    MOST_MONSTERS,
    TRAP_MEMORY,
    WIELDED,
    WORN,
    Engraving,
    Item,
    Level,
    Monster,
    Trap,
)
from nhlog.engines.delve.world.terrain import LIT, ROCK, TERRAINS, WALL
from nhlog.engines.delve.world.traps import TRAPS
from nhlog.errors import Damaged

__all__ = ["DEPTHS", "ITEM", "check_item", "read_level", "write_level"]

DEPTHS: Final = 10
STYLES: Final = 8
MOST_TRAPS: Final = 32
ENGRAVED: Final = 40  # bytes of words in the dust
GRAVE: Final = 32  # bytes of a dead hero's name
MOST_COUNT: Final = 60_000
MOST_HP: Final = 999

_HEAD: Final = Struct("<BBBBBBI")
_SQUARE: Final = Struct("<H")

ITEM: Final = Record(
    "item",
    Item,
    (
        Field("kind", "B", 1, len(KINDS) - 1),
        Field("flags", "B", 0, 255),
        Field("count", "H", 1, MOST_COUNT),
        Field("bonus", "b", -9, 20),
        Field("charges", "B", 0, 20),
        Field("place", "H", 0, CARRIED + MOST_MONSTERS),
        Field("extra", "H", 0, 5000),
    ),
)
_MONSTER: Final = Record(
    "monster",
    Monster,
    (
        Field("species", "B", 1, len(SPECIES) - 1),
        Field("flags", "B", 0, 127),
        Field("square", "H", 0, SIZE - 1),
        Field("hp", "H", 1, MOST_HP),
        Field("most", "H", 1, MOST_HP),
        Field("energy", "b", -60, 60),
        Field("timer", "B", 0, 200),
        Field("goal", "H", 0, SIZE - 1),
        Field("disguise", "B", 0, len(KINDS) - 1),
    ),
)
_TRAP: Final = Record(
    "trap",
    Trap,
    (Field("kind", "B", 1, len(TRAPS) - 1), Field("seen", "B", 0, 1), Field("square", "H", 0, SIZE - 1)),
)
_CORPSE: Final = number_of("corpse")

_TERRAIN_BYTES: Final = bytes(byte for byte in range(256) if byte & ~LIT < len(TERRAINS))
_EDGE_BYTES: Final = bytes((ROCK, WALL, ROCK | LIT, WALL | LIT))
_EDGE_MEMORY: Final = bytes((0, ROCK + 1, WALL + 1))
_MEMORY_BYTES: Final = bytes(
    (
        *range(len(TERRAINS) + 1),
        *range(TRAP_MEMORY + 1, TRAP_MEMORY + len(TRAPS)),
        *range(KIND_MEMORY + 1, KIND_MEMORY + len(KINDS)),
    )
)


def write_level(level: Level) -> bytes:
    """The bytes of a level."""
    traps = [*level.traps]
    engravings = b"".join(
        _SQUARE.pack(words.square) + bytes((words.wear,)) + pack_text(words.text, ENGRAVED)
        for words in level.engravings
    )
    head = _HEAD.pack(
        level.depth,
        level.style,
        _steps(len(level.monsters)),
        _steps(len(level.items)),
        _steps(len(traps)),
        len(level.engravings),
        level.visited,
    )
    return b"".join(
        (
            head,
            pack_text(level.grave, GRAVE),
            level.terrain,
            level.memory,
            pack_slots(_MONSTER, level.monsters),
            pack_slots(ITEM, level.items),
            pack_slots(_TRAP, traps),
            engravings,
        )
    )


def read_level(cursor: Cursor) -> Level:
    """Read a level at the cursor; raises :class:`Damaged`."""
    start = cursor.at
    depth, style, monsters, items, traps, engravings, visited = _HEAD.unpack(cursor.take(_HEAD.size, "level"))
    for name, value, most in (
        ("depth", depth - 1, DEPTHS - 1),
        ("style", style, STYLES - 1),
        ("monsters", monsters, MOST_MONSTERS // SLOT_STEP),
        ("items", items, MOST_ITEMS // SLOT_STEP),
        ("traps", traps, MOST_TRAPS // SLOT_STEP),
        ("engravings", engravings, MOST_ENGRAVINGS),
    ):
        if not 0 <= value <= most:
            raise Damaged(f"level: {name}", offset=start, expected=f"at most {most}", found=value)
    grave = cursor.text(GRAVE, "level: grave")
    at = cursor.at
    terrain = bytearray(cursor.take(SIZE, "level: terrain"))
    _only(terrain, _TERRAIN_BYTES, "level: terrain", at)
    _closed(terrain, _EDGE_BYTES, at)
    at = cursor.at
    memory = bytearray(cursor.take(SIZE, "level: memory"))
    _only(memory, _MEMORY_BYTES, "level: memory", at)
    _closed(memory, _EDGE_MEMORY, at)
    level = Level(depth, style, terrain, memory, grave=grave, visited=visited)
    _read_monsters(cursor, level, monsters * SLOT_STEP)
    _read_items(cursor, level, items * SLOT_STEP)
    _read_traps(cursor, level, traps * SLOT_STEP)
    level.engravings = [_read_engraving(cursor) for _ in range(engravings)]
    return level


def _steps(count: int) -> int:
    return -(-count // SLOT_STEP)


def _only(data: bytes | bytearray, allowed: bytes, section: str, start: int) -> None:
    """Raise :class:`Damaged` if the data has bytes that are not allowed."""
    if wrong := data.translate(None, allowed):
        raise Damaged(section, offset=start + data.index(wrong[0]), found=wrong[0])


def _closed(data: bytearray, allowed: bytes, start: int) -> None:
    """Raise :class:`Damaged` if the outermost ring has bytes that are not allowed."""
    for edge in (data[:WIDTH], data[-WIDTH:], data[::WIDTH], data[WIDTH - 1 :: WIDTH]):
        _only(edge, allowed, "level: its edge is open", start)


def _read_monsters(cursor: Cursor, level: Level, count: int) -> None:
    start = cursor.at
    level.monsters = read_slots(cursor, _MONSTER, count)
    for monster in level.live():
        if (
            not INSIDE[monster.square]
            or monster.square in level.occupants
            or (monster.goal and not INSIDE[monster.goal])
        ):
            raise Damaged("a monster on an impossible square", offset=start, found=monster.square)
        if monster.hp > monster.most:
            raise Damaged(
                "a monster with impossible hit points",
                offset=start,
                expected=f"at most {monster.most}",
                found=monster.hp,
            )
        level.occupants[monster.square] = monster


def _read_items(cursor: Cursor, level: Level, count: int) -> None:
    start = cursor.at
    level.items = read_slots(cursor, ITEM, count)
    for item in level.items:
        if item is None:
            continue
        check_item(item, start)
        if item.flags & (WIELDED | WORN):
            raise Damaged("an item on the floor is in use", offset=start, found=item.flags)
        if item.place >= CARRIED:
            slot = item.place - CARRIED
            if slot >= len(level.monsters) or level.monsters[slot] is None:
                raise Damaged("an item carried by a missing monster", offset=start, found=slot)
        elif item.place >= SIZE or not INSIDE[item.place]:
            raise Damaged("an item on an impossible square", offset=start, found=item.place)


def check_item(item: Item, offset: int) -> None:
    """Raise :class:`Damaged` if the fields of an item contradict each other."""
    if item.flags & CURSED and item.flags & BLESSED:
        raise Damaged("an item is both cursed and blessed", offset=offset)
    if item.kind == _CORPSE and not 0 < item.extra < len(SPECIES):
        raise Damaged("a corpse of an unknown species", offset=offset, found=item.extra)
    if item.kind == EMBER and item.count != 1:
        raise Damaged("more than one Ember", offset=offset, found=item.count)


def _read_traps(cursor: Cursor, level: Level, count: int) -> None:
    start = cursor.at
    level.traps = read_slots(cursor, _TRAP, count)
    for trap in level.traps:
        if trap is not None and not INSIDE[trap.square]:
            raise Damaged("a trap on an impossible square", offset=start, found=trap.square)


def _read_engraving(cursor: Cursor) -> Engraving:
    start = cursor.at
    (square,) = _SQUARE.unpack(cursor.take(_SQUARE.size, "engraving"))
    if square >= SIZE or not INSIDE[square]:
        raise Damaged("an engraving on an impossible square", offset=start, found=square)
    wear = cursor.number("engraving: wear", 255)
    return Engraving(square, wear, cursor.text(ENGRAVED, "engraving: words"))
