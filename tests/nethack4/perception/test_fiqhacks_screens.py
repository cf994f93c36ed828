"""Maps, status rows and inventories of FIQHack's own client, of both editions, reproduced from the saves alone.

Each game was played by a script, of random keys or wishes and descents in wizard mode.  Of each save its first screen
is there, and nothing was chosen: none may differ.
"""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from nhlog.nethack4.perception.record import perception_record
from nhlog.nethack4.perception.view import perceive
from nhlog.nethack4.save.version import engine_of
from nhlog.screen import Screen
from tests.corpus import DATA
from tests.nethack4.captures import Glyph
from tests.nethack4.saves import game

TRUTH = DATA / "fiqhack"
GAMES = sorted(path.stem for path in TRUTH.glob("*.nhgame"))
ROWS = 21  # of the map; the status rows follow


def moments(name: str) -> Iterator[tuple[dict[str, Any], bytes]]:
    """What the client showed of a game, and the save that it showed."""
    log = game(TRUTH / f"{name}.nhgame")
    saves = {log.columns.offsets[line]: number for number, line in enumerate(log.columns.save_lines)}
    for line in gzip.decompress((TRUTH / f"{name}.screens.jsonl.gz").read_bytes()).decode().splitlines():
        shown = json.loads(line)
        yield shown, log.save(saves[shown["offset"]])


def glyphs(screen: Screen) -> list[list[Glyph]]:
    rows = []
    for y, text in enumerate(screen.text()):
        row = []
        for x, char in enumerate(text.ljust(screen.width)):
            style = screen.style_at(x, y)
            row.append((char, 7 if style.fg is None else style.fg, style.bg or 0, style.underline))
        rows.append(row)
    return rows


def cells(row: list[tuple[str, int, int, int]]) -> list[Glyph]:
    return [(char, fg, bg, bool(underline)) for text, fg, bg, underline in row for char in text]


def test_there_are_games_of_both_editions() -> None:
    assert len(GAMES) == 6
    assert {len(game(TRUTH / f"{name}.nhgame").save(0)) > 0 for name in GAMES} == {True}
    assert {engine_of(game(TRUTH / f"{name}.nhgame").save(0)) for name in GAMES} == {"FIQHack"}


@pytest.mark.parametrize("name", GAMES)
def test_map_and_status_rows_are_the_clients(name: str) -> None:
    wrong, seen = [], 0
    for shown, save in moments(name):
        if "rows" in shown:
            perception = perceive(save)
            expected = [cells(row) for row in shown["rows"]]
            seen += 1
            drawn = glyphs(perception.map()), glyphs(perception.status_rows())
            if drawn != ([row[:79] for row in expected[:ROWS]], expected[ROWS:]):
                wrong.append((shown["offset"], shown["turn"]))
    assert (wrong, seen >= 41) == ([], True)


@pytest.mark.parametrize("name", GAMES)
def test_what_the_hero_carries_has_the_clients_names(name: str) -> None:
    wrong, seen = [], 0
    for shown, save in moments(name):
        if "inventory" in shown:
            captions = {item["letter"]: item["caption"] for item in perception_record(perceive(save))["inventory"]}
            listed = shown["inventory"]
            seen += len(listed)
            wrong += [(told, captions.get(letter)) for letter, told in listed.items() if captions.get(letter) != told]
    assert (wrong, seen >= 48) == ([], True)
