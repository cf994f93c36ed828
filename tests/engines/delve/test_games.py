"""Whole games: whoever plays, and however, nothing goes wrong until they are over.

A sample; `python -m tests.engines.delve.random_player --games 200` and `python -m tests.engines.delve.greedy_player`
play more.
"""

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.testing.players import RandomPlayer
from tests.engines.delve.greedy_player import play


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


@pytest.mark.parametrize("role", ENGINE.roles)
def test_a_player_with_some_sense_goes_down_and_learns(role: str) -> None:
    games = [play(number, role, 450) for number in range(2)]
    assert max(game.world.hero.deepest for game in games) > 1
    assert max(game.world.hero.level for game in games) > 1
