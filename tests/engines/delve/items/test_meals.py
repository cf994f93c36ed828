"""Food and meals."""

import pytest

from nhlog.engines.delve.perception import inventory
from nhlog.engines.delve.world.kinds import (
    FOOD,
    KINDS,
    number_of,
)
from tests.engines.delve.arena import inventory_of, names, strong


@pytest.mark.parametrize("name", names(FOOD))
def test_food_feeds(name: str) -> None:
    arena = strong()
    arena.world.hero.nutrition = 200
    letter = arena.give(name, count=1)
    arena.with_item("eat", letter)
    while arena.game.incomplete:
        arena.do("repeat")
    assert arena.world.hero.nutrition > 200 + KINDS[number_of(name)].nutrition // 2


def test_a_meal_takes_turns_and_can_be_interrupted_and_gone_on_with() -> None:
    arena = strong()
    arena.world.hero.nutrition = 0
    letter = arena.give("ration")
    eaten = next(slot for slot, item in enumerate(arena.world.hero.pack) if item and item.kind == number_of("ration"))
    arena.world.hero.pack[eaten].count = 1  # type: ignore[union-attr]
    arena.with_item("eat", letter)
    assert arena.game.incomplete
    arena.do("repeat")
    assert "stop eating" in arena.do("interrupt")
    assert not arena.game.incomplete
    assert "partly eaten" in inventory_of(arena, letter)
    arena.with_item("eat", letter)
    for _ in range(4):
        arena.do("repeat")
    assert arena.world.hero.nutrition > 700
    assert "partly eaten" not in str(inventory(arena.game))


def test_a_corpse_is_of_somebody() -> None:
    arena = strong()
    letter = arena.give("corpse", extra=1)
    assert "cave rat corpse" in inventory_of(arena, letter)
    arena.with_item("eat", letter)
    while arena.game.incomplete:
        arena.do("repeat")
    assert arena.world.hero.nutrition > 1000
