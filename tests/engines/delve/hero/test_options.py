"""The options of a game: what is picked up by walking, and what is asked first; all of it by commands of the log."""

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.hero.options import options_of
from nhlog.engines.delve.world.board import OFFSETS
from nhlog.engines.delve.world.state import Trap
from nhlog.engines.protocol import HasOptions
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Argument, YesNoAnswer
from tests.engines.delve.arena import EAST, HERE, Arena, text


def chosen(arena: Arena, what: str) -> str:
    return arena.do("option", Argument("T", Blob.of(what.encode() + b"\0")))


def carried(arena: Arena) -> set[str]:
    return {row["caption"].split(" ", 1)[1] for row in arena.game.record()["inventory"]}


def test_a_game_begins_with_the_first_value_of_each_option_and_saves_what_is_set() -> None:
    assert isinstance(ENGINE, HasOptions)
    arena = Arena()
    assert options_of(arena.world.hero) == {option.name: option.values[0] for option in ENGINE.options}
    for option in ENGINE.options:
        for value in (*option.values[1:], option.values[0], option.values[-1]):
            turn = arena.game.turn
            assert f"{option.name}: {value}.".casefold() in chosen(arena, f"{option.name}={value}").casefold()
            again = ENGINE.load(arena.game.save())
            assert again.record()["options"] == arena.game.record()["options"]
            assert (again.record()["options"][option.name], again.turn) == (value, turn)


def test_what_is_no_option_is_told() -> None:
    arena = Arena()
    assert "no option autodig" in chosen(arena, "autodig=on")
    assert "gold, magic, all, nothing" in chosen(arena, "autopickup=yes")
    assert "Confirm: off" in arena.do("option", answers=[text("confirm=off")])
    assert options_of(arena.world.hero) == {"autopickup": "gold", "confirm": "off"}


@pytest.mark.parametrize(
    ("value", "taken", "gold"),
    [("gold", "", 7), ("magic", "potion", 7), ("all", "potion dagger", 7), ("nothing", "", 0)],
)
def test_what_is_walked_over_is_picked_up(value: str, taken: str, gold: int) -> None:
    arena = Arena()
    chosen(arena, f"autopickup={value}")
    before = carried(arena)
    arena.lay("potion of sleep", 1)
    arena.lay("dagger", 1)
    arena.lay("corpse", 1)
    arena.lay("gold piece", 1, count=7)
    arena.towards("move", EAST)
    new = " ".join(carried(arena) - before)
    assert {word for word in ("potion", "dagger", "corpse") if word in new} == set(taken.split())
    assert arena.world.hero.gold == gold


def test_a_full_pack_takes_no_more() -> None:
    arena = Arena()
    chosen(arena, "autopickup=all")
    arena.world.hero.pack[:] = [arena.lay("torch", 5) for _ in arena.world.hero.pack]
    arena.world.level.items[:] = []
    there = arena.lay("ring mail", 1)
    assert "Your pack is full" in arena.towards("move", EAST)
    assert arena.world.level.items_at(HERE + OFFSETS[EAST]) == [there]


def test_without_confirmation_nothing_is_asked_before_a_prayer_or_a_trap() -> None:
    arena = Arena()
    arena.world.level.traps.append(Trap(1, HERE + OFFSETS[EAST], 1))
    assert arena.do("pray", answers=[YesNoAnswer("n")]) == ""
    chosen(arena, "confirm=off")
    assert arena.do("pray") != ""
    arena.towards("move", EAST)
    assert arena.world.hero.square == HERE + OFFSETS[EAST]
