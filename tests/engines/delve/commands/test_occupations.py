"""What goes on for several turns stops by itself."""

from nhlog.engines.delve.world.board import WIDTH, square
from nhlog.engines.delve.world.sight import can_see, look_around
from nhlog.engines.delve.world.terrain import (
    BROKEN,
    CLOSED,
    FLOOR,
    LIT,
    STAIRS_DOWN,
    WALL,
)
from nhlog.engines.prompts import AskPosition
from nhlog.log.wire.lines import Argument, PositionAnswer
from tests.engines.delve.arena import HERE, ground, strong


def test_away_from_the_stairs_one_walks_to_those_that_are_known() -> None:
    arena = strong()
    ground(arena, 4, STAIRS_DOWN)
    assert "set out" in arena.do("down")
    while arena.game.incomplete:
        arena.do("repeat")
    assert arena.world.hero.square == HERE + 4
    arena.do("down")
    assert arena.game.state.endswith("Delve:2")


def test_running_is_one_turn_a_command_and_stops_by_itself() -> None:
    arena = strong()
    arena.towards("run")
    assert arena.world.hero.square == HERE + 1
    commands = 1
    while arena.game.incomplete:
        arena.do("repeat")
        commands += 1
    assert arena.world.hero.square == square(60, 10)
    assert commands == arena.game.turn


def test_what_comes_into_view_stops_a_run() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 8 + WIDTH * down] = WALL | LIT
    ground(arena, 8, BROKEN)
    arena.world.level.terrain[HERE + 8 - WIDTH] = BROKEN | LIT
    arena.monster("grey jelly", 12, -5)
    arena.towards("run")
    places = []
    while arena.game.incomplete:
        arena.do("repeat")
        places.append(arena.world.hero.square - HERE)
    assert can_see(arena.world, HERE + 12 - 5 * WIDTH)
    assert places[-1] < 8


def test_damage_stops_a_long_search() -> None:
    arena = strong()
    arena.do("search", Argument("L", 50))
    assert arena.game.incomplete
    arena.world.hero.poisoned = 3
    arena.do("repeat")
    assert not arena.game.incomplete


def test_travel_asks_where_and_goes_there() -> None:
    arena = strong()
    arena.do("travel", answers=[PositionAnswer((50, 14, "."))])
    assert isinstance(arena.asked[0], AskPosition)
    for _ in range(30):
        if arena.game.incomplete:
            arena.do("repeat")
    assert arena.game.here[1:] == (50, 14)


def test_travel_goes_around_known_traps_and_through_doors() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
    arena.world.level.terrain[HERE + 3] = CLOSED | LIT
    look_around(arena.world)
    arena.world.level.memory[HERE + 5] = FLOOR + 1
    arena.do("travel", Argument("P", (HERE % WIDTH + 5, 10)))
    for _ in range(12):
        if arena.game.incomplete:
            arena.do("repeat")
    assert arena.world.hero.square == HERE + 5
