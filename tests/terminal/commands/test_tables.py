"""`verify`, `recover` and `rewind --dry-run` of many recordings: a table, or a record of each; none stops the rest."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.builders import played
from tests.corpus import SAMPLES

VERBS = (["verify"], ["recover"], ["recover", "--dry-run"], ["rewind", "--to", "turn:2", "--dry-run"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound game, one with half a line, what is no game, a recording, and a map, which nobody rewinds."""
    played(4).write(tmp_path / "b-whole.nhgame")
    with Path(played(3).write(tmp_path / "c-torn.nhgame")).open("ab") as file:
        file.write(b"sear")
    (tmp_path / "a-bad.nhgame").write_bytes(b"GIF89a")
    shutil.copy(SAMPLES / "coverage.map", tmp_path)
    (tmp_path / "notes.txt").write_text("no recording")
    return tmp_path


def rows(done) -> dict[str, str]:
    """By the name of the file, its status."""
    heading, *lines = (re.split(r" {2,}", line) for line in done.out.splitlines())
    assert heading == ["file", "status", "what"]
    return {os.path.basename(cells[0]): cells[1] for cells in lines}


def test_a_folder_is_verified_as_one_table(nhlog, folder: Path) -> None:
    done = nhlog("verify", folder)
    assert rows(done) == {
        "a-bad.nhgame": "error",
        "b-whole.nhgame": "sound",
        "c-torn.nhgame": "1 fault",
        "coverage.map": "sound",
    }
    assert (done.code, done.err) == (4, "")
    assert "fault: partial last line: expected a newline, found 4 bytes without one" in done.out


def test_a_folder_is_recovered_as_one_table(nhlog, folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    told = {"a-bad.nhgame": "error", "b-whole.nhgame": "sound", "c-torn.nhgame": "not sound"}
    assert rows(nhlog("recover", folder, "--dry-run")) == told
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    done = nhlog("recover", folder)
    assert rows(done) == told | {"c-torn.nhgame": "recovered"}
    assert done.code == 4
    assert nhlog("verify", folder / "c-torn.nhgame").code == 0


def test_what_many_would_lose_is_one_table(nhlog, folder: Path) -> None:
    done = nhlog("rewind", folder, "--to", "turn:4", "--dry-run")
    assert rows(done) == {"a-bad.nhgame": "error", "b-whole.nhgame": "loses", "c-torn.nhgame": "loses"}
    done = nhlog("rewind", folder, "--to", "turn:4", "--yes")
    assert (done.code, done.out) == (2, "")
    assert "only one recording can be rewound" in done.err


@pytest.mark.parametrize("verb", VERBS)
def test_there_is_a_record_of_each(nhlog, folder: Path, verb: list[str]) -> None:
    games = sorted(folder.glob("*.nhgame"))
    done = nhlog(*verb, *games, folder / "gone.nhgame", "--json")
    assert [record["file"] for record in done.records] == [str(game) for game in (*games, folder / "gone.nhgame")]
    assert ["error" in record for record in done.records] == [True, False, False, True]
    assert done.records[3]["error"] == "no such file or directory"
    assert done.code == 4


def test_one_file_is_told_of_as_ever_and_an_empty_folder_has_none(nhlog, folder: Path, tmp_path: Path) -> None:
    game = folder / "b-whole.nhgame"
    assert nhlog("verify", game).out.startswith(f"{game}: sound; ")
    (tmp_path / "empty").mkdir()
    for verb in VERBS:
        done = nhlog(*verb, tmp_path / "empty")
        assert (done.out, done.err) == ("", "there are no recordings\n")


def test_several_cannot_go_to_one_file(nhlog, folder: Path) -> None:
    done = nhlog("recover", folder, "-o", folder / "saved.replay")
    assert (done.code, done.out) == (2, "")
