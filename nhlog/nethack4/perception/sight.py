"""The hero's sight: line of sight, light, and obstacles (perception spec sections 2.1 to 2.4).

`could_see` has the squares that would be seen if lit, `in_sight` those that are seen.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from nhlog.nethack4.hero.properties import Properties
from nhlog.nethack4.perception.vision import Area, Opaque, area, disc, squares
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.levels.locations import COLNO, ROWNO
from nhlog.nethack4.save.monsters import Monster
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import KIND, table
from nhlog.values import dataclass

__all__ = ["DOOR", "LAMPLIGHT", "Sight", "circle", "is_on_map", "is_water", "sight_of"]

_SECRET_DOOR: Final = 14
_POOL, _MOAT, _WATER, _RAISED_DRAWBRIDGE = 16, 17, 18, 19
DOOR: Final = 22
LAMPLIGHT: Final = 2
_CLOUD: Final = 35
_WALLS: Final = frozenset((*range(1, 13), _SECRET_DOOR, DOOR))
_SHUT: Final = 0x1C  # closed, locked or trapped
_UNDER_DRAWBRIDGE: Final = 0x1C  # 0 is moat
_CLOSED_DOORS: Final = (24, 25)  # backgrounds that a mimic may pose as
_AS_FURNITURE, _AS_OBJECT = 1, 2
_PIT: Final = 1
_XRAY: Final = 3
_ORDINARY_ROOMS: Final = 3
_OBJECT: Final = 0  # type of a light


@cache
def circle(radius: int) -> tuple[int, ...]:
    """Half the width of each row of a disc, the middle row first."""
    return tuple(table("circle")[radius])


def is_on_map(x: int, y: int) -> bool:
    """Whether the coordinates are those of a square of the level."""
    return 0 <= x < COLNO and 0 <= y < ROWNO


@dataclass(frozen=True, slots=True)
class Sight:
    """The squares in sight, and those lit by temporary light sources."""

    opaque: Opaque
    could_see: Area
    in_sight: Area
    lamplit: Area
    lit: Sequence[bytes]  # what is always lit

    @property
    def light(self) -> list[bytes]:
        """For each square 0 if it is not in sight, `LAMPLIGHT` if it is lit by a lamp, else 1."""
        seen, lamp = (int.from_bytes(b"".join(area)) for area in (self.in_sight, self.lamplit))
        light = (seen + (seen & lamp)).to_bytes(COLNO * ROWNO)  # no byte is more than 2
        return [light[at : at + COLNO] for at in range(0, len(light), COLNO)]


def sight_of(save: Save, properties: Properties) -> Sight:
    """What the hero of a save sees of the level."""
    you, level, held = save.you, save.level, properties.held
    x, y = you.ux, you.uy
    opaque, lit = Opaque(_blocked(save, properties)), _rows(level.locations.lit)
    if you.swallowed:
        return Sight(opaque, area(), area(), area(), lit)
    could_see, in_sight = _at_once(save, opaque)
    lamplit = _lamplit(save, opaque, could_see)
    if "BLINDED" in held:
        return Sight(opaque, could_see, area(), lamplit, lit)
    if "XRAY_VISION" in held and save.here != save.dungeons.topology.rogue:
        for column, row in disc(x, y, circle(_XRAY)):
            in_sight[row][column] = could_see[row][column] = 1
    sight = Sight(opaque, could_see, in_sight, lamplit, lit)
    _add_lit(level, sight, x, y)
    return sight


def _at_once(save: Save, opaque: Opaque) -> tuple[Area, Area]:
    """The squares that could be seen, and those of them that need no light (the table of section 2.4)."""
    you, level = save.you, save.level
    x, y = you.ux, you.uy
    if save.here == save.dungeons.topology.rogue:
        return _rogue_room(level, x, y)
    if you.in_water and save.here != save.dungeons.topology.water:
        wet = area()
        for column, row in disc(x, y, circle(1)):
            wet[row][column] = is_water(level, column, row)
        return wet, [row[:] for row in wet]
    near = area()
    for column, row in disc(x, y, circle(1)):
        near[row][column] = 1
    if you.utrap and you.utraptype == _PIT:
        return near, [row[:] for row in near]
    could_see = opaque.seen_from(x, y)
    for column, row in disc(x, y, circle(1)):
        near[row][column] = could_see[row][column]
    return could_see, near


def is_water(level: Level, x: int, y: int) -> bool:
    """Whether the hero can be under water there."""
    terrain = level.locations.typ[x * ROWNO + y]
    under = level.locations.flags[x * ROWNO + y] & _UNDER_DRAWBRIDGE
    return terrain in (_POOL, _MOAT, _WATER) or (terrain == _RAISED_DRAWBRIDGE and not under)


def _rogue_room(level: Level, x: int, y: int) -> tuple[Area, Area]:
    could_see, in_sight = area(), area()
    number = level.locations.room[x * ROWNO + y] - _ORDINARY_ROOMS
    if 0 <= number < len(level.rooms):
        room = level.rooms[number]
        for row in range(max(room.ly - 1, 0), min(room.hy + 1, ROWNO - 1) + 1):
            for column in range(max(room.lx - 1, 0), min(room.hx + 1, COLNO - 1) + 1):
                could_see[row][column] = 1
                in_sight[row][column] = bool(room.lit)
    for column, row in disc(x, y, circle(1)):
        could_see[row][column] = in_sight[row][column] = 1
    return could_see, in_sight


def _add_lit(level: Level, sight: Sight, x: int, y: int) -> None:
    """Add the squares that are seen because they are lit; a wall must be lit on the hero's side."""
    lit, lamplit, in_sight = sight.lit, sight.lamplit, sight.in_sight
    for column, row in squares(sight.could_see):
        if in_sight[row][column] or not (lit[row][column] or lamplit[row][column]):
            continue
        if sight.opaque.blocked[row][column] and level.locations.typ[column * ROWNO + row] in _WALLS:
            side, above = column + (x > column) - (x < column), row + (y > row) - (y < row)
            if not (lit[above][side] or lamplit[above][side]):
                continue
        in_sight[row][column] = 1


