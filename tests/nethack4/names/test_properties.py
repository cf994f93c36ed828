"""Magical properties of FIQHack's things, in their names, as its client tells them."""

import pytest

from nhlog.nethack4.names.captions import Captions
from nhlog.nethack4.names.objects import with_properties
from nhlog.nethack4.save.objects import plain_object
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import KIND, Class
from tests.corpus import DATA
from tests.nethack4.saves import game

REFLECTION, WARNING, FIRE, VORPAL, SHOCK, DRAIN, DETONATION, SPEED, OILSKIN, NASTY = (
    1 << bit for bit in (0, 6, 8, 11, 10, 12, 13, 14, 15, 23)
)


@pytest.mark.parametrize(
    ("base", "told", "is_weapon", "expected"),
    [
        ("long sword", 0, True, "long sword"),
        ("long sword", FIRE, True, "long sword of fire"),
        ("long sword", FIRE | SPEED, True, "long sword of fire and speed"),
        ("katana", SHOCK | WARNING | REFLECTION, True, "katana of reflection, warning and lightning"),
        ("katana", DRAIN | FIRE, True, "thirsty katana of fire"),
        ("dwarvish mattock", VORPAL, True, "vorpal dwarvish mattock"),
        ("cloak of protection", FIRE, False, "cloak of protection and fire immunity"),
        ("pair of boots", FIRE, False, "pair of boots of fire immunity"),
        ("pair of gauntlets of power", SPEED, False, "pair of gauntlets of power and speed"),
        ("helmet", FIRE | VORPAL, False, "helmet of fire immunity versus beheading"),
        ("cloak", OILSKIN, False, "oilskin cloak"),
        (
            "dagger",
            FIRE | SPEED | NASTY | DRAIN | WARNING,
            True,
            "dagger (warn,fire,drain,speed,nasty)",
        ),
    ],
)
def test_properties_are_told_before_and_behind_a_name(base: str, told: int, is_weapon: bool, expected: str) -> None:
    assert with_properties(base, told, told, is_weapon=is_weapon) == expected


def test_who_does_not_know_them_knows_that_there_are_some() -> None:
    assert with_properties("axe", FIRE | SPEED, 0, is_weapon=True) == "magical axe"
    assert with_properties("axe", FIRE | SPEED, SPEED, is_weapon=True) == "magical axe of speed"
    assert with_properties("axe", 0x1F, 0xF, is_weapon=True) == "axe (reflect,search,hunger,stealth+more)"


@pytest.mark.parametrize(
    ("properties", "known", "expected"),
    [
        (0, 0, "2 uncursed poisoned +0 darts"),
        (FIRE, FIRE, "2 uncursed poisoned +0 darts of fire"),
        (FIRE, 0, "2 uncursed +0 magical poisoned darts"),
        (DRAIN, DRAIN, "2 uncursed +0 thirsty poisoned darts"),
    ],
)
def test_poison_is_told_before_the_enchantment_unless_a_property_comes_first(
    properties: int, known: int, expected: str
) -> None:
    save = Save.parse(game(DATA / "fiqhack" / "development-samurai.nhgame").save(0))
    dart = plain_object(KIND["dart"], Class.WEAPON, species=-1, weight=1, spe=0, known=True, dknown=True)
    flags = dart.flags | 1 << 25 | 1 << 16  # its curse is known, and there is poison
    poisoned = dart._replace(flags=flags, quantity=2, oprops=properties, oprops_known=known)
    assert Captions(save).caption(poisoned) == expected
