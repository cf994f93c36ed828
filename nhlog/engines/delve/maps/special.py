"""Special levels: a maze, a great hall, and the hearth at the bottom.

Stairs are always reachable without digging.
"""

from typing import Final

from nhlog.engines.delve.maps.ground import enclose, floors, put_stairs, stairs_apart
from nhlog.engines.delve.maps.rooms import Room, dig_room
from nhlog.engines.delve.world.board import WIDTH, distance, square
from nhlog.engines.delve.world.dice import Dice
from nhlog.engines.delve.world.kinds import EMBER
from nhlog.engines.delve.world.species import SPECIES, species_named
from nhlog.engines.delve.world.state import ASLEEP, Engraving, Item, Level, Monster
from nhlog.engines.delve.world.terrain import ALTAR, BROKEN, CORRIDOR, FLOOR, LIT, LOCKED, SHALLOWS, WALL

__all__ = ["great_hall", "hearth", "maze"]

CENTRE: Final = square(39, 10)


def maze(level: Level, dice: Dice) -> None:
    """Make passages on every other column and row, with some of the dead ends opened."""
    start = (1, 1)
    level.terrain[square(*start)] = FLOOR
    way: list[tuple[int, int]] = [start]
    while way:
        x, y = way[-1]
        ahead = [
            (x + 2 * across, y + 2 * down)
            for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 < x + 2 * across < WIDTH - 1 and 0 < y + 2 * down < 20
        ]
        fresh = [place for place in ahead if not level.terrain[square(*place)]]
        if not fresh:
            way.pop()
            continue
        there = dice.pick(fresh)
        level.terrain[square((x + there[0]) // 2, (y + there[1]) // 2)] = FLOOR
        level.terrain[square(*there)] = FLOOR
        way.append(there)
    for _ in range(60):
        at = square(2 + 2 * dice.below(37), 1 + 2 * dice.below(10))
        level.terrain[at] = FLOOR
    enclose(level)
    stairs_apart(level, dice, floors(level))


def great_hall(level: Level, dice: Dice) -> None:
    """Make one hall as large as the level, with pillars."""
    dig_room(level, Room(2, 2, 76, 18), lit=dice.percent(70))
    light = level.terrain[CENTRE] & LIT
    for y in range(4, 18, 4):
        for x in range(6, 76, dice.between(6, 10)):
            level.terrain[square(x, y)] = WALL | light
    stairs_apart(level, dice, floors(level))


def hearth(level: Level, dice: Dice) -> None:
    """Make a ring of dark halls around the cold hearth, where the Ember lies and the Warden sleeps."""
    dig_room(level, Room(2, 2, 76, 18), lit=False)
    for at in floors(level):
        if distance(at, CENTRE) > 9 and dice.one_in(5):
            level.terrain[at] = WALL
    inner = Room(33, 7, 45, 13)
    dig_room(level, inner, lit=True)
    for y in (6, 14):
        level.terrain[square(39, y)] = BROKEN | LIT
    for x in (32, 46):
        level.terrain[square(x, 10)] = LOCKED | LIT
    for x, y in ((35, 8), (43, 8), (35, 12), (43, 12)):
        level.terrain[square(x, y)] = WALL | LIT
    for x in range(37, 42):
        level.terrain[square(x, 9)] = SHALLOWS | LIT
    level.terrain[CENTRE] = ALTAR | LIT
    _clear(level)
    up = dice.pick((square(4, 4), square(4, 16), square(74, 4), square(74, 16)))
    put_stairs(level, up, None)
    _guard(level, dice, inner)


def _clear(level: Level) -> None:
    """Clear a way around the halls, and one across, of rubble."""
    for x in range(2, 77):
        for y in (2, 4, 16, 18):
            level.terrain[square(x, y)] = FLOOR
    for y in range(2, 19):
        for x in (4, 74):
            level.terrain[square(x, y)] = FLOOR
    for y in (*range(2, 6), *range(15, 19)):
        level.terrain[square(39, y)] = CORRIDOR


def _guard(level: Level, dice: Dice, inner: Room) -> None:
    level.add_item(Item(EMBER), CENTRE)
    for name, count in (("Warden of Ash", 1), ("ember hound", 3), ("rattling bones", 2)):
        species = species_named(name)
        for _ in range(count):
            free = [at for at in inner.squares() if level.terrain[at] == FLOOR | LIT and at not in level.occupants]
            hp = dice.roll(SPECIES[species].level, 8) + (40 if count == 1 else 0)
            flags = ASLEEP if count == 1 else 0
            level.add_monster(Monster(species, dice.pick(free), hp, hp, flags=flags))
    level.engravings.append(Engraving(CENTRE + WIDTH, 200, "WHO CARRIES IT WAKES WHAT SLEEPS"))
