"""Two players of delve who abide by its rules: they see what a player sees, and give commands that a player can give.

`scripts/balance` tells how far each comes.
"""

from typing import Final

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.protocol import NewGame
from tests.engines.delve.bots.careful import CarefulBot
from tests.engines.delve.bots.careless import CarelessBot
from tests.engines.delve.bots.seeing import Bot

__all__ = ["BOTS", "WON", "play"]

WON: Final = "escaped with the Ember of Aud"
BOTS: Final[dict[str, type[Bot]]] = {"careful": CarefulBot, "careless": CarelessBot}


def play(bot: type[Bot], seed: int, role: str, most: int = 20_000) -> DelveGame:
    """A game of the bot, to its end if that comes within so many commands."""
    races, genders, alignments = ENGINE.roles[role]
    player = bot(seed)
    game = ENGINE.new(NewGame("Bot", role, races[0], genders[0], alignments[0], 0, seed))
    for _ in range(most):
        if game.ending:
            break
        player.perform(game, player.next(game))
    return game
