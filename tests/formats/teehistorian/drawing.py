"""The screens that the tests compare with, kept as text in `tests/terminal/views/drawn_teehistorian/`.

After a change of looks: ``python -m tests.formats.teehistorian.drawing`` draws them anew; read the difference.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nhlog.formats.teehistorian.replay import TeeReplay, open_replay
from nhlog.screen import Screen
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.views import view_of
from tests.corpus import ROOT, SAMPLES
from tests.formats.teehistorian.builders import Server, header

__all__ = ["CASES", "FOLDER", "HOSTILE", "frame"]

FOLDER = ROOT / "tests" / "terminal" / "views" / "drawn_teehistorian"
SAMPLE = str(SAMPLES / "coverage.teehistorian")
HOSTILE = "\x1b]0;owned\x07\x1b[2J\r\n\u202e世界é"


def frame(replay: TeeReplay, keys: str, width: int, height: int) -> Screen:
    """The frame after these keys; a camera is turned by ``<tab>``."""
    controls = Controls(Player(replay), view_of(replay.info.id))
    for key in _named(keys):
        controls.press(key)
    return draw_frame(controls, width, height)


def _named(keys: str) -> Iterator[str]:
    while keys:
        if keys.startswith("<"):
            name, _, keys = keys[1:].partition(">")
            yield name
        else:
            yield keys[0]
            keys = keys[1:]


def shown(keys: str, width: int, height: int, *, ghost: bool = False) -> Screen:
    """The sample after these keys."""
    replay = open_replay(SAMPLE, ghost=SAMPLE if ghost else None)
    try:
        return frame(replay, keys, width, height)
    finally:
        replay.close()


def hostile(width: int, height: int) -> Screen:
    """A recording without a map, full of what does not belong on a screen."""
    server = Server(header(map_name=HOSTILE, server_name=HOSTILE))
    for cid in range(3):
        server.join(cid, HOSTILE)
    for tick in range(1, 20):
        server.tick = tick
        for cid in range(3):
            server.place(cid, (1 << 31) - 50 * (cid + 1) - tick, -(1 << 31) + 40 * tick)
        server.input(0, -7, -(1 << 31), (1 << 31) - 1, 9, 9, 9, -1, 99, 0, 0)
    server.command(0, 128, b"x" * 5000, HOSTILE.encode())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.teehistorian"
        path.write_bytes(bytes(server.data))
        replay = open_replay(str(path))
        try:
            return frame(replay, "10G<ctrl-e>", width, height)
        finally:
            replay.close()


CASES: dict[str, Callable[[], Screen]] = {
    "start-80x24": lambda: shown("", 80, 24),
    "middle-80x24": lambda: shown("50%G", 80, 24),
    "middle-200x60": lambda: shown("50%G", 200, 60),
    "next-player-80x24": lambda: shown("50%G<tab>", 80, 24),
    "whole-map-80x24": lambda: shown("50%G<shift-tab>", 80, 24),
    "near-80x24": lambda: shown("800G++", 80, 24),
    "far-80x24": lambda: shown("800G---", 80, 24),
    "panned-80x24": lambda: shown("800Gddddss", 80, 24),
    "game-layer-80x24": lambda: shown("800Gv", 80, 24),
    "ascii-80x24": lambda: shown("800G", 80, 24).ascii(),
    "ghost-120x30": lambda: shown("900G", 120, 30, ghost=True),
    "ledger-80x24": lambda: shown("800G<ctrl-e>", 80, 24),
    "overview-80x24": lambda: shown("1200G<ctrl-o>", 80, 24),
    "players-80x24": lambda: shown("800G<ctrl-x>", 80, 24),
    "legend-80x24": lambda: shown("800G<ctrl-k>", 80, 24),
    "tiny-40x10": lambda: shown("800G", 40, 10),
    "hostile-80x24": lambda: hostile(80, 24),
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in CASES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(draw().text()) + "\n")
