"""How a recorded terminal looks: whole where there is room, and the part around the cursor where there is not."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.screen import Screen
from nhlog.screencast.replay import Screencast
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.views import Viewpoint, view_of

OUTPUT = (
    "".join(f"\x1b[{row};1H{row:02}{'.' * 36}{row:02}" for row in range(1, 11)).encode() + b"\x1b[1;1H\x1b]0;\x9bti\x07"
)


@pytest.fixture
def replay(tmp_path: Path) -> Iterator[Screencast]:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(format_frame(1_000_000, OUTPUT))
    with closing(open_recording(str(path), size="40x10")) as replay:
        yield replay


def drawn(replay: Screencast, width: int, height: int, corner: tuple[int, int] | None = None) -> Screen:
    return view_of(replay.info.id).body(replay, width, height, Viewpoint(corner=corner))


def test_it_stands_in_the_middle_of_a_larger_terminal(replay: Screencast) -> None:
    rows = drawn(replay, 44, 12).text()
    assert (rows[0], rows[1][:5], rows[10][:5], rows[11]) == ("", "  01.", "  10.", "")
    assert view_of("screencast").least(replay) == (40, 10)


def test_a_smaller_one_follows_the_cursor_and_can_be_panned(replay: Screencast) -> None:
    assert [row[:3] for row in drawn(replay, 10, 3).text()] == ["01.", "02.", "03."]
    assert [row[-3:] for row in drawn(replay, 10, 3, (99, 99)).text()] == [".08", ".09", ".10"]
    assert [row[-3:] for row in drawn(replay, 10, 3, (-9, -9)).text()] == ["...", "...", "..."]


def test_who_looks_at_a_part_is_told_and_looks_around_up_to_the_edges(replay: Screencast) -> None:
    controls = Controls(Player(replay), view_of("screencast"))

    def shown(width: int, height: int) -> list[str]:
        controls.size = (width, height)
        return draw_frame(controls, width, height).text()[: height - 2]

    def title(width: int, height: int) -> str:
        return shown(width, height)[0]

    assert title(60, 9).endswith("part of 40x10: w a s d move, - all of it")
    for key in "ddddwwww":
        controls.press(key)
    assert [row[10:14] for row in shown(60, 9)[1:]] == ["01..", "02..", "03..", "04..", "05..", "06.."]
    controls.press("s")
    assert [row[10:14] for row in shown(60, 9)[1:]] == ["05..", "06..", "07..", "08..", "09..", "10.."]
    controls.press("s")
    controls.press("w")
    assert shown(60, 9)[1][10:14] == "01.."
    controls.press("-")
    assert title(60, 9).endswith("all of 40x10: + as it was")
    assert title(60, 24).endswith("ttyrec, finished")


def test_who_chose_where_to_look_stays_there_until_it_is_centred(tmp_path: Path) -> None:
    path = tmp_path / "moving.ttyrec"
    path.write_bytes(b"".join(format_frame(1_000_000 + row, b"\x1b[%d;1H%02d" % (row, row)) for row in range(1, 25)))
    with closing(open_recording(str(path), size="80x24")) as replay:
        controls = Controls(Player(replay), view_of("screencast"))
        controls.size = (80, 13)

        def first(step: int) -> str:
            replay.seek(step)
            return draw_frame(controls, 80, 13).text()[1]

        assert [first(3), first(23)] == ["01", "15"]
        controls.press("w")
        assert [first(3), first(10), first(23)] == ["", "11", "11"]
        controls.press("c")
        assert [first(3), first(23)] == ["01", "15"]


def test_from_farther_away_all_of_it_is_seen(replay: Screencast) -> None:
    """The cursor first, then digits, then dots."""
    screen = view_of("screencast").body(replay, 10, 5, Viewpoint(zoom=-1))
    assert screen.text() == ["0" + "." * 8 + "0"] * 5
    assert screen.style_at(0, 0).reverse


def test_no_key_is_needed_to_undo_one_that_did_nothing(replay: Screencast) -> None:
    controls = Controls(Player(replay), view_of("screencast"))
    controls.press("-")
    assert (controls.viewpoint.zoom, controls.player.message) == (0, "all of it is in view")
    controls.size = (30, 10)
    for key, zoom, said in (
        ("-", -1, ""),
        ("-", -1, "this is the farthest"),
        ("+", 0, ""),
        ("+", 0, "this is the nearest"),
    ):
        controls.player.message = ""
        controls.press(key)
        assert (controls.viewpoint.zoom, controls.player.message) == (zoom, said)


def test_facts_are_the_size_and_what_there_is(replay: Screencast) -> None:
    assert ("size", "40 x 10") in view_of("screencast").facts(replay)


def test_the_cursor_is_in_reverse(replay: Screencast) -> None:
    screen = drawn(replay, 40, 10)
    reverse = [(x, y) for y in range(10) for x in range(40) if screen.style_at(x, y).reverse]
    assert reverse == [replay.state.grid.cursor] == [(0, 0)]


@pytest.mark.parametrize("output", ["漢\x1b[1G", "漢\x1b[2G", "\x1b[40G漢", "\x1b[?25l"])
def test_a_cursor_anywhere_changes_no_text(tmp_path: Path, output: str) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(format_frame(1_000_000, output.encode()))
    replay = open_recording(str(path), size="40x3")
    assert drawn(replay, 40, 3).text() == replay.state.grid.text()
    replay.close()
