"""Books, spells and wands."""

import pytest

from nhlog.engines.delve.perception import describe
from nhlog.engines.delve.world.kinds import (
    BOOK,
    KINDS,
    WAND,
    number_of,
)
from nhlog.engines.delve.world.state import (
    ASLEEP,
    SLOWED,
)
from nhlog.engines.delve.world.terrain import CORRIDOR, ROCK
from nhlog.log.wire.lines import (
    Argument,
    DirectionAnswer,
    MenuAnswer,
)
from tests.engines.delve.arena import HERE, Arena, names, strong


@pytest.mark.parametrize("name", names(BOOK))
def test_a_book_teaches_a_spell_that_can_be_cast(name: str) -> None:
    arena = Arena(3, "Wizard").strong()
    arena.world.hero.spells.clear()
    arena.world.hero.pw = arena.world.hero.pw_most = 300
    letter = arena.give(name)
    for _ in range(20):
        arena.with_item("read", letter)
        arena.world.hero.confused = 0
    assert arena.world.hero.spells == [number_of(name)]
    foe = arena.monster("cave ogre", 2, hp=400)
    for _ in range(12):
        arena.do("cast", Argument("S", "a"), answers=[DirectionAnswer(4)] * KINDS[number_of(name)].aimed)
    hero = arena.world.hero
    assert hero.pw < 300
    done = {
        "book of force bolt": foe.hp < 400,
        "book of fire bolt": foe.hp < 400,
        "book of sleep": "asleep" in describe(arena.game, foe.square),
        "book of sensing": hero.sensing > 0,
        "book of haste": hero.fast > 0,
        "book of blinking": hero.square != HERE,
    }
    assert done.get(name, True)


def test_a_spell_can_be_chosen_from_a_menu_and_needs_power() -> None:
    arena = Arena(1, "Wizard")
    arena.world.hero.pw = 0
    assert "do not have the power" in arena.do("cast", answers=[MenuAnswer((1,))])
    assert "You know no such spell." in arena.do("cast", answers=[MenuAnswer(None)])


def test_the_healing_spell_heals_the_caster() -> None:
    arena = Arena(1, "Priest")
    arena.world.hero.hp = 2
    for _ in range(4):
        arena.world.hero.pw = 7
        arena.do("cast", Argument("S", "a"), answers=[DirectionAnswer(10)])
    assert arena.world.hero.hp > 4


@pytest.mark.parametrize("name", names(WAND))
def test_a_wand_is_used_up(name: str) -> None:
    arena = strong()
    letter = arena.give(name, charges=2)
    for _ in range(2):
        assert "Nothing happens" not in arena.with_item("zap", letter, answers=[DirectionAnswer(4)])
    arena.world.lore.known[number_of(name)] = 0
    assert "Nothing happens" in arena.with_item("zap", letter, answers=[DirectionAnswer(4)])


@pytest.mark.parametrize(
    ("name", "flag"),
    [("slumber", ASLEEP), ("slowness", SLOWED), ("striking", 0), ("sparks", 0), ("fire", 0), ("frost", 0)],
)
def test_a_wand_strikes_whom_it_is_aimed_at(name: str, flag: int) -> None:
    arena = strong()
    ogre = arena.monster("cave ogre", 5, hp=200)
    arena.with_item("zap", arena.give(f"wand of {name}"), answers=[DirectionAnswer(4)])
    assert ogre.flags & flag if flag else ogre.hp < 200
    assert arena.known(f"wand of {name}")


def test_fire_does_not_hurt_what_is_fireproof_but_frost_does_more() -> None:
    arena = strong()
    drake = arena.monster("ash drake", 5, hp=200)
    arena.with_item("zap", arena.give("wand of fire"), answers=[DirectionAnswer(4)])
    assert drake.hp == 200
    arena.world.level.move_monster(drake, HERE + 5)
    arena.with_item("zap", arena.give("wand of frost"), answers=[DirectionAnswer(4)])
    assert drake.hp < 200


def test_banishing_sends_away_all_but_the_warden() -> None:
    arena = strong()
    letter = arena.give("wand of banishing")
    ogre = arena.monster("cave ogre", 2, hp=200)
    arena.with_item("zap", letter, answers=[DirectionAnswer(4)])
    assert abs(ogre.square - HERE) > 2
    arena.world.level.remove_monster(ogre)
    arena.monster("Warden of Ash", 3, hp=200)
    assert "cannot be sent" in arena.with_item("zap", letter, answers=[DirectionAnswer(4)])


def test_digging_goes_through_stone() -> None:
    arena = strong()
    for across in range(3, 6):
        arena.world.level.terrain[HERE + across] = ROCK
    arena.with_item("zap", arena.give("wand of digging"), answers=[DirectionAnswer(4)])
    assert arena.world.level.terrain[HERE + 4] == CORRIDOR


def test_calling_brings_somebody_and_light_needs_no_direction_once_known() -> None:
    arena = strong()
    arena.with_item("zap", arena.give("wand of calling"), answers=[DirectionAnswer(4)])
    assert arena.world.level.live()
    letter = arena.give("wand of light")
    arena.with_item("zap", letter, answers=[DirectionAnswer(4)])
    asked = len(arena.asked)
    arena.with_item("zap", letter)
    assert len(arena.asked) == asked
