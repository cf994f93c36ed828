"""Steps, doors, traps, and what is in the way."""

import pytest

from nhlog.engines.delve.world.board import WIDTH
from nhlog.engines.delve.world.state import HELD, Trap
from nhlog.engines.delve.world.terrain import (
    BROKEN,
    CLOSED,
    LIT,
    LOCKED,
    OPEN,
    SECRET,
    WALL,
    WATER,
)
from nhlog.engines.delve.world.traps import TRAPS
from nhlog.engines.prompts import AskYesNo
from nhlog.log.wire.lines import Argument
from tests.engines.delve.arena import HERE, NO, ground, strong

PIT = next(number for number, trap in enumerate(TRAPS) if trap.name == "pit")


def test_without_stairs_there_is_no_way() -> None:
    arena = strong()
    turn = arena.game.turn
    assert "know no stairs down" in arena.do("down")
    assert "know no stairs up" in arena.do("up")
    assert arena.game.turn == turn


def test_a_step_takes_a_turn_and_a_wall_none() -> None:
    arena = strong()
    arena.towards("move", 0)
    assert arena.game.here[1] == HERE % WIDTH - 1
    turn = arena.game.turn
    ground(arena, 0, WALL)
    arena.towards("move")
    assert arena.game.turn == turn


def test_deep_water_is_not_walked_into_but_floated_over() -> None:
    arena = strong()
    ground(arena, 1, WATER)
    assert "too deep" in arena.towards("move")
    arena.world.hero.floating = 9
    arena.towards("move")
    assert arena.world.hero.square == HERE + 1


def test_who_floats_too_long_over_water_is_dragged_away() -> None:
    arena = strong()
    ground(arena, 0, WATER)
    arena.world.hero.floating = 2
    arena.wait(1)
    assert arena.world.hero.square == HERE
    assert "a current drags you away" in arena.wait(2)
    assert arena.world.hero.square != HERE


def test_what_holds_the_hero_must_be_torn_off() -> None:
    arena = strong()
    arena.monster("pale lichen", 1, hp=90, flags=HELD)
    arena.world.hero.strength = 3
    told = arena.towards("move", 0)
    assert "cannot get away" in told or "tear yourself away" in told
    assert arena.world.hero.square == HERE


def test_doors_open_by_walking_and_by_hand_and_close() -> None:
    arena = strong()
    ground(arena, 1, CLOSED)
    arena.towards("move")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == OPEN
    arena.towards("close")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == CLOSED
    arena.towards("open")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == OPEN


def test_a_locked_door_is_kicked_in() -> None:
    arena = strong()
    ground(arena, 1, LOCKED)
    assert "locked" in arena.towards("open")
    for _ in range(20):
        arena.towards("kick")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == BROKEN


def test_searching_finds_doors_and_traps() -> None:
    arena = strong()
    ground(arena, 1, SECRET)
    arena.world.level.traps.append(Trap(PIT, HERE - 1))
    for _ in range(40):
        arena.do("search")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == CLOSED
    assert arena.world.level.traps[0].seen  # type: ignore[union-attr]


@pytest.mark.parametrize("number", range(1, len(TRAPS)))
def test_a_trap_springs_is_known_and_is_asked_about_then(number: int) -> None:
    arena = strong()
    arena.world.level.traps.append(Trap(number, HERE + 1))
    before = (arena.world.hero.hp, arena.world.hero.square, arena.game.turn)
    told = arena.towards("move")
    name = TRAPS[number].name
    hero = arena.world.hero
    happened = {
        "dart trap": "dart" in told,
        "pit": hero.stuck > 0,
        "snare": hero.stuck > 0,
        "alarm wire": "bells" in told,
        "sleep gas vent": arena.game.turn > before[2] + 4,
        "trapdoor": arena.game.state.endswith("Delve:2"),
        "fire jet": hero.hp < before[0],
        "standing stone of elsewhere": "somewhere else" in told,
    }
    assert happened[name]
    if name == "trapdoor":
        return
    assert arena.world.level.traps[0].seen  # type: ignore[union-attr]
    hero.stuck = 0
    hero.square = HERE
    arena.do("move", Argument("D", 4), answers=[NO])
    assert isinstance(arena.asked[-1], AskYesNo)
    assert hero.square == HERE


def test_who_floats_touches_no_trap() -> None:
    arena = strong()
    arena.world.level.traps.append(Trap(PIT, HERE + 1))
    arena.world.hero.floating = 9
    arena.towards("move")
    assert arena.world.hero.stuck == 0
