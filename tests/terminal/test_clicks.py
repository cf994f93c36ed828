"""Clicks on whole screens: they do what stands there."""

import os
from pathlib import Path

import pytest

from nhlog.plots import Curves, Kind, Plots, Scale, Series
from nhlog.screen import Screen
from nhlog.testing.fakes import FakeRecording, Happening
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.visitors import User
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.plots.drawing import draw_plotting
from terminal.plots.plotting import Plotting
from terminal.replay.controls import Controls, Help
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.drawing.menu import draw_menu
from terminal.replay.menu import Menu
from terminal.replay.motion import Motion
from terminal.replay.player import Player
from terminal.screen.page import Page
from terminal.settings.drawing import draw_options
from terminal.settings.menu import OptionsMenu
from terminal.views import view_of
from tests.corpus import SAMPLES
from tests.terminal.play.test_controller import controller
from tests.terminal.pty import NHLOG, Pty

__all__ = ["controller"]


def at(screen: Screen, text: str) -> str:
    """What a click on the first character of this text means."""
    for y, row in enumerate(screen.text()):
        if text in row:
            return screen.target_at(row.index(text), y)
    raise AssertionError("\n".join([f"no {text!r} in", *screen.text()]))


@pytest.fixture
def controls() -> Controls:
    return Controls(Player(FakeRecording([Happening(f"event {n}", 1.0) for n in range(200)])), view_of("fake"))


def click(controls: Controls, text: str, size: tuple[int, int] = (80, 24)) -> None:
    controls.press(at(draw_frame(controls, *size), text))


def test_the_timeline_bar_goes_there(controls: Controls) -> None:
    screen = draw_frame(controls, 80, 24)
    row = next(y for y, text in enumerate(screen.text()) if "●" in text)
    bar = [x for x in range(80) if screen.target_at(x, row).startswith("go ")]
    assert "".join(screen.text()[row])[bar[0]] == "●"
    for x, step in ((bar[-1], 199), (bar[0], 0)):
        controls.press(screen.target_at(x, row))
        assert controls.player.step == step


def test_a_marker_goes_where_it_stands_by_its_sign_its_name_and_its_row(controls: Controls) -> None:
    controls.player.seek(150)
    controls.player.add_marker()
    name = controls.player.markers[-1].name
    for text in ("◆", name):
        controls.player.seek(3)
        click(controls, text, (200, 60))
        assert controls.player.step == 150
    rows = draw_frame(controls, 200, 60).text()
    [y] = [y for y, row in enumerate(rows) if "▶" in row and name in row]
    assert draw_frame(controls, 200, 60).target_at(rows[y].index(name), y) == "go 150"


def test_a_row_of_events_goes_to_it(controls: Controls) -> None:
    click(controls, "event 7")
    assert controls.player.step == 7


def test_hints_and_the_help_press_their_keys(controls: Controls) -> None:
    click(controls, "Space")
    assert controls.player.motion is Motion.PLAYING
    click(controls, "playing")
    assert controls.player.motion is Motion.PAUSED
    click(controls, "h help")
    assert controls.opened.mode == "help"
    click(controls, "twice as fast")
    assert (controls.opened.mode, controls.player.tempo.speed) == ("", 2)
    click(controls, "q quit")
    assert controls.done


def test_the_wheel_steps_zooms_or_scrolls() -> None:
    for kind, result in (("fake", (1, 0)), ("teehistorian", (0, -1))):
        recording = FakeRecording([Happening(f"event {n}") for n in range(9)])
        controls = Controls(Player(recording), view_of(kind))
        controls.press("wheel-down")
        assert (controls.player.step, controls.viewpoint.zoom) == result
        controls.page = "ledger"
        controls.press("wheel-down")
        assert controls.page_row == 3
        controls.press("h")
        controls.press("wheel-down")
        assert (controls.opened.mode, controls.opened.find(Help).row) == ("help", 3)


