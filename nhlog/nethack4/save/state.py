"""The state of a game besides its levels (save spec section 4).

Reading it only finds its end; its parts are unpacked on access.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, Any, Final

from nhlog.nethack4.save import fiqhack
from nhlog.nethack4.save.chains import Index, walk_monsters, walk_objects
from nhlog.nethack4.save.kinds import (
    ObjectClass,
    class_bytes,
    classes_in,
    read_discoveries,
    walk_classes,
    walk_discoveries,
)
from nhlog.nethack4.save.levels.timers import TIMER, Light, Timer, walk_lights
from nhlog.nethack4.save.monsters import Context, Monster, read_monsters
from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.objects import Obj, read_objects
from nhlog.nethack4.save.wire import (
    FIQHACK_18,
    FIQHACK_21,
    FIQHACKS,
    I8,
    I16,
    I32,
    NETHACK4,
    U8,
    U32,
    BadSave,
    Cursor,
    Layout,
    text,
    unrotated,
)
from nhlog.values import NamedTuple

__all__ = [
    "Bubble",
    "Fruit",
    "HistoryEntry",
    "Spell",
    "State",
    "TrackedObject",
    "Vital",
    "WaterLevel",
    "vitals_in",
    "walk_state",
]

_MAGIC, _FRUITS_MAGIC, _HISTORY = b"STAT", b"FRCH", b"HIST"
_SPELLS: Final = 53
_ARTIFACTS_EXIST: Final = 35
_ARTIFACTS_KNOWN: Final = 33
_RNG: Final = 2508
_HERO_TRACK: Final = 50 * 2
_TRACK_COUNTERS: Final = 2 * 4
_RANDOM_MONSTERS: Final = 330
_TRACKED_OBJECTS: Final = 24
_TRACKED_PLACES: Final = 3
_PAIR: Final = struct.Struct("<BB")
_ORACLE: Final = struct.Struct("<I")


class Vital(NamedTuple):
    """How many of a species were born and died, and its flags (bit value 8: its eggs are known)."""

    born: U8
    died: U8
    flags: U8


class _SpellRecord(NamedTuple):
    knowledge_stored: I32
    otyp: I16
    level: I8


class Spell(NamedTuple):
    """A spell: the kind of its book, its level, and the number of turns that it stays known."""

    otyp: int
    level: int
    knowledge: int


class _FruitRecord(NamedTuple):
    name_raw: Annotated[bytes, "32s"]
    id: I32


class Fruit(_FruitRecord):
    """A name that the player gave to slime molds; an object refers to its id in `spe`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the fruit."""
        return text(self.name_raw)


class _HistoryHead(NamedTuple):
    turn: U32
    hidden: U32
    length: U32


class HistoryEntry(NamedTuple):
    """An achievement ("entered the Gnomish Mines"), for the end of the game."""

    turn: int
    hidden: bool
    text: str


class Bubble(NamedTuple):
    """A bubble of the Plane of Water."""

    x: U8
    y: U8
    dx: I8
    dy: I8
    number: U8


class WaterLevel(NamedTuple):
    """The state of the Plane of Water."""

    up: int
    bubbles: tuple[Bubble, ...]


class TrackedObject(NamedTuple):
    """An object that the hero is working with: its id (-1 the square itself, 0 none) and the progress."""

    id: I32
    progress: I32


_VITAL: Final = Layout(Vital, 3)
_NEVER: Final = Vital(0, 0, 0)  # born
_SPELL: Final = {NETHACK4: Layout(_SpellRecord, 7)} | dict.fromkeys(FIQHACKS, Layout(_SpellRecord, 11, fiqhack.SPELL))
_FRUIT: Final = Layout(Fruit, 36)
_ENTRY: Final = Layout(_HistoryHead, 12)
_BUBBLE: Final = Layout(Bubble, 5)
_TRACKED: Final = Layout(TrackedObject, 8)


class _Parts(NamedTuple):
    """The result of walking the state, in order: offsets, indexes and bytes, nothing unpacked."""

    next_timer_id: int
    timers: slice
    lights: tuple[Light, ...]
    inventory: Index
    migrating: Index
    mvitals: bytes
    spellbook: bytes
    artifacts_exist: bytes
    artifacts_known: bytes
    oracles: bytes
    current_fruit: Fruit
    fruits: slice
    discoveries_at: int
    classes: tuple[int, ...]
    water: WaterLevel | None
    rng: bytes
    hero_track: bytes
    track_counters: bytes
    random_monsters: bytes
    history: tuple[int, ...]
    chest: Index
    memories: tuple[Index, ...]
    tracked_objects: bytes
    tracked_places: bytes


@dataclass(frozen=True, eq=False)
class State:
    """The game state, with the names of the spec; `data` is the whole save."""

    data: bytes
    context: Context
    parts: _Parts

    @cached_property
    def timers(self) -> tuple[Timer, ...]:
        """The timers of carried objects and others that belong to no level."""
        return TIMER.read_all(self.data[self.parts.timers])

    @property
    def lights(self) -> tuple[Light, ...]:
        """The light sources that move with the hero."""
        return self.parts.lights

    @cached_property
    def inventory(self) -> tuple[Obj, ...]:
        """The objects that the hero carries."""
        return read_objects(self.data, self.parts.inventory, self.context.edition)

    @cached_property
    def remembered(self) -> Mapping[int, Obj]:
        """What the hero remembers of objects, by the ids of these memories."""
        edition = self.context.edition
        return {obj.id: obj for index in self.parts.memories for obj in read_objects(self.data, index, edition)}

    @cached_property
    def migrating(self) -> tuple[Monster, ...]:
        """The monsters that are moving between levels."""
        return read_monsters(self.data, self.parts.migrating, self.context)

    @cached_property
    def mvitals(self) -> tuple[Vital, ...]:
        """The births and deaths of each species, by number."""
        return vitals_in(self.parts.mvitals, self.context.edition)

    @cached_property
    def spellbook(self) -> tuple[Spell, ...]:
        """The spells, by letter; slots without a spell have kind 0."""
        relative = -self.context.moves if self.context.encoding else 0
        kinds = numbers_of(self.context.edition).kinds
        return tuple(
            Spell(kinds[otyp] if 0 <= otyp < len(kinds) else otyp, level, unrotated(stored & 0xFFFFFFFF, 32, relative))
            for stored, otyp, level in _SPELL[self.context.edition].unpack_all(self.parts.spellbook)
        )

    @property
    def artifacts_exist(self) -> bytes:
        """By number, 1 for each artifact that was created."""
        return self.parts.artifacts_exist

    @property
    def artifacts_known(self) -> bytes:
        """The numbers of the discovered artifacts, then zeros."""
        return self.parts.artifacts_known

    @cached_property
    def oracles(self) -> tuple[int, ...]:
        """The offsets of the oracles that were not told yet."""
        return tuple(offset for (offset,) in _ORACLE.iter_unpack(self.parts.oracles))

    @property
    def current_fruit(self) -> Fruit:
        """The player's favourite fruit."""
        return self.parts.current_fruit

    @cached_property
    def fruits(self) -> tuple[Fruit, ...]:
        """All fruits that were named."""
        return _FRUIT.read_all(self.data[self.parts.fruits])

    @cached_property
    def discoveries(self) -> tuple[int, ...]:
        """The kinds in the order of their discovery, class by class; 0 for an empty slot."""
        return read_discoveries(self.data, self.parts.discoveries_at, self.context.edition)

    @cached_property
    def class_bytes(self) -> bytes:
        """The bytes of the class records, which are sound: what depends on these alone is the same for equal bytes."""
        records = class_bytes(self.data, self.parts.classes)
        try:
            classes_in(records, self.context.edition)
        except BadSave as error:
            error.offset = self.parts.classes[0] + (error.offset or 0)
            raise
        return records

    @cached_property
    def classes(self) -> tuple[ObjectClass, ...]:
        """The class record of each kind of object, by number."""
        return classes_in(self.class_bytes, self.context.edition)

    @cached_property
    def history(self) -> tuple[HistoryEntry, ...]:
        """The achievements, oldest first."""
        return tuple(self._history())

    def _history(self) -> Iterator[HistoryEntry]:
        for at in self.parts.history:
            turn, hidden, length = _ENTRY.unpack(self.data, at)
            start = at + _ENTRY.size
            yield HistoryEntry(turn, bool(hidden), text(self.data[start : start + length]))

    @cached_property
    def tracked_objects(self) -> tuple[TrackedObject, ...]:
        """The objects that the hero is working with, by slot; 6 is the ball, 7 the chain."""
        return _TRACKED.read_all(self.parts.tracked_objects)

    @cached_property
    def tracked_places(self) -> tuple[tuple[int, int], ...]:
        """The squares that the hero is working on."""
        return tuple(_PAIR.iter_unpack(self.parts.tracked_places))


