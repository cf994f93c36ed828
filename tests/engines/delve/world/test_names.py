"""Looks and names of unknown things."""

from nhlog.engines.delve.perception import discoveries
from nhlog.engines.delve.world.kinds import (
    KINDS,
)
from nhlog.engines.delve.world.names import LOOKS
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
    Argument,
)
from tests.engines.delve.arena import Arena, inventory_of, names


def test_there_are_more_than_36_kinds_and_each_unknown_one_has_a_look_of_its_own() -> None:
    assert len(KINDS) > 36 + 1
    for symbol, looks in LOOKS.items():
        assert len(set(looks)) == len(looks) >= len(names(symbol))


def test_looks_differ_from_game_to_game_and_tell_nothing() -> None:
    arenas = [Arena(seed) for seed in range(1, 9)]
    captions = {arena.do("look") or inventory_of(arena, arena.give("potion of venom")) for arena in arenas}
    assert len(captions) > 3
    assert not any("venom" in caption for caption in captions)


def test_an_unknown_kind_can_be_given_a_name() -> None:
    arena = Arena(1)
    letter = arena.give("potion of sleep")
    arena.do("call", Argument("I", letter), Argument("T", Blob.of(b"bad\0")))
    assert "called bad" in inventory_of(arena, letter)
    assert "called bad" in str(discoveries(arena.game))
