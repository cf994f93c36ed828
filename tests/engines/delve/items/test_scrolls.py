"""Scrolls, read."""

import pytest

from nhlog.engines.delve.perception import describe
from nhlog.engines.delve.world.kinds import (
    SCROLL,
    number_of,
)
from nhlog.engines.delve.world.powers import armour_class
from nhlog.engines.delve.world.state import (
    BLESSED,
    CURSED,
    FLEEING,
    WORN,
)
from nhlog.engines.delve.world.terrain import FLOOR, LIT
from nhlog.engines.prompts import AskMenu, AskPosition
from nhlog.log.wire.lines import (
    MenuAnswer,
    PositionAnswer,
)
from tests.engines.delve.arena import HERE, Arena, inventory_of, names, strong


def read(name: str, *answers: object, arena: Arena | None = None, flags: int = 0) -> Arena:
    arena = arena or strong()
    arena.with_item("read", arena.give(name, flags=flags), answers=answers)  # type: ignore[arg-type]
    return arena


@pytest.mark.parametrize("name", names(SCROLL))
@pytest.mark.parametrize("flags", [0, BLESSED, CURSED])
def test_a_scroll_can_be_read_and_is_gone(name: str, flags: int) -> None:
    arena = strong()
    letter = arena.give(name, flags=flags)
    number = number_of(name)
    arena.with_item("read", letter, answers=[MenuAnswer(None)] if "identify" in name else [PositionAnswer(None)])
    assert not any(item is not None and item.kind == number for item in arena.world.hero.pack)


def test_identify_asks_which() -> None:
    arena = strong()
    arena.give("ring of hunger")
    letter = arena.give("wand of fire")
    arena.with_item("read", arena.give("scroll of identify"), answers=[MenuAnswer((2,))])
    (menu,) = arena.asked
    assert isinstance(menu, AskMenu)
    assert arena.known("wand of fire")
    assert "wand of fire (" in inventory_of(arena, letter)
    assert not arena.known("ring of hunger")


def test_enchanting_raises_and_uncurses() -> None:
    arena = strong()
    arena.item("a").flags |= CURSED
    read("scroll of enchant weapon", arena=arena)
    assert arena.item("a").bonus == 2
    assert not arena.item("a").flags & CURSED
    before = armour_class(arena.world)
    read("scroll of enchant armour", arena=arena)
    assert armour_class(arena.world) == before - 1
    read("scroll of rust", arena=arena)
    read("scroll of enchant weapon", arena=arena, flags=CURSED)
    assert arena.item("a").bonus == 1


def test_remove_curse_frees_what_is_worn() -> None:
    arena = strong()
    ring = arena.give("ring of hunger", flags=CURSED)
    arena.with_item("puton", ring)
    arena.with_item("remove", ring)
    assert arena.item(ring).flags & WORN
    read("scroll of remove curse", arena=arena)
    arena.with_item("remove", ring)
    assert not arena.item(ring).flags & WORN


def test_teleportation_goes_anywhere_and_when_blessed_where_one_wants() -> None:
    assert read("scroll of teleportation").world.hero.square != HERE
    arena = read("scroll of teleportation", PositionAnswer((25, 6, ".")), flags=BLESSED)
    assert isinstance(arena.asked[-1], AskPosition)
    assert arena.game.here[1:] == (25, 6)


def test_mapping_shows_the_level() -> None:
    arena = strong()
    arena.world.level.memory[:] = bytes(len(arena.world.level.memory))
    arena.world.hero.blind = 0
    read("scroll of mapping", arena=arena)
    assert arena.world.level.memory[HERE + 20] == FLOOR + 1
    assert "wall" in describe(arena.game, HERE + 22)


def test_light_lights_the_place() -> None:
    arena = strong()
    level = arena.world.level
    level.terrain[:] = bytes(byte & ~LIT for byte in level.terrain)
    read("scroll of light", arena=arena)
    assert level.terrain[HERE + 5] & LIT


def test_terror_makes_them_flee() -> None:
    arena = strong()
    ogre = arena.monster("cave ogre", 5, hp=50)
    read("scroll of terror", arena=arena)
    assert ogre.flags & FLEEING
    assert arena.known("scroll of terror")


def test_fire_burns_those_beside() -> None:
    arena = strong()
    ogre = arena.monster("cave ogre", 1, hp=60)
    read("scroll of fire", arena=arena)
    assert ogre.hp < 60
    assert arena.world.hero.hp < 900


def test_beckoning_brings_somebody() -> None:
    assert read("scroll of beckoning").world.level.live()


def test_return_brings_one_to_the_gate_after_a_while() -> None:
    arena = Arena(1, depth=1).strong()
    arena.world.level.depth = 3
    arena.world.order[:] = [3]
    read("scroll of return", arena=arena)
    arena.wait(30)
    assert arena.game.state.endswith("Delve:1")
    assert sorted(arena.world.order) == [1, 3]