@lru_cache(maxsize=8)
def vitals_in(records: bytes, edition: str) -> tuple[Vital, ...]:
    """The births and deaths that are stored, by our numbers: the same for many turns."""
    numbers = numbers_of(edition).species
    vitals = [_NEVER] * (max(numbers) + 1)
    for number, vital in zip(numbers, _VITAL.read_all(records), strict=True):
        vitals[number] = vital
    return tuple(vitals)


def walk_state(cursor: Cursor, context: Context, *, on_water: bool, pack: Index = (), levels: int = 0) -> State:
    """Read the state at the cursor, which ends the save; `on_water` is whether the hero is on the Plane of Water.

    `pack` is what the hero carries, for an engine that stores it elsewhere, `levels` the number of visited levels.
    Raises :class:`BadSave`.
    """
    cursor.magic(_MAGIC, "game state")
    found: dict[str, Any] = {"inventory": pack, "water": None, "random_monsters": b"", "chest": (), "memories": ()}
    for name in _ORDER[cursor.edition]:
        if name != "water" or on_water:
            found[name] = _SECTIONS[name](cursor, levels)
    return State(cursor.data, context, _Parts(**found))


def _taking(size: int, what: str) -> Callable[[Cursor, int], bytes]:
    """A function that takes a section of a fixed size."""
    return lambda cursor, levels: cursor.take(size, what)


