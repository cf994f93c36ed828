"""The list of scores, by the verb that prints it."""

import os
import shutil
from pathlib import Path

import pytest

from nhlog.scores.ranking import Ranking
from nhlog.scores.table import scores_in
from tests.builders import played
from tests.corpus import SAMPLES
from tests.scores.test_xlogfile import OF_36, OF_343


def line(name: str, points: object, **fields: object) -> bytes:
    given = {"version": "4.3.0", "points": points, "role": "Wiz", "race": "Elf", "gender": "Fem", "align": "Cha"}
    given |= {"name": name, "death": "killed by a newt", "turns": 12, "endtime": 1_700_000_000, **fields}
    return ":".join(f"{key}={value}" for key, value in given.items()).encode()


@pytest.fixture
def xlogfile(tmp_path: Path) -> Path:
    path = tmp_path / "xlogfile"
    lines = [
        line("Ann", 50),
        line("Ben", 900, mode="debug"),
        line("Ben", 700),
        line("Ann", "0x300", endtime=1_600_000_000),
        line("Cyn", 768),
        OF_36,
        OF_343,
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def ranking(done) -> list[tuple[str, int | None]]:
    return [(record["player"], record["points"]) for record in done.records]


def test_the_best_come_first_and_of_equals_the_earlier(nhlog, xlogfile: Path) -> None:
    expected = [("Flaming:Ketchup", 1254), ("Ann", 768), ("Cyn", 768), ("Ben", 700), ("daniel", 77), ("Ann", 50)]
    assert ranking(nhlog("scores", xlogfile, "--json")) == expected
    assert ranking(nhlog("scores", xlogfile.parent, "--json", "--top", 2)) == expected[:2]
    assert ranking(nhlog("scores", xlogfile, "--json", "--player", "ann")) == [("Ann", 768), ("Ann", 50)]
    assert ranking(nhlog("scores", xlogfile, "--json", "--all-modes"))[1] == ("Ben", 900)
    each = nhlog("scores", xlogfile, "--json", "--by-player")
    assert [(record["player"], record["games"]) for record in each.records] == [
        ("Flaming:Ketchup", 1),
        ("Ann", 2),
        ("Cyn", 1),
        ("Ben", 1),
        ("daniel", 1),
    ]


def test_a_game_is_compared_with_those_of_all_versions_of_its_engine_and_of_no_other(tmp_path: Path) -> None:
    path = tmp_path / "xlogfile"
    games = [("delve", 1), ("delve", 2), ("sokoban", 1)]
    lines = [line(f"Ann{place}", place, engine=name, version=one) for place, (name, one) in enumerate(games)]
    path.write_bytes(b"\n".join(lines) + b"\n")
    own, *_ = scores_in(str(path))
    ranking = Ranking(own, [str(path)])
    while ranking.work():
        pass
    assert ([score.player for score in ranking.best], ranking.place) == (["Ann1", "Ann0"], 2)


def test_a_score_tells_its_dumplog(nhlog, xlogfile: Path) -> None:
    xlogfile.write_bytes(line("Ann", 50, dumplog="ann.txt") + b"\n" + line("Ben", 40, dumplog="") + b"\n")
    assert [record["dumplog"] for record in nhlog("scores", xlogfile, "--json").records] == ["ann.txt", None]


def test_a_score_as_a_row(nhlog, xlogfile: Path) -> None:
    heading, *_, row = nhlog("scores", xlogfile, "--player", "cyn").out.splitlines()
    assert heading.split() == ["rank", "points", "player", "role", "turns", "ended", "death"]
    assert row.split("  ")[-2:] == ["2023-11-14", "killed by a newt"]
    assert "elven Wizard" in row


def test_of_a_folder_without_an_xlogfile_its_finished_games_are_taken(nhlog, tmp_path: Path) -> None:
    for name in ("died2", "delve", "scripted1", "all-line-kinds"):
        shutil.copy(SAMPLES / f"{name}.nhgame", tmp_path)
    (tmp_path / "no.nhgame").write_bytes(b"NHGAME what")
    done = nhlog("scores", tmp_path, "--json")
    assert ranking(done) == [("Dies2", 13037), ("Brisk", 616)]
    assert (done.code, done.err.count("\n")) == (3, 1)
    assert "no.nhgame: offset 11: the header is cut short" in done.err
    assert ranking(nhlog("scores", tmp_path / "delve.nhgame", tmp_path / "died2.nhgame", "--json")) == [
        ("Dies2", 13037),
        ("Brisk", 616),
    ]
    live = nhlog("scores", tmp_path / "scripted1.nhgame")
    assert (live.code, live.out) == (1, "")
    assert "this game is not finished" in live.err


def test_unreadable_lines_are_told_once_and_the_others_stand(nhlog, xlogfile: Path) -> None:
    with xlogfile.open("ab") as file:
        file.write(b"rubbish\n" * 1000)
    size = xlogfile.stat().st_size - 8000
    done = nhlog("scores", xlogfile, "--top", 1)
    assert done.code == 3
    assert done.out.splitlines()[1].split()[:3] == ["1", "1254", "Flaming:Ketchup"]
    told = f"{xlogfile}: offset {size}: not a line of an xlogfile, and 999 more such lines: expected NAME=VALUE"
    assert done.err == f"nhlog: {told}, found b'rubbish'\n"


def test_hostile_lines_reach_no_terminal_and_end_nothing(nhlog, xlogfile: Path) -> None:
    long = line("L" * 9000, 5, deathdate="99999999", endtime="-" + "9" * 19, maxlvl="x", realtime=10**18)
    xlogfile.write_bytes(line("\x1b[2J", 7, death="\x9b\u202e", endtime=10**18) + b"\n" + long + b"\n")
    done = nhlog("scores", xlogfile)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert len(done.out.splitlines()) == 3
    assert ranking(nhlog("scores", xlogfile, "--json")) == [("\x1b[2J", 7), ("L" * 9000, 5)]


def test_a_game_without_known_points_comes_last(nhlog, tmp_path: Path) -> None:
    played(3).over().write(tmp_path / "a.nhgame")
    shutil.copy(SAMPLES / "died2.nhgame", tmp_path)
    assert ranking(nhlog("scores", tmp_path, "--all-modes", "--json")) == [("Dies2", 13037), ("Ann", None)]


@pytest.mark.parametrize("what", ["pipe", "missing"])
def test_what_cannot_be_read_is_an_error(nhlog, tmp_path: Path, what: str) -> None:
    path = tmp_path / "xlogfile"
    if what == "pipe":
        os.mkfifo(path)
    done = nhlog("scores", path)
    assert (done.code, done.out) == (1, "")
    assert str(path) in done.err


def test_standard_input_is_an_xlogfile(nhlog) -> None:
    assert ranking(nhlog("scores", "-", "--json", stdin=OF_343)) == [("daniel", 77)]
