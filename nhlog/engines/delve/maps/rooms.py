"""Halls: rooms by binary space partition, doors, and passages between them.

Every hall can be reached without finding a secret door.
"""

from itertools import pairwise
from typing import Final

from nhlog.engines.delve.maps.ground import dig_passage, stairs_apart
from nhlog.engines.delve.world.board import WIDTH, square
from nhlog.engines.delve.world.dice import Dice
from nhlog.engines.delve.world.state import Level
from nhlog.engines.delve.world.terrain import (
    ALTAR,
    BROKEN,
    CLOSED,
    CORRIDOR,
    FLOOR,
    FOUNTAIN,
    LIT,
    LOCKED,
    OPEN,
    ROCK,
    SECRET,
    WALL,
)
from nhlog.values import NamedTuple

__all__ = ["Room", "dark_rooms", "dig_room", "rooms"]

LEAST: Final = (13, 6)  # columns and rows of a part that is not split
MOST: Final = (24, 10)  # above which it must be
_DOORS: Final = (BROKEN, BROKEN, OPEN, CLOSED, CLOSED, CLOSED, LOCKED)


class Room(NamedTuple):
    """A room by its floor: first column and row, last column and row."""

    left: int
    top: int
    right: int
    bottom: int

    def squares(self) -> list[int]:
        """The squares of its floor."""
        return [square(x, y) for y in range(self.top, self.bottom + 1) for x in range(self.left, self.right + 1)]


def rooms(level: Level, dice: Dice) -> None:
    """Make halls, darker at greater depths."""
    _build(level, dice, lit=max(109 - 9 * level.depth, 15))


def dark_rooms(level: Level, dice: Dice) -> None:
    """Make halls without any light."""
    _build(level, dice, lit=0)


def _build(level: Level, dice: Dice, lit: int) -> None:
    found: list[Room] = []
    for part in _parts(dice):
        found.append(_room_in(part, dice))
    for room in found:
        dig_room(level, room, lit=dice.percent(lit))
    order = sorted(range(len(found)), key=lambda number: (found[number].left + found[number].right, number))
    pairs = list(pairwise(order))
    for number, (a, b) in enumerate(pairs):
        _connect(level, dice, found[a], found[b], secret=False)
        if number % 2 and dice.one_in(2):
            _connect(level, dice, found[a], found[dice.pick(order)], secret=True)
    plain = [at for room in found for at in room.squares()]
    stairs_apart(level, dice, plain)
    if dice.one_in(3):
        _put(level, dice, plain, FOUNTAIN)
    if dice.one_in(5):
        _put(level, dice, plain, ALTAR)


def _parts(dice: Dice) -> list[tuple[int, int, int, int]]:
    """The parts of the board, one for each room: first column and row, numbers of columns and rows."""
    from tcod.bsp import BSP

    board = BSP(x=1, y=1, width=WIDTH - 2, height=19)
    waiting, leaves = [board], []
    while waiting:
        part = waiting.pop()
        across, down = part.width >= 2 * LEAST[0], part.height >= 2 * LEAST[1]
        must = part.width > MOST[0] or part.height > MOST[1]
        if (across or down) and (must or dice.one_in(3)):
            horizontal = down and (not across or part.height > MOST[1] or dice.one_in(3))
            size, least = (part.height, LEAST[1]) if horizontal else (part.width, LEAST[0])
            at = (part.y if horizontal else part.x) + dice.between(least, size - least)
            part.split_once(horizontal=horizontal, position=at)
            waiting += part.children
        else:
            leaves.append((part.x, part.y, part.width, part.height))
    return leaves


def _room_in(part: tuple[int, int, int, int], dice: Dice) -> Room:
    """A room in a part, with one square of rock and one of wall between it and the part's edge."""
    x, y, width, height = part
    across, down = dice.between(4, min(width - 4, 15)), dice.between(2, max(height - 4, 2))
    left = x + 2 + dice.below(max(width - 3 - across, 1))
    top = y + 1 + dice.below(max(height - 2 - down, 1))
    return Room(left, top, min(left + across, WIDTH - 3) - 1, min(top + down - 1, 18))


def dig_room(level: Level, room: Room, *, lit: bool) -> None:
    """Dig the floor of a room, and put walls around it."""
    light = LIT if lit else 0
    for y in range(room.top - 1, room.bottom + 2):
        for x in range(room.left - 1, room.right + 2):
            inner = room.left <= x <= room.right and room.top <= y <= room.bottom
            level.terrain[square(x, y)] = (FLOOR if inner else WALL) | light


def _connect(level: Level, dice: Dice, a: Room, b: Room, *, secret: bool) -> None:
    """Dig a passage between two rooms, with a door at either end."""
    if a == b:
        return
    ends = [_door(level, dice, a, b), _door(level, dice, b, a)]
    (door, outside), (other, beyond) = ends
    if 0 in (outside, beyond) or not dig_passage(level, outside, beyond):
        return
    kinds = (SECRET, CLOSED) if secret else (dice.pick(_DOORS), dice.pick(_DOORS))
    for at, kind in ((door, kinds[0]), (other, kinds[1])):
        if level.terrain[at] & ~LIT == WALL:
            level.terrain[at] = kind | level.terrain[at] & LIT


def _door(level: Level, dice: Dice, room: Room, other: Room) -> tuple[int, int]:
    """A square of the room's wall that faces the other room, and the one outside it; zeros if there is none."""
    for _ in range(20):
        x, y = dice.between(room.left, room.right), dice.between(room.top, room.bottom)
        if other.left > room.right + 2 and dice.below(3):
            door, step = square(room.right + 1, y), 1
        elif other.right < room.left - 2 and dice.below(3):
            door, step = square(room.left - 1, y), -1
        elif other.top > room.bottom:
            door, step = square(x, room.bottom + 1), WIDTH
        else:
            door, step = square(x, room.top - 1), -WIDTH
        outside = door + step
        if (
            WIDTH < outside < WIDTH * 20
            and 0 < outside % WIDTH < WIDTH - 1
            and level.terrain[outside] in (ROCK, CORRIDOR)
        ):
            return door, outside
    return 0, 0


def _put(level: Level, dice: Dice, places: list[int], kind: int) -> None:
    at = dice.pick(places)
    if level.terrain[at] & ~LIT == FLOOR:
        level.terrain[at] = kind | level.terrain[at] & LIT
