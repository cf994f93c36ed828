"""What the tests of the console start in a pseudo-terminal: the client over a recording in memory.

``python -m tests.terminal.screen.program [boom | dropped]``; with ``boom``, the second step is a bug; with ``dropped``,
it is where a signal comes while Python drops what its handler raises.
"""

import os
import signal
import sys

from nhlog.testing.fakes import Happening
from terminal.replay.loop import watch
from terminal.replay.player import Player
from terminal.screen.console import Console
from tests.terminal.replay.drawn import FakeLog


class Dropping:
    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)


class Boom(FakeLog):
    def seek(self, step: int) -> None:
        if step > 2 and "boom" in sys.argv:
            raise RuntimeError("boom")
        if step == 2 and "dropped" in sys.argv:
            Dropping()
        super().seek(step)


if __name__ == "__main__":
    with Console() as console:
        watch(console, Player(Boom([Happening(f"moves {n}", 0.05, n) for n in range(2000)])))
