"""Whatever a recording, a file's name or an argument holds: a terminal gets nothing that it would obey."""

import json
import re
import shutil
from pathlib import Path

import pytest

from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from tests.corpus import SAMPLES
from tests.formats.hollowcube.made import Made, run
from tests.terminal.pty import NHLOG, Pty

EVIL = "\x1b]0;owned\x07\x1b[2J\x7f\x9b31m\x9d0;x\x9c\u202eabc\u2066\u200b\ufeff\u2028\U000e0001end"
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 but for tab and the ends of lines, DEL, C1
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e0fff]"  # turns writing, takes no place
)
COLORS = re.compile(r"\x1b\[[0-9;]*m")  # which are ours


class Evil(Made):
    """A recording in which every name is hostile."""

    def own_metadata(self) -> Tag:
        own = super().own_metadata()
        evil = Tag(Kind.STRING, EVIL)
        deep = Tag(Kind.COMPOUND, {EVIL: evil})
        return Tag(
            Kind.COMPOUND,
            {**own.value, EVIL: evil, "player": evil, "title": evil, "deep": deep},
        )


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    path = tmp_path / f"{EVIL}.replay"
    path.write_bytes(Evil(run(40, {10: EVIL})).data())
    (tmp_path / f"{EVIL}.nhgame").write_bytes(b"NHGAME " + EVIL.encode())
    return path


VERBS = [
    ("info", "FILE"),
    ("info", "--json", "FILE"),
    ("dump", "FILE"),
    ("dump", "--json", "FILE"),
    ("events", "FILE"),
    ("events", "--json", "FILE"),
    ("stats", "FILE"),
    ("stats", "--json", "FILE"),
    ("state", "FILE"),
    ("state", "--json", "FILE"),
    ("show", "FILE", "--text"),
    ("show", "FILE", "--json"),
    ("search", "FILE", "."),
    ("search", "FILE", ".", "--json"),
    ("verify", "FILE"),
    ("verify", "FILE", "--json"),
    ("meta", "FILE", "get"),
    ("meta", "--json", "FILE", "get"),
    ("meta", "FILE", "get", EVIL),
    ("compact", "FILE", "-o", "OUT"),
    ("compact", "--json", "FILE", "-o", "OUT"),
    ("convert", "FILE", "OUT", "--layout", "4"),
    ("ls", "FOLDER"),
    ("ls", "--json", "FOLDER"),
    ("info", "GAME"),
    ("info", "GAME", "FILE"),
    ("verify", "--json", "GAME"),
    ("recover", "GAME"),
]

LINES = f"a\nb{EVIL}.teehistorian"


@pytest.mark.parametrize(
    "arguments", VERBS, ids=lambda arguments: " ".join(arguments)[:30].encode("unicode_escape").decode()
)
def test_what_a_recording_holds_does_nothing_to_a_terminal(nhlog, evil: Path, arguments: tuple[str, ...]) -> None:
    places = {
        "FILE": str(evil),
        "GAME": str(evil.with_suffix(".nhgame")),
        "FOLDER": str(evil.parent),
        "OUT": str(evil.with_name(f"out{EVIL}.replay")),
    }
    done = nhlog(*(places.get(word, word) for word in arguments))
    assert FORBIDDEN.findall(done.out + done.err) == []
    assert done.out + done.err
    if "--json" in arguments:
        assert all(isinstance(record, dict) for record in done.records)


@pytest.mark.parametrize("verb", [("recover",), ("rewind", "--to", "50%", "--yes"), ("cuts",)])
def test_a_name_of_several_lines_makes_no_more_lines(nhlog, tmp_path: Path, verb: tuple[str, ...]) -> None:
    path = Path(shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path / LINES))
    path.write_bytes(path.read_bytes()[:-1])
    done = nhlog(verb[0], path, *verb[1:])
    assert done.out + done.err
    assert not any(line.startswith("b") for line in (done.out + done.err).splitlines())


def test_json_says_the_same_as_before(nhlog, evil: Path) -> None:
    assert nhlog("info", "--json", evil).records[0]["file"] == str(evil)
    assert json.loads(nhlog("meta", evil, "get", EVIL).out) == EVIL


USAGE = [
    (EVIL,),
    (f"--{EVIL}",),
    ("info",),
    ("info", f"--{EVIL}"),
    ("info", f"-{EVIL}"),
    ("state", "a", EVIL, EVIL),
    ("ls", "--sort", EVIL),
    ("show", "a", "--size", EVIL),
    ("show", "a", "--at", EVIL),
    ("play", "--seed", EVIL),
    ("play", "--role", EVIL),
    ("record", "--ring", EVIL, "a"),
    ("compact", "--level", EVIL, "a", "-o", "b"),
    ("meta", "a.replay", EVIL),
    ("search", "a", f"({EVIL}"),
    ("help", EVIL),
    ("info", EVIL),
    ("info", f"http://{EVIL}/"),
    ("info", f"{EVIL}://x.replay"),
]


@pytest.mark.parametrize(
    "arguments", USAGE, ids=lambda arguments: " ".join(arguments)[:30].encode("unicode_escape").decode()
)
def test_what_an_argument_holds_does_nothing_to_a_terminal(nhlog, arguments: tuple[str, ...]) -> None:
    done = nhlog(*arguments)
    assert done.code != 0
    assert done.err
    assert FORBIDDEN.findall(done.out + done.err) == []


@pytest.mark.parametrize("arguments", [("info", "--json"), ("info",), ("dump",), ("--",), ("ls", "--sort")])
def test_on_a_terminal(evil: Path, arguments: tuple[str, ...]) -> None:
    """The bytes that a terminal gets, of errors and of output."""
    with Pty(*NHLOG, *arguments, str(evil), NHLOG_PAGER="") as pty:
        pty.end()
    assert pty.written
    assert FORBIDDEN.findall(COLORS.sub("", pty.written.decode())) == []


def test_a_question_on_a_terminal(tmp_path: Path) -> None:
    """`rewind` names the file before it asks."""
    path = tmp_path / f"{EVIL}.nhgame"
    path.write_bytes((SAMPLES / "scripted1.nhgame").read_bytes())
    with Pty(*NHLOG, "rewind", str(path), "--to", "-5 turns", size=(200, 28)) as pty:
        pty.wait_for("Rewind?")
        pty.send("n\n")
        assert pty.end() == 1
    assert FORBIDDEN.findall(pty.written.decode()) == []


def test_full_screen_programs_leave_the_title_alone(evil: Path) -> None:
    """A screen may move its cursor: what it must not send is text that a recording put there."""
    with Pty(*NHLOG, "replay", str(evil.parent)) as pty:
        pty.wait(lambda rows: any("replay" in row for row in rows))
        pty.send("q")
        pty.end()
    assert b"\x1b]" not in pty.written
    assert not set(pty.written.decode()) & set("\x07\x7f\x9b\x9c\x9d\u202e\u2066\u200b\ufeff\u2028\U000e0001")
