"""The lobby over thousands of games: until all are listed, and each half second after that."""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.measures import Row, measurement, repeated, timed
from scripts.measures.made import fill_folder
from terminal.lobby.drawing import draw_lobby, rows_in_view
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.reading.jobs import answer
from terminal.lobby.visitors import User

__all__ = ["lobby"]

GAMES = 10_000
CHANGED = 5  # games that are written in each half second of a busy server
TICKS = 30
SIZE = (80, 24)


@measurement
def lobby() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        fill_folder(folder, GAMES)
        with Folders([folder]) as folders:
            shown = Lobby(folders, User(os.getuid()))
            began = time.process_time()
            frames = [timed(lambda: tick(shown))]
            while shown.contents.waiting:
                frames.append(timed(lambda: tick(shown)))
            spent = time.process_time() - began
            tick(shown)
            yield Row(f"lobby of {GAMES} games, first screen", frames[:1])
            yield Row(
                "  a frame while they are listed", sorted(frames), f"{sum(frames):.1f} s for all, {spent:.1f} s CPU"
            )
            yield repeated("  a tick in which nothing changes", lambda: tick(shown))
            yield Row(f"  one in which {CHANGED} change", sorted(timed(lambda: tick(shown)) for _ in changes(folder)))
            yield repeated("  sort", lambda: (shown.next_sort(), draw_lobby(shown, *SIZE)))


def tick(shown: Lobby) -> None:
    """What `loop.visit` does each half second."""
    shown.look()
    for job in shown.wanted(rows_in_view(shown, SIZE[1])):
        shown.contents.take(job, answer(job))
    draw_lobby(shown, *SIZE)


def changes(folder: Path) -> Iterator[None]:
    """Write to a few games, again and again."""
    for number in range(TICKS):
        for game in range(CHANGED):
            with open(folder / f"{number * CHANGED + game:05}.nhgame", "ab") as file:
                file.write(b"search\n")
        yield
