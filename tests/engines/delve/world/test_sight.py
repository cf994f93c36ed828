"""What the hero sees and remembers."""

from nhlog.engines.delve.perception import describe
from nhlog.engines.delve.world.board import WIDTH
from nhlog.engines.delve.world.sight import can_see, look_around
from nhlog.engines.delve.world.terrain import (
    CLOSED,
    FLOOR,
    LIT,
    OPEN,
    SECRET,
    WALL,
)
from tests.engines.delve.arena import HERE, ground, strong


def test_what_was_seen_is_remembered_and_what_is_dark_is_not_seen() -> None:
    arena = strong()
    level = arena.world.level
    assert can_see(arena.world, HERE + 20)
    level.terrain[:] = bytes(byte & ~LIT for byte in level.terrain)
    look_around(arena.world)
    assert not can_see(arena.world, HERE + 5)
    assert level.memory[HERE + 5] == FLOOR + 1
    assert describe(arena.game, HERE + 5) == "the floor, as you remember it"


def test_walls_and_closed_doors_stop_the_eye() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
    ground(arena, 3, CLOSED)
    assert not can_see(arena.world, HERE + 6)
    ground(arena, 3, OPEN)
    assert can_see(arena.world, HERE + 6)


def test_a_hidden_door_looks_like_the_wall() -> None:
    arena = strong()
    ground(arena, 1, SECRET)
    assert describe(arena.game, HERE + 1) == "a wall"
