"""Games that were saved on another server, on their way to the program that goes on with them."""

from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.config import GameProgram, Sandbox, Walls
from nhlog.players import PlayerFolder
from nhlog.recorder.walls import own_folder
from terminal.hosting.brought import hand_over
from terminal.hosting.places import is_saved

HOME = GameProgram(
    name="it", command=("it",), title="It", save_files=("var/save/*.sav",), walls=Walls(sandbox=Sandbox.NONE)
)
SHARED = Path("/var/games/it")
WALLED = replace(HOME, save_files=(f"{SHARED}/save/*.sav",), walls=Walls(sandbox=Sandbox.BWRAP, own_folders=(SHARED,)))


@pytest.fixture
def ann(tmp_path: Path) -> PlayerFolder:
    folder = PlayerFolder("ann", tmp_path / "ann")
    folder.make()
    folder.brought("it").mkdir(parents=True)
    (folder.brought("it") / "5ann.sav").write_bytes(b"saved")
    return folder


@pytest.mark.parametrize("game", [HOME, WALLED])
def test_it_is_where_the_program_saves_and_no_longer_where_it_waited(ann: PlayerFolder, game: GameProgram) -> None:
    place = ann.home / "var" if game is HOME else own_folder(SHARED, ann.home)
    if game is WALLED:
        place.mkdir(parents=True)  # the copy, which its host has made
    assert is_saved(game, ann)
    hand_over(game, ann)
    assert (place / "save/5ann.sav").read_bytes() == b"saved"
    assert not ann.brought("it").exists()
    assert is_saved(game, ann)


def test_a_game_of_ones_own_is_not_replaced_and_what_is_no_save_waits_on(ann: PlayerFolder) -> None:
    place = ann.home / "var/save"
    place.mkdir(parents=True)
    (place / "5ann.sav").write_bytes(b"mine")
    (ann.brought("it") / "notes").write_bytes(b"?")
    (ann.brought("it") / "6ann.sav").write_bytes(b"more")
    hand_over(HOME, ann)
    assert sorted(path.read_bytes() for path in place.iterdir()) == [b"mine", b"more"]
    assert sorted(path.name for path in ann.brought("it").iterdir()) == ["5ann.sav", "notes"]


@pytest.mark.parametrize("part", ["var", "var/save"])
def test_a_link_that_a_program_left_is_not_followed(ann: PlayerFolder, tmp_path: Path, part: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "save").mkdir(parents=True)
    (ann.home / part).parent.mkdir(exist_ok=True)
    (ann.home / part).symlink_to(elsewhere)
    hand_over(HOME, ann)
    assert [*elsewhere.rglob("*.sav")] == []
    assert (ann.brought("it") / "5ann.sav").read_bytes() == b"saved"
