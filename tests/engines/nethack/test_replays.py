"""Games are the same wherever they are played again, and those of NLE itself."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.doses import dose, seeded
from tests.engines.nethack.bots import BOTS
from tests.engines.nethack.installed import needs_nethack
from tests.engines.nethack.replays import PLACES, play_elsewhere, played, played_by_nle, shim_in

pytestmark = needs_nethack


@pytest.mark.parametrize("bot", BOTS)
def test_all_that_is_seen_is_the_same_elsewhere_and_in_nle(bot: str, tmp_path: Path) -> None:
    shim = shim_in(tmp_path)
    if not shim:
        pytest.skip("no C compiler")
    dice = seeded(bot)
    for _ in range(dose("nethack.games")):
        game = played(dice.randrange(1 << 20), bot, dose("nethack.game"))
        for place in PLACES:
            assert play_elsewhere(game, place, shim).digests == game.digests, place
        assert played_by_nle(game, shim).digests == game.digests


def test_another_second_of_birth_is_another_game(tmp_path: Path) -> None:
    """So that the digests can tell: of some games in which NetHack has asked for it."""
    games = [played(seed, "survivor", dose("nethack.game")) for seed in range(dose("nethack.births"))]
    others = [game._replace(start=replace(game.start, second=game.start.second + 12 * 3600)) for game in games]
    place = PLACES[0]
    again = [play_elsewhere(game, place, shim_in(tmp_path)) for game in others]
    assert [game.digests for game in games] != [game.digests for game in again]
