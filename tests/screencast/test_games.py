"""Status lines of games are read from rows of text, half drawn or covered; nothing else is taken for them."""

import json
import time
from collections.abc import Iterator

import pytest

from nhlog.screencast.games import Status, read
from nhlog.vt import Size, Terminal
from tests.corpus import text
from tests.vt.truth import FILES, truth


def screen(*status: str, rows: int = 24) -> list[str]:
    """A screen that ends with these rows."""
    return ["You see here a lichen corpse.", *[""] * (rows - len(status) - 1), *status]


SAMPLES = {
    "3.4.3": (
        (
            "Qvazzler the Evoker       St:9 Dx:15 Co:14 In:18 Wi:9 Ch:10  Neutral S:0",
            "Dlvl:1  $:0  HP:12(12) Pw:6(6) AC:9  Xp:1/0 T:1",
        ),
        ("Qvazzler", "Evoker", "Dlvl:1", 1, 1, 12, 12, 6, 6, 1, 0, 0, ()),
    ),
    "3.6.0": (
        (
            "Mackeyth the Initiate         St:18/05 Dx:11 Co:12 In:9 Wi:11 Ch:12 Chaotic",
            "Dlvl:11  $:0 HP:54(63) Pw:38(38) AC:2 Xp:9 T:5551  Burdened",
        ),
        ("Mackeyth", "Initiate", "Dlvl:11", 11, 5551, 54, 63, 38, 38, 9, None, 0, ("Burdened",)),
    ),
    "3.6.1, the name as a bar": (
        (
            "[Moo22 the Rhizotomist         ] St:10 Dx:7 Co:15 In:8 Wi:18 Ch:17 Neutral",
            "Dlvl:2   $:1422 HP:6(12) Pw:7(7) AC:8 Xp:1 T:304",
        ),
        ("Moo22", "Rhizotomist", "Dlvl:2", 2, 304, 6, 12, 7, 7, 1, None, 1422, ()),
    ),
    "curses": (
        (
            "Quinn the Hatamoto             St:18/01 Dx:12 Co:18 In:9 Wi:9 Ch:8  Lawful",
            "Dlvl:1  $:0  HP:14(15)  Pw:2(2)  AC:4  Xp:1/8  T:70",
        ),
        ("Quinn", "Hatamoto", "Dlvl:1", 1, 70, 14, 15, 2, 2, 1, None, 0, ()),
    ),
    "three rows": (
        (
            "Jana the Candidate             St:18/03 Dx:14 Co:8 In:11 Wi:13 Ch:8",
            "Neutral $:0 HP:14(14) Pw:5(5) AC:4 Xp:1/0",
            "Dlvl:1 T:269 Hungry Conf",
        ),
        ("Jana", "Candidate", "Dlvl:1", 1, 269, 14, 14, 5, 5, 1, None, 0, ("Hungry", "Conf")),
    ),
    "NLE": (
        (
            "Agent the Digger               St:15 Dx:8 Co:13 In:16 Wi:16 Ch:7 Neutral S:47",
            "Dlvl:1 $:7 HP:12(12) Pw:3(3) AC:9 Xp:1/10 T:95",
        ),
        ("Agent", "Digger", "Dlvl:1", 1, 95, 12, 12, 3, 3, 1, 47, 7, ()),
    ),
    "without turns, dead": (
        (
            "Ann the red dragon             St:18/** Dx:12 Co:18 In:8 Wi:13 Ch:8 Lawful",
            "Dlvl:22 $:272 HP:-3(91) Pw:19(19) AC:-10 HD:11 Bl Bu",
        ),
        ("Ann", "red dragon", "Dlvl:22", 22, None, -3, 91, 19, 19, None, None, 272, ()),
    ),
    "the quest": (
        (
            "Ann the Lady   St:18/** Dx:12 Co:18 In:8 Wi:13 Ch:8 Lawful",
            "Home 3 $:272 HP:9(91) Pw:1(9) AC:-10 Xp:14 T:3",
        ),
        ("Ann", "Lady", "Home 3", None, 3, 9, 91, 1, 9, 14, None, 272, ()),
    ),
    "a plane": (
        ("Ann the Lady   St:18/** Dx:12 Co:18 In:8 Wi:13 Ch:8 Lawful", "Astral Plane $:2 HP:9(91) Pw:1(9) AC:0 Xp:14"),
        ("Ann", "Lady", "Astral Plane", None, None, 9, 91, 1, 9, 14, None, 2, ()),
    ),
    "half of it drawn": (
        ("Qvazzler the Evoker       St:9 Dx:15", "Dlvl:1  $:0  HP:12(12)"),
        ("Qvazzler", "Evoker", "Dlvl:1", 1, None, 12, 12, None, None, None, None, 0, ()),
    ),
    "half of it covered": (
        ("Quinn the Hatamoto             │ a - a", "Dlvl:1  $:4  HP:15(15) └────"),
        ("", "", "Dlvl:1", 1, None, 15, 15, None, None, None, None, 4, ()),
    ),
}


@pytest.mark.parametrize("kind", SAMPLES)
def test_nethack_tells(kind: str) -> None:
    rows, told = SAMPLES[kind]
    for height in (24, 50):
        status = read(screen(*rows, rows=height))
        assert status is not None
        assert status.game == "NetHack"
        fields = [name for name in Status.__slots__ if name != "game"]
        assert tuple(getattr(status, name) for name in fields) == told
    assert read([*screen(*rows), *[""] * 26]) == status  # in a terminal with more rows than the game knows of


