"""Choosing a world in the lobby: by a seed that is typed, or one that a tournament asks for, and by nobody else."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.log.wire.header import MODES
from nhlog.players import Players
from nhlog.testing.fakes import FakeDisplay
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.new_game import ask_hero
from terminal.lobby.visitors import PlayerVisitor

DAY = 86_400
ROLES = ["any", *engine_named("delve").roles]
RULES = 'title = "{}"\nbegin = {}\nend = {}\n{}\n[[trophies]]\ntitle = "T"\ncount = true\n'
SILENT = """
from nhlog.engines.delve import Delve
class Silent(Delve):
    name, world = "silent", None
ENGINE = Silent()
"""  # a game that cannot tell its world
IN_42 = "Who are you, in the world of seed 42?"


class Asked:
    """What the lobby asks Ann who begins a game, pressing these keys; `shown` are the rows of its screens."""

    def __init__(self, place: Path, keys: Iterable[str], *tournaments: Path, game: str = "delve") -> None:
        display = FakeDisplay(keys)
        lobby = Lobby(Folders([]), PlayerVisitor(Players(place).folder("ann")))
        asked = ask_hero(display, lobby, Config(tournaments=tournaments), game)
        self.options = None if asked is None else asked[0]
        self.shown = [[row.strip() for row in screen.text()] for screen in display.screens]

    @property
    def begun(self) -> NewGame:
        """The options of the game."""
        assert self.options is not None
        return self.options

    @property
    def questions(self) -> list[str]:
        """What was asked, one after the other."""
        return list(dict.fromkeys(rows[0].partition("?")[0] + "?" for rows in self.shown))


def rules(place: Path, title: str, begin: int = -DAY, end: int = DAY, more: str = "seeds = [42]") -> Path:
    """The file of a tournament that begins and ends so many seconds from now."""
    moments = [datetime.fromtimestamp(int(time.time()) + at, UTC).isoformat() for at in (begin, end)]
    file = place / f"{title}.toml"
    file.write_text(RULES.format(title, *moments, more))
    return file


def test_who_chooses_no_world_has_no_more_questions(tmp_path: Path) -> None:
    asked = Asked(tmp_path, ["enter"])
    assert asked.questions == ["Who are you?"]
    assert asked.begun.mode == MODES.index("normal")


def test_a_seed_is_typed_and_the_game_says_that_it_was_chosen(tmp_path: Path) -> None:
    asked = Asked(tmp_path, ["s", "4", "2", "enter", "b"])
    assert asked.questions == ["Who are you?", "Which seed?", IN_42]
    assert (asked.begun.seed, asked.begun.role, MODES[asked.begun.mode]) == (42, ROLES[1], "set seed")


@pytest.mark.parametrize("typed", ["-1", "4.2", "x", "²"])
def test_what_is_no_seed_is_asked_for_again(tmp_path: Path, typed: str) -> None:
    asked = Asked(tmp_path, ["s", *typed, "enter", "4", "2", "enter", "enter"])
    assert asked.questions[2] == f"A seed is written in digits, and {typed} is not. Which seed?"
    assert asked.begun.seed == 42


def test_who_types_no_seed_is_in_any_world(tmp_path: Path) -> None:
    for keys in (["s", "escape", "enter"], ["s", "4", "enter", "s", "escape", "enter"]):
        assert Asked(tmp_path, keys).begun.mode == MODES.index("normal")
    assert Asked(tmp_path, ["s", "escape", "escape"]).options is None


def test_the_world_of_a_tournament_is_offered_while_it_goes_on(tmp_path: Path) -> None:
    files = [
        rules(tmp_path, "Now", more='seeds = [42, "43", "word"]'),
        rules(tmp_path, "Before", -2 * DAY, -DAY),
        rules(tmp_path, "Later", DAY, 2 * DAY),
        rules(tmp_path, "Other", more='seeds = [42]\ngames = ["nethack"]'),
        rules(tmp_path, "Ben's", more='seeds = [42]\nplayers = ["ben"]'),
        rules(tmp_path, "Any", more=""),
        tmp_path / "missing.toml",
    ]
    letter = chr(ord("a") + len(ROLES))
    asked = Asked(tmp_path, [letter, "enter"], *files)
    (tmp_path / "missing.toml").write_text("no rules")
    assert Asked(tmp_path, [letter, "enter"], *files).shown == asked.shown
    rows = [row.rpartition("│ ")[2] for row in asked.shown[0] if "│" in row]
    assert rows[rows.index("In which world?") + 1 :] == [
        f"{letter} - that of seed 42: Now",
        f"{chr(ord(letter) + 1)} - that of seed 43: Now",
        "s - that of a seed",
    ]
    assert asked.questions == ["Who are you?", IN_42]
    assert (asked.begun.seed, MODES[asked.begun.mode]) == (42, "set seed")


def test_a_tournament_offers_no_world_for_a_game_that_cannot_tell_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "silent.py").write_text(SILENT)
    installed = tmp_path / "silent-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: silent\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[nhlog.engines]\nsilent = silent:ENGINE\n")
    told = "that of seed 42: Now"
    for game, offered in (("delve", True), ("silent", False)):
        asked = Asked(tmp_path, ["s", "4", "2", "enter", "enter"], rules(tmp_path, "Now"), game=game)
        assert any(told in row for row in asked.shown[0]) == offered
        assert asked.begun.seed == 42
