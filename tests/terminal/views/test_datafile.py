"""How maps look: screens kept in `drawn_datafile/`, and where a position of the world is on them.

After a change of looks: ``python -m tests.terminal.views.test_datafile`` draws them anew; read the difference.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.formats.datafile.replay import MapReplay, open_replay
from nhlog.formats.datafile.terrain import Terrain
from nhlog.formats.datafile.wire.tiles import TILE, Grid
from nhlog.screen import Screen
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.views import Viewpoint, view_of
from terminal.views.teeworlds.glyphs import AIR, GLYPHS
from terminal.views.teeworlds.tiles import FARTHEST, NEAREST, Window, draw_tiles, fitting, legend, whole
from tests.corpus import SAMPLES, corpus
from tests.effort import within

FOLDER = Path(__file__).with_name("drawn_datafile")
VIEW = view_of("datafile")


def frame(name: str, keys: str = "", size: tuple[int, int] = (80, 24)) -> Screen:
    """The client's screen after these keys."""
    replay = open_replay(str(SAMPLES / f"{name}.map"))
    try:
        controls = Controls(Player(replay), VIEW)
        for key in keys.split():
            controls.press(key)
        return draw_frame(controls, *size)
    finally:
        replay.close()


CASES: dict[str, Callable[[], Screen]] = {
    "dm1-80x24": lambda: frame("dm1"),
    "dm1-200x60": lambda: frame("dm1", size=(200, 60)),
    "dm1-100x40-nearer": lambda: frame("dm1", "+ + +", (100, 40)),
    "dm1-40x10-far": lambda: frame("dm1", "- -", (40, 10)),
    "dm1-layer-80x24": lambda: frame("dm1", "v v"),
    "dm1-ascii-80x24": lambda: frame("dm1", "+").ascii(),
    "coverage-80x24": lambda: frame("coverage"),
    "coverage-spawn-80x24": lambda: frame("coverage", "tab"),
    "coverage-start-near-80x24": lambda: frame("coverage", "tab tab + + o"),
    "coverage-tele-80x24": lambda: frame("coverage", "tab v v"),
    "coverage-speedup-80x24": lambda: frame("coverage", "tab v v v"),
    "coverage-panned-80x24": lambda: frame("coverage", "+ + s s d"),
    "coverage-legend-80x24": lambda: frame("coverage", "ctrl-k"),
    "coverage-layers-80x24": lambda: frame("coverage", "ctrl-e"),
    "coverage-about-80x24": lambda: frame("coverage", "ctrl-x"),
    "coverage-look-80x24": lambda: frame("coverage", "tab tab ; j j j"),
    "coverage-30x8": lambda: frame("coverage", size=(30, 8)),
}


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_it_did(name: str) -> None:
    assert "\n".join(CASES[name]().text()) + "\n" == (FOLDER / f"{name}.txt").read_text()


def test_there_are_no_other_screens() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_every_screen_can_be_drawn_in_ascii_without_a_guess(name: str) -> None:
    screen = CASES[name]()
    for row, plain in zip(screen.text(), screen.ascii().text(), strict=True):
        assert plain.isascii()
        assert plain.count("?") == row.count("?")


# windows


def grid_of(width: int, height: int, at: tuple[int, int] = (0, 0), index: int = 1) -> Grid:
    """A layer with one tile in it."""
    tiles = bytearray(width * height)
    tiles[at[1] * width + at[0]] = index
    return Grid("game", "", width, height, bytes(tiles))


ZOOMS = range(FARTHEST, NEAREST + 1)


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("centre", [(0, 0), (1616, 1584), (-700, 5), (3199, 3199)])
def test_the_centre_is_in_the_middle(zoom: int, centre: tuple[int, int]) -> None:
    window = Window.around(centre, 81, 25, zoom)
    column, row = window.cell(*centre)
    slack = max(1 << zoom, 1) if zoom > 0 else 1
    assert abs(column - 40) <= slack
    assert abs(row - 12) <= slack


@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_cells_middle_is_in_the_cell(zoom: int) -> None:
    window = Window.around((1000, -1000), 80, 24, zoom)
    for cell in ((0, 0), (79, 23), (40, 7), (-3, 30)):
        assert window.cell(*window.world(*cell)) == cell


@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_tile_is_drawn_where_its_positions_are(zoom: int) -> None:
    for tile in ((0, 0), (99, 0), (37, 61), (50, 50), (99, 99)):
        grid = grid_of(100, 100, tile, 192)
        window = Window.around((tile[0] * TILE + 16, tile[1] * TILE + 16), 21, 11, zoom)
        drawn = draw_tiles(grid, window).text()
        places = {
            (x, y)
            for y, row in enumerate(drawn)
            for x, char in enumerate(row)
            if char not in " \N{BRAILLE PATTERN BLANK}"
        }
        corners = {window.cell(tile[0] * TILE + x, tile[1] * TILE + y) for x in range(TILE) for y in range(TILE)}
        assert places == {(x, y) for x, y in corners if 0 <= x < 21 and 0 <= y < 11}


@pytest.mark.parametrize("zoom", ZOOMS)
def test_moving_by_cells_moves_the_picture(zoom: int) -> None:
    window = Window.around((1600, 1600), 20, 10, zoom)
    step = max(1 << zoom, 1) if zoom > 0 else 1
    assert window.moved(step, 0).cell(*window.world(10, 5)) == (10 - step, 5)
    assert window.moved(0, step).cell(*window.world(10, 5)) == (10, 5 - step)


