"""What goes on for several turns stops by itself."""

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.perception import describe, inventory
from nhlog.engines.delve.world.board import SIZE, WIDTH, distance, square
from nhlog.engines.delve.world.sight import can_see, look_around
from nhlog.engines.delve.world.state import KIND_MEMORY, Trap
from nhlog.engines.delve.world.terrain import (
    BROKEN,
    CLOSED,
    FLOOR,
    FOUNTAIN,
    LIT,
    LOCKED,
    STAIRS_DOWN,
    WALL,
)
from nhlog.engines.delve.world.traps import TRAPS
from nhlog.engines.prompts import AskPosition, Place
from nhlog.engines.protocol import NewGame
from nhlog.log.wire.lines import Argument, Command, PositionAnswer
from tests.engines.delve.arena import HERE, Arena, ground, strong


def finished(arena: Arena, name: str, *arguments: Argument) -> int:
    """Where the hero is when the command needs no more turns."""
    arena.do(name, *arguments)
    while arena.game.incomplete:
        arena.do("repeat")
    return arena.world.hero.square


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


def test_a_rush_goes_on_past_doors_to_where_nothing_leads_on() -> None:
    arena = strong()
    for down in (-1, 1):
        arena.world.level.terrain[HERE + 8 + WIDTH * down] = BROKEN | LIT
    ground(arena, 8, BROKEN)
    assert finished(arena, "run", Argument("D", 4)) == HERE + 7
    assert finished(arena, "rush", Argument("D", 4)) == square(60, 10)


def test_exploring_goes_to_items_and_stops_at_each_once() -> None:
    arena = strong()
    arena.lay("mace", 5)
    arena.lay("apple", -3)
    look_around(arena.world)
    assert finished(arena, "explore") == HERE - 3
    assert "You see here" in arena.game.messages[-1]
    assert finished(arena, "explore") == HERE + 5
    arena.do("explore")
    assert arena.game.messages == ("There is nothing left to explore.",)


def test_exploring_takes_what_lies_in_the_room_before_anything_else() -> None:
    """A priest who sees something seven squares away, and nearer a corner that nobody has looked around."""
    game = ENGINE.new(NewGame("Ann", "Priest", "human", "female", "lawful", 0, 11))
    [sword] = [item for item in game.world.level.items if item and game.world.level.memory[item.place] >= KIND_MEMORY]
    for name in ("welcome", "explore", *["repeat"] * 9):
        for _ in game.run(Command(name)):
            raise AssertionError
        if not game.incomplete and name != "welcome":
            break
    assert (game.world.hero.square, game.turn) == (sword.place, 7)


def test_by_earlier_rules_it_does_not() -> None:
    game = ENGINE.new(NewGame("Ann", "Priest", "human", "female", "lawful", 0, 11))
    game.world.rules = 2
    for name in ("welcome", "explore", *["repeat"] * 20):
        for _ in game.run(Command(name)):
            raise AssertionError
    assert game.messages == ("You see here a scroll labelled AKRA.",)


def test_one_who_does_not_move_keeps_nobody_from_exploring() -> None:
    for name, across, kept in (("grey jelly", 3, False), ("cave viper", 7, False), ("cave viper", 3, True)):
        arena = strong()
        arena.lay("mace", -5)
        look_around(arena.world)
        arena.monster(name, across)
        arena.do("explore")
        assert ("You cannot explore" in " ".join(arena.game.messages)) is kept


def test_without_stairs_that_are_known_one_is_told_what_finds_them() -> None:
    arena = strong()
    assert arena.game.at_once(Command("down")) == ("You know no stairs down on this level yet: x explores it.",)
    assert arena.game.at_once(Command("up")) == ("You know no stairs up on this level yet: x explores it.",)
    arena.world.rules = 2
    assert arena.game.at_once(Command("down")) == ("You cannot go down here.",)


def test_one_command_goes_to_the_nearest_and_strikes() -> None:
    arena = strong()
    assert arena.game.at_once(Command("attack")) == ("You see nobody to fight.",)
    arena.monster("grey jelly", 9, 3)
    nearest = arena.monster("grey jelly", -4, hp=900)
    arena.do("attack")
    arena.do("attack")
    arena.do("attack")
    assert arena.world.hero.square == HERE - 3
    for _ in range(30):
        arena.do("attack")
    assert (arena.world.hero.square, nearest.hp < nearest.most) == (HERE - 3, True)