def test_nethack_4_tells() -> None:
    status = read(
        screen(
            "HP:[   14 / 16   ] Def:4 Xp:2 Dungeons:3                           Ann, Stripling",
            "Pw:[    1 / 1    ] $12 S:50 T:120                                   Hungry Unarmed",
        )
    )
    assert status == Status(
        game="NetHack 4",
        name="Ann",
        title="Stripling",
        place="Dungeons:3",
        depth=3,
        turn=120,
        hp=14,
        hp_max=16,
        power=1,
        power_max=1,
        level=2,
        score=50,
        gold=12,
        conditions=("Hungry", "Unarmed"),
    )


CRAWL = """\
                                     Sif the Skirmisher
                                     Minotaur of Trog *.....
  ####                               Health: 7/20 (25) ======--------------
  #..#                               Magic:  0/0
  #.@#                               AC:  2            Str: 21
                                     EV: 12            Int: 4
                                     SH:  0            Dex: 9
                                     XL:  1 Next: 91%  Place: Dungeon:1
                                     Noise: =--------  Time: 420.7 (0.0)
                                     a) +0 short sword""".splitlines()


def test_dungeon_crawl_tells() -> None:
    hurt = Status(
        game="Dungeon Crawl",
        name="Sif",
        title="Skirmisher",
        place="Dungeon:1",
        depth=1,
        turn=420.7,
        hp=7,
        hp_max=20,
        power=0,
        power_max=0,
        level=1,
    )
    assert read([*CRAWL, *[""] * 14]) == hurt
    rows = "\n".join([*CRAWL, *[""] * 14]).replace("Dungeon:1", "a Sewer").replace("Time: 420.7", "Turn: 4207")
    sewer = read(rows.splitlines())
    assert sewer is not None
    assert (sewer.place, sewer.depth, sewer.turn) == ("a Sewer", None, 4207)


def test_angband_tells() -> None:
    column = [
        "Human",
        "Rookie",
        "Warrior",
        "LEVEL  3",
        "NXT   10",
        "AU   187",
        "STR:  17",
        "HP   12/  20",
        "SP    0/   1",
    ]
    rows = [f"{cell:13}#....#" for cell in column] + [""] * 14 + ["50' (L1)     Fed"]
    status = read(rows)
    assert status == Status(
        game="Angband", place="50' (L1)", depth=1, hp=12, hp_max=20, power=0, power_max=1, level=3, gold=187
    )


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [""] * 24,
        ["HP:12(12)"],
        screen("The HP:12(12) of a message, T:7"),
        [*screen(), "Ann the Lady St:18 Dx:12", "Dlvl:1 $:0 HP:12(12) Pw:1(1) AC:9 Xp:1/0 T:1", *"abcdefghij"],
        ["LEVEL  3"] * 24,
        [f"{'':40}Health: 7/20"] * 3,
    ],
)
def test_what_looks_like_it_is_not_taken_for_it(rows: list[str]) -> None:
    assert read(rows) is None


def shown(name: str) -> Iterator[tuple[int, Status | None]]:
    """Each event of a recording, and what is read after it."""
    terminal = Terminal(truth(name).size)
    for number, part in enumerate(truth(name).parts):
        terminal.resize(part) if isinstance(part, Size) else terminal.feed(part)
        yield number, read(terminal.grid().text())


GAMES = ("nh3", "crawl", "nle")


@pytest.mark.parametrize(
    "name", [name for name in FILES if not any(game in name for game in GAMES) and "big" not in name]
)
def test_other_programs_are_no_games(name: str) -> None:
    assert [number for number, status in shown(name) if status] == []


@pytest.mark.parametrize("name", [name for name in FILES if "nh366" in name or "crawl028-drco" in name])
def test_games_are_recognised(name: str) -> None:
    found = [status for _, status in shown(name) if status]
    assert len(found) > len(truth(name).parts) * 0.6
    assert len({(status.game, status.name) for status in found if status.name}) == 1
    assert all(status.hp is not None for status in found)


def test_what_is_read_is_what_the_game_knows() -> None:
    """NLE's own numbers before each 30th key: x y, attributes, score, then those that are compared, in its order."""
    lines = text("terminal", "nle", "nle130-s1.ttyrec3.bz2.nle.jsonl").splitlines()
    known = {told["before_input_frame"]: told for told in map(json.loads, lines)}
    latest, compared = None, 0
    for number, status in shown("nle/nle130-s1.ttyrec3.bz2"):
        if told := known.get(number + 1):
            visible = latest if status is None else status
            assert visible is not None
            stats = told["blstats"]
            assert (visible.turn, visible.hp, visible.hp_max) == (told["turn"], told["hp"], told["maxhp"])
            assert (visible.score, visible.hp, visible.hp_max, visible.depth, visible.gold) == (*stats[9:14],)
            assert (visible.power, visible.power_max, visible.level, visible.turn) == (
                *stats[14:16],
                stats[18],
                stats[20],
            )
            compared += 1
        latest = status or latest
    assert compared == len(known)


@pytest.mark.parametrize(
    "row",
    [
        "a the b" + " " * 900 + "x",
        " the " * 190,
        "HP:[   14 / 16   ] Def:4 Xp:2 " + "a " * 470,
        "HP:[   14 / 16   ] Def:4 Xp:2 a" + ", " * 480,
        "HP:1(2) Pw:3(4) " + "T:" * 480,
        f"{'':30}Health: 7/20 " + "Place: " + " a" * 450 + " x",
        "Place: a " * 100,
        "[" * 999,
        "Dlvl:" + " " * 980 + "HP:1(1)",
    ],
)
def test_what_is_made_to_take_long_does_not(row: str) -> None:
    magic = row.replace("Health:", "Magic: ")
    rows = [row, row, magic, *[row[:990] + " St:1"] * 40, row, row]
    begin = time.process_time()
    for _ in range(20):
        read(rows)
    assert time.process_time() - begin < 1
