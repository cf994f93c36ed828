"""The menu of options as the tests compare it, kept as text in `drawn/`.

After a change of looks: ``python -m tests.terminal.settings.drawn`` draws it anew; read the difference before
committing it.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.screen import Screen
from nhlog.session import new_game
from terminal.play.controller import PlayController
from terminal.play.open import open_game
from terminal.replay.controls import Controls
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.settings.drawing import draw_options
from terminal.settings.menu import OptionsMenu
from terminal.views import view_of
from tests.corpus import SAMPLES

__all__ = ["CASES", "FOLDER", "a_game"]

FOLDER = Path(__file__).with_name("drawn")


@contextmanager
def a_game() -> Iterator[PlayController]:
    """A seat at a new game of delve, which is not entered yet."""
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "ann.nhgame")
        options = NewGame("Ann", "Valkyrie", "human", "female", "neutral", 0, 7)
        new_game(path, engine_named("delve"), options).log.source.close()
        with closing(open_game(path, Config())) as controller:
            yield controller


@contextmanager
def nothing_kept() -> Iterator[None]:
    """A configuration folder with nothing in it."""
    before = os.environ.get("XDG_CONFIG_HOME")
    with TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        try:
            yield
        finally:
            os.environ.pop("XDG_CONFIG_HOME")
            if before is not None:
                os.environ["XDG_CONFIG_HOME"] = before


def drawn(menu: OptionsMenu | None, width: int, height: int) -> Screen:
    """The menu over nothing: what is below it is another's."""
    assert menu is not None
    screen = Screen(width, height)
    draw_options(screen, menu)
    return screen


def in_play(keys: list[str], width: int, height: int) -> Screen:
    """The menu of a game that was just entered, after these keys."""
    with nothing_kept(), a_game() as controller:
        controller.enter()
        for key in keys:
            controller.press(key)
        return drawn(controller.opened.find(OptionsMenu), width, height)


def in_replay(keys: list[str], width: int, height: int) -> Screen:
    """The menu of a sample that is watched."""
    with nothing_kept(), closing(open_viewed(str(SAMPLES / "delve.nhgame"))) as replay:
        controls = Controls(Player(replay), view_of(replay.info.id))
        for key in keys:
            controls.press(key)
        return drawn(controls.opened.find(OptionsMenu), width, height)


CASES = {
    "play-80x24": lambda: in_play(["O"], 80, 24),
    "play-changed-80x24": lambda: in_play(["O", "down", "right"], 80, 24),
    "play-120x40": lambda: in_play(["O", "up"], 120, 40),
    "play-40x10": lambda: in_play(["O"], 40, 10),
    "play-30x7": lambda: in_play(["O", "up"], 30, 7),
    "play-ascii-80x24": lambda: in_play(["O"], 80, 24).ascii(),
    "replay-80x24": lambda: in_replay(["O", "down", "right", "right"], 80, 24),
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in CASES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(draw().text()) + "\n")
