"""The screens of a game that is played, kept as text in `drawn/`.

After a change of looks: ``python -m tests.terminal.play.drawn`` draws them anew; read the difference before
committing it.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nhlog.config import Config
from nhlog.engines.delve import ENGINE
from nhlog.engines.protocol import NewGame
from nhlog.session import new_game
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.play.open import open_game

__all__ = ["ANN", "CASES", "FOLDER", "drawn", "shown"]

FOLDER = Path(__file__).with_name("drawn")
ANN = NewGame("Ann", "Wizard", "gnomish", "female", "chaotic", 0, 7)

CASES: dict[str, tuple[tuple[str, ...], tuple[int, int]]] = {
    "welcome-80x24": ((), (80, 24)),
    "hints-80x24": (("h", "s"), (80, 24)),
    "hints-100x30": (("h", "s"), (100, 30)),
    "hints-40x12": ((" ", " ", "h", "s"), (40, 12)),
    "question-80x24": (("e",), (80, 24)),
    "wrong-letter-80x24": (("e", "x"), (80, 24)),
    "listed-80x24": (("w", "*"), (80, 24)),
    "more-40x24": ((), (40, 24)),
    "read-on-40x24": ((" ",), (40, 24)),
    "messages-80x24": (("h", "e", "g", "s", "W", "ctrl-p"), (80, 24)),
    "searched-80x24": (("h", "e", "g", "s", "W", "ctrl-p", "/", "E", "m", "b", "e", "r", "enter"), (80, 24)),
    "pane-120x40": (("h", "e", "g", "s"), (120, 40)),
}


@contextmanager
def seat() -> Iterator[PlayController]:
    """A seat at a new game, whose file is of no account."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "ann.nhgame"))
        new_game(path, ENGINE, ANN).log.source.close()
        controller = open_game(path, Config(games=Path(folder)))
        controller.enter()
        try:
            yield controller
        finally:
            controller.close()


def drawn(keys: tuple[str, ...], width: int, height: int) -> list[str]:
    """The screen after these keys."""
    with seat() as controller:
        controller.seat.heard.width = width
        for key in keys:
            controller.press(key)
            while controller.advance():
                pass
        return draw_game(controller, width, height).text()


def shown(controller: PlayController) -> str:
    """The screen of a game as it is now."""
    return "\n".join(draw_game(controller, 80, 24).text())


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (keys, size) in CASES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(drawn(keys, *size)) + "\n")
