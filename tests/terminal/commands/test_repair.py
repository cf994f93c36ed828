"""`nhlog recover` and `nhlog rewind`: they tell, ask, cut, and leave alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.formats.nhgame import rights
from tests.builders import Game, every_kind, played
from tests.corpus import ROOT
from tests.starter import Started
from tests.waiting import PATIENCE


@pytest.fixture
def game() -> Game:
    return played(12, backup_every=5)


@pytest.fixture
def path(game: Game, tmp_path: Path) -> Path:
    return Path(game.write(tmp_path / "x.nhgame"))


@pytest.fixture
def torn(game: Game, path: Path) -> Path:
    path.write_bytes(game.data + b"sear")
    return path


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file there with its bytes and when it was last written."""
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()}


# recover


def test_recover_tells_what_it_did(nhlog, torn: Path, game: Game) -> None:
    done = nhlog("recover", torn)
    kept = f"{torn}.cut-00000002"
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{torn}: cut 4 bytes at offset {len(game.data)}, recovery count 2; kept in {kept}\n"
    assert torn.read_bytes() == game.data.replace(b"00000001", b"00000002", 1)
    assert Path(kept).read_bytes() == b"sear"
    again = nhlog("recover", torn)
    assert (again.code, again.out) == (0, f"{torn}: nothing to recover: it ends with a whole record\n")


def test_recover_in_json(nhlog, torn: Path, game: Game) -> None:
    cut = {"file": str(torn), "offset": len(game.data), "lost_bytes": 4, "recovery_count": 2}
    assert nhlog("recover", torn, "--dry-run", "--json").records == [cut | {"recovered": False, "kept_in": None}]
    kept = f"{torn}.cut-00000002"
    assert nhlog("recover", torn, "--json").records == [cut | {"recovered": True, "kept_in": kept}]
    nothing = {"offset": None, "lost_bytes": 0, "recovery_count": None, "recovered": False, "kept_in": None}
    assert nhlog("recover", torn, "--json").records == [{"file": str(torn), **nothing}]


@pytest.mark.parametrize("arguments", [["recover", "--dry-run"], ["rewind", "--to", "turn:3", "--dry-run"]])
def test_a_dry_run_changes_nothing(nhlog, torn: Path, arguments: list[str]) -> None:
    before = state(torn.parent)
    done = nhlog(*arguments, torn)
    assert done.code == 0
    assert "cut 4 bytes" in done.out or "lost: 10 turns" in done.out
    assert state(torn.parent) == before


def test_what_is_cut_is_not_kept_where_nobody_wants_it(nhlog, torn: Path) -> None:
    assert nhlog("recover", torn, "--no-keep").code == 0
    assert os.listdir(torn.parent) == [torn.name]
    assert nhlog("rewind", torn, "--to", "turn:3", "--yes", "--no-keep").code == 0
    assert os.listdir(torn.parent) == [torn.name]


@pytest.mark.parametrize("dry_run", [["--dry-run"], []])
def test_more_than_eight_ninths_go_only_by_force(nhlog, game: Game, path: Path, dry_run: list[str]) -> None:
    path.write_bytes(game.data + b"x" * 9 * len(game.data))
    before = path.read_bytes()
    for verb in (["recover", path], ["rewind", path, "--to", "end", "--yes"]):
        done = nhlog(*verb, *dry_run)
        assert (done.code, done.out) == (1, "")
        assert "more than 8/9 of the file would be removed" in done.err
        assert path.read_bytes() == before
        assert nhlog(*verb, *dry_run, "--force").code == 0
        assert (path.read_bytes() == before) == bool(dry_run)
        path.write_bytes(before)


def test_what_is_cut_from_a_log_behind_a_link_is_kept_beside_the_link(nhlog, torn: Path) -> None:
    (torn.parent / "links").mkdir()
    link = torn.parent / "links" / "mine.nhgame"
    link.symlink_to(torn)
    assert nhlog("recover", link).code == 0
    assert link.is_symlink()
    assert sorted(os.listdir(link.parent)) == ["mine.nhgame", "mine.nhgame.cut-00000002"]
    assert torn.read_bytes().endswith(b"\n")


