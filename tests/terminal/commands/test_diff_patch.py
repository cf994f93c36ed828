"""`nhlog diff` and `nhlog patch` on raw files."""

import io
import json
import re
from pathlib import Path

import pytest

from terminal.cli import main

OLD, NEW = b"hello world", b"hello_world"
DIFF = bytes.fromhex("0143 cc055f d3dcfaba440005")  # what NetHack 4 itself makes of them


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, data in {"old": OLD, "new": NEW, "other": OLD.upper(), "diff": DIFF}.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_diff_with_reference_makes_the_bytes_of_the_game(files: Path, capsys) -> None:
    assert main(["diff", "old", "new", "--reference", "-o", "made"]) == 0
    assert (files / "made").read_bytes() == DIFF
    assert capsys.readouterr().out == "made: 12 B\n"


def test_patch_undoes_diff(files: Path) -> None:
    assert main(["diff", "old", "new", "-o", "made"]) == 0
    assert main(["patch", "old", "made", "-o", "back"]) == 0
    assert (files / "back").read_bytes() == NEW


@pytest.mark.parametrize("diff", ["05c0 0180 5f 05c0", "0140 0005 5f 80000005", DIFF.hex()])
def test_patch_knows_all_three_formats(files: Path, capfdbinary, diff: str) -> None:
    (files / "diff").write_bytes(bytes.fromhex(diff))
    assert main(["patch", "old", "diff"]) == 0
    assert capfdbinary.readouterr().out == NEW


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capfdbinary) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DIFF)))
    assert main(["patch", "old", "-"]) == 0
    assert capfdbinary.readouterr().out == NEW


def test_explain_tells_every_command_with_its_bits(capsys) -> None:
    assert main(["patch", "old", "diff", "--explain"]) == 0
    assert [re.split("  +", line.strip()) for line in capsys.readouterr().out.splitlines()] == [
        ["beta3, 12 bytes"],
        ["2", "copyedit1", "copy 5, edit 1", "110011 0000000101", "5f"],
        [
            "5",
            "eof_crc32",
            "copy 5, end, CRC-32 f73eae91",
            "110100 11110111001111101010111010010001 000000000000000101",
        ],
    ]


def test_explain_as_json(capsys) -> None:
    assert main(["patch", "old", "diff", "--explain", "--json"]) == 0
    first, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {
        "name": "copyedit1",
        "offset": 2,
        "bits": "110011 0000000101",
        "arg1": 5,
        "arg2": 0,
        "data": "5f",
        "words": "copy 5, edit 1",
    }
    assert last["name"] == "eof_crc32"


def test_a_file_written_is_told_as_json(capsys) -> None:
    assert main(["patch", "old", "diff", "-o", "made", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": "made", "size": 11}


def test_an_output_file_that_exists_is_kept(files: Path, capsys) -> None:
    assert main(["patch", "old", "diff", "-o", "new"]) == 1
    assert capsys.readouterr().err == "nhlog: new: the file exists (--force replaces it)\n"
    assert main(["patch", "old", "diff", "-o", "new", "--force"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["other", "diff"], 3, "nhlog: diff: save has the wrong CRC-32"),
        (["old", "cut"], 3, "nhlog: cut: offset 5: diff ends in a command"),
        (["old", "missing"], 1, "nhlog: missing: no such file or directory"),
        (["old", "."], 1, "nhlog: .: is a directory"),
        (["-", "-"], 2, "nhlog: standard input can be read only once"),
        (["old", "diff", "--json"], 2, "nhlog: --json would mix with the output: name a file with -o"),
    ],
)
def test_what_is_wrong_is_one_line(files: Path, capsys, arguments, code, message) -> None:
    (files / "cut").write_bytes(DIFF[:-1])
    assert main(["patch", *arguments]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(message)
    assert shown.err.count("\n") == 1