def test_what_fits_is_shown_whole() -> None:
    for size in ((80, 24), (200, 60), (10, 3), (1, 1)):
        for width, height in ((1, 1), (50, 50), (80, 24), (81, 24), (2210, 110), (300, 5000)):
            grid = grid_of(width, height)
            zoom = fitting(grid, *size)
            window = Window.around(whole(grid), *size, zoom).inside(grid)
            if zoom > FARTHEST:
                assert window.cell(0, 0) >= (0, 0)
                assert window.cell(width * TILE - 1, height * TILE - 1)[0] < size[0]
                assert window.cell(width * TILE - 1, height * TILE - 1)[1] < size[1]


def test_inside_the_map_nothing_else_is_seen() -> None:
    grid = grid_of(100, 40)
    for centre in ((0, 0), (5000, 5000), (1600, 0)):
        window = Window.around(centre, 20, 10, 0).inside(grid)
        assert 0 <= window.left <= 80 * TILE
        assert 0 <= window.top <= 30 * TILE
    small = Window.around(whole(grid_of(5, 5)), 20, 10, 0)
    assert small.inside(grid_of(5, 5)) == small


# drawing


def test_two_tiles_in_a_cell_show_the_one_that_matters() -> None:
    column = bytes((1, 0, 0, 1, 1, 3, 9, 1, 192, 1, 0, 9))
    grid = Grid("game", "", 1, 12, column)
    assert draw_tiles(grid, Window(1, 6, 0, 0, -1)).text() == ["▀", "▄", "█", "▄", "^", "≈"]


def test_eight_tiles_in_a_cell_are_dots() -> None:
    grid = Grid("game", "", 2, 4, bytes((1, 0, 1, 0, 0, 1, 1, 1)))
    assert draw_tiles(grid, Window(1, 1, 0, 0, -2)).text() == ["⣣"]
    ice = Grid("game", "", 2, 4, bytes((9,)) * 8)
    assert draw_tiles(ice, Window(1, 1, 0, 0, -2)).text() == ["⡇"]


def test_lines_and_spawns_are_seen_from_afar() -> None:
    grid = grid_of(1000, 1000, (500, 500), 33)
    screen = draw_tiles(grid, Window.around(whole(grid), 20, 10, -7))
    assert "S" in "".join(screen.text())


def test_without_a_map_there_is_a_grid_that_moves_with_the_world() -> None:
    here, there = (draw_tiles(None, Window.around((x, 0), 40, 12, 0)) for x in (0, 32))
    assert here.crop(1, 0, 39, 12) == there.crop(0, 0, 39, 12)
    assert here != there
    assert sum(row.count("·") for row in here.text()) == 15


def test_a_legend_has_each_meaning_once_and_the_race_first() -> None:
    tiles = bytes((0, 1, 1, 1, 3, 9, 9, 33, 5, 6, 250))
    words = [glyph.words for glyph in legend(Grid("game", "", len(tiles), 1, tiles))]
    assert words == ["start line", "hookable", "hook passes", "freeze", "unhookable", "laser wall"]


def test_every_tile_of_every_layer_has_a_glyph_of_one_column() -> None:
    for kind, glyphs in GLYPHS.items():
        assert len(glyphs) == 256, kind
        assert all(len(glyph.char) == 1 and glyph.words for glyph in glyphs)
        assert all((glyph.char == " ") == (glyph.rank == AIR) for glyph in glyphs)


# the view


def terrain_of(replay: MapReplay) -> Terrain:
    assert replay.state.terrain is not None
    return replay.state.terrain


def test_what_is_on_a_tile_is_told() -> None:
    replay = open_replay(str(SAMPLES / "coverage.map"))
    assert VIEW.look is not None
    cameras = list(VIEW.cameras(replay))
    viewpoint = Viewpoint(camera=cameras.index("start line"))
    assert VIEW.look(replay, viewpoint, 0, 0).text == "game start line (33) (tile 2,7)"
    assert VIEW.look(replay, viewpoint, -99, -99).text.endswith(" (tile 0,0)")
    assert VIEW.look(replay, viewpoint, 0, 0).place(80, 24) == (32, 7)
    replay.close()


def test_a_map_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "cut.map"
    path.write_bytes((SAMPLES / "dm1.map").read_bytes()[:700])
    replay = open_replay(str(path))
    assert "cut" in "\n".join(VIEW.body(replay, 80, 20, Viewpoint()).text())
    assert dict(VIEW.facts(replay))["fault"].startswith("offset 700: cut")
    replay.close()


def test_all_layers_of_a_large_map_are_drawn_in_a_moment() -> None:
    replay = open_replay(str(corpus("teeworlds", "maps", "ddnet20_Tutorial.map")))
    sides = len(VIEW.sides(replay))
    assert sides == 30
    for zoom in (0, 6):
        with within(10):
            for side in range(sides):
                VIEW.body(replay, 200, 60, Viewpoint(side=side, zoom=zoom))
    replay.close()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for case, draw in CASES.items():
        (FOLDER / f"{case}.txt").write_text("\n".join(draw().text()) + "\n")