def test_a_normal_game_is_cut_by_its_owners_force_alone(nhlog, torn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torn.write_bytes(torn.read_bytes().replace(b" 0 1 ", b" 0 0 ", 1))
    before = torn.read_bytes()
    for verb in (["recover", torn], ["rewind", torn, "--to", "turn:8", "--yes"]):
        done = nhlog(*verb)
        does = "`nhlog rewind --force` or `nhlog recover --force` cuts it, as it is yours"
        assert (done.code, done.out, done.err) == (1, "", f"nhlog: {torn}: a normal game: {does}\n")
        monkeypatch.setattr(rights, "read_config", lambda: Config(administrators=("ann",)))
        done = nhlog(*verb, "--force")
        assert (done.code, done.out) == (1, "")
        assert done.err.endswith("ask ann\n")
        assert nhlog(*verb, "--dry-run").code == 0
        monkeypatch.undo()
        assert torn.read_bytes() == before
        assert nhlog(*verb, "--force").code == 0
        assert torn.read_bytes() != before
        torn.write_bytes(before)


def test_where_there_is_nothing_to_cut_nobodys_right_is_asked(nhlog, game: Game, path: Path) -> None:
    path.write_bytes(game.data.replace(b" 0 1 ", b" 0 0 ", 1))
    assert nhlog("recover", path).out.endswith("nothing to recover: it ends with a whole record\n")
    assert nhlog("rewind", path, "--to", "end").code == 0


# rewind


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b""])
def test_rewind_shows_what_would_be_lost_and_respects_a_no(nhlog, path: Path, answer: bytes) -> None:
    before = state(path.parent)
    done = nhlog("rewind", path, "--to", "turn:8", stdin=answer)
    assert done.code == 1
    assert done.out.startswith(f"{path}: back to offset ")
    assert "turn 8; lost: 5 turns, 5 saves, 15 lines, 0:01 of play, " in done.out
    assert "Rewind? [y/N]" in done.err
    assert state(path.parent) == before


@pytest.mark.parametrize("how", [{"stdin": b"y\n"}, {}])
def test_rewind_cuts_when_told_yes(nhlog, game: Game, path: Path, how: dict[str, bytes]) -> None:
    end = game.offsets[game.offsets.index(game.save_offsets[7]) + 1]
    done = nhlog("rewind", path, "--to", "turn:8", *([] if how else ["--yes"]), **how)
    assert done.code == 0
    assert done.out.endswith(f"{path}: rewound to turn 8; what was cut off is in {path}.cut-00000002\n")
    assert path.stat().st_size == end
    assert Path(f"{path}.cut-00000002").read_bytes() == game.data[end:]
    assert nhlog("verify", path).code == 0


@pytest.mark.parametrize("position", ["-5", "-5 turns", "turn:8", "8", "58%"])
def test_a_position_may_be_written_in_any_form(nhlog, path: Path, position: str) -> None:
    done = nhlog("rewind", path, "--to", position, "--dry-run", "--json")
    assert [record["turn"] for record in done.records] == [8]


def test_rewind_in_json_is_one_object_and_asks_elsewhere(nhlog, path: Path) -> None:
    done = nhlog("rewind", path, "--to", "turn:8", "--json", stdin=b"y\n")
    [record] = done.records
    assert (record["rewound"], record["turn"], record["lost_turns"]) == (True, 8, 5)
    assert record["kept_in"] == f"{path}.cut-00000002"
    assert "Rewind?" in done.err


def test_there_may_be_nothing_to_rewind(nhlog, path: Path) -> None:
    before = state(path.parent)
    done = nhlog("rewind", path, "--to", "end", "--yes")
    assert (done.code, done.out) == (0, f"{path}: nothing to rewind: nothing comes after that position\n")
    assert nhlog("rewind", path, "--to", "end", "--yes", "--json").records[0]["rewound"] is False
    assert state(path.parent) == before


def test_a_finished_game_is_told_to_go_on(nhlog, tmp_path: Path) -> None:
    path = every_kind().write(tmp_path / "x")
    done = nhlog("rewind", path, "--to", "end", "--yes")
    assert "the finished game can be continued" in done.out
    assert nhlog("info", path, "--json").records[0]["status"] == "live"
    assert nhlog("verify", path).code == 0


def test_exactly_is_after_the_line_itself(nhlog, game: Game, path: Path) -> None:
    at = game.offsets[20]
    assert nhlog("rewind", path, "--to", f"offset:{at}", "--exact", "--yes").code == 0
    assert path.stat().st_size == game.offsets[21]


@pytest.mark.parametrize(("position", "code"), [("nowhere", 2), ("tick:5", 1), ("marker:none", 1)])
def test_a_position_that_there_is_not_changes_nothing(nhlog, path: Path, position: str, code: int) -> None:
    before = state(path.parent)
    done = nhlog("rewind", path, "--to", position, "--yes")
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert state(path.parent) == before


def test_a_log_that_changed_while_the_question_stood_is_left_alone(game: Game, path: Path) -> None:
    command = [sys.executable, "-u", "-m", "terminal.cli", "rewind", str(path), "--to", "turn:8"]
    with Started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as asked:
        assert asked.stderr.read(7) == b"Rewind?"
        path.write_bytes(game.data + b"search\n")
        out, err = asked.communicate(b"y\n", timeout=PATIENCE)
    assert asked.returncode == 6
    assert b"the log changed meanwhile; nothing was done" in err
    assert path.read_bytes() == game.data + b"search\n"
    assert b"rewound" not in out


def test_a_log_that_was_rewound_can_be_played_on_and_rewound_again(nhlog, path: Path) -> None:
    for turn, count in ((10, 2), (8, 3), (5, 4)):
        assert nhlog("rewind", path, "--to", f"turn:{turn}", "--yes").code == 0
        [record] = nhlog("info", path, "--json").records
        assert (record["turn"], record["recovery_count"], record["health"]) == (turn, count, "sound")
    assert sorted(os.listdir(path.parent)) == [path.name, *(f"{path.name}.cut-{n:08x}" for n in (2, 3, 4))]
