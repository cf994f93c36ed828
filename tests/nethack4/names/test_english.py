"""Articles and plurals, right and wrong, as the game makes them."""

import pytest

from nhlog.nethack4.names.english import articled, plural, possessive


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("potion of water", "potions of water"),
        ("scroll labeled FOO of BAR", "scrolls labeled FOO of BAR"),
        ("pair of boots", "pair of boots"),
        ("ya", "ya"),
        ("knife", "knives"),
        ("staff", "staves"),
        ("quarterstaff", "quarterstaves"),
        ("human", "humans"),
        ("dwarf", "dwarves"),
        ("ruby", "rubies"),
        ("kobold mummy", "kobold mummies"),
        ("jackal corpse", "jackal corpses"),
        ("torch", "torches"),
        ("K", "K's"),
    ],
)
def test_plurals(one: str, several: str) -> None:
    assert plural(one) == several


def test_articles() -> None:
    assert [articled(text) for text in ("Archon", "uranium wand", "iron bars", "the Oracle", "newt")] == [
        "an Archon",
        "a uranium wand",
        "iron bars",
        "the Oracle",
        "a newt",
    ]
    assert (possessive("Medusa"), possessive("Asmodeus")) == ("Medusa's", "Asmodeus'")
