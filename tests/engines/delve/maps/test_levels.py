"""A new level: it can be walked, and follows from the seed alone."""

import pytest

from nhlog.engines.delve.maps import STYLE_NAMES, new_level
from nhlog.engines.delve.world.board import INSIDE, SIZE, flood
from nhlog.engines.delve.world.kinds import EMBER
from nhlog.engines.delve.world.terrain import (
    CLOSED,
    GATE,
    LIT,
    LOCKED,
    STAIRS_DOWN,
    STAIRS_UP,
    WALK,
)
from nhlog.log.wire.lines import Argument
from nhlog.log.wire.lines import Bones as BonesAnswer
from tests.engines.delve.arena import wizard

REACH = bytes(bool(walk) or byte & ~LIT in (CLOSED, LOCKED) for byte, walk in enumerate(WALK))


@pytest.mark.parametrize("depth", range(1, 11))
def test_every_level_can_be_walked_from_stairs_to_stairs(depth: int) -> None:
    for seed in range(12):
        level = new_level(seed, depth)
        kinds = [byte & ~LIT for byte in level.terrain]
        start = kinds.index(GATE if depth == 1 else STAIRS_UP)
        steps = flood(level.terrain, start, REACH)
        if depth < 10:
            assert steps[kinds.index(STAIRS_DOWN)] < SIZE
        else:
            assert STAIRS_DOWN not in kinds
            (ember,) = (item for item in level.items if item is not None and item.kind == EMBER)
            assert steps[ember.place] < SIZE
        assert all(INSIDE[at] for at in range(SIZE) if WALK[level.terrain[at]])
        reached = sum(steps[at] < SIZE for at in range(SIZE) if WALK[level.terrain[at]])
        assert reached > 0.9 * sum(bool(WALK[byte]) for byte in level.terrain)
        assert len(level.live()) >= 4
        assert start not in level.occupants


def test_a_game_has_levels_of_at_least_five_styles() -> None:
    styles = {new_level(1, depth).style for depth in range(1, 11)}
    assert len(styles) >= 5
    assert len(STYLE_NAMES) == 7


def test_a_level_depends_on_the_seed_alone_not_on_what_was_played() -> None:
    first, second = wizard(4), wizard(4)
    second.wait(30)
    for arena in (first, second):
        arena.world.seed = 99
        arena.do("levelteleport", Argument("L", 5), answers=[BonesAnswer(None)])
    assert first.world.level.terrain == second.world.level.terrain
