"""A player types on while somebody keeps the lock: every key is in the log in the end, once and in its place."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.processes import holding
from tests.sharing.parties import needs_handshake
from tests.terminal.play.test_play import lines, turn
from tests.terminal.pty import NHLOG, Pty

PACE = 0.1  # seconds between two keys
KEYS = random.Random(9).choices(["s", "."], k=25)
COMMANDS = {"s": "search", ".": "rest"}
RELEASED_AT = 21  # more than two seconds after the first one, when the player's patience with the lock has ended


@contextmanager
def stopped_viewer(path: str, home: dict[str, str]) -> Iterator[Callable[[], None]]:
    """A viewer of ours that rests in the lock, and does not run until it is told to."""
    with Pty(*NHLOG, "watch", "--notify", "monitor", path, **home) as viewer:
        viewer.wait(lambda rows: turn(rows) == 1)
        viewer.signal(signal.SIGSTOP)
        yield lambda: viewer.signal(signal.SIGCONT)
        viewer.wait(lambda rows: turn(rows) == len(KEYS) + 1)


@contextmanager
def foreign_reader(path: str, home: dict[str, str]) -> Iterator[Callable[[], None]]:
    """A program that is no game and holds a read lock until it is told to let go."""
    with holding(path, "LOCK_SH") as reader:
        yield reader.tell


@needs_handshake
@pytest.mark.parametrize("hindrance", [stopped_viewer, foreign_reader])
def test_no_key_is_lost_while_somebody_keeps_the_lock(tmp_path: Path, hindrance: Callable[..., object]) -> None:
    path, home = str(tmp_path / "game.nhgame"), {"HOME": str(tmp_path), "XDG_CONFIG_DIRS": str(tmp_path)}
    with Pty(*NHLOG, "play", "--new", "--seed", "7", path, **home) as player:
        player.wait(lambda rows: turn(rows) == 1)
        with hindrance(path, home) as release:
            for number, key in enumerate(KEYS):
                if number == RELEASED_AT:
                    player.wait_for("keys kept")
                    release()
                player.send(key)
                time.sleep(PACE)  # the player's, not ours
            player.wait(lambda rows: turn(rows) == len(KEYS) + 1)
        player.send("S")
        assert player.end() == 0
    typed = [line for line in lines(path) if line[0] not in "+~*"]
    assert typed == ["welcome", *(COMMANDS[key] for key in KEYS)]