def test_what_was_dropped_and_passed_is_in_no_inventory_as_ready() -> None:
    arena = strong()
    arena.lay("mace", 2)
    look_around(arena.world)
    finished(arena, "explore")
    arena.do("pickup")
    assert "ready" not in " ".join(arena.game.messages)
    assert not any("mace" in row.caption and "ready" in row.caption for row in inventory(arena.game))


def test_exploring_finds_what_lies_behind_a_door_and_tells_of_a_locked_one() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
    arena.world.level.terrain[HERE + 3] = LOCKED | LIT
    arena.world.level.memory[:] = bytes(SIZE)
    look_around(arena.world)
    assert distance(finished(arena, "explore"), HERE + 3) == 1
    assert "This door is locked." in arena.game.messages
    assert describe(arena.game, HERE + 3) == "a locked door"
    assert arena.game.at_once(Command("explore")) == ("There is nothing left to explore, but behind a locked door.",)
    ground(arena, 3, CLOSED)
    assert distance(finished(arena, "explore"), HERE + 3) == 1
    assert arena.game.messages[-1] == "The door opens."
    assert finished(arena, "explore") % WIDTH > HERE % WIDTH + 3


def test_exploring_stops_for_a_staircase_and_says_so() -> None:
    arena = strong()
    arena.world.level.memory[:] = bytes(SIZE)
    look_around(arena.world)
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 8 + WIDTH * down] = WALL | LIT
    ground(arena, 8, BROKEN)
    arena.world.level.terrain[HERE + 12 - 4 * WIDTH] = STAIRS_DOWN | LIT
    arena.world.level.memory[:] = bytes(SIZE)
    look_around(arena.world)
    finished(arena, "explore")
    assert "You find a staircase down." in arena.game.messages


def test_who_comes_into_view_stops_a_journey_and_is_named_and_nobody_explores_before_them() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 8 + WIDTH * down] = WALL | LIT
    ground(arena, 8, BROKEN)
    arena.monster("hill orc", 12, -5)
    at = finished(arena, "travel", Argument("P", (HERE % WIDTH + 11, 10)))
    assert HERE < at < HERE + 11
    assert "You stop: a hill orc comes into view." in arena.game.messages
    turn = arena.game.turn
    assert arena.do("explore") == "You cannot explore while you see a hill orc."
    assert arena.game.turn == turn


def test_travel_names_the_places_that_are_known_the_nearest_first() -> None:
    arena = strong()
    ground(arena, 9, STAIRS_DOWN)
    ground(arena, -4, FOUNTAIN)
    arena.do("travel", answers=[PositionAnswer(None)])
    asked = arena.asked[-1]
    assert isinstance(asked, AskPosition)
    x, y = HERE % WIDTH, HERE // WIDTH
    assert asked.places == (Place(x - 4, y, "{", "a spring"), Place(x + 9, y, ">", "a staircase down"))
    assert arena.game.turn == 1
    assert not arena.game.incomplete


def test_a_journey_knows_a_door_that_was_locked_once() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
    arena.world.level.terrain[HERE + 3] = LOCKED | LIT
    arena.world.level.terrain[HERE + 3 + 5 * WIDTH] = BROKEN | LIT
    look_around(arena.world)
    there = Argument("P", (HERE % WIDTH + 5, 10))
    arena.world.level.memory[HERE + 5] = FLOOR + 1
    assert finished(arena, "travel", there) == HERE + 2
    assert finished(arena, "travel", there) == HERE + 5


def test_nobody_explores_over_a_trap_that_a_thing_lies_on_and_all_leave_the_trap_they_are_in() -> None:
    arena = strong()
    pit = next(number for number, trap in enumerate(TRAPS) if trap.name == "pit")
    arena.world.level.traps += [Trap(pit, HERE + 3, 1), Trap(pit, HERE, 1)]
    arena.lay("mace", 3)
    arena.lay("dagger", 6)
    look_around(arena.world)
    assert finished(arena, "explore") == HERE + 6
    assert arena.do("explore") == "There is nothing left to explore."
    assert arena.asked == []
    arena.world.hero.square = HERE
    assert finished(arena, "travel", Argument("P", (HERE % WIDTH + 9, 10))) == HERE + 9


def test_who_cannot_come_keeps_nobody_from_exploring() -> None:
    arena = strong()
    arena.monster("grey jelly", 8)
    arena.lay("mace", 2)
    look_around(arena.world)
    assert finished(arena, "explore") == HERE + 2


def test_a_journey_goes_around_who_is_seen_in_the_way() -> None:
    arena = strong()
    arena.monster("grey jelly", 3)
    assert finished(arena, "travel", Argument("P", (HERE % WIDTH + 6, 10))) == HERE + 6
