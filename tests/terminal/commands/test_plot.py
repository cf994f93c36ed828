"""`nhlog plot`: what can be drawn, drawn, written, and refused."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.corpus import SAMPLES

GAME = SAMPLES / "died2.nhgame"
needs_matplotlib = pytest.mark.skipif(find_spec("matplotlib") is None, reason="pictures need matplotlib")


def test_without_a_kind_the_kinds_are_listed(nhlog) -> None:
    done = nhlog("plot", GAME)
    assert [row.split()[0] for row in done.out.splitlines()] == ["plot", "hp", "level", "depth", "score"]


def test_where_nobody_looks_a_plot_is_80_columns_wide_and_without_colour(nhlog) -> None:
    rows = nhlog("plot", GAME, "hp").out.splitlines()
    assert rows[0] == "hit points  ━ hit points  · the most"
    assert len(rows) == 22
    assert max(map(len, rows)) == 79  # one is left free at the right
    assert "\x1b" not in "".join(rows)


def test_a_recorded_terminal_is_plotted_by_its_status_lines(nhlog) -> None:
    records = nhlog("plot", SAMPLES / "nethack.cast", "hp", "--json").records
    points = next(record for record in records if record["kind"] == "series")
    assert (points["x"][0], points["y"][0], points["y"][-1]) == (1, 18, 0)
    assert [record["name"] for record in records if record["kind"] == "mark"] == ["low HP 1", "death"]


def test_what_cannot_be_plotted_is_told_in_one_line(nhlog, tmp_path: Path) -> None:
    told = {
        ("plot", str(GAME), "speed"): "no plot 'speed' of this recording: expected hp, level, depth, score",
        ("plot", str(SAMPLES / "dm1.map"), "hp"): f"{SAMPLES / 'dm1.map'}: there are no plots of a Teeworlds map",
        (
            "plot",
            str(GAME),
            str(GAME),
            "hp",
        ): f"{GAME}: a NetHack 4 log cannot be plotted with another recording: expected FILE [KIND]",
        (
            "plot",
            str(GAME),
            "hp",
            "-o",
            "x.pdf",
        ): "x.pdf: unknown kind of picture: expected a file named *.svg or *.png",
    }
    for arguments, message in told.items():
        done = nhlog(*arguments)
        assert done.code != 0
        assert done.err == f"nhlog: {message}\n"


def test_without_matplotlib_one_line_says_what_to_install(
    nhlog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = nhlog("plot", GAME, "hp", "-o", tmp_path / "x.svg")
    assert done.err == "nhlog: pictures need matplotlib: expected pip install 'nhlog[plots]'\n"
    assert not (tmp_path / "x.svg").exists()


@needs_matplotlib
def test_the_same_recording_makes_the_same_picture(nhlog, tmp_path: Path) -> None:
    shutil.copy(GAME, tmp_path / "$x_<b>.nhgame")  # a name that could be taken for something else
    for name in ("one.svg", "two.svg"):
        assert nhlog("plot", tmp_path / "$x_<b>.nhgame", "hp", "-o", tmp_path / name).code == 0
    one = (tmp_path / "one.svg").read_text()
    assert one == (tmp_path / "two.svg").read_text()
    assert "$x_&lt;b&gt;.nhgame: hit points" in one
    assert "killed by a sewer rat" in one


@needs_matplotlib
def test_a_picture_has_the_pixels_that_were_asked_for(nhlog, tmp_path: Path) -> None:
    nhlog("plot", GAME, "level", "-o", tmp_path / "x.png", "--size", "300x200")
    data = (tmp_path / "x.png").read_bytes()
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (300, 200)
