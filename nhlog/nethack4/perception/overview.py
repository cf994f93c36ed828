"""The visited levels, as listed in the game's dungeon overview.

The information about a level is what the hero remembers of it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from nhlog.nethack4.names.english import articled
from nhlog.nethack4.names.gods import CHAOTIC, LAWFUL, NEUTRAL, UNALIGNED, altar_alignment, god_name
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.levels.locations import ALTARS, ROWNO
from nhlog.nethack4.save.save import Save
from nhlog.values import dataclass

__all__ = ["LevelNote", "overview_of"]

# Backgrounds, room types, traps by number.
_STAIRS: Final = range(28, 34)
_FLOOR, _TREE, _THRONE, _SINK, _FOUNTAIN = 14, 27, 36, 37, 38
_COUNTED: Final = {_FOUNTAIN: "fountain", _SINK: "sink", _THRONE: "throne", _TREE: "tree"}
_SANCTUM: Final = 16  # flag of an altar
_TEMPLE, _FIRST_SHOP = 10, 14
_SHOPS: Final = (
    *("a general store", "an armor shop", "a scroll shop", "a potion shop", "a weapon shop", "a delicatessen"),
    *("a jewelry store", "a wand shop", "a hardware shop", "a bookstore", "a lighting shop"),
)
_PORTAL: Final = 18
_ORDINARY_ROOMS, _SUBROOMS = 3, 41  # the first of either by number, the second counted from the first
_SEVERAL: Final = 3  # what the game calls some; more are many


@dataclass(frozen=True, slots=True)
class LevelNote:
    """A visited level: the level, the lines for its dungeon and itself in the game's words, and its features."""

    level: Level
    dungeon: str
    title: str
    features: tuple[str, ...]


def overview_of(save: Save) -> Iterator[LevelNote]:
    """All visited levels, dungeon by dungeon, from the top."""
    for level in save.visited:
        yield LevelNote(level, _dungeon(save, level), _title(save, level), tuple(_features(save, level)))


def _is_apart(save: Save, level: Level) -> bool:
    """Whether its dungeon numbers its levels from 1, independently of their depth."""
    topology = save.dungeons.topology
    return level.here.dnum in (topology.quest_dnum, topology.knox.dnum)


def _dungeon(save: Save, level: Level) -> str:
    dungeon = save.dungeons[level.here.dnum]
    start = 1 if _is_apart(save, level) else dungeon.depth_start
    entered, reached = start + dungeon.entry_lev - 1, start + dungeon.dunlev_ureached - 1
    if entered == reached or save.dungeons.is_endgame(level.here):
        return f"{dungeon.name}:"
    return f"{dungeon.name}: levels {min(entered, reached)} to {max(entered, reached)}"


def _title(save: Save, level: Level) -> str:
    number = level.here.dlevel if _is_apart(save, level) else save.dungeons.depth(level.here)
    if level.here == save.dungeons.topology.astral:
        title = "Astral Plane"
    else:
        title = f"Plane {-number}" if save.dungeons.is_endgame(level.here) else f"Level {number}"
    named = f" ({level.name})" if level.name else ""
    return title + named + (" <- You are here" if level is save.level else "")


def _features(save: Save, level: Level) -> Iterator[str]:
    """The level's features on one line, and its connections on another."""
    seen = [
        (square, memory.bg)
        for square, (memory, seenv) in enumerate(zip(level.locations.memory, level.locations.seenv, strict=True))
        if seenv
    ]
    told = [*_shops(level, seen), *_altars(save, level, seen)]
    counted = Counter(bg for _, bg in seen)
    told += [_some(counted[bg], name) for bg, name in _COUNTED.items() if counted[bg]]
    if told:
        yield ", ".join(told)
    way = _way(save, level, [square for square, bg in seen if bg in _STAIRS])
    if way:
        yield way


def _some(number: int, name: str) -> str:
    if number == 1:
        return articled(name)
    return f"{'some' if number <= _SEVERAL else 'many'} {name}s"


def _shops(level: Level, seen: list[tuple[int, int]]) -> Iterator[str]:
    rooms = {level.locations.room[square] for square, bg in seen if bg == _FLOOR}
    shops = [kind for kind in map(_room_types(level).get, rooms) if kind is not None and kind >= _FIRST_SHOP]
    if len(shops) > 1:
        yield _some(len(shops), "shop")
    elif shops and shops[0] - _FIRST_SHOP < len(_SHOPS):
        yield _SHOPS[shops[0] - _FIRST_SHOP]


def _room_types(level: Level) -> dict[int, int]:
    """The types of rooms, by the room numbers of their squares."""
    inner = [subroom for room in level.rooms for subroom in room.subrooms]
    numbered = ((_ORDINARY_ROOMS, level.rooms), (_ORDINARY_ROOMS + _SUBROOMS, inner))
    return {number: room.type for first, rooms in numbered for number, room in enumerate(rooms, first)}


def _altars(save: Save, level: Level, seen: list[tuple[int, int]]) -> Iterator[str]:
    """The altars: high altars without their god, the others with it, as temples if each is in one."""
    places = level.locations
    altars = [square for square, bg in seen if bg in ALTARS]
    plain = [square for square in altars if not places.flags[square] & _SANCTUM]
    if len(plain) < len(altars):
        yield _some(len(altars) - len(plain), "high altar")
    if plain:
        types = _room_types(level)
        are_temples = all(types.get(places.room[square]) == _TEMPLE for square in plain)
        found = {altar_alignment(places.flags[square]) for square in plain}
        gods = [god_name(save, one) for one in (LAWFUL, NEUTRAL, CHAOTIC, UNALIGNED) if one in found]
        yield f"{_some(len(plain), 'temple' if are_temples else 'altar')} to {_listed(gods)}"


def _listed(names: list[str]) -> str:
    """A list in words: ``Tyr``, ``Tyr and Odin``, ``Tyr, Odin, and Loki``."""
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"


def _way(save: Save, level: Level, stairs: list[int]) -> str:
    """A portal or stairs to another dungeon, with its name if the hero was there."""
    visited = {(other.here.dnum, other.here.dlevel) for other in save.levels.values()}
    for trap in level.traps:
        if trap.seen and trap.type == _PORTAL:
            is_known = (trap.to_dnum, trap.to_dlevel) in visited
            return f"portal to {save.dungeons[trap.to_dnum].name}" if is_known else "a magic portal"
    special = level.stairs.get("special")
    if special is None or special.dnum == level.here.dnum or special.x * ROWNO + special.y not in stairs:
        return ""
    is_known = (special.dnum, special.dlevel) in visited
    return f"stairs to {save.dungeons[special.dnum].name}" if is_known else "a long staircase"
