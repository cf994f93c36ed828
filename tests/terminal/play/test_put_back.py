"""What another player cut off a game that one plays: one is told who did, and can put it back; who watches is told."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.files.cuts import kept_of
from nhlog.log.wire.header import parse_header
from nhlog.session import new_game
from tests.terminal.play.test_play import home, turn
from tests.terminal.pty import NHLOG, Pty

__all__ = ["home"]

ANN = NewGame("Ann", "Wizard", "human", "female", "neutral", 0, 1)
UNDO = "\x15"  # Ctrl-U


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "ann.nhgame"
    new_game(str(path), engine_named("delve"), ANN).log.source.close()
    return path


def searched(player: Pty, until: int) -> None:
    """Play until that turn, with nothing in between that cannot be cut off."""
    for _ in range(turn(player.rows) or 1, until):
        player.send("s")
    player.wait(lambda rows: turn(rows) == until)


@contextmanager
def playing(game: Path, home: dict[str, str]) -> Iterator[Pty]:
    """Somebody who plays, in turn 6."""
    with Pty(*NHLOG, "play", str(game), **home) as player:
        player.wait(lambda rows: turn(rows) == 1)
        searched(player, 6)
        yield player


def take_back(game: Path, *options: str) -> None:
    command = [*NHLOG, "rewind", str(game), "--to", "turn:3", "--yes", "--force", *options]
    subprocess.run(command, check=True, capture_output=True)


def test_what_another_player_cut_off_is_put_back_by_a_key_that_is_pressed_twice(
    game: Path, home: dict[str, str]
) -> None:
    with (
        Pty(*NHLOG, "play", str(game), **home) as player,
        Pty(*NHLOG, "watch", str(game), **home) as watcher,
        ExitStack() as stack,
    ):
        player.wait(lambda rows: turn(rows) == 1)
        searched(player, 6)
        other = stack.enter_context(Pty(*NHLOG, "play", str(game), **home))
        player.wait_for("enters the game")
        for seat in (other, watcher):
            seat.wait(lambda rows: turn(rows) == 6)
        before = game.read_bytes()
        take_back(game)
        player.wait_for("your other terminal took the game back from turn 6 to 3; Ctrl-U puts it back")
        other.wait_for("Ctrl-U puts it back")
        watcher.wait_for("your other terminal took the game back from turn 6 to 3")
        assert not any("Ctrl-U" in row for row in watcher.rows)
        assert len(game.read_bytes()) < len(before)
        player.send(UNDO)
        player.wait_for("Ctrl-U again puts it back, up to turn 6")
        assert turn(player.rows) == 3
        player.send(UNDO)
        player.wait_for("put back: ")
        for seat in (player, other, watcher):
            seat.wait(lambda rows: turn(rows) == 6)
        other.wait(lambda rows: not any("Ctrl-U" in row for row in rows))
        header = parse_header(before).length
        assert game.read_bytes()[header:] == before[header:]
        assert not kept_of(str(game))
        searched(player, 7)
        player.send("S")
        assert player.end() == 0


def test_nothing_is_put_back_onto_what_was_played_since(game: Path, home: dict[str, str]) -> None:
    with playing(game, home) as player:
        take_back(game)
        player.wait_for("Ctrl-U puts it back")
        player.send(UNDO)
        player.wait_for("Ctrl-U again")
        searched(player, 4)
        player.send(UNDO)
        player.wait_for("nobody cut off anything that can be put back now")
        assert len(kept_of(str(game))) == 1
        assert turn(player.rows) == 4


def test_what_was_not_kept_is_put_back_by_who_had_read_it(game: Path, home: dict[str, str]) -> None:
    with Pty(*NHLOG, "play", str(game), **home) as player:
        player.wait(lambda rows: turn(rows) == 1)
        searched(player, 6)
        before = game.read_bytes()
        take_back(game, "--no-keep")
        player.wait_for("the game was taken back from turn 6 to 3; Ctrl-U puts it back")
        assert not kept_of(str(game))
        player.send(UNDO)
        player.wait_for("Ctrl-U again")
        player.send(UNDO)
        player.wait_for("put back: ")
        player.wait(lambda rows: turn(rows) == 6)
        header = parse_header(before).length
        assert game.read_bytes()[header:] == before[header:]
        assert not kept_of(str(game))
        searched(player, 7)


def test_a_kept_file_that_is_not_what_was_cut_off_changes_nothing(game: Path, home: dict[str, str]) -> None:
    with playing(game, home) as player:
        take_back(game)
        player.wait_for("Ctrl-U puts it back")
        [kept] = kept_of(str(game))
        Path(kept).write_bytes(b"search\n~5\n")
        cut = game.read_bytes()
        player.send(UNDO)
        player.wait_for("Ctrl-U again")
        player.send(UNDO)
        player.wait(lambda rows: "far as the game that was seen before" in " ".join(" ".join(rows).split()))
        assert game.read_bytes() == cut
