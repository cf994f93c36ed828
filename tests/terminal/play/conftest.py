"""A game of delve that Ann plays, for tests of what others say to her."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.engines.delve import ENGINE
from nhlog.session import new_game
from terminal.play.controller import PlayController
from terminal.play.open import open_game
from tests.terminal.play.drawn import ANN


@pytest.fixture
def path(tmp_path: Path) -> str:
    """The file of the game."""
    path = str(tmp_path / "ann.nhgame")
    new_game(path, ENGINE, ANN).log.source.close()
    return path


@pytest.fixture
def controller(path: str) -> Iterator[PlayController]:
    """Her client, in which she has entered it."""
    with closing(open_game(path, Config())) as controller:
        controller.enter()
        yield controller
