"""A player of NetHack at random, who goes down, answers what is asked, and gets out of every menu."""

from nhlog.engines.protocol import Game, NewGame
from nhlog.log.wire.lines import Argument, Command
from nhlog.testing.players import RandomPlayer

__all__ = ["RandomNetHacker", "key"]

WALKS = b"hjklyubnHJKLYUBN"
ACTS = b"s.,o:;ieqrzawWTdtfFEZ^_@#?/\\OPRC\x04\x10\x12"
ESCAPE, ENTER = 27, 13


def key(code: int | str) -> Command:
    """The command that gives this key to NetHack."""
    return Command("key", (Argument("K", ord(code) if isinstance(code, str) else code),))


class RandomNetHacker(RandomPlayer):
    """Gives keys of which a game comes along; now and then others, and commands that are none."""

    def options(self, mode: int = 0) -> NewGame:
        options = super().options(mode)
        return NewGame("Rand", options.role, options.race, options.gender, options.alignment, mode, options.seed)

    def command(self, game: Game) -> Command:
        dice = self.random
        if dice.random() < 0.02:
            return Command(dice.choice(("welcome", "repeat", "interrupt", "key")))
        yes_no, line, waits = game.record()["asks"].values()
        if waits or line:
            return key(dice.choice((ENTER, ENTER, ESCAPE)))
        if yes_no:
            return key(dice.choice(b"ynab\x1b\r "))
        if dice.random() < 0.05:
            return key(dice.choice((ESCAPE, dice.randrange(256))))
        return key(dice.choice(WALKS if dice.random() < 0.8 else ACTS if dice.random() < 0.7 else b">>>>"))
