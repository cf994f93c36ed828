"""The state of a game besides its levels (save spec section 4).

Reading it only finds its end; its parts are unpacked on access.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, NamedTuple

from nhlog.nethack4.save.chains import Index, walk_monsters, walk_objects
from nhlog.nethack4.save.kinds import KINDS, ObjectClass, read_classes, walk_classes, walk_discoveries
from nhlog.nethack4.save.levels.timers import TIMER, Light, Timer, walk_lights
from nhlog.nethack4.save.monsters import Context, Monster, read_monsters
from nhlog.nethack4.save.objects import Obj, read_objects
from nhlog.nethack4.save.wire import I8, I16, I32, U8, U32, Cursor, Layout, check, text, unrotated

__all__ = ["Bubble", "Fruit", "HistoryEntry", "Spell", "State", "TrackedObject", "Vital", "WaterLevel", "walk_state"]

_MAGIC, _FRUITS, _HISTORY = b"STAT", b"FRCH", b"HIST"
_SPECIES: Final = 381
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
_DISCOVERIES: Final = struct.Struct(f"<{KINDS}I")


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
_SPELL: Final = Layout(_SpellRecord, 7)
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
        return read_objects(self.data, self.parts.inventory)

    @cached_property
    def migrating(self) -> tuple[Monster, ...]:
        """The monsters that are moving between levels."""
        return read_monsters(self.data, self.parts.migrating, self.context)

    @cached_property
    def mvitals(self) -> tuple[Vital, ...]:
        """The births and deaths of each species, by number."""
        return _VITAL.read_all(self.parts.mvitals)

    @cached_property
    def spellbook(self) -> tuple[Spell, ...]:
        """The spells, by letter; slots without a spell have kind 0."""
        relative = -self.context.moves if self.context.encoding else 0
        return tuple(
            Spell(otyp, level, unrotated(stored & 0xFFFFFFFF, 32, relative))
            for stored, otyp, level in _SPELL.unpack_all(self.parts.spellbook)
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
        at = self.parts.discoveries_at
        kinds: tuple[int, ...] = _DISCOVERIES.unpack_from(self.data, at)
        check(max(kinds), range(KINDS), "kind discovered", at)
        return kinds

    @cached_property
    def classes(self) -> tuple[ObjectClass, ...]:
        """The class record of each kind of object, by number."""
        return read_classes(self.data, self.parts.classes)

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


def walk_state(cursor: Cursor, context: Context, *, on_water: bool) -> State:
    """Read the state at the cursor, which ends the save; `on_water` is whether the hero is on the Plane of Water.

    Raises :class:`BadSave`.
    """
    cursor.magic(_MAGIC, "game state")
    return State(
        cursor.data,
        context,
        _Parts(
            next_timer_id=cursor.word("next timer id"),
            timers=cursor.rows(TIMER.size, "global timers"),
            lights=walk_lights(cursor, "global lights"),
            inventory=walk_objects(cursor, "inventory"),
            migrating=walk_monsters(cursor, "migrating monsters"),
            mvitals=cursor.take(_VITAL.size * _SPECIES, "mvitals"),
            spellbook=cursor.take(_SPELL.size * _SPELLS, "spellbook"),
            artifacts_exist=cursor.take(_ARTIFACTS_EXIST, "artifacts"),
            artifacts_known=cursor.take(_ARTIFACTS_KNOWN, "artifacts"),
            oracles=cursor.many(_ORACLE.size, "oracles"),
            current_fruit=cursor.record(_FRUIT, "fruit"),
            fruits=_walk_fruits(cursor),
            discoveries_at=walk_discoveries(cursor),
            classes=walk_classes(cursor),
            water=_walk_water(cursor) if on_water else None,
            rng=cursor.take(_RNG, "RNG state"),
            hero_track=cursor.take(_HERO_TRACK, "hero track"),
            track_counters=cursor.take(_TRACK_COUNTERS, "hero track"),
            random_monsters=cursor.take(_RANDOM_MONSTERS, "random monsters"),
            history=tuple(_walk_history(cursor)),
            tracked_objects=cursor.take(_TRACKED.size * _TRACKED_OBJECTS, "tracked objects"),
            tracked_places=cursor.take(_PAIR.size * _TRACKED_PLACES, "tracked places"),
        ),
    )


def _walk_fruits(cursor: Cursor) -> slice:
    cursor.magic(_FRUITS, "fruits")
    return cursor.rows(_FRUIT.size, "fruits")


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
