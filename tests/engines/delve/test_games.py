"""Whole games: whoever plays, and however, nothing goes wrong until they are over.

A sample; `python -m tests.engines.delve.random_player --games 200` and `scripts/balance` play more.
"""

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.testing.players import RandomPlayer
from tests.doses import dose
from tests.engines.delve.bots import BOTS, WON, play


@pytest.mark.parametrize("number", range(dose("games.delve")))
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


WINS = (("Valkyrie", 1000),)
"""The win that docs/delve.md tells of, in 40 games of the careful bot."""
CARELESS = (("Valkyrie", 1007), ("Valkyrie", 1002), ("Wizard", 1000), ("Ranger", 1000), ("Priest", 1001))
"""Usual ones."""


@pytest.mark.parametrize(("role", "seed"), WINS)
def test_who_is_careful_may_bring_the_ember_up(role: str, seed: int) -> None:
    game = play(BOTS["careful"], seed, role)
    assert game.ending == WON
    assert game.here[0] == "Delve:1"
    assert game.world.hero.deepest == 10
    assert sorted(game.world.order) == [*range(1, 11)]


@pytest.mark.parametrize(("role", "seed"), CARELESS)
def test_who_is_careless_comes_nowhere_near_it(role: str, seed: int) -> None:
    game = play(BOTS["careless"], seed, role)
    assert game.ending.startswith(("killed by", "died of"))
    assert game.world.hero.deepest < 5
