"""Who may be called what, and where it is that a player's things are kept."""

import os
import stat
from pathlib import Path

import pytest

from nhlog.errors import Usage
from nhlog.players import PlayerFolder, Players, checked_name, is_name


@pytest.mark.parametrize("name", ["a", "Ann", "ann-2", "a_b", "a" * 20])
def test_a_name_is_a_letter_then_letters_digits_hyphens_and_underscores(name: str) -> None:
    assert is_name(name)
    assert checked_name(name) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * 21,
        "2ann",
        "-o",
        "_a",
        ".",
        "..",
        "../bob",
        "a/b",
        "a b",
        "a\n",
        "a\0",
        "a\x1b[2J",
        "ä",
        "a'b",
        "a;b",
        "bones",
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    assert not is_name(text)
    with pytest.raises(Usage, match="bad player name") as told:
        checked_name(text)
    assert str(told.value).isprintable()


def test_a_player_s_folder_is_made_with_its_parts_whatever_the_umask_is(tmp_path: Path) -> None:
    folder = Players(tmp_path).folder("ann")
    before = os.umask(0o077)
    try:
        folder.make()
        folder.make()
    finally:
        os.umask(before)
    modes = {part.name: stat.S_IMODE(part.stat().st_mode) for part in [folder.path, *folder.path.iterdir()]}
    assert modes == {
        "ann": 0o755,
        "games": 0o755,
        "recordings": 0o755,
        "logs": 0o755,
        "home": 0o700,
        "running": 0o700,
        "settings": 0o700,
        "tickets": 0o700,
    }


def test_a_link_in_place_of_a_part_is_refused(tmp_path: Path) -> None:
    folder = Players(tmp_path).folder("ann")
    folder.path.mkdir()
    folder.games.symlink_to("/tmp")
    with pytest.raises(Usage, match="not a folder"):
        folder.make()


def test_all_players_are_the_folders_that_have_a_player_s_name(tmp_path: Path) -> None:
    for name in ("bob", "Ann", "lost+found", ".keys"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("bob")
    assert [folder.name for folder in Players(tmp_path).all] == ["Ann", "bob"]
    assert Players(tmp_path / "nowhere").all == []


def test_whose_a_file_is_tells_the_folder_it_lies_in(tmp_path: Path) -> None:
    players = Players(tmp_path)
    ann = players.folder("ann")
    assert isinstance(ann, PlayerFolder)
    assert players.owner(ann.games / "one.nhgame") == "ann"
    assert ann.has(ann.games / "one.nhgame")
    for other in (tmp_path, tmp_path / "ann", "/etc/passwd", ann.games / "../../bob/games/one", tmp_path / "..b" / "x"):
        assert players.owner(other) != "ann"
    assert not ann.has(ann.games / "../../bob/games/one")
    assert not ann.has(tmp_path / "anna" / "games")
