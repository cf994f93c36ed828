"""What takes long says so, in the client and in the verbs, and Ctrl-C ends it and leaves nothing behind."""

import sys
from pathlib import Path

import pytest

from nhlog.compression import ZSTD, Compressor
from tests.corpus import SAMPLES
from tests.terminal.pty import NHLOG, Pty

CTRL_C = "\x03"
PROGRAM = (sys.executable, "-m", "tests.terminal.screen.program")


@pytest.fixture
def endless(tmp_path: Path) -> str:
    """A recording that takes far longer to unpack than anybody waits."""
    path = tmp_path / "endless.cast.zst"
    path.write_bytes(Compressor(ZSTD)(bytes(1 << 26)) * 200)
    return str(path)


@pytest.mark.parametrize("verb", ["verify", "ls"])
def test_a_verb_says_how_far_it_is_and_can_be_interrupted(verb: str, endless: str) -> None:
    file = endless if verb != "ls" else str(Path(endless).parent)
    with Pty(*NHLOG, verb, file) as pty:
        assert any("(Ctrl-C ends it)" in row for row in pty.wait_for("unpacking"))
        pty.send(CTRL_C)
        assert pty.end() == 130
        assert [row for row in pty.rows if row and "^C" not in row] == []


def test_an_interrupted_conversion_leaves_no_file(tmp_path: Path) -> None:
    with Pty(*NHLOG, "convert", str(SAMPLES / "delve.nhgame"), str(tmp_path / "a.cast"), "--speed", "0.001") as pty:
        pty.wait_for("drawing")
        pty.send(CTRL_C)
        assert pty.end() == 130
    assert [*tmp_path.iterdir()] == []


def test_the_client_says_how_far_it_is_and_gives_up_when_told_to(endless: str) -> None:
    with Pty(*NHLOG, "replay", endless) as pty:
        pty.wait_for("unpacking")
        pty.send(CTRL_C)
        assert pty.end() == 130
        assert pty.modes() == pty.before
        assert b"not opened: cancelled" in pty.written


def test_keys_pressed_meanwhile_are_kept_and_not_shown(tmp_path: Path) -> None:
    done = tmp_path / "done"
    with Pty(*PROGRAM, "slow", str(done)) as pty:
        pty.wait_for("moves 0")
        pty.send("...")
        assert any("moves" in row for row in pty.wait_for("reading 50%"))  # over what was shown
        pty.send("zzzh")
        done.touch()
        pty.wait_for("twice as fast")
        assert not any("zzz" in row for row in pty.rows)
        pty.send("hq")
        assert pty.end() == 0


def test_what_takes_long_in_a_menu_is_given_up_and_the_others_are_read(endless: str) -> None:
    with Pty(*NHLOG, "replay", endless, str(SAMPLES / "scripted1.nhgame")) as pty:
        pty.wait_for("unpacking")
        pty.send(CTRL_C)
        pty.wait_for("Scripty the human Wizard")
        assert any("not read: cancelled" in row for row in pty.rows)
        pty.send("q")
        assert pty.end() == 0
