"""The lobby as the tests compare it, kept as text in `drawn/`.

After a change of looks: ``python -m tests.terminal.lobby.drawn`` draws it anew; read the difference before
committing it.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from nhlog.engines.delve import ENGINE
from nhlog.engines.protocol import NewGame
from nhlog.session import new_game
from terminal.lobby.drawing import draw_lobby, picture_in_view, rows_in_view
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.reading.jobs import answer
from terminal.lobby.visitors import User
from terminal.text.words import utc_time
from tests.corpus import SAMPLES

__all__ = ["CASES", "FOLDER", "drawn", "read_lobby"]

FOLDER = Path(__file__).with_name("drawn")
GAMES, RECORDINGS = Path("games"), Path("recordings")
PLAYED = 1_795_300_000  # when the files were written to, in seconds since 1970
MINUTE = 60
BEGAN = "2026-11-21 22:25"  # is told of the new game, whenever the test runs

CASES: dict[str, tuple[tuple[str, ...], tuple[int, int]]] = {
    "list-60x20": ((), (60, 20)),
    "list-80x24": ((), (80, 24)),
    "list-120x40": (("j", "j", "j"), (120, 40)),
    "list-144x40": (("j", "j", "j"), (144, 40)),
    "list-200x60": (("G",), (200, 60)),
    "filter-80x24": (("/", "d", "e"), (80, 24)),
    "keys-80x24": (("?",), (80, 24)),
}


@contextmanager
def some_files() -> Iterator[None]:
    """A working folder with the samples, a new game of delve, a folder, and a file that is no recording."""
    with TemporaryDirectory() as folder, chdir(folder):
        GAMES.mkdir()
        shutil.copytree(SAMPLES, RECORDINGS)
        options = NewGame("Ann", "Wizard", "gnomish", "female", "chaotic", 0, 7)
        new_game(str(GAMES / "ann.nhgame"), ENGINE, options).log.source.close()
        (GAMES / "broken.nhgame").write_bytes(b"NHGAME what")
        (GAMES / "league").mkdir()
        for number, path in enumerate(sorted([*GAMES.iterdir(), *RECORDINGS.iterdir()])):
            os.utime(path, (PLAYED + number * MINUTE,) * 2)
        yield


def drawn(keys: tuple[str, ...], width: int, height: int) -> list[str]:
    """The lobby after these keys, an hour after the first file was written to."""
    with some_files():
        lobby = read_lobby((GAMES, RECORDINGS), keys, width, height)
        lobby.contents.now = (PLAYED + 60 * MINUTE) * 1_000_000
        began = utc_time(lobby.contents.rows.of(str(GAMES / "ann.nhgame")).listing.start)[:16]
        return [row.replace(began, BEGAN) for row in draw_lobby(lobby, width, height).text()]


def read_lobby(folders: Iterable[Path], keys: Iterable[str], width: int, height: int) -> Lobby:
    """The lobby of these folders after these keys, when all in view has been read."""
    lobby = Lobby(Folders(folders), User(os.getuid()))
    while lobby.look():
        pass
    for key in keys:
        lobby.press(key)
    while jobs := lobby.wanted(rows_in_view(lobby, height), picture_in_view(width, height)):
        lobby.contents.take(jobs[0], answer(jobs[0]))
    return lobby


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (keys, size) in CASES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(drawn(keys, *size)) + "\n")
