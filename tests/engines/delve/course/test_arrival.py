"""Levels are left and come to again; the way out and the Ember."""

from nhlog.engines.delve.course.score import score_of
from nhlog.engines.delve.perception import overview, status
from nhlog.engines.delve.world.state import ASLEEP
from nhlog.engines.delve.world.terrain import (
    GATE,
    LIT,
    STAIRS_DOWN,
    STAIRS_UP,
)
from nhlog.log.wire.lines import Argument
from tests.engines.delve.arena import HERE, NO, YES, ground, strong, wizard


def test_a_level_that_was_left_is_as_it_was() -> None:
    arena = wizard()
    stone = arena.lay("mace", 5)
    terrain = bytes(arena.world.level.terrain)
    arena.do("levelteleport", Argument("L", 2))
    assert arena.game.state.endswith("Delve:2")
    arena.do("levelteleport", Argument("L", 1))
    assert bytes(arena.world.level.terrain) == terrain
    assert [item.kind for item in arena.world.level.items_at(HERE + 5)] == [stone.kind]
    assert next(text for text, here in overview(arena.game) if here).startswith("Delve:1")


def test_stairs_lead_to_stairs_and_those_beside_come_along() -> None:
    arena = strong()
    ground(arena, 0, STAIRS_DOWN)
    rat = arena.monster("cave rat", 1, hp=90)
    arena.wait()
    arena.world.level.move_monster(rat, HERE + 1) if rat.square != HERE + 1 else None
    arena.do("down")
    assert arena.game.state.endswith("Delve:2")
    assert arena.world.level.terrain[arena.world.hero.square] & ~LIT == STAIRS_UP
    assert rat in arena.world.level.live()
    arena.do("up")
    assert arena.game.state.endswith("Delve:1")


def test_to_leave_without_the_ember_is_asked_and_ends_the_game() -> None:
    arena = strong()
    ground(arena, 0, GATE)
    arena.do("up", answers=[NO])
    assert arena.game.ending == ""
    arena.do("up", answers=[YES])
    assert arena.game.ending == "left the Delve without the Ember"


def test_with_the_ember_one_wins() -> None:
    arena = strong()
    ground(arena, 0, GATE)
    before = score_of(arena.world)
    arena.give("Ember of Aud")
    arena.do("up")
    assert arena.game.ending == "escaped with the Ember of Aud"
    assert score_of(arena.world) > before + 5000


def test_the_ember_gives_light_and_wakes_what_sleeps() -> None:
    arena = strong()
    arena.lay("Ember of Aud")
    rat = arena.monster("stone toad", 15, 4, flags=ASLEEP)
    assert "warm in your hand" in arena.do("pickup")
    arena.wait(2)
    assert not rat.flags & ASLEEP
    assert "Ember" in status(arena.game).conditions
