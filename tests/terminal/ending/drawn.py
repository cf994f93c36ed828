"""The screens of finished games that the tests compare with, kept as text in `drawn/`.

After a change of looks: ``python -m tests.terminal.ending.drawn`` draws them anew; read the difference before
committing it.
"""

from contextlib import closing
from pathlib import Path

from nhlog.scores.ranking import Ranking
from nhlog.scores.table import score_of
from nhlog.screen import PLAIN, Screen
from terminal.ending.drawing import draw_ending
from terminal.ending.ending import Ending
from terminal.ending.pictures import picture
from terminal.replay.open import open_viewed
from terminal.views import view_of
from terminal.views.lines import draw_lines
from tests.corpus import SAMPLES

__all__ = ["CASES", "FOLDER", "SCORES", "drawn_ending"]

SCORES = str(Path(__file__).with_name("scores.txt"))
FOLDER = Path(__file__).with_name("drawn")


def drawn_ending(game: str, keys: str, width: int, height: int, read: bool = True) -> Screen:
    """The end of a sample after these keys, its place found in a list of scores."""
    with closing(open_viewed(str(SAMPLES / f"{game}.nhgame"))) as replay:
        replay.seek(replay.timeline.last)
        ending = Ending(replay, view_of(replay.info.id))
        ending.ranking = Ranking(score_of(replay), [SCORES])
        while read and ending.work():
            pass
        for key in keys:
            ending.press(key)
        return draw_ending(ending, width, height)


def drawn_picture(state: str) -> Screen:
    """The picture alone."""
    rows = picture(state, ["Ann", "human Wizard", "", state, "", "12345 points", "2026-11-23"])
    return draw_lines([(row, PLAIN) for row in rows])


CASES = {
    "death-80x24": lambda: drawn_ending("delve", "", 80, 24),
    "death-200x60": lambda: drawn_ending("delve", "", 200, 60),
    "death-40x12": lambda: drawn_ending("delve", ">", 40, 12),
    "inventory-80x24": lambda: drawn_ending("delve", " ", 80, 24),
    "attributes-120x40": lambda: drawn_ending("delve", "  ", 120, 40),
    "score-80x24": lambda: drawn_ending("delve", "   ", 80, 24),
    "score-40x12": lambda: drawn_ending("delve", "   ", 40, 12),
    "score-while-it-is-read-80x24": lambda: drawn_ending("delve", "   ", 80, 24, read=False),
    "keys-80x24": lambda: drawn_ending("delve", "?", 80, 24),
    "nethack-80x24": lambda: drawn_ending("died2", "", 80, 24),
    "nethack-inventory-80x24": lambda: drawn_ending("died2", " ", 80, 24),
    "too-small-29x7": lambda: drawn_ending("delve", "", 29, 7),
    "victory": lambda: drawn_picture("escaped with the Ember of Aud"),
    "farewell": lambda: drawn_picture("left the Delve without the Ember"),
    "tombstone": lambda: drawn_picture("killed by Ormund the Unburnt, the lord of the deep, while fainted"),
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in CASES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(draw().text()) + "\n")
