"""Bones are listed with who left them and their game, and stay where they are."""

import os
import re
from pathlib import Path

import pytest

from nhlog.engines.delve.wire import Bones, write_bones
from nhlog.session.bones import BonesFolder
from tests.builders import played


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with Ann's bones on the third level, and her game."""
    bones = BonesFolder(tmp_path, "delve")
    bones.leave("Delve:3", write_bones(Bones(3, "Ann", "killed by a newt", ())))
    return tmp_path


def test_bones_are_listed_and_stay(nhlog, games: Path) -> None:
    game = played(3).over().write(games / "ann.nhgame")
    [record] = nhlog("bones", games, "--json").records
    kept = games / "bones" / "delve" / "Delve-3.bones"
    assert record == {
        "file": str(kept),
        "engine": "delve",
        "user": "root" if os.geteuid() == 0 else record["user"],
        "changed": kept.stat().st_mtime_ns // 1000,
        "size": kept.stat().st_size,
        "hero": "Ann",
        "place": "Delve:3",
        "death": "killed by a newt",
        "game": game,
    }
    cells = re.split(r" {2,}", nhlog("bones", games).out.splitlines()[1])
    assert cells[:3] == ["Ann", "Delve:3", "killed by a newt"]
    assert BonesFolder(games, "delve").take("Delve:3") is not None
    assert nhlog("bones", games).err == "no bones lie there\n"


def test_another_game_of_the_same_hero_did_not_leave_them(nhlog, games: Path) -> None:
    path = Path(played(3).over().write(games / "ann.nhgame"))
    os.utime(path, (1e9, 1e9))
    played(3).over(b"killed by a jackal").write(games / "other.nhgame")
    assert nhlog("bones", games, "--json").records[0]["game"] is None


def test_what_players_put_there_besides_is_not_listed(nhlog, games: Path) -> None:
    folder = games / "bones" / "delve"
    os.mkfifo(folder / "pipe.bones")
    (folder / "link.bones").symlink_to("/etc/passwd")
    (folder / "second.bones").hardlink_to(games / "bones" / "delve" / "Delve-3.bones")
    (folder / ".left-1.bones").write_bytes(b"x")
    (folder / "rubbish.bones").write_bytes(b"\x1b[2J")
    (games / "bones" / "nobody").mkdir()
    records = nhlog("bones", games, "--json").records
    assert [(record["hero"], record["size"]) for record in records] == [(None, 4)]
    assert "\x1b" not in nhlog("bones", games).out


def test_a_folder_without_bones_has_none(nhlog, tmp_path: Path) -> None:
    assert nhlog("bones", tmp_path).err == "no bones lie there\n"
