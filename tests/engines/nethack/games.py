"""Games of NetHack in logs, for tests: with an engine of one's own, which knows no past but what it is told."""

from pathlib import Path

from nhlog.engines.nethack.engine import NetHack
from nhlog.engines.protocol import NewGame
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.session import Session, new_game
from tests.engines.nethack.player import key

__all__ = ["BEGUN", "Player", "begin"]

BEGUN = NewGame("Ann", "Valkyrie", "human", "female", "neutral", 0, 5)
START = 1_700_000_000_000_000


def begin(path: Path, options: NewGame = BEGUN) -> None:
    """Begin a game in this file, at the time that the options say, or always the same."""
    engine = NetHack()
    new_game(str(path), engine, options, now=lambda: options.start or START).close()
    engine.machines.end()


class Player:
    """Somebody at the end of the game in `path`, as in a process of their own."""

    def __init__(self, path: Path) -> None:
        self.engine = NetHack()
        log = Log(LogFile(str(path), writable=True))
        try:
            self.session = Session(log, self.engine, writer=Writer(log))
        except BaseException:
            log.close()
            raise

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.session.log.close()
        self.engine.machines.end()

    def press(self, keys: str) -> None:
        for code in keys.encode("latin-1"):
            self.session.command(key(code))

    @property
    def save(self) -> bytes:
        assert self.session.following.gamestate is not None
        return self.session.game.save()

    @property
    def screen(self) -> list[str]:
        rows: list[str] = self.session.game.record()["screen"]
        return rows
