"""The words for pictures are those of the NetHack that is installed."""

import json

import pytest

from nhlog.engines.nethack import pictures
from nhlog.engines.nethack.pictures import picture_words
from tests.engines.nethack.installed import needs_nethack
from tests.engines.nethack.pictures import FILE, ranges, tables


@needs_nethack
def test_the_names_are_nethack_s_in_its_order() -> None:
    assert json.loads(FILE.read_text()) == tables()
    assert [first for first, _, _ in pictures._RANGES] == ranges()


@pytest.mark.parametrize(
    ("glyph", "words"),
    [
        (0, "giant ant"),
        (381 + 16, "tame little dog"),
        (762, "remembered, unseen monster"),
        (1144 + 12, "jackal corpse"),
        (2359 + 23, "staircase up"),
        (2359, "dark part of a room"),
        (5595, "statue of a giant ant"),
        (5976, ""),
        (-1, ""),
        (32767, ""),
    ],
)
def test_a_picture_is_told_in_words(glyph: int, words: str) -> None:
    assert picture_words(glyph) == words


def test_what_a_thing_is_that_does_not_look_like_it_is_not_told() -> None:
    told = {picture_words(number) for number in range(1906, 2359)}
    assert {"long sword", "food ration", "potion", "scroll", "wand", "ring", "amulet"} <= told
    assert not any("healing" in words or "identify" in words or "wishing" in words for words in told)


def test_every_number_has_words_or_none() -> None:
    assert all(isinstance(picture_words(number), str) for number in range(-5, 7000))
