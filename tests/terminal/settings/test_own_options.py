"""The options that players keep in a file of their own go into each new game of theirs."""

from pathlib import Path

import pytest

from nhlog.errors import Usage
from nhlog.players import PlayerFolder
from terminal.play.new_game import random_options
from terminal.settings.own_options import own_options
from tests.engines.nethack.installed import needs_nethack

pytestmark = needs_nethack


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("NETHACKOPTIONS", raising=False)
    return tmp_path


def test_without_a_file_nothing_is_wished() -> None:
    own = own_options("nethack")
    assert (own.text, own.hero, own.said) == ("", {}, "")
    assert own_options("delve").text == ""


def test_the_file_in_the_home_is_read_and_what_is_left_out_is_said(home: Path) -> None:
    (home / ".nethackrc").write_text("OPTIONS=role:Wiz\nSAVEDIR=x\nFOO=1\n")
    own = own_options("nethack")
    assert own.hero == {"role": "Wizard"}
    assert own.said == "left out: .nethackrc line 2: no statement that a game in a log can have: SAVEDIR, and 1 more"


def test_the_variable_adds_options_or_names_another_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".nethackrc").write_text("OPTIONS=role:Wiz,fruit:lime\n")
    monkeypatch.setenv("NETHACKOPTIONS", "role:Val,windowtype:x")
    own = own_options("nethack")
    assert own.hero == {"role": "Valkyrie"}
    assert own.said == "left out: NETHACKOPTIONS: no option that a game in a log can have: windowtype"
    (home / "other").write_text("OPTIONS=role:Sam\n")
    monkeypatch.setenv("NETHACKOPTIONS", f"@{home}/other")
    assert own_options("nethack").hero == {"role": "Samurai"}


def test_a_named_player_has_the_file_in_their_own_folder_and_no_variable(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NETHACKOPTIONS", "role:Val")
    (home / ".nethackrc").write_text("OPTIONS=role:Wiz\n")
    folder = PlayerFolder("ann", home / "ann")
    folder.make()
    assert own_options("nethack", folder).hero == {}
    (folder.home / ".nethackrc").write_text("OPTIONS=role:Sam\n")
    assert own_options("nethack", folder).hero == {"role": "Samurai"}
    (folder.home / ".nethackrc").unlink()
    (folder.home / ".nethackrc").symlink_to(home / ".nethackrc")
    with pytest.raises(Usage, match="outside"):
        own_options("nethack", folder)


@pytest.mark.parametrize(
    ("wanted", "role", "race"),
    [
        ({"role": "Samurai", "race": "elf"}, "Samurai", "human"),
        ({"race": "dwarf", "role": "Valkyrie"}, "Valkyrie", "dwarf"),
        ({"gender": "male", "race": "dwarf", "alignment": "neutral", "role": "Valkyrie"}, "", "dwarf"),
    ],
)
def test_a_hero_has_what_is_wanted_as_far_as_it_goes_together(wanted: dict[str, str], role: str, race: str) -> None:
    for _ in range(20):  # a case: the rest is at random
        options = random_options("nethack", "Ann", wanted)
        assert options.role == role or not role
        assert options.race == race