def test_a_row_of_the_lobby_is_chosen_and_then_opened(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.nhgame").write_bytes((SAMPLES / "died2.nhgame").read_bytes())
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.look()
    first, second = (row.file for row in lobby.contents.rows)
    screen = draw_lobby(lobby, 80, 24)
    targets = {screen.target_at(40, y) for y in range(24)} - {""}
    assert {f"row {first}", f"row {second}"} <= targets
    lobby.press(f"row {second}")
    assert (lobby.chosen and lobby.chosen.file, lobby.wants) == (second, "")
    lobby.press(f"row {second}")
    assert lobby.wants == "replay"


def test_the_lobbys_help_presses_its_keys(tmp_path: Path) -> None:
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.press("?")
    lobby.press(at(draw_lobby(lobby, 80, 24), "change sort order"))
    assert (lobby.opened.top, lobby.message) == (None, "sorted by turn")


def test_a_row_of_the_menu_is_chosen_and_then_opened() -> None:
    menu = Menu(["/a b.map", "/c.map"])
    for _ in range(2):
        assert not menu.opened
        menu.press(at(draw_menu(menu, 80, 24), "c.map"))
        assert menu.file == "/c.map"
    assert menu.opened


def test_a_row_of_the_games_help_presses_its_key(controller: PlayController) -> None:
    controller.press("?")
    controller.press(at(draw_game(controller, 80, 60), "throw something somewhere"))
    assert controller.opened.find(Page) is None
    assert controller.asked is not None
    assert "item" in controller.asked.line


def test_the_wheel_alone_does_nothing_to_a_game(controller: PlayController) -> None:
    before = len(controller.session.log)
    for key in ("wheel-up", "wheel-down"):
        controller.press(key)
    assert (len(controller.session.log), controller.seat.message) == (before, "")


def test_in_a_terminal() -> None:
    with Pty(*NHLOG, "replay", str(SAMPLES / "scripted1.nhgame")) as pty:
        rows = pty.wait_for("q quit")
        [y] = [y for y, row in enumerate(rows) if "●" in row]
        left, right = rows[y].index("●"), rows[y].rindex("─")
        pty.send(f"\x1b[<0;{(left + right) // 2 + 1};{y + 1}M\x1b[<0;{(left + right) // 2 + 1};{y + 1}m")
        pty.wait_for(" 50%")
        pty.send(f"\x1b[<0;{rows[-1].index('q quit') + 1};{len(rows)}M")
        assert pty.end() == 0


def test_not_without_being_wanted(tmp_path: Path) -> None:
    (tmp_path / "nhlog").mkdir()
    (tmp_path / "nhlog" / "config.toml").write_text("mouse = false\n[keys.replay]\nhelp = 'F1'\n")
    with Pty(*NHLOG, "replay", str(SAMPLES / "scripted1.nhgame"), XDG_CONFIG_HOME=str(tmp_path)) as pty:
        pty.wait_for("F1 help")
        pty.send("\x1bOP")
        assert not any("Wheel" in row for row in pty.wait_for("twice as fast"))
        pty.send("qq")
        assert pty.end() == 0
        assert b"\x1b[?1002" not in pty.written


def test_a_column_of_a_curve_is_stood_at_and_then_gone_to() -> None:
    series = Series("points", (0.0, 50.0, 100.0), (1.0, 2.0, 3.0), (0, 50, 100))
    points = Curves("points", Scale("turn"), Scale("points"), (series,))
    plotting = Plotting(Plots({"points": Kind("", lambda: points)}, iter(())), 0, 100)
    while plotting.work():
        pass
    screen = draw_plotting(plotting, str, 80, 24)
    targets = [screen.target_at(x, 10) for x in range(80)]
    assert [*dict.fromkeys(targets)] == ["", "point 0", "point 1", "point 2"]
    for _ in range(2):
        assert plotting.goes_to is None
        plotting.press("point 1")
        assert plotting.point == 1
    assert plotting.goes_to == 50


def test_an_option_is_marked_and_then_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    menu, screen = OptionsMenu(), Screen(80, 24)
    draw_options(screen, menu)
    before = menu.rows[1].value()
    for value in (before, menu.rows[1].values[1]):
        menu.press(at(screen, "symbols"))
        assert (menu.index, menu.rows[1].value()) == (1, value)
