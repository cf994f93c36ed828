"""Picking up and dropping, and the pack."""

from nhlog.engines.delve.perception import inventory
from nhlog.engines.delve.world.kinds import (
    KINDS,
)
from nhlog.engines.delve.world.state import (
    CURSED,
    UNCURSED_KNOWN,
)
from nhlog.engines.delve.world.terrain import ALTAR, LIT
from nhlog.engines.prompts import AskKey, AskObjects
from nhlog.log.wire.lines import (
    KeyAnswer,
    ObjectMenuAnswer,
)
from tests.engines.delve.arena import HERE, Arena, strong


def test_several_things_are_picked_up_from_a_menu() -> None:
    arena = strong()
    for name in ("apple", "dart", "mace"):
        arena.lay(name, count=3 if name == "dart" else 1)
    arena.do("pickup", answers=[ObjectMenuAnswer(((2, 2), (3, -1)))])
    assert isinstance(arena.asked[-1], AskObjects)
    left = {KINDS[item.kind].name: item.count for item in arena.world.level.items_at(HERE)}
    assert left == {"apple": 1, "dart": 1}


def test_gold_is_taken_in_passing() -> None:
    arena = strong()
    arena.lay("gold piece", 1, count=33)
    assert "33 gold pieces" in arena.towards("move")
    assert arena.world.hero.gold == 33


def test_some_of_a_stack_are_dropped() -> None:
    arena = Arena(1, "Rogue")
    letter = next(row.letter for row in inventory(arena.game) if "daggers" in row.caption)
    arena.do("drop", answers=[KeyAnswer(ord(letter), 4)])
    prompt = arena.asked[-1]
    assert isinstance(prompt, AskKey)
    assert prompt.counted
    assert arena.item(letter).count == 5
    assert [item.count for item in arena.world.level.items_at(HERE)] == [4]


def test_several_things_are_dropped_from_a_menu() -> None:
    arena = Arena(1)
    before = sum(item is not None for item in arena.world.hero.pack)
    arena.do("multidrop", answers=[ObjectMenuAnswer(((1, -1), (2, -1)))])
    assert sum(item is not None for item in arena.world.hero.pack) == before - 2
    assert len(arena.world.level.items_at(HERE)) == 2


def test_a_hearth_tells_what_is_cursed() -> None:
    arena = Arena(1)
    arena.world.level.terrain[HERE] = ALTAR | LIT
    letter = arena.give("mace", flags=CURSED)
    assert "black glow" in arena.do("drop", answers=[KeyAnswer(ord(letter), -1)])
    (item,) = arena.world.level.items_at(HERE)
    assert item.flags & UNCURSED_KNOWN


def test_what_is_picked_up_is_told_with_its_letter() -> None:
    arena = Arena(1)
    arena.lay("apple")
    assert arena.do("pickup") == "g - an apple."


def test_the_pack_has_an_end() -> None:
    arena = Arena(1)
    for _ in range(60):
        arena.give("mace")
    arena.lay("mace")
    assert "pack is full" in arena.do("pickup")
    assert len(arena.world.level.items_at(HERE)) == 1