def _rows(plane: bytes) -> list[bytes]:
    return [plane[y::ROWNO] for y in range(ROWNO)]


def _blocked(save: Save, properties: Properties) -> Area:
    """The squares that block sight (section 2.1)."""
    level = save.level
    blocking = _blocking(in_water=save.you.in_water)
    terrain = _rows(level.locations.typ)
    blocked = [bytearray(row.translate(blocking)) for row in terrain]
    for y, row in enumerate(terrain):
        x = row.find(DOOR)
        while x >= 0:
            blocked[y][x] = bool(level.locations.flags[x * ROWNO + y] & _SHUT)
            x = row.find(DOOR, x + 1)
    boulder = KIND["boulder"]
    for obj in level.objects:
        if obj.otyp == boulder and is_on_map(obj.x, obj.y):
            blocked[obj.y][obj.x] = 1
    sees_invisible = "SEE_INVIS" in properties.held
    for monster in level.monsters:
        if _poses_as_obstacle(monster, boulder) and (sees_invisible or not monster.invisible) and _on_map(monster):
            blocked[monster.y][monster.x] = 1
    return blocked


@cache
def _blocking(*, in_water: bool) -> bytes:
    """A translation table from terrain to whether it blocks sight."""
    opaque = {*range(16), _CLOUD, _WATER, *((_MOAT,) if in_water else ())}
    return bytes(typ in opaque for typ in range(256))


def _poses_as_obstacle(monster: Monster, boulder: int) -> bool:
    if monster.disguise_kind == _AS_FURNITURE:
        return monster.disguise in _CLOSED_DOORS
    return monster.disguise_kind == _AS_OBJECT and monster.disguise == boulder


def _on_map(thing: Monster) -> bool:
    return is_on_map(thing.x, thing.y)


def _lamplit(save: Save, opaque: Opaque, could_see: Area) -> Area:
    """The squares lit by light sources (temporary light, section 2.4)."""
    lit = area()
    lights = (*save.level.lights, *save.lights)
    if not lights:
        return lit
    hero = (save.you.ux, save.you.uy)
    owners = _owners(save)
    for light in lights:
        place = owners.get((light.type == _OBJECT, light.id))
        if place is None:
            continue
        for column, row in disc(*place, circle(min(light.range, len(table("circle")) - 1))):
            if place == hero or (column, row) == hero:
                seen_x, seen_y = (column, row) if place == hero else place
                clear = bool(could_see[seen_y][seen_x])
            else:
                clear = opaque.is_clear_between(*place, column, row)
            if clear:
                lit[row][column] = 1
    return lit


def _owners(save: Save) -> dict[tuple[bool, int], tuple[int, int]]:
    """The positions of possible light sources, by whether they are objects, and by id."""
    hero = (save.you.ux, save.you.uy)
    found = {(False, 0): hero}
    carried = [(obj, hero) for obj in save.inventory]
    carried += [(obj, (obj.x, obj.y)) for obj in save.level.objects if is_on_map(obj.x, obj.y)]
    for monster in save.level.monsters:
        if _on_map(monster):
            found[False, monster.id] = (monster.x, monster.y)
            carried += [(obj, (monster.x, monster.y)) for obj in monster.inventory]
    found.update({(True, obj.id): place for obj, place in carried})
    return found
