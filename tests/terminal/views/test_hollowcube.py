"""How Hollow Cube recordings look: golden screens of the sample, and what no recording may make of a screen."""

from dataclasses import replace
from math import inf, nan
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.hollowcube.wire.events import AbsoluteMove, CheckpointReached, RunStart, SetBlock, SpawnEntity
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector
from terminal.views import Viewpoint, view_of
from terminal.views.hollowcube.cubes import COLORS, SIDES, around, arrow, color_of
from terminal.views.hollowcube.view import VIEW, run_words
from tests.corpus import SAMPLES
from tests.effort import within
from tests.formats.hollowcube.made import EVERY_KIND, Made, walk
from tests.terminal.views.drawn_hollowcube import CASES, FOLDER

STILL = Vector(0.0, 0.0, 0.0)
FOLLOWING = Viewpoint()


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_it_did(name: str) -> None:
    assert "\n".join(CASES[name]().text()) + "\n" == (FOLDER / f"{name}.txt").read_text()


def test_no_golden_screen_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(CASES)


def opened(tmp_path: Path, ticks: object, **options: str):
    path = tmp_path / "a.replay"
    path.write_bytes(Made(ticks).data())
    return open_recording(str(path), **options)


def rows(replay, viewpoint: Viewpoint = FOLLOWING, width: int = 40, height: int = 12) -> list[str]:
    return VIEW.body(replay, width, height, viewpoint).text()


def place_of(glyph: str, shown: list[str]) -> tuple[int, int]:
    return next((row.index(glyph), y) for y, row in enumerate(shown) if glyph in row)


def test_the_format_has_this_view() -> None:
    assert view_of("hollowcube") is VIEW


