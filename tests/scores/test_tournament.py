"""A tournament's rules, and the board that games make."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nhlog.errors import Usage
from nhlog.scores.filing import put_away
from nhlog.scores.happened import first_of
from nhlog.scores.tournament import read_tournament
from tests.corpus import SAMPLES
from tests.scores.test_table import line

RULES = """
title = "November"
begin = 2023-11-01T00:00:00Z
end = 2023-12-01T00:00:00Z
games = ["nethack"]
"""
NOVEMBER = 1_700_000_000  # the 14th
TROPHY = '[[trophies]]\ntitle = "T"\n'


def game(name: str, points: int, begun: int = 0, **fields: object) -> bytes:
    times = {"starttime": NOVEMBER + begun, "endtime": NOVEMBER + begun + 60}
    return line(name, points, **{"engine": "nethack", **times, **fields})


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    games = [
        game("Ann", 50, 100, maxlvl=12, achieve="0xe00", conduct="0x40"),
        game("Ann", 80, 900, role="Val"),
        game("Ben", 80, 500, maxlvl=11, death="ascended"),
        game("Cyn", 999, engine="delve"),
        game("Cyn", 999, mode="debug"),
        game("Cyn", 999, -30 * 86_400),  # began before
        game("Dan", 10, 20 * 86_400),  # ended after
        game("Eve", 7, maxlvl=3, turns=5, achieve="0x200"),
    ]
    path = tmp_path / "xlogfile"
    path.write_bytes(b"\n".join(games) + b"\n")
    return path


def board(nhlog, listed: Path, trophy: str, rules: str = RULES) -> list[tuple[str, int]]:
    file = listed.parent / "rules.toml"
    file.write_text(rules + TROPHY + trophy)
    return [(record["player"], record["value"]) for record in nhlog("tournament", file, listed, "--json").records]


@pytest.mark.parametrize(
    ("trophy", "expected"),
    [
        ('most = "points"', [("Ben", 80), ("Ann", 80), ("Eve", 7)]),
        ('least = "turns"\nwhere = ["died = true"]', [("Eve", 5), ("Ann", 12)]),
        (
            'first = true\nwhere = ["deepest >= 10"]',
            [("Ann", (NOVEMBER + 160) * 10**6), ("Ben", (NOVEMBER + 560) * 10**6)],
        ),
        ("count = true", [("Ann", 2), ("Eve", 1), ("Ben", 1)]),
        ('most = "points"\nwhere = ["role = valkyrie"]', [("Ann", 80)]),
        ('most = "points"\nwhere = ["achieve & 0x200"]', [("Ann", 50), ("Eve", 7)]),
        ('most = "points"\nwhere = ["achieve & 0x600", "conduct & 64"]', [("Ann", 50)]),
        ('most = "points"\nwhere = ["death ~ ASCENDED", "won = true"]', [("Ben", 80)]),
        ('most = "points"\nwhere = ["player != ann", "points < 10"]', [("Eve", 7)]),
    ],
)
def test_the_board_of_a_trophy(nhlog, listed: Path, trophy: str, expected: list[tuple[str, int]]) -> None:
    assert board(nhlog, listed, trophy) == expected


def test_players_have_places_from_one_on(nhlog, listed: Path) -> None:
    board(nhlog, listed, 'most = "points"')
    file = listed.parent / "rules.toml"
    assert [one["place"] for one in nhlog("tournament", file, listed, "--json").records] == [1, 2, 3]


@pytest.mark.parametrize(
    ("begin", "end", "counts"),
    [(0, 61, True), (1, 61, False), (0, 60, False)],
)
def test_a_game_counts_that_began_and_ended_within_the_time(
    nhlog, tmp_path: Path, begin: int, end: int, counts: bool
) -> None:
    (tmp_path / "xlogfile").write_bytes(game("Ann", 5) + b"\n")
    moments = (
        f"{word} = {datetime.fromtimestamp(NOVEMBER + at, UTC).isoformat()}"
        for word, at in (("begin", begin), ("end", end))
    )
    rules = "\n".join(('title = "T"', *moments, ""))
    assert bool(board(nhlog, tmp_path / "xlogfile", "count = true", rules)) is counts


def test_only_those_take_part_who_are_named(nhlog, listed: Path) -> None:
    assert board(nhlog, listed, 'most = "points"', RULES + 'players = ["BEN"]\n') == [("Ben", 80)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games that were put away, and two lines of games that have no log, or none that can be read."""
    place = tmp_path_factory.mktemp("tournament")
    games, finished = place / "games", place / "finished"
    games.mkdir()
    for name in ("delve.nhgame", "died2.nhgame"):
        put_away(shutil.copy(SAMPLES / name, games), finished, lambda replay: "")
    (finished / "bad.nhgame").write_bytes(b"NH")
    with (finished / "xlogfile").open("ab") as file:
        for name in ("bad.txt", "../games/away.txt"):
            file.write(line("Ann", 5, starttime=1_795_187_000, endtime=1_795_188_000, dumplog=name) + b"\n")
    shutil.copy(SAMPLES / "delve.nhgame", games / "away.nhgame")
    return finished


