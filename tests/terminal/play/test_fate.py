"""A seat at a game whose file is deleted, moved or replaced: the player is told, and nothing is written for nobody."""

import os
from pathlib import Path

from terminal.play.controller import PlayController
from terminal.play.loop import play
from tests.terminal.play.test_controller import controller, typed, written
from tests.terminal.play.test_trouble import Hand, Never

__all__ = ["controller"]


def test_a_deleted_game_is_told_of_and_nothing_goes_to_a_file_without_a_name(controller: PlayController) -> None:
    os.unlink(controller.seat.source.name)
    size = controller.seat.source.size()
    typed(controller, "h")
    assert controller.seat.message == "the file was deleted; nothing is saved from now on"
    assert controller.seat.source.size() == size
    typed(controller, "S")
    assert controller.done


def test_a_game_whose_name_another_file_took_is_deleted_too(controller: PlayController, tmp_path: Path) -> None:
    (tmp_path / "new").touch()
    (tmp_path / "new").rename(controller.seat.source.name)
    size = controller.seat.source.size()
    typed(controller, "h")
    assert controller.seat.message == "another file has its name now; nothing is saved from now on"
    assert controller.seat.source.size() == size


def test_a_player_is_told_what_becomes_of_the_games_name_and_a_moved_game_goes_on(
    controller: PlayController, tmp_path: Path
) -> None:
    path, other = Path(controller.seat.source.name), tmp_path / "other"
    shown: list[str] = []

    def note() -> None:
        shown.append(controller.seat.message)

    hand = Hand(
        lambda: path.rename(other),
        note,
        "h",
        note,
        path.touch,
        note,
        lambda: other.rename(path),
        note,
        path.unlink,
        note,
        "S",
    )
    play(hand, controller, changes=Never())
    told = [f"the file was moved to {other}", "", "another file has its name now", ""]
    assert shown == [*told, "the file was deleted"]
    assert "move D0" in written(controller)
