"""A game whose engine is known keeps the contract of recordings, also between its saves."""

import os
import random
import tempfile
from collections.abc import Iterator
from functools import cache

from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.formats.nhgame.state import LogState
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Argument, Command
from nhlog.session import Session, new_game
from nhlog.testing import ReplayContract
from tests.session.partner import turn

NAMES = ("move", "search", "rest", "drop", "look", "throw", "engrave", "travel")


@cache
def played(turns: int) -> bytes:
    """A game of delve that somebody played at random and left in the middle of a long search."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.nhgame")
        options = NewGame("Ann", "Valkyrie", "human", "female", "neutral", 1, 11)
        new_game(path, engine_named("delve"), options, now=lambda: 1_700_000_000_000_000).log.source.close()
        with LogFile(path, writable=True) as file:
            log = Log(file)
            session = Session(log, engine_named("delve"), writer=Writer(log), now=lambda: 1_700_000_100_000_000)
            chance = random.Random(3)
            while len(log) < turns or session.prompt is not None or session.game.incomplete:
                turn(session, chance, lambda line: None, NAMES)
            session.command(Command("search", (Argument("L", 5),)))
            session.command(Command("repeat"))
        with open(path, "rb") as saved:
            return saved.read()


class TestGame(ReplayContract):
    ending = ".nhgame"
    opener = ("terminal.replay.open", "open_viewed")

    def complete(self) -> bytes:
        return self.finished(played(60))

    def growing(self) -> tuple[bytes, bytes]:
        data = played(60)
        lines = data.splitlines(keepends=True)
        return b"".join(lines[:-9]), b"".join(lines[-9:])

    def finished(self, data: bytes) -> bytes:
        return data[:7] + b"done" + data[11:] + b"Q\n"

    def rewound(self, data: bytes) -> bytes:
        lines = data.splitlines(keepends=True)
        saves = [number for number, line in enumerate(lines) if line[:1] in b"*~"]
        return data[:12] + b"00000002" + b"".join(lines[: saves[len(saves) // 2] + 1])[20:]

    def damaged(self) -> Iterator[bytes]:
        lines = played(60).splitlines(keepends=True)
        diffs = [number for number, line in enumerate(lines) if line[:1] == b"~"]
        for number in (diffs[0], diffs[3], diffs[-1]):
            for change in (b"~!!!!\n", b"~\n", lines[number][:9] + b"A" + lines[number][10:]):
                yield b"".join([*lines[:number], change, *lines[number + 1 :]])
        for stray in (b"fly D4\n", b"Yy\n", b"Q\nmove D4\n"):
            yield b"".join([*lines[: diffs[2] + 1], stray, *lines[diffs[2] + 1 :]])

    def says_damage(self, state: LogState) -> bool:
        return bool(state.fault)

    def big(self) -> bytes | None:
        return None
