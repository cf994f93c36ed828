"""Pasts are values, however many are made of one, and in whichever order."""

import random

import pytest

from nhlog.engines.nethack.past import Past, Start, start_of
from nhlog.engines.protocol import NewGame
from nhlog.errors import Usage
from tests.doses import dose

START = Start(5, (1, 2, 3), b"name:A")


def test_a_past_stays_what_it_is_while_others_are_made_of_it() -> None:
    dice = random.Random(3)
    made = [(Past(START), b"")]
    for _ in range(dose("nethack.pasts")):
        past, keys = dice.choice(made[-5:] if dice.random() < 0.8 else made)
        key = dice.randrange(256)
        made.append((past.then(bytes((key,))), keys + bytes((key,))))
    for past, keys in made:
        assert (past.keys, past.count, past.name) == (keys, len(keys), Past(START, keys).name)
    for past, keys in dice.sample(made, 40):
        for earlier, before in dice.sample(made, 40):
            assert past.since(earlier) == (keys[len(before) :] if keys.startswith(before) else None)


def test_the_past_of_another_game_leads_nowhere() -> None:
    assert Past(START, b"ab").since(Past(Start(6, (1, 2, 3), b"name:A"), b"a")) is None
    assert Past(START, b"ab").name != Past(Start(5, (1, 2, 4), b"name:A"), b"ab").name


def options(name: str = "Ann", race: str = "human", alignment: str = "neutral", mode: int = 0) -> NewGame:
    return NewGame(name, "Valkyrie", race, "female", alignment, mode, 7, 1_700_000_000_999_999)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Ann", "Ann"),
        ("player", "Player"),
        ("games", "Games"),
        ("a,!legacy", "a__legacy"),
        ("Ann-Wiz-elf", "Ann_Wiz_elf"),
        ("é" * 15, "_" * 15),
        (" ", "nobody"),
    ],
)
def test_a_name_sets_no_option(name: str, plain: str) -> None:
    words = start_of(options(name)).options.decode().split(",")
    assert f"name:{plain}" in words
    assert len(words) == len(start_of(options()).options.decode().split(","))


def test_a_game_begins_at_its_second_in_its_mode() -> None:
    assert start_of(options()).second == 1_700_000_000
    assert b",playmode:debug," in start_of(options(mode=2)).options
    assert b"playmode" not in start_of(options(mode=3)).options


def test_a_hero_that_there_is_not_is_refused() -> None:
    with pytest.raises(Usage, match="neutral female dwarf Valkyrie"):
        start_of(options(race="dwarf"))
