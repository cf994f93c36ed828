"""Maps, status rows and inventories of FIQHack's own client, of both editions, reproduced from the saves alone.

Each game was played by a script, of random keys or wishes and descents in wizard mode.  Of each save its first screen
is there, and nothing was chosen: none may differ.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from nhlog.nethack4.perception.cells import WARNINGS, Brand, Square, draw, substitutions
from nhlog.nethack4.perception.layers import memory_of
from nhlog.nethack4.perception.record import perception_record
from nhlog.nethack4.perception.senses import Senses
from nhlog.nethack4.perception.view import Perception, perceive
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.version import engine_of
from nhlog.nethack4.save.wire import FIQHACK_21
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


@pytest.mark.parametrize(("name", "colours"), [("development-samurai", 1), ("branch-4.3.1-samurai-in-wizard-mode", 0)])
def test_the_inside_of_the_wizards_tower_is_marked_for_its_own_colours(name: str, colours: int) -> None:
    save = Save.parse(game(TRUTH / f"{name}.nhgame").save(0))
    late = save.level.parts.late._replace(dndest=bytes((80, 21, 80, 21, 20, 6, 40, 15)))
    level = replace(save.level, parts=save.level.parts._replace(late=late))
    topology = save.dungeons.topology._replace(wiz2=save.here)
    tower = replace(save, dungeons=replace(save.dungeons, topology=topology))
    assert [row.tower for row in memory_of(tower, level)] == [
        range(20, 41) if colours and 6 <= y <= 15 else range(0) for y in range(ROWS)
    ]
    assert {row.tower for row in memory_of(save, level)} == {range(0)}


@pytest.mark.parametrize(
    ("background", "lit", "outside", "inside"),
    [(2, Brand.LIT, ("│", 9), ("│", 13)), (14, Brand.LIT, ("·", 9), ("·", 13)), (14, 0, ("·", 1), ("·", 5))],
)
def test_walls_and_floors_have_other_colours_in_the_wizards_tower(
    background: int, lit: int, outside: tuple[str, int], inside: tuple[str, int]
) -> None:
    level = substitutions(["gehennom", FIQHACK_21])
    for brand, expected in ((0, outside), (Brand.TOWER, inside)):
        text, style = draw(Square(background, branding=lit | brand), level)
        assert (str(text), style.fg) == expected


def shown(*monsters: dict[str, Any]) -> list[tuple[int, int]]:
    """Where the hero, who stands at 70,6 in the corner of a lit room, sees his dog, made over so: in this order."""
    save = Save.parse(game(TRUTH / "development-samurai.nhgame").save(0))
    [dog] = save.level.monsters
    made = tuple(dog._replace(**({"tame": 0} | changes)) for changes in monsters)
    vars(save.level)["monsters"] = made
    return [(one.x, one.y) for one in Perception(save).senses.shown()]


def test_a_displaced_monster_is_shown_where_its_image_is_if_that_is_in_sight() -> None:
    assert shown({"image": None}, {"x": 66}) == [(69, 6), (66, 6)]
    assert shown({"image": (67, 4)}, {"x": 67, "y": 4}) == [(67, 4), (67, 4)], "the image comes last, over the other"
    assert shown({"image": (67, 4), "tame": 10}) == [(69, 6)]
    assert shown({"image": (30, 4)}) == [(69, 6)], "out of sight"
    assert shown({"image": (70, 6)}) == [(69, 6)], "where the hero is"


def test_who_is_warned_is_warned_of_monsters_of_any_level() -> None:
    save = Save.parse(game(TRUTH / "development-samurai.nhgame").save(0))
    [dog] = save.level.monsters
    vars(save.level)["monsters"] = (dog._replace(tame=0, flags=0, x=62),)
    perception = Perception(save)
    assert [*perception.senses.shown()] == []
    warned = replace(perception.properties, held=perception.properties.held | {"WARNING"})
    assert [one.mon - WARNINGS for one in Senses(save, warned, perception.sight).shown()] == [0]