@pytest.mark.parametrize(
    ("trophy", "expected"),
    [
        ('least = "turns"\nevent = ":2"', [("Brisk", 198), ("Dies2", 280)]),
        ('most = "turns"\nevent = "LOW hp"', [("Dies2", 433), ("Brisk", 63)]),
        ('first = true\nevent = ":2"', [("Dies2", 1_795_187_579_804_154), ("Brisk", 1_795_190_079_200_000)]),
        ('first = true\nevent = "Delve:3"', [("Brisk", 1_795_190_222_000_000)]),
        ('count = true\nevent = "killed"', [("Dies2", 1), ("Brisk", 1)]),
        ('most = "level"\nevent = "killed"', [("Brisk", 3), ("Dies2", 1)]),
        ('most = "level"\nevent = "level 4"', []),
        ('count = true\nevent = "backup"', []),
        ('count = true\nevent = "killed"\nwhere = ["role = priest"]', [("Brisk", 1)]),
    ],
)
def test_what_happened_in_a_game_is_asked_of_its_log(
    nhlog, finished: Path, trophy: str, expected: list[tuple[str, int]]
) -> None:
    rules = 'title = "T"\nbegin = 2026-01-01T00:00:00Z\nend = 2027-01-01T00:00:00Z\n'
    assert board(nhlog, finished, trophy, rules) == expected


def test_what_happened_is_not_told_of_a_game_that_goes_on_or_was_replaced(tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path / "one.nhgame"))
    assert first_of(str(path), "") is None
    shutil.copy(SAMPLES / "delve.nhgame", path)
    assert first_of(str(path), "delve:2").turn == 198
    shutil.copy(SAMPLES / "died2.nhgame", path)
    assert first_of(str(path), "delve:2") is None


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("\0", "not TOML"),
        ("x = " + "[" * 60_000, "not TOML"),
        (RULES, "no trophies"),
        (RULES + 'extra = 1\n[[trophies]]\ntitle = "T"\nmost = "points"', "unknown in a tournament: 'extra'"),
        (RULES + TROPHY, "one of most, least, first and count"),
        (RULES + TROPHY + 'most = "death"', "no number: death"),
        (RULES + TROPHY + "first = true\nevent = 3", "bad event"),
        (RULES + TROPHY + 'first = true\nwhere = ["achieve = 3"]', "no condition"),
        (RULES + TROPHY + 'first = true\nwhere = "won = true"', "bad where"),
        (RULES + "trophies = [1]", "no table"),
        (RULES + f"{TROPHY}first = true\n" * 101, "no trophies"),
        (RULES.replace('["nethack"]', '"nethack"') + TROPHY + "first = true", "bad games"),
        (RULES + TROPHY + 'most = "__class__"', "no number"),
        (RULES + TROPHY + 'first = true\nwhere = ["__class__ = x"]', "no condition"),
        (RULES + TROPHY + 'first = true\nwhere = ["points = many"]', "no condition"),
        (RULES + TROPHY + 'first = true\nwhere = ["death < x"]', "no condition"),
        (RULES.replace("2023-12", "2023-10") + TROPHY + "first = true", "begin before end"),
        (RULES.replace("2023-11-01T00:00:00Z", '"now"') + TROPHY + "first = true", "bad begin"),
        (RULES.replace("November", "\\u001b[2J") + TROPHY + "first = true", "bad title"),
    ],
)
def test_rules_that_cannot_be_meant_are_refused(tmp_path: Path, rules: str, says: str) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(rules)
    with pytest.raises(Usage) as refused:
        read_tournament(str(file))
    assert says in str(refused.value)
    assert str(refused.value).startswith(f"{file}: ")
