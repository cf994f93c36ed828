"""A listing tells in a moment what a whole reading would."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.formats.nhgame.listing import glance_at_game, list_game
from nhlog.listed import GameListing
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.nethack4.save.head import HERO_SIZE, read_hero
from nhlog.replay import Status
from tests.builders import START, Game, played
from tests.logs import every_log


def listed_in_full(path: Path) -> dict[str, object]:
    """The same facts from the whole log."""
    with LogFile(str(path)) as file:
        log = Log(file)
        saves = len(log.columns.save_lines)
        hero = None
        if saves:
            try:
                hero = read_hero(log.save(saves - 1)[:HERO_SIZE])
            except NhlogError:
                hero = None
        told = re.search(r" turns, on (.+)$", log.header.state)
        return {
            "player": log.header.player,
            "turn": log.columns.save_turns[-1] if saves else 0,
            "place": hero.place if hero else (told[1] if told else None),
            "level": hero.level if hero else None,
            "hp": hero.hp if hero else None,
            "hp_max": hero.hp_max if hero else None,
            "size": log.size,
            "status": "needs recovery" if log.partial else "finished" if log.header.finished else "live",
            "state": log.header.state,
        }


def test_every_real_log_is_listed_as_a_whole_reading_tells() -> None:
    for path in every_log():
        try:
            expected = listed_in_full(path)
        except NhlogError as error:
            with pytest.raises(type(error)):
                list_game(str(path))
            continue
        game = list_game(str(path))
        assert {name: getattr(game, name) for name in expected} == expected, path


def test_a_game_is_listed(tmp_path: Path) -> None:
    path = played(20, backup_every=6).write(tmp_path / "game.nhgame")
    assert list_game(path) == GameListing(
        file=path,
        format="NetHack 4 log",
        title="Ann, human Valkyrie",
        people=("Ann",),
        duration=None,
        player="Ann",
        role="Valkyrie",
        race="human",
        engine="NetHack 4.3",
        turn=21,
        place="Dungeons:1",
        level=None,
        hp=None,
        hp_max=None,
        start=START,
        changed=os.stat(path).st_mtime_ns // 1000,
        size=os.stat(path).st_size,
        status=Status.LIVE,
        state="Exp:1, 18 turns, on Dungeons:1",
    )


@pytest.mark.parametrize(
    ("game", "tail", "status"),
    [
        (played(2), b"", "live"),
        (played(2).over(), b"", "finished"),
        (played(2), b"sear", "needs recovery"),
        (played(2).over(), b"Q", "needs recovery"),
        (Game(begin=False), b"", "live"),
        (Game(begin=False), b"*0000", "needs recovery"),
    ],
)
def test_how_a_game_stands(tmp_path: Path, game: Game, tail: bytes, status: str) -> None:
    (tmp_path / "game").write_bytes(game.data + tail)
    assert list_game(str(tmp_path / "game")).status == status


def test_the_engine_is_named_by_its_saves_or_by_the_first_line() -> None:
    engines = {path.stem: list_game(str(path)).engine for path in every_log() if path.stem in ("fiqhack1", "died2")}
    assert engines.items() <= {"fiqhack1": "FIQHack", "died2": "NetHack 4.3"}.items()


def test_what_is_no_log_is_not_listed(tmp_path: Path) -> None:
    for data in (b"", b"GIF89a", b"NHGAME save"):
        (tmp_path / "x").write_bytes(data)
        with pytest.raises(NhlogError) as error:
            list_game(str(tmp_path / "x"))
        assert error.value.file == str(tmp_path / "x")


def test_listing_leaves_nothing_open(tmp_path: Path) -> None:
    path = played(3).write(tmp_path / "game")
    files = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        list_game(path)
    assert len(os.listdir("/proc/self/fd")) == files


def test_a_glance_at_every_real_log_tells_what_a_listing_does_but_for_the_newest_save() -> None:
    for path in every_log():
        try:
            game = list_game(str(path))
        except NhlogError as error:
            with pytest.raises(type(error)):
                glance_at_game(str(path))
            continue
        told = re.search(r"(\d+) turns, on (.+)$", game.state)
        turn, place = (int(told[1]), told[2]) if told else (None, None)
        unknown = {"level": None, "hp": None, "hp_max": None}
        assert glance_at_game(str(path)) == replace(game, turn=turn, place=place, **unknown), path


@pytest.mark.parametrize("tail", [b"", b"sear", b"Q"])
def test_a_glance_sees_an_incomplete_last_line(tmp_path: Path, tail: bytes) -> None:
    (tmp_path / "game").write_bytes(played(2).data + tail)
    assert glance_at_game(str(tmp_path / "game")).status == list_game(str(tmp_path / "game")).status


def test_a_glance_reads_as_much_of_a_long_game_as_of_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    real = os.pread
    monkeypatch.setattr(os, "pread", lambda *arguments: read.append(len(found := real(*arguments))) or found)
    short, long = (played(turns).write(tmp_path / str(turns)) for turns in (100, 1000))
    glance_at_game(short)
    glance_at_game(long)
    half = len(read) // 2
    assert read[:half] == read[half:]
    assert sum(read) < 10_000


def test_a_glance_at_what_is_no_log_raises_the_same(tmp_path: Path) -> None:
    for data in (b"", b"GIF89a", b"NHGAME save"):
        (tmp_path / "x").write_bytes(data)
        with pytest.raises(NhlogError) as error:
            glance_at_game(str(tmp_path / "x"))
        assert error.value.file == str(tmp_path / "x")
