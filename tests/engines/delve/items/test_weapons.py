"""Weapons, wielded, thrown and shot."""

import pytest

from nhlog.engines.delve.world.kinds import (
    WEAPON,
)
from nhlog.engines.delve.world.state import (
    ASLEEP,
    CURSED,
    QUIVERED,
    WIELDED,
)
from nhlog.log.wire.lines import (
    Argument,
    KeyAnswer,
)
from tests.engines.delve.arena import Arena, names


@pytest.mark.parametrize("name", names(WEAPON))
def test_a_weapon_is_wielded_and_strikes(name: str) -> None:
    arena = Arena(1, "Ranger").strong()
    arena.with_item("wield", arena.give(name))
    assert arena.world.wielded() is not None
    ogre = arena.monster("cave ogre", 1, hp=300)
    for _ in range(25):
        arena.towards("fight")
    assert ogre.hp < 300


def test_a_cursed_weapon_sticks_to_the_hand() -> None:
    arena = Arena(1)
    letter = arena.give("mace", flags=CURSED)
    arena.with_item("wield", letter)
    assert "sticks" in arena.with_item("wield", "a")
    assert arena.item(letter).flags & WIELDED
    arena.do("drop", answers=[KeyAnswer(ord(letter), -1)])
    assert arena.item(letter).flags & WIELDED


def test_two_hands_and_a_shield_do_not_go_together() -> None:
    arena = Arena(1)
    assert "shield" in arena.with_item("wield", arena.give("great maul"))


def test_arrows_fly_farther_and_hit_harder_from_a_bow() -> None:
    losses = []
    for wield in (True, False):
        arena = Arena(2, "Ranger").strong()
        if not wield:
            arena.with_item("wield", "b")
        ogre = arena.monster("cave ogre", 4, hp=500, flags=ASLEEP, timer=200)
        for _ in range(20):
            ogre.flags |= ASLEEP
            ogre.timer = 200
            arena.do("throw", Argument("D", 4), Argument("I", "c"))
        losses.append(500 - ogre.hp)
    assert losses[0] > 2 * losses[1] > 0


def test_what_is_ready_is_fired_and_lies_where_it_fell() -> None:
    arena = Arena(1, "Rogue")
    daggers = next(item for item in arena.world.hero.pack if item is not None and item.flags & QUIVERED)
    before = daggers.count
    arena.towards("fire")
    fallen = [item for item in arena.world.level.items if item is not None]
    assert sum(item.count for item in fallen) == before - daggers.count > 0
    other = arena.give("dart", count=5)
    arena.with_item("quiver", other)
    assert arena.item(other).flags & QUIVERED
    assert not daggers.flags & QUIVERED
