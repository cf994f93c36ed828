"""Somebody who has just installed it: a first game to its end, and every recording, by what the screen says."""

import re
from pathlib import Path

import pytest

from tests.corpus import SAMPLES
from tests.terminal.pty import NHLOG, Pty

SCREENS = {
    "80x24": ((80, 24), {"LANG": "C"}),
    "120x40": ((120, 40), {"NO_COLOR": "1"}),
    "200x60": ((200, 60), {"LANG": "C.UTF-8"}),
}
COLOUR = re.compile(rb"\x1b\[[\d;]*\b(3[0-7]|38;|4[0-7]|48;|9[0-7])[\d;]*m")
LOOKS = {"\x10": "T:1 Welcome", "O": "autopickup", "?": "walk west", "\x0b": "What the signs mean"}
PLAYED = [path.name for path in sorted(SAMPLES.iterdir()) if path.suffix != ".md"]


def newcomer(home: Path, screen: str, *arguments: str) -> Pty:
    """`nhlog` in the terminal of somebody who has never used it."""
    size, environment = SCREENS[screen]
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    return Pty(*NHLOG, *arguments, size=size, **{"HOME": str(home), **folders, **environment})


def gone(terminal: Pty, text: str) -> None:
    terminal.wait(lambda rows: not any(text in row for row in rows))


@pytest.mark.parametrize("screen", SCREENS)
def test_a_first_game_is_begun_looked_at_again_and_ended(screen: str, tmp_path: Path) -> None:
    with newcomer(tmp_path, screen) as terminal:
        terminal.wait_for("There are no games yet")
        terminal.send("n")
        terminal.pick_delve()
        terminal.wait_for("What is your name?")
        terminal.send("\r")
        terminal.wait_for("Who are you?")
        terminal.send("\r")  # what is marked
        terminal.wait_for("Welcome to the Delve")
        terminal.send("s")
        terminal.wait_for("T:2")

        for key, shown in (
            ("\x10", "T:1 Welcome"),
            ("O", "autopickup"),
            ("?", "walk west"),
            ("\x0b", "What the signs mean"),
        ):
            terminal.send(key)
            terminal.wait_for(shown)
            terminal.send("\x1b")
            gone(terminal, shown)

        terminal.send("R")
        terminal.wait_for("watching again")
        terminal.send(",")
        terminal.wait_for("1/2")
        terminal.send("F")
        gone(terminal, "watching again")

        terminal.send("#")
        terminal.send("quit\r")
        terminal.wait_for("Really quit?")
        terminal.send("y")
        terminal.wait_for("The game is over")
        for page in ("page 1 of 4", "page 2 of 4", "page 3 of 4", "page 4 of 4"):
            terminal.send(" ")
            terminal.wait_for(page)
        terminal.send("q")
        terminal.wait_for("finished games")
        terminal.send("\r")  # the game that has just ended, from its end
        terminal.wait_for("paused")
        terminal.send("q")
        terminal.wait_for("finished games")
        terminal.send("q")
        assert terminal.end() == 0
        assert terminal.modes() == terminal.before
        assert screen != "80x24" or terminal.written.isascii()
        assert bool(COLOUR.search(terminal.written)) is (screen != "120x40")


def listed(row: str) -> str:
    """What the list has in a row, without the details beside it."""
    return row.partition("│")[0].strip()


def test_every_recording_is_opened_from_the_lobby_and_left_again(tmp_path: Path) -> None:
    config = tmp_path / "config" / "nhlog" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'recordings = ["{SAMPLES}"]\n')
    with newcomer(tmp_path, "120x40") as terminal:
        for name in PLAYED:
            terminal.wait_for("n new game")
            terminal.send(f"/{name}\r")
            terminal.wait(lambda rows, name=name: name in rows[3] and not listed(rows[4]))
            terminal.send("r")
            terminal.wait_for("h help")
            terminal.send("h")
            terminal.wait_for("list the keys")
            terminal.send("x")
            gone(terminal, "list the keys")
            terminal.send("q")
        terminal.wait_for("n new game")
        terminal.send("q")
        assert terminal.end() == 0
