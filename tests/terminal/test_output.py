"""JSON lines, and files that are whole or not there."""

import io
import json
import os
import stat
import sys
from pathlib import Path

import pytest

from nhlog.errors import NhlogError, Usage
from nhlog.progress import listening, report
from terminal.output import Progress, confirm, line_printer, print_error, print_json, print_lines, write_file
from terminal.text.wrapping import Line


def test_a_value_is_one_line_of_json(capsys) -> None:
    print_json({"name": "Zoë\n", "turn": 3})
    assert capsys.readouterr().out == '{"name":"Zoë\\n","turn":3}\n'


def test_json_has_nothing_in_it_that_a_terminal_obeys(capsys) -> None:
    name = "a\x1b[2J\x7f\x9b2J\u202e\u200b\U000e0001"
    print_json({name: name, "deep": [{"name": name}]})
    shown = capsys.readouterr().out
    assert shown.removesuffix("\n").isascii()
    assert shown.removesuffix("\n").isprintable()
    assert json.loads(shown) == {name: name, "deep": [{"name": name}]}


def test_lines_stay_lines(capsys) -> None:
    print_lines("one\ntwo", "\x9bthree")
    print_lines("four\r", err=True)
    assert capsys.readouterr() == ("one\\ntwo\n\\x9bthree\n", "four\\r\n")


@pytest.mark.parametrize("columns", ["", "20"])
def test_many_lines_are_printed_as_one_is(columns: str, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    parts = (("     0:01", "NOTE"), "  ", "picks up\x9b a dagger and a long sword")
    print_lines(Line(*parts, hang=11))
    alone = capsys.readouterr()
    tell = line_printer("NOTE", 9)
    for _ in range(2):
        tell("0:01", parts[2])
    assert capsys.readouterr() == (alone.out * 2, "")
    assert alone.out.count("\n") == (5 if columns else 1)


def test_progress_and_errors_are_one_line_of_what_may_be_printed(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminal.output.SOON", -1.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    Progress().show("a\x1b[2J\n\x9b")
    print_error("b\x1b[2J\n\x9b")
    out, err = capsys.readouterr()
    assert (out, err.replace("\x1b[K", "")) == ("", "\ra\\x1b[2J\\n\\x9bnhlog: b\\x1b[2J\\n\\x9b\n")


def test_what_is_printed_takes_the_place_of_the_progress(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminal.output.SOON", -1.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with listening(Progress()):
        report("reading", 3, 3)
        report("reading", 1, 3)
        print_lines("one")
    assert capsys.readouterr().err == "\rreading 33% (Ctrl-C ends it)\x1b[K\r\x1b[K"


def test_a_question_is_one_line_of_what_may_be_printed(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert confirm("Remove a\x1b[2J\n\x9b?")
    out, err = capsys.readouterr()
    assert (out, "\x1b" in err, "\x9b" in err) == ("", False, False)
    assert "Remove a\\x1b[2J\\n\\x9b?" in err


def test_a_name_that_is_not_utf8_survives_json(capsys) -> None:
    name = os.fsdecode(b"caf\xe9.nhgame")
    print_json({"file": name})
    assert json.loads(capsys.readouterr().out) == {"file": name}


def test_a_file_is_not_replaced_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    write_file(str(path), b"one", force=False)
    with pytest.raises(NhlogError, match="exists"):
        write_file(str(path), b"two", force=False)
    assert path.read_bytes() == b"one"
    write_file(str(path), b"three", force=True)
    assert path.read_bytes() == b"three"
    assert os.listdir(tmp_path) == ["out"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to("target")
    write_file(str(link), b"new", force=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_what_is_no_file_is_written_as_it_is(tmp_path: Path) -> None:
    write_file("/dev/null", b"gone", force=True)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(IsADirectoryError):
        write_file(str(tmp_path), b"", force=True)


def test_bytes_do_not_go_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(Usage, match="-o"):
        write_file("-", b"\x1b", force=False)


def test_a_dash_is_standard_output(capfdbinary) -> None:
    write_file("-", b"\x00\xff", force=False)
    assert capfdbinary.readouterr().out == b"\x00\xff"
