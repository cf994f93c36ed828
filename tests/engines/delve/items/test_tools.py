"""Lights, keys, pick-axes and whistles."""

import pytest

from nhlog.engines.delve.world.kinds import (
    TOOL,
)
from nhlog.engines.delve.world.powers import light_radius
from nhlog.engines.delve.world.sight import visible_monsters
from nhlog.engines.delve.world.state import (
    ASLEEP,
)
from nhlog.engines.delve.world.terrain import CLOSED, CORRIDOR, LIT, LOCKED, WALL
from nhlog.log.wire.lines import (
    DirectionAnswer,
)
from tests.engines.delve.arena import HERE, YES, Arena, names, strong, until


@pytest.mark.parametrize("name", names(TOOL))
def test_a_tool_can_be_used(name: str) -> None:
    arena = strong()
    told = arena.with_item("apply", arena.give(name), answers=[DirectionAnswer(4), YES])
    assert told


@pytest.mark.parametrize("name", ["torch", "brass lantern"])
def test_a_light_burns_down(name: str) -> None:
    arena = Arena(1, "Ranger").strong()
    letter = arena.give(name, extra=12)
    before = light_radius(arena.world)
    arena.with_item("apply", letter)
    assert light_radius(arena.world) > before
    assert "goes out" in arena.wait(14)
    assert light_radius(arena.world) == before
    assert "burnt out" in arena.with_item("apply", letter)


def test_a_light_shows_the_dark() -> None:
    arena = strong()
    level = arena.world.level
    level.terrain[:] = bytes(byte & ~LIT for byte in level.terrain)
    rat = arena.monster("cave rat", 4, flags=ASLEEP, timer=50)
    assert rat not in visible_monsters(arena.world)
    arena.with_item("apply", arena.give("brass lantern"))
    assert rat in visible_monsters(arena.world)


def test_a_key_locks_and_unlocks() -> None:
    def opened(arena: Arena) -> bool:
        arena.world.level.terrain[HERE + 1] = LOCKED | LIT
        arena.with_item("apply", arena.give("skeleton key"), answers=[DirectionAnswer(4), YES])
        return arena.world.level.terrain[HERE + 1] == CLOSED | LIT

    until(opened)
    until(lambda arena: not opened(arena))


def test_a_pick_axe_digs() -> None:
    arena = strong()
    arena.world.level.terrain[HERE + 1] = WALL
    letter = arena.give("pick-axe")
    for _ in range(20):
        arena.with_item("apply", letter, answers=[DirectionAnswer(4)])
    assert arena.world.level.terrain[HERE + 1] == CORRIDOR


def test_a_whistle_wakes_all() -> None:
    arena = strong()
    rat = arena.monster("cave rat", 15, 3, flags=ASLEEP)
    arena.with_item("apply", arena.give("tin whistle"))
    assert not rat.flags & ASLEEP
