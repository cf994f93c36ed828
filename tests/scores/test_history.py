"""Games that ended, as ever more of them do: what is read once is not read again."""

import os
import shutil
from pathlib import Path

import pytest

from nhlog.scores import history
from nhlog.scores.history import History
from tests.corpus import SAMPLES
from tests.scores.test_table import line


def told(history: History) -> list[tuple[str, int | None]]:
    return [(score.player, score.points) for score in history.scores]


def test_what_is_appended_is_read_and_half_a_line_is_not_one(tmp_path: Path) -> None:
    listed = tmp_path / "xlogfile"
    listed.write_bytes(line("Ann", 1) + b"\n" + line("Ben", 2)[:40])
    found = History([str(tmp_path)])
    assert (found.look(), told(found)) == (True, [("Ann", 1)])
    assert not found.look()
    with listed.open("ab") as file:
        file.write(line("Ben", 2)[40:] + b"\nrubbish\n" + line("Cyn", 3) + b"\n")
    assert (found.look(), told(found)) == (True, [("Ann", 1), ("Ben", 2), ("Cyn", 3)])


def test_a_list_is_read_once_and_then_from_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = tmp_path / "xlogfile"
    listed.write_bytes(b"".join(line("Ann", points) + b"\n" for points in range(1000)))
    found = History([str(tmp_path)])
    found.look()
    parsed = []
    monkeypatch.setattr(history, "parse_entry", lambda text: parsed.append(text) or {"name": "Ben"})
    with listed.open("ab") as file:
        file.write(line("Ben", 2) + b"\n")
    found.look()
    assert parsed == [line("Ben", 2)]


@pytest.mark.parametrize("rest", [b"", line("Cyn", 7) + b"\n" + line("Dan", 8) + b"\n"])
def test_another_list_in_its_place_is_read_from_the_start(tmp_path: Path, rest: bytes) -> None:
    listed = tmp_path / "xlogfile"
    listed.write_bytes(line("Ann", 1) + b"\n")
    found = History([str(tmp_path)])
    found.look()
    listed.write_bytes(line("Ben", 2) + b"\n" + rest)  # the same file, as long or longer
    os.utime(listed, (1, 1))
    assert (found.look(), told(found)[0]) == (True, ("Ben", 2))
    listed.write_bytes(b"")
    assert (found.look(), told(found)) == (True, [])


def test_a_list_without_ends_of_lines_takes_no_more_memory_than_a_piece(tmp_path: Path) -> None:
    listed = tmp_path / "xlogfile"
    with listed.open("wb") as file:
        file.truncate(1 << 26)  # of zeros, and no disk
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + line("Ann", 1) + b"\n")
    found = History([str(tmp_path)])
    found.look()
    assert told(found) == [("Ann", 1)]


def test_links_and_pipes_are_no_lists(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "xlogfile")
    found = History([str(tmp_path), str(tmp_path / "missing")])
    assert (found.look(), told(found)) == (False, [])


def test_of_very_many_the_last_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST", 2)
    (tmp_path / "xlogfile").write_bytes(b"".join(line("Ann", points) + b"\n" for points in range(5)))
    found = History([str(tmp_path)])
    found.look()
    assert told(found) == [("Ann", 3), ("Ann", 4)]


def test_a_folder_without_a_list_has_its_finished_logs(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "died2.nhgame", tmp_path)
    shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path)  # which goes on
    found = History([str(tmp_path)])
    assert (found.look(), told(found)) == (True, [("Dies2", 13037)])
    assert not found.look()
    os.unlink(tmp_path / "died2.nhgame")
    assert (found.look(), told(found)) == (True, [])


def test_how_a_game_ended(tmp_path: Path) -> None:
    endings = ("ascended", "Escaped with the Orb!", "escaped", "quit", "killed by a newt")
    (tmp_path / "xlogfile").write_bytes(b"".join(line("Ann", 1, death=death) + b"\n" for death in endings))
    found = History([str(tmp_path)])
    found.look()
    assert [(score.won, score.died) for score in found.scores] == [
        (True, False),
        (True, False),
        (False, False),
        (False, False),
        (False, True),
    ]
