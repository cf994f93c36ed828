"""What the tests of the console start in a pseudo-terminal: the client over a recording in memory.

``python -m tests.terminal.screen.program [boom | dropped | slow FILE]``; with ``boom``, the second step is a bug; with
``dropped``, it is where a signal comes while Python drops what its handler raises; with ``slow``, it takes until there
is the file.
"""

import os
import signal
import sys

from nhlog.progress import report
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
        while step > 2 and "slow" in sys.argv and not os.path.exists(sys.argv[2]):
            report("reading", 1, 2)
        if step == 2 and "dropped" in sys.argv:
            Dropping()
        super().seek(step)


if __name__ == "__main__":
    with Console() as console:
        watch(console, Player(Boom([Happening(f"moves {n}", 0.05, n) for n in range(2000)])))