_SECTIONS: Final[dict[str, Callable[[Cursor, int], Any]]] = {
    "next_timer_id": lambda cursor, levels: cursor.word("next timer id"),
    "timers": lambda cursor, levels: cursor.rows(TIMER.size, "global timers"),
    "lights": lambda cursor, levels: walk_lights(cursor, "global lights"),
    "inventory": lambda cursor, levels: walk_objects(cursor, "inventory"),
    "migrating": lambda cursor, levels: walk_monsters(cursor, "migrating monsters"),
    "mvitals": lambda cursor, levels: cursor.take(_VITAL.size * len(numbers_of(cursor.edition).species), "mvitals"),
    "spellbook": lambda cursor, levels: cursor.take(_SPELL[cursor.edition].size * _SPELLS, "spellbook"),
    "artifacts_exist": _taking(_ARTIFACTS_EXIST, "artifacts"),
    "artifacts_known": _taking(_ARTIFACTS_KNOWN, "artifacts"),
    "oracles": lambda cursor, levels: cursor.many(_ORACLE.size, "oracles"),
    "current_fruit": lambda cursor, levels: cursor.record(_FRUIT, "fruit"),
    "fruits": lambda cursor, levels: _FRUITS[cursor.edition](cursor),
    "discoveries_at": lambda cursor, levels: walk_discoveries(cursor),
    "classes": lambda cursor, levels: walk_classes(cursor),
    "water": lambda cursor, levels: _walk_water(cursor),
    "rng": _taking(_RNG, "RNG state"),
    "hero_track": _taking(_HERO_TRACK, "hero track"),
    "track_counters": _taking(_TRACK_COUNTERS, "hero track"),
    "random_monsters": _taking(_RANDOM_MONSTERS, "random monsters"),
    "history": lambda cursor, levels: tuple(_walk_history(cursor)),
    "chest": lambda cursor, levels: walk_objects(cursor, "magic chest"),
    "memories": lambda cursor, levels: tuple(walk_objects(cursor, "remembered objects") for _ in range(levels + 1)),
    "tracked_objects": _taking(_TRACKED.size * _TRACKED_OBJECTS, "tracked objects"),
    "tracked_places": _taking(_PAIR.size * _TRACKED_PLACES, "tracked places"),
}
_ORDER: Final = {
    NETHACK4: tuple(name for name in _SECTIONS if name not in ("chest", "memories")),
    FIQHACK_18: tuple(name for name in _SECTIONS if name not in ("inventory", "random_monsters", "chest")),
    FIQHACK_21: tuple(name for name in _SECTIONS if name not in ("inventory", "random_monsters")),
}
"""The sections of an edition's saves, in their order."""


def _walk_fruits(cursor: Cursor) -> slice:
    cursor.magic(_FRUITS_MAGIC, "fruits")
    return cursor.rows(_FRUIT.size, "fruits")


def _walk_fiqhacks_fruits(cursor: Cursor) -> slice:
    """The number is far too large, so that old bones can be told; the revision follows."""
    cursor.magic(_FRUITS_MAGIC, "fruits")
    at = cursor.at
    number = cursor.word("fruits") - fiqhack.FRUITS
    cursor.word("revision")
    most = (len(cursor.data) - cursor.at) // _FRUIT.size
    if not 0 <= number <= most:
        raise BadSave("number of fruits", offset=at, expected=f"0 to {most}", found=number)
    start = cursor.skip(_FRUIT.size * number, "fruits")
    return slice(start, cursor.at)


_FRUITS: Final[dict[str, Callable[[Cursor], slice]]] = {
    NETHACK4: _walk_fruits,
    **dict.fromkeys(FIQHACKS, _walk_fiqhacks_fruits),
}


def _walk_water(cursor: Cursor) -> WaterLevel:
    number = cursor.count(_BUBBLE.size, "bubbles")
    up = cursor.data[cursor.skip(1, "bubbles")]
    return WaterLevel(up, _BUBBLE.read_all(cursor.take(number * _BUBBLE.size, "bubbles")))


def _walk_history(cursor: Cursor) -> Iterator[int]:
    """The offsets of the history entries."""
    cursor.magic(_HISTORY, "history")
    for _ in range(cursor.count(_ENTRY.size, "history")):
        yield cursor.at
        cursor.skip(cursor.record(_ENTRY, "history").length, "history")
