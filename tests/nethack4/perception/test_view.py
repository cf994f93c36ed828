"""Captions and monsters as another program worked them out from the same saves (`perception-examples.jsonl`)."""

import json
from collections import defaultdict
from typing import Any

import pytest

from nhlog.nethack4.names.captions import Item
from nhlog.nethack4.perception.record import perception_record
from tests.corpus import CORPUS
from tests.nethack4.perception.test_screens import perception_at

FOLDER = CORPUS / "nethack4"
EXAMPLES = FOLDER / "perception-examples.jsonl"


def examples(key: str) -> list[tuple[str, int]]:
    """The places for which the examples have `key`."""
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


@pytest.mark.parametrize("place", examples("caption"), ids=str)
def test_things_are_called_what_the_game_calls_them(place: tuple[str, int]) -> None:
    items = perception_at(FOLDER / f"{place[0]}.nhgame", place[1]).captions.inventory()
    found = [(item.letter, item.caption) for item in items if isinstance(item, Item)]
    assert [caption for caption in expected(place)["captions"] if caption not in found] == []


@pytest.mark.parametrize("place", examples("monsters"), ids=str)
def test_the_monsters_are_those_that_are_perceived(place: tuple[str, int]) -> None:
    perception = perception_at(FOLDER / f"{place[0]}.nhgame", place[1])
    monsters = [monster | {"imagined": False} for monster in expected(place)["monsters"]]
    assert perception_record(perception)["monsters"] == sorted(
        monsters, key=lambda monster: (monster["y"], monster["x"])
    )
