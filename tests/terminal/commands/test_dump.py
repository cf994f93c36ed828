"""`nhlog dump`: lines, saves, and one save; against the real engine's own account of its logs."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import every_kind, played
from tests.corpus import ROOT, SAMPLES, corpus, packed_records
from tests.logs import SAMPLE_LOGS, TRUTHS, body_lines


def truth_of(name: str) -> list[dict]:
    return [record for record in packed_records("nethack4", f"{name}.truth.jsonl.gz") if "save_len" in record]


@pytest.mark.parametrize("name", TRUTHS)
def test_saves_are_the_real_engines_object_for_object(nhlog, name: str) -> None:
    path = corpus("nethack4", f"{name}.nhgame")
    done = nhlog("dump", path, "--saves", "--json")
    assert done.records == truth_of(name)
    assert done.err == ""
    assert done.code == (0 if path.read_bytes().endswith(b"\n") else 3)


def test_saves_are_the_real_engines_in_a_process_of_its_own() -> None:
    path = corpus("nethack4", "short1.nhgame")
    done = subprocess.run(
        [sys.executable, "-m", "terminal.cli", "dump", "--saves", "--json", str(path)],
        capture_output=True,
        cwd=ROOT,
        check=True,
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == truth_of("short1")


def test_saves_do_not_depend_on_the_index(nhlog) -> None:
    path = corpus("nethack4", "died1.nhgame")
    outputs = {nhlog("dump", path, "--saves", "--json").out for _ in range(2)}
    assert len(outputs) == 1


FIQHACKS_SAVES = "6ff32a4e8339925b23bcdaff7d3ebce01ac0988b4ecd9c68bd3274fd1b0a0eca"
"""The digest of the digests of all saves in `fiqhack1.nhgame`, as the engine itself had them."""


def test_fiqhacks_saves_and_lines_are_told(nhlog) -> None:
    path = corpus("nethack4", "fiqhack1.nhgame")
    done = nhlog("dump", path, "--saves", "--json")
    digests = "".join(record["save_sha256"] for record in done.records)
    assert hashlib.sha256(digests.encode()).hexdigest() == FIQHACKS_SAVES
    done = nhlog("dump", path, "--json")
    assert (done.code, done.err) == (0, "")
    assert len(done.records) == len(body_lines(path.read_bytes())) + 3


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_there_is_one_object_for_every_line_of_the_file(nhlog, path: Path) -> None:
    done = nhlog("dump", path, "--json")
    lines = path.read_bytes().splitlines(keepends=True)
    assert done.code == 0
    assert [record["line"] for record in done.records] == list(range(1, len(lines) + 1))
    offset = 0
    for record, line in zip(done.records, lines, strict=True):
        assert record["offset"] == offset
        offset += len(line)
    assert all(record["kind"] != "unreadable" for record in done.records)


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
@pytest.mark.parametrize("saves", [[], ["--saves"]])
def test_the_plain_form_has_a_line_for_each_object(nhlog, path: Path, saves: list[str]) -> None:
    plain, records = nhlog("dump", path, *saves), nhlog("dump", path, *saves, "--json").records
    assert len(plain.out.splitlines()) == len(records)
    for line, record in zip(plain.out.splitlines(), records, strict=True):
        assert line.split()[:3] == [str(record["line"]), str(record["offset"]), record["kind"]]


def test_a_damaged_log_is_dumped_and_its_exit_code_tells(nhlog, tmp_path: Path) -> None:
    game = played(3)
    game.line(b"?")
    path = game.write(tmp_path / "x")
    done = nhlog("dump", path, "--json")
    assert done.code == 3
    assert done.records[-1] | {"kind": "unreadable", "raw": "?"} == done.records[-1]
    (tmp_path / "y").write_bytes(played(3).data + b"sear")
    done = nhlog("dump", tmp_path / "y", "--json")
    assert (done.code, done.records[-1]["kind"]) == (3, "partial")


# one save


@pytest.mark.parametrize(
    ("position", "number"),
    [("start", 0), ("end", 4), ("turn:2", 1), ("offset:0", 0), ("100%", 4), ("marker:backup 2", 2), ("0:00", 0)],
)
def test_the_save_in_force_at_a_position(nhlog, tmp_path: Path, position: str, number: int) -> None:
    game = every_kind()
    path = game.write(tmp_path / "x.nhgame")
    done = nhlog("dump", path, "--save-at", position, "-o", tmp_path / "out")
    assert (done.code, done.out) == (0, f"{tmp_path / 'out'}: 96 B\n")
    assert (tmp_path / "out").read_bytes() == game.saves[number]


def test_a_real_save_has_the_digest_that_the_engine_gave_it(nhlog, tmp_path: Path) -> None:
    truth = truth_of("scripted1")
    for record in truth:
        out = tmp_path / f"{record['offset']}.save"
        where = f"offset:{record['offset']}"
        assert nhlog("dump", SAMPLES / "scripted1.nhgame", "--save-at", where, "-o", out).code == 0
        assert hashlib.sha256(out.read_bytes()).hexdigest() == record["save_sha256"]


def test_a_save_is_raw_on_standard_output(tmp_path: Path) -> None:
    game = played(3)
    path = game.write(tmp_path / "x")
    command = [sys.executable, "-m", "terminal.cli", "dump", path, "--save-at", "turn:3"]
    assert subprocess.run(command, capture_output=True, cwd=ROOT, check=True).stdout == game.saves[2]


def test_an_output_file_is_only_replaced_by_force(nhlog, tmp_path: Path) -> None:
    game = played(3)
    path, out = game.write(tmp_path / "x"), tmp_path / "out"
    out.write_bytes(b"precious")
    done = nhlog("dump", path, "--save-at", "end", "-o", out)
    assert (done.code, out.read_bytes()) == (1, b"precious")
    assert done.err == f"nhlog: {out}: the file exists (--force replaces it)\n"
    assert nhlog("dump", path, "--save-at", "end", "-o", out, "--force").code == 0
    assert out.read_bytes() == game.saves[-1]


def test_the_log_itself_is_never_the_output_by_mistake(nhlog, tmp_path: Path) -> None:
    path = Path(played(3).write(tmp_path / "x"))
    before = path.read_bytes()
    assert nhlog("dump", path, "--save-at", "end", "-o", path).code == 1
    assert path.read_bytes() == before


def test_a_save_that_cannot_be_rebuilt_writes_nothing(nhlog, tmp_path: Path) -> None:
    game = played(3)
    game.line(b"~YQ==")
    path, at = game.write(tmp_path / "x"), game.offsets[-1]
    done = nhlog("dump", path, "--save-at", "end", "-o", tmp_path / "out")
    assert done.code == 3
    assert done.err.startswith(f"nhlog: {path}: offset {at}: the save diff cannot be applied")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--save-at", "nowhere"], 2), (["--save-at", "tick:5"], 1), (["--save-at", "marker:none"], 1), (["-o", "x"], 2)],
)
def test_what_cannot_be_meant_is_told(nhlog, tmp_path: Path, arguments: list[str], code: int) -> None:
    done = nhlog("dump", played(3).write(tmp_path / "x"), *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
