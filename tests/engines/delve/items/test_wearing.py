"""Armour, rings and amulets: put on, taken off, and what they give."""

import pytest

from nhlog.engines.delve.perception import describe
from nhlog.engines.delve.world.board import WIDTH
from nhlog.engines.delve.world.kinds import (
    AMULET,
    ARMOUR,
    KINDS,
    RING,
    number_of,
)
from nhlog.engines.delve.world.powers import armour_class, has, light_radius, strength
from nhlog.engines.delve.world.sight import visible_monsters
from nhlog.engines.delve.world.state import (
    WORN,
)
from nhlog.engines.delve.world.terrain import WALL
from tests.engines.delve.arena import HERE, Arena, names, strong


@pytest.mark.parametrize("name", names(ARMOUR))
def test_armour_is_worn_and_taken_off(name: str) -> None:
    arena = Arena(1, "Rogue").strong()
    for item in arena.world.worn():
        item.flags &= ~WORN
    letter = arena.give(name)
    before = armour_class(arena.world)
    arena.with_item("wear", letter)
    assert armour_class(arena.world) == before - KINDS[number_of(name)].armour
    arena.with_item("takeoff", letter)
    assert armour_class(arena.world) == before


def test_heavy_armour_takes_turns_to_put_on() -> None:
    arena = Arena(1, "Wizard").strong()
    for item in arena.world.worn():
        item.flags &= ~WORN
    before = arena.game.turn
    arena.with_item("wear", arena.give("plate mail"))
    assert arena.game.turn - before == 5


def test_two_cannot_be_worn_in_one_place() -> None:
    arena = Arena(1)
    assert "already" in arena.with_item("wear", arena.give("ring mail"))


def test_might_stealth_and_light_come_with_what_is_worn() -> None:
    arena = Arena(1, "Priest").strong()
    arena.with_item("wear", arena.give("gauntlets of might"))
    assert strength(arena.world) == 23
    arena.with_item("wear", arena.give("felt boots"))
    assert has(arena.world, "stealth")
    before = light_radius(arena.world)
    arena.with_item("wear", arena.give("miner's helm"))
    assert light_radius(arena.world) > before


@pytest.mark.parametrize("name", names(RING) + names(AMULET))
def test_a_ring_or_an_amulet_is_put_on_and_removed(name: str) -> None:
    arena = strong()
    letter = arena.give(name)
    arena.with_item("puton", letter)
    assert arena.item(letter).flags & WORN
    arena.wait(30)
    arena.with_item("remove", letter)
    assert not arena.item(letter).flags & WORN


def test_rings_do_what_they_are_called() -> None:
    arena = Arena(1)
    before = armour_class(arena.world), strength(arena.world)
    arena.with_item("puton", arena.give("ring of protection", bonus=2))
    arena.with_item("puton", arena.give("ring of strength", bonus=-3))
    assert (armour_class(arena.world), strength(arena.world)) == (before[0] - 2, before[1] - 3)
    assert "no finger free" in arena.with_item("puton", arena.give("ring of stealth"))


def test_regeneration_heals_and_hunger_hungers() -> None:
    arena = Arena(1)
    arena.world.hero.hp = 5
    arena.with_item("puton", arena.give("ring of regeneration"))
    arena.wait(10)
    assert arena.world.hero.hp >= 15
    assert arena.world.hero.nutrition < 900 - 11


def test_restlessness_moves_its_bearer_about() -> None:
    arena = strong()
    arena.with_item("puton", arena.give("ring of restlessness"))
    arena.wait(300)
    assert arena.world.hero.square != HERE


def test_sensing_shows_minds_behind_walls() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL
    rat = arena.monster("cave rat", 8)
    assert rat not in visible_monsters(arena.world)
    arena.with_item("puton", arena.give("amulet of sensing"))
    assert rat in visible_monsters(arena.world)
    assert "felt from afar" in describe(arena.game, rat.square)


def test_lead_keeps_power_from_coming_back() -> None:
    arena = Arena(1, "Wizard")
    arena.with_item("puton", arena.give("amulet of lead"))
    arena.world.hero.pw = 0
    arena.wait(60)
    assert arena.world.hero.pw == 0


def test_the_second_chance_is_taken() -> None:
    arena = Arena(1)
    arena.with_item("puton", arena.give("amulet of second chance"))
    arena.world.hero.hp = 1
    arena.world.hero.poisoned = 5
    assert "You live!" in arena.wait()
    assert arena.game.ending == ""
    assert arena.world.hero.hp == arena.world.hero.hp_most
