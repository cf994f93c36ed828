"""Captions and monsters as another program worked them out from the same saves (`perception-examples.jsonl`)."""

import json
from collections import defaultdict
from typing import Any

import pytest

from nhlog.nethack4.captions import Item
from nhlog.nethack4.cells import Flag
from nhlog.nethack4.perception import Perception
from nhlog.nethack4.tables import species
from tests.corpus import ROOT
from tests.nethack4.test_screens import perception_at

FOLDER = ROOT.parent / "shared" / "corpus" / "nethack4"
EXAMPLES = FOLDER / "perception-examples.jsonl"


def examples(key: str) -> list[tuple[str, int]]:
    """The places for which the examples have `key`."""
    if not EXAMPLES.exists():
        return []
    rows = map(json.loads, EXAMPLES.read_text().splitlines())
    return sorted({(row["log"], row["offset"]) for row in rows if key in row})


def expected(place: tuple[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = defaultdict(list)
    for row in map(json.loads, EXAMPLES.read_text().splitlines()):
        if (row["log"], row["offset"]) == place:
            if "caption" in row:
                found["captions"].append((row["letter"], row["caption"]))
            else:
                found["monsters"] = row["monsters"]
    return found


def monsters(perception: Perception) -> list[dict[str, Any]]:
    """The hero and the monsters that are shown, in reading order."""
    you = perception.save.you
    found = [
        {
            "x": shown.x,
            "y": shown.y,
            "name": species()[shown.mon - 1].name,
            "how_seen": shown.how_seen,
            "brand": "tame" if shown.flags & Flag.TAME else "peaceful" if shown.flags & Flag.PEACEFUL else "",
        }
        for shown in perception.monsters
    ]
    if perception.senses.of_self():
        name = species()[perception.squares[you.uy][you.ux].mon - 1].name
        found.append({"x": you.ux, "y": you.uy, "name": name, "how_seen": "self", "brand": ""})
    return sorted(found, key=lambda monster: (monster["y"], monster["x"]))


@pytest.mark.parametrize("place", examples("caption"), ids=str)
def test_things_are_called_what_the_game_calls_them(place: tuple[str, int]) -> None:
    items = perception_at(FOLDER / f"{place[0]}.nhgame", place[1]).captions.inventory()
    found = [(item.letter, item.caption) for item in items if isinstance(item, Item)]
    assert [caption for caption in expected(place)["captions"] if caption not in found] == []


@pytest.mark.parametrize("place", examples("monsters"), ids=str)
def test_the_monsters_are_those_that_are_perceived(place: tuple[str, int]) -> None:
    perception = perception_at(FOLDER / f"{place[0]}.nhgame", place[1])
    assert monsters(perception) == sorted(expected(place)["monsters"], key=lambda monster: (monster["y"], monster["x"]))
