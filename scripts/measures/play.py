"""Playing: from a key to the changed screen, and what a command costs in its log."""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.measures import Row, measurement

KEYS = "hjklyubn" * 6 + "s.,>"
PRESSED = 1000


@measurement
def play() -> Iterator[Row]:
    """A game of delve, at random."""
    from nhlog.config import Config
    from nhlog.engines.protocol import NewGame
    from nhlog.session.session import Session
    from terminal.play.drawing import draw_game
    from terminal.play.new_game import DEFAULT_GAME, begin
    from terminal.play.open import open_game

    logged: list[float] = []
    writing = Session._write_save

    def timed_save(session: Session, writer: object) -> None:
        start = time.perf_counter()
        writing(session, writer)
        logged.append(time.perf_counter() - start)

    with tempfile.TemporaryDirectory() as folder:
        config = Config(games=Path(folder))
        options = NewGame("Bench", "Valkyrie", "human", "female", "neutral", 1, 3)
        controller = open_game(begin(DEFAULT_GAME, options, config), config)
        controller.enter()
        chance, times = random.Random(1), []
        Session._write_save = timed_save
        try:
            while len(times) < PRESSED and not controller.session.over:
                key = chance.choice(KEYS if controller.prompt_input is None else ["escape", "y", "a", "."])
                start = time.perf_counter()
                controller.press(key)
                draw_game(controller, 80, 24).ansi()
                times.append(time.perf_counter() - start)
                while controller.advance():
                    pass
        finally:
            Session._write_save = writing
        log = controller.session.log
        yield Row("from a key to the screen", sorted(times), controller.session.game.state)
        yield Row("save, verify, diff, append", sorted(logged), f"{log.size / max(len(logged), 1):.0f} bytes a turn")
        controller.close()
