"""The screens of Hollow Cube recordings that the tests compare with, kept as text in `drawn_hollowcube/`.

After a change of looks: ``python -m tests.terminal.views.drawn_hollowcube``; read the difference before committing it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from nhlog.formats import open_recording
from nhlog.screen import Screen
from nhlog.timeline import parse_position
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.views import view_of
from tests.corpus import SAMPLES

__all__ = ["CASES", "FOLDER", "frame", "panel"]

FOLDER: Final = Path(__file__).with_suffix("")


def frame(at: str, keys: tuple[str, ...], width: int, height: int, ghost: bool = False) -> Screen:
    """The frame of the sample run after these keys."""
    options = {"ghost": str(SAMPLES / "ghost.replay")} if ghost else {}
    replay = open_recording(str(SAMPLES / "run.replay"), **options)
    replay.seek(replay.timeline.resolve(parse_position(at)))
    controls = Controls(Player(replay), view_of(replay.info.id))
    for key in keys:
        controls.press(key)
    screen = draw_frame(controls, width, height)
    replay.close()
    return screen


def panel(name: str, at: str, ghost: bool = False) -> Screen:
    """One of the panels."""
    options = {"ghost": str(SAMPLES / "ghost.replay")} if ghost else {}
    replay = open_recording(str(SAMPLES / "run.replay"), **options)
    replay.seek(replay.timeline.resolve(parse_position(at)))
    screen = view_of(replay.info.id).panels[name](replay)
    replay.close()
    return screen


CASES: Final[dict[str, Callable[[], Screen]]] = {
    "start-80x24": lambda: frame("start", (), 80, 24),
    "above-80x24": lambda: frame("330", (), 80, 24, ghost=True),
    "south-80x24": lambda: frame("330", ("v",), 80, 24, ghost=True),
    "west-80x24": lambda: frame("330", ("v", "v"), 80, 24, ghost=True),
    "everything-200x60": lambda: frame("marker:tower", ("tab",), 200, 60, ghost=True),
    "ghost-80x24": lambda: frame("tick:500", ("tab", "tab"), 80, 24, ghost=True),
    "near-120x30": lambda: frame("330", ("+", "v"), 120, 30),
    "far-40x10": lambda: frame("end", ("-", "-"), 40, 10),
    "ascii-80x24": lambda: frame("330", (), 80, 24, ghost=True).ascii(),
    "inventory": lambda: panel("inventory", "330"),
    "attributes": lambda: panel("attributes", "330"),
    "overview": lambda: panel("overview", "marker:bridge"),
    "overview-race": lambda: panel("overview", "marker:bridge", ghost=True),
    "ledger": lambda: panel("ledger", "marker:bridge"),
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in CASES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(draw().text()) + "\n")
