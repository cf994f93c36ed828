"""Whole games: whoever plays, and however, nothing goes wrong until they are over.

A sample; `python -m tests.engines.delve.random_player --games 200` and `scripts/balance` play more.
"""

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.testing.players import RandomPlayer
from tests.engines.delve.bots import BOTS, WON, play


@pytest.mark.parametrize("number", range(6))
def test_a_random_player_comes_to_an_end(number: int) -> None:
    player = RandomPlayer(ENGINE, number)
    game = ENGINE.new(player.options(0))
    for _ in range(20_000):
        player.perform(game, player.command(game))
        if game.ending:
            break
        if not game.incomplete:
            game = ENGINE.load(game.save())
    assert game.ending
    assert game.messages[-1].lower().startswith(game.ending.lower())


SEEDS = (1, 2)  # picked: a usual game, and one of the few that the careful bot wins


def test_who_is_careful_may_bring_the_ember_up_and_who_is_not_comes_nowhere_near_it() -> None:
    careful = [play(BOTS["careful"], seed, "Rogue", 10_000) for seed in SEEDS]
    careless = [play(BOTS["careless"], seed, "Rogue", 1_000) for seed in SEEDS]
    assert [game.ending == WON for game in careful] == [False, True]
    assert [game.world.hero.deepest for game in careful] == [5, 10]
    assert all(game.world.hero.deepest < 10 and game.ending != WON for game in careless)