def test_the_player_is_in_the_middle_and_the_world_moves(tmp_path: Path) -> None:
    replay = opened(tmp_path, [(*walk(1)[0], SetBlock(BlockPosition(3, 63, 0), 1)), *walk(5, step=1.0)[1:]])
    for step, block in ((0, 26), (2, 22), (4, 20)):
        replay.seek(step)
        shown = rows(replay)
        assert place_of("@", shown) == (20, 1 + 11 // 2)
        if block != 20:
            assert place_of("█", shown) == (block, 1 + 11 // 2)


@pytest.mark.parametrize(
    ("side", "across", "down"), [("top", (2, 0), (0, 1)), ("side", (2, 0), (0, 0)), ("front", (0, 0), (2, 0))]
)
def test_each_side_shows_its_own_axes(side: str, across: tuple[int, int], down: tuple[int, int]) -> None:
    """One block east, and one block south, in columns and rows."""
    window = around(side, Pos(0.5, 64.0, 0.5, 0.0, 0.0), 40, 10, 0, (0, 0))
    x, y = window.cell(Pos(0.5, 64.0, 0.5, 0.0, 0.0))
    assert window.cell(Pos(1.5, 64.0, 0.5, 0.0, 0.0)) == (x + across[0], y + across[1])
    assert window.cell(Pos(0.5, 64.0, 1.5, 0.0, 0.0)) == (x + down[0], y + down[1])
    assert window.cell(Pos(0.5, 65.0, 0.5, 0.0, 0.0)) == ((x, y) if side == "top" else (x, y - 1))


@pytest.mark.parametrize(
    ("yaw", "pitch", "side", "glyph"),
    [
        (0.0, 0.0, "top", "↓"),
        (90.0, 0.0, "top", "←"),
        (180.0, 0.0, "top", "↑"),
        (-90.0, 0.0, "top", "→"),
        (-45.0, 0.0, "top", "↘"),
        (-90.0, 45.0, "side", "↘"),
        (-90.0, -90.0, "side", "↑"),
        (0.0, 0.0, "front", "→"),
    ],
)
def test_an_arrow_points_where_one_looks(yaw: float, pitch: float, side: str, glyph: str) -> None:
    window = around(side, Pos(0, 0, 0, 0, 0), 40, 10, 0, (0, 0))
    assert arrow(window, Pos(0, 0, 0, yaw, pitch))[2] == glyph


def test_one_who_looks_at_us_or_nowhere_has_no_arrow() -> None:
    window = around("side", Pos(0, 0, 0, 0, 0), 40, 10, 0, (0, 0))
    assert arrow(window, Pos(0, 0, 0, 0.0, 0.0)) is None
    assert arrow(window, Pos(0, 0, 0, nan, 0.0)) is None


def test_the_nearer_of_two_blocks_is_seen(tmp_path: Path) -> None:
    low, high = SetBlock(BlockPosition(2, 60, 0), 1), SetBlock(BlockPosition(2, 63, 0), 2)
    for events in ((low, high), (high, low)):
        replay = opened(tmp_path, [(*walk(1)[0], *events)])
        screen = VIEW.body(replay, 40, 12, Viewpoint())
        assert screen.style_at(24, 6).fg == color_of(2)


def test_a_block_that_was_taken_away_is_hollow(tmp_path: Path) -> None:
    replay = opened(tmp_path, [(*walk(1)[0], SetBlock(BlockPosition(2, 63, 0), 0))])
    assert place_of("░", rows(replay)) == (24, 6)


def test_zoom_and_pan_and_camera(tmp_path: Path) -> None:
    other = SpawnEntity(1, 2, Pos(100.0, 64.0, 0.0, 0.0, 0.0))
    replay = opened(tmp_path, [(*walk(1)[0], other)])
    assert not any("c" in row for row in rows(replay)[1:])
    assert place_of("c", rows(replay, Viewpoint(camera=1))[1:])
    assert place_of("@", rows(replay, Viewpoint(pan=(3, -1)))) == (17, 7)
    near, far = rows(replay, Viewpoint(zoom=2))[0], rows(replay, Viewpoint(zoom=-4))[0]
    assert (near.split(", ")[-1], far.split(", ")[-1]) != ("", "")
    assert VIEW.cameras(replay) == ("the player", "everything")


def test_every_side_every_camera_and_every_size_can_be_drawn() -> None:
    replay = open_recording(str(SAMPLES / "run.replay"), ghost=str(SAMPLES / "ghost.replay"))
    assert len(VIEW.cameras(replay)) == len(VIEW.sides(replay)) == len(SIDES) == 3
    for step in (0, 333, replay.timeline.last):
        replay.seek(step)
        for camera in range(4):
            for side in range(4):
                for zoom in (-99, -3, 0, 2, 99):
                    for width, height in ((1, 1), (30, 3), (80, 20)):
                        screen = VIEW.body(replay, width, height, Viewpoint(camera, side, zoom))
                        assert (screen.width, screen.height) == (width, height)
    replay.close()


@pytest.mark.parametrize("value", [nan, inf, -inf, 1e300, 3e9])
def test_what_is_no_place_harms_nothing(tmp_path: Path, value: float) -> None:
    nowhere = Pos(value, value, value, value if value == inf else 0.0, 0.0)
    ticks = [
        (AbsoluteMove(0, nowhere, STILL), SpawnEntity(1, -5, nowhere), SpawnEntity(2, 1 << 30, nowhere)),
        (SetBlock(BlockPosition(33554431, 2047, -33554432), -1),),
        (AbsoluteMove(0, Pos(1.0, 64.0, 1.0, 0.0, 0.0), STILL),),
    ]
    path = tmp_path / "ghost.replay"
    path.write_bytes(Made(ticks).data())
    replay = opened(tmp_path, ticks, ghost=str(path))
    for step in range(3):
        replay.seek(step)
        for viewpoint in (Viewpoint(), Viewpoint(camera=1, side=1), Viewpoint(camera=2, side=2, zoom=3)):
            VIEW.body(replay, 40, 12, viewpoint)
        assert VIEW.facts(replay)
        for panel in VIEW.panels.values():
            panel(replay)


def test_hostile_names_stay_on_their_line(tmp_path: Path) -> None:
    name = "a\nb\x1b[2J\u202e" * 20
    replay = opened(tmp_path, [(RunStart(),), (CheckpointReached(name, 50),), ()])
    replay.seek(2)
    for row in (*rows(replay), *VIEW.panels["overview"](replay).text(), *[value for _, value in VIEW.facts(replay)]):
        assert "\n" not in row
        assert "\x1b" not in row
    assert all(len(marker.name.splitlines()) == 1 for marker in replay.timeline.markers)


def test_a_fault_is_said_in_the_first_row(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    path.write_bytes(Made(EVERY_KIND).data()[:-30])
    replay = open_recording(str(path))
    replay.seek(replay.timeline.last)
    assert "lies outside" in rows(replay, width=80)[0]
    assert VIEW.facts(replay)[0][0] == "fault"


def test_the_clock_of_a_run(tmp_path: Path) -> None:
    replay = opened(tmp_path, EVERY_KIND)
    told = []
    for step in (0, 3, 12):
        replay.seek(step)
        told.append(run_words(replay.state.run, step))
    assert told == ["run 0:00.000", "run 0:00.150", "finished 0:00.550"]
    assert run_words(None, 5) == "run unknown"
    assert run_words(replace(replay.state.run, started=None, splits=(), ended=None), 5) == "no run"


def test_colours_are_the_same_always_and_differ() -> None:
    assert len({color_of(number) for number in range(1, 60)}) > len(COLORS) // 2
    assert color_of(-7) in COLORS


def test_a_frame_is_quick_with_many_blocks(tmp_path: Path) -> None:
    blocks = [
        SetBlock(BlockPosition(number % 100, 60 + number // 10_000, number // 100 % 100), number)
        for number in range(5000)
    ]
    replay = opened(tmp_path, [(*walk(1)[0], *blocks), *walk(30)[1:]])
    replay.seek(20)
    VIEW.body(replay, 200, 56, Viewpoint())
    with within(15):
        for step in range(21, 29):
            replay.seek(step)
            VIEW.body(replay, 200, 56, Viewpoint())
            VIEW.facts(replay)
