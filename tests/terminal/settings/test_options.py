"""Options: those of a game are commands of its log, those of the screen are the player's, and both are kept."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.config.toml import parse_toml, toml_text
from nhlog.errors import NhlogError, Usage
from nhlog.log.wire.lines import Command
from nhlog.screen import Screen, Style
from terminal.messages.others import HIDDEN, Wants
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.replay.controls import Controls
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.screen.console import known_terminal, painter
from terminal.screen.preferences import Appearance, Preferences
from terminal.screen.tty.mouse import OFF
from terminal.settings.drawing import draw_options
from terminal.settings.kept import Settings, keep_settings, read_settings, settings_path
from terminal.settings.menu import OPTIONS_KEYS, OptionsMenu
from terminal.views import view_of
from tests.corpus import SAMPLES
from tests.terminal.settings.drawn import CASES, FOLDER, a_game


@pytest.mark.parametrize("name", CASES)
def test_a_screen_looks_as_it_was_drawn(name: str) -> None:
    assert CASES[name]().text() == (FOLDER / f"{name}.txt").read_text().removesuffix("\n").split("\n")


def test_every_drawing_has_a_case() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder that is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


@pytest.fixture
def controller() -> Iterator[PlayController]:
    with a_game() as controller:
        yield controller


def typed(thing: PlayController | Controls | OptionsMenu, *keys: str) -> None:
    for key in keys:
        thing.press(key)


def test_the_hint_says_the_keys_that_were_chosen() -> None:
    screen = Screen(80, 24)
    draw_options(screen, OptionsMenu((), lambda table: table.without(["up", "escape"])))
    assert "k Down choose, Right Left change, q leaves" in "\n".join(screen.text())


def options_in(controller: PlayController) -> list[str]:
    """What the commands of the log set, and the other commands by their names."""
    lines = [controller.session.log.line(number) for number in range(len(controller.session.log))]
    told = []
    for line in lines:
        if isinstance(line, Command):
            values = [argument.value.decode().decode().rstrip("\0") for argument in line.arguments]  # type: ignore[union-attr]
            told.append(" ".join([line.name, *values]))
    return told


# options of the game


def test_an_option_of_the_game_is_a_command_of_its_log(controller: PlayController) -> None:
    controller.enter()
    typed(controller, "O", "right", "right", "down", "right", "escape")
    assert options_in(controller) == [
        "welcome",
        "option autopickup=magic",
        "option autopickup=all",
        "option confirm=off",
    ]
    assert controller.session.game.record()["options"] == {"autopickup": "all", "confirm": "off"}
    assert controller.session.game.turn == 1
    assert controller.opened.top is None


def test_a_new_game_begins_with_what_its_player_usually_has(controller: PlayController) -> None:
    controller.usual_options = {"autopickup": "all", "confirm": "on", "autodig": "on"}
    controller.enter()
    assert options_in(controller) == ["option autopickup=all", "welcome"]
    assert "Welcome to the Delve" in controller.session.game.record()["messages"][0]


def test_a_game_that_was_begun_keeps_its_options(controller: PlayController) -> None:
    controller.enter()
    controller.usual_options = {"autopickup": "all"}
    controller.enter()
    assert options_in(controller) == ["welcome", "welcome"]


def test_what_is_chosen_in_one_game_is_kept_for_the_next(controller: PlayController) -> None:
    controller.enter()
    typed(controller, "O", "left")
    assert read_settings().games == {"delve": {"autopickup": "nothing"}}


# the menu


def test_the_mark_stays_on_what_was_changed(controller: PlayController) -> None:
    controller.enter()
    typed(controller, "O", "down", "right", "right", "right")
    marked = [row for row in draw_game(controller, 80, 24).text() if "▶" in row]
    assert len(marked) == 1
    assert "confirm" in marked[0]


def test_every_key_of_the_menu_does_something() -> None:
    for row in OPTIONS_KEYS:
        for key in row.keys:
            menu = OptionsMenu()
            before = menu.index, menu.appearance, menu.done
            menu.press(key)
            assert (menu.index, menu.appearance, menu.done) != before, key


def test_a_spectator_has_the_options_of_the_screen() -> None:
    replay = open_viewed(str(SAMPLES / "delve.nhgame"))
    controls = Controls(Player(replay), view_of(replay.info.id))
    typed(controls, "O", "right", "down", "left", "down", "right", "escape")
    replay.close()
    assert read_settings() == Settings(Appearance("8", "ascii"), wants=Wants(mail=False))
    assert (controls.opened.top, controls.done) == (None, False)


# what is kept


def test_what_is_kept_is_read_again() -> None:
    assert read_settings() == Settings()
    kept = (
        Settings(Appearance("none", "dec"), wants=Wants(mail=False, talk=HIDDEN))
        .with_option("delve", "confirm", 'o"ff\\')
        .with_option("a-b", "x y", "é")
    )
    keep_settings(kept)
    assert read_settings() == kept


@given(st.text(min_size=1), st.text())
def test_an_option_may_be_any_text(name: str, value: str) -> None:
    assert parse_toml(f"{toml_text(name)} = {toml_text(value)}\n") == {name: value}


def test_two_clients_of_a_player_do_not_undo_one_another() -> None:
    one, other = OptionsMenu(), OptionsMenu()
    typed(one, "right")
    typed(other, "down", "right")
    assert read_settings().appearance == Appearance("8", "dec")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("colors = ", "not TOML"),
        ("colors = 'pink'", "bad value for colors: expected all or 8 or none, found 'pink'"),
        ("symbols = 3", "bad value for symbols: expected unicode or dec or ascii, found 3"),
        ("symbols = ['dec']", "bad value for symbols"),
        ("colour = 'all'", "no such option: colour"),
        ("mail = 'no'", "bad value for mail: expected true or false, found 'no'"),
        ("talk = 'loud'", "bad value for talk: expected shown or hidden or off, found 'loud'"),
        ("[delve]\nautopickup = 1", "bad value in delve"),
        ("\xff", "not TOML"),
        ('"two\\nlines" = 1', "no such option: two\\nlines"),
        ("x" * 5000 + " = 1", "no such option: xxx"),
        ("[" + "x" * 5000 + "]\na = 1", "bad value in xxx"),
        ("mail = '" + "x" * 5000 + "'", "found 'xxx"),
        ("colors = '" + "x" * 5000 + "'", "found 'xxx"),
    ],
    ids=range(14),
)
def test_what_cannot_be_meant_is_told_in_a_line(text: str, told: str) -> None:
    os.makedirs(os.path.dirname(settings_path()))
    Path(settings_path()).write_bytes(text.encode("latin-1"))
    with pytest.raises(Usage, match=r"options\.toml") as caught:
        read_settings()
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_cannot_be_kept_holds_all_the_same_and_says_so(home: Path) -> None:
    (home / "config").write_text("not a folder")
    with pytest.raises(NhlogError):
        keep_settings(Settings())
    menu = OptionsMenu()
    typed(menu, "right")
    assert menu.appearance.colors == "8"
    assert menu.told == "not kept: there is no folder for it"


# how screens look


def painted(color: str, utf8: bool, look: Appearance, text: str = "┌─ ♥·") -> bytes:
    screen = Screen(8, 1)
    screen.put(0, 0, text, Style(fg=203))
    return painter(known_terminal("xterm-256color"), color, utf8=utf8, preferences=Preferences(appearance=look)).paint(
        screen, Screen(8, 1)
    )


@pytest.mark.parametrize(
    ("symbols", "shown"),
    [("unicode", "┌─ ♥·".encode()), ("dec", b"\x1b(0lq\x1b(B +\x1b(0~\x1b(B"), ("ascii", b"-- +.")],
)
def test_symbols(symbols: str, shown: bytes) -> None:
    drawn = painted("never", True, Appearance("all", symbols))
    assert drawn.replace(b"\x1b[1;4H", b"").endswith(shown) or shown in drawn


def test_colours() -> None:
    found = [painted("auto", True, Appearance(colors)) for colors in ("all", "8", "none")]
    assert [b"38;5;203" in drawn for drawn in found] == [True, False, False]
    assert [b"31" in drawn for drawn in found] == [False, True, False]


def test_the_locale_and_no_color_have_the_last_word() -> None:
    for symbols in ("unicode", "dec", "ascii"):
        assert painted("never", False, Appearance("all", symbols)).isascii()
        assert b"\x1b(0" not in painted("never", False, Appearance("all", symbols))
    assert b"203" not in painted("never", True, Appearance("all"))
    assert b"38;5;203" in painted("always", True, Appearance("none"))  # what was asked for here and now


def test_the_client_leaves_no_terminal_in_line_drawing() -> None:
    dressed = painter(
        known_terminal("xterm"), "auto", utf8=True, preferences=Preferences(appearance=Appearance("all", "dec"))
    )
    assert dressed.leave.removeprefix(OFF).startswith(b"\x1b(B")
