"""Potions, drunk and thrown."""

import pytest

from nhlog.engines.delve.perception import discoveries
from nhlog.engines.delve.world.kinds import (
    POTION,
)
from nhlog.engines.delve.world.sight import visible_monsters
from nhlog.engines.delve.world.state import (
    BLESSED,
    CURSED,
)
from nhlog.log.wire.lines import (
    Argument,
)
from tests.engines.delve.arena import Arena, names, strong


def drunk(name: str, **hero: int) -> Arena:
    arena = Arena()
    for field, value in hero.items():
        setattr(arena.world.hero, field, value)
    arena.with_item("quaff", arena.give(name))
    return arena


@pytest.mark.parametrize("name", names(POTION))
def test_a_potion_can_be_drunk_blessed_and_cursed_and_thrown(name: str) -> None:
    for flags in (0, BLESSED, CURSED):
        arena = strong()
        letter = arena.give(name, flags=flags, count=2)
        before = arena.game.turn
        assert arena.with_item("quaff", letter)
        assert arena.game.turn > before
        arena.monster("cave rat", 3, hp=50)
        assert "breaks on" in arena.do("throw", Argument("D", 4), Argument("I", letter))


def test_healing_heals_and_makes_known() -> None:
    arena = drunk("potion of healing", hp=3)
    assert arena.world.hero.hp > 6
    assert arena.known("potion of healing")
    assert "potion of healing" in str(discoveries(arena.game))


def test_great_healing_heals_more_and_beyond() -> None:
    arena = drunk("potion of great healing")
    assert arena.world.hero.hp_most > 16


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("swiftness", "fast"),
        ("blindness", "blind"),
        ("confusion", "confused"),
        ("floating", "floating"),
        ("venom", "poisoned"),
    ],
)
def test_what_lasts_is_counted_down(name: str, field: str) -> None:
    arena = drunk(f"potion of {name}")
    first = getattr(arena.world.hero, field)
    assert first > 0
    arena.wait(10)
    assert getattr(arena.world.hero, field) < first


def test_sleep_passes_several_turns_in_one_command() -> None:
    arena = Arena()
    before = arena.game.turn
    told = arena.with_item("quaff", arena.give("potion of sleep"))
    assert arena.game.turn - before > 4
    assert "You can move again." in told
    assert not arena.game.incomplete


def test_experience_might_and_a_clear_mind_last() -> None:
    assert drunk("potion of experience").world.hero.level == 2
    assert drunk("potion of might", strength=12).world.hero.strength == 13
    assert drunk("potion of clear mind").world.hero.pw_most > 1


def test_keen_sight_shows_what_is_invisible() -> None:
    arena = drunk("potion of keen sight", blind=5)
    whisper = arena.monster("whisper", 3)
    assert whisper in visible_monsters(arena.world)
    assert not arena.world.hero.blind


def test_fast_heroes_act_more_often() -> None:
    arena = drunk("potion of swiftness")
    before = arena.game.turn
    arena.wait(20)
    assert arena.game.turn - before < 20
