"""Walks: through how many rooms of the house, and calls, what is done most often goes.

A room is a file of ours, and a call one of a function in it.  Both are counted, not timed, when the same was done once
before; `python -m scripts.measures.walks NAME` lists the rooms of a walk, each with its calls.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socket import socketpair
from types import FrameType

from nhlog.log.file import LogFile
from nhlog.log.log import Log
from scripts.measures import ROOT, SAMPLES, Row, measurement

SIZE = (80, 24)
HOUSE = (f"{ROOT}/nhlog/", f"{ROOT}/terminal/")
Walk = Counter[str]
"""The calls in each room."""


def walked(act: Callable[[], object], before: Callable[[], object] = lambda: None) -> Walk:
    """Where something goes, when it is done for the second time; what comes `before` it does not count."""
    walk: Walk = Counter()

    def enter(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(HOUSE):
            walk[frame.f_code.co_filename.removeprefix(f"{ROOT}/")] += 1

    before()
    act()
    before()
    sys.setprofile(enter)
    try:
        act()
    finally:
        sys.setprofile(None)
    return walk


@measurement
def walks() -> Iterator[Row]:
    """A key of delve, a line for its watcher, a frame for a browser, a place of a match."""
    for name, walk in {**played(), **sought()}.items():
        yield Row(name, [], f"{len(walk)} rooms, {walk.total():,} calls")


def played() -> dict[str, Walk]:
    """What a turn is to the player, to a watcher, and in a browser."""
    from nhlog.config import Config
    from nhlog.engines.protocol import NewGame
    from nhlog.formats.nhgame.replay import LogReplay
    from nhlog.session.replay import with_engine
    from terminal.play.drawing import draw_game
    from terminal.play.new_game import DEFAULT_GAME, begin
    from terminal.play.open import open_game
    from terminal.replay.controls import Controls
    from terminal.replay.drawing.frame import draw_frame
    from terminal.replay.live import following
    from terminal.screen.console import known_terminal, painter
    from terminal.views import view_of
    from terminal.web.processes.viewer import _Showing

    paint = painter(known_terminal("xterm-256color"), "auto", utf8=True).paint
    with tempfile.TemporaryDirectory() as folder:
        config = Config(games=Path(folder))
        options = NewGame("Ann", "Valkyrie", "human", "female", "neutral", 1, 3)
        game = begin(DEFAULT_GAME, options, config)
        sizes = []
        with closing(open_game(game, config)) as controller:
            controller.enter()
            screen = draw_game(controller, *SIZE)

            def key() -> None:
                nonlocal screen
                sizes.append(controller.session.log.size)
                controller.press("s")
                before, screen = screen, draw_game(controller, *SIZE)
                paint(screen, before)

            found = {"a key of delve": walked(key)}
            for _ in range(4):
                key()

        lines, watched = Path(game).read_bytes(), f"{folder}/watched.nhgame"
        ours, theirs = socketpair()
        Path(watched).write_bytes(lines[: sizes[0]])
        with closing(following(with_engine(LogReplay(Log(LogFile(watched)))), watched)) as player, ours, theirs:
            player.follow()
            controls = Controls(player, view_of(player.info.id), lambda table: table)
            page = _Showing(theirs, own=False)
            page._player, page._controls, page._watched = player, controls, [0]

            def come() -> None:
                with open(watched, "ab") as file:
                    file.write(lines[file.tell() : sizes.pop(1)])

            def line() -> None:
                nonlocal screen
                player.refresh()
                before, screen = screen, draw_frame(controls, *SIZE)
                paint(screen, before)

            def frame() -> None:
                player.refresh()
                page._tell()
                ours.recv(1 << 20)

            line()
            frame()
            for name, act in (("a watcher's line", line), ("a frame for a browser", frame)):
                found[name] = walked(act, before=come)
    return found


def sought() -> dict[str, Walk]:
    """What it is to go to a place of a match."""
    from nhlog.formats import open_recording

    with closing(open_recording(str(SAMPLES / "arena.butter"))) as replay:
        last = replay.timeline.last
        places = iter((last // 2, last // 3))
        return {"a place of a match": walked(lambda: (replay.seek(next(places)), replay.state))}


if __name__ == "__main__":
    for path, calls in {**played(), **sought()}[sys.argv[1]].most_common():
        print(f"{calls:>6}  {path}")
