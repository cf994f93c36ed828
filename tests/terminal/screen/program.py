"""What the tests of the console start in a pseudo-terminal: the client over a recording in memory.

``python -m tests.terminal.screen.program [boom]``; with ``boom``, the second step is a bug.
"""

import sys

from nhlog.testing.fakes import Happening
from terminal.replay.loop import watch
from terminal.replay.player import Player
from terminal.screen.console import Console
from tests.terminal.replay.drawn import FakeLog


class Boom(FakeLog):
    def seek(self, step: int) -> None:
        if step > 2 and "boom" in sys.argv:
            raise RuntimeError("boom")
        super().seek(step)


if __name__ == "__main__":
    with Console() as console:
        watch(console, Player(Boom([Happening(f"moves {n}", 0.05, n) for n in range(2000)])))
