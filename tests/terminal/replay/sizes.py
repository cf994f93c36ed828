"""Each view in the player at 80x24, 120x40 and 200x60, kept as text in `sizes/`.

After a change of looks: ``python -m tests.terminal.replay.sizes`` draws them anew; read the difference.
"""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from nhlog.screen import Screen
from nhlog.timeline import parse_position
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import view_of
from tests.corpus import SAMPLES

__all__ = ["CASES", "FOLDER"]

FOLDER: Final = Path(__file__).with_suffix("")
SIZES: Final = ((80, 24), (120, 40), (200, 60))
SHOWN: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "nethack4": ("died2.nhgame", "50%", ()),
    "delve": ("delve.nhgame", "50%", ()),
    "butter": ("arena.butter", "50%", ("tab", "tab")),
    "teehistorian": ("coverage.teehistorian", "50%", ()),
    "datafile": ("dm1.map", "start", ()),
    "hollowcube": ("run.replay", "marker:tower", ()),
    "screencast": ("nethack.cast", "50%", ()),
    "legend": ("died2.nhgame", "50%", ("ctrl-k",)),
}
"""By view: the recording, the position, and what is pressed there."""
GHOSTS: Final = {"hollowcube": "ghost.replay"}


def drawn(name: str, width: int, height: int) -> Screen:
    """One of them."""
    file, place, keys = SHOWN[name]
    options: dict[str, Any] = {"ghost": str(SAMPLES / GHOSTS[name])} if name in GHOSTS else {}
    with closing(open_viewed(str(SAMPLES / file), **options)) as replay:
        replay.seek(replay.timeline.resolve(parse_position(place)))
        controls = Controls(Player(replay), view_of(replay.info.id))
        controls.size = width, height
        for key in keys:
            controls.press(key)
        return draw_frame(controls, width, height)


CASES: Final[dict[str, Callable[[], Screen]]] = {
    f"{name}-{width}x{height}": partial(drawn, name, width, height) for name in SHOWN for width, height in SIZES
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for case, draw in CASES.items():
        (FOLDER / f"{case}.txt").write_text("\n".join(draw().text()) + "\n")
