"""Magical properties of FIQHack's things, in their names, as its client tells them."""

import pytest

from nhlog.nethack4.names.properties import with_properties

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
