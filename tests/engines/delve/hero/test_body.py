"""Hunger, healing and experience."""

from nhlog.engines.delve.perception import attributes, status
from nhlog.engines.delve.world.terrain import (
    FOUNTAIN,
)
from tests.engines.delve.arena import Arena, ground, strong


def test_hunger_comes_in_steps_and_ends_in_death() -> None:
    arena = strong()
    words = []
    for nutrition in (1200, 500, 100, 20, -5):
        arena.world.hero.nutrition = nutrition
        words.append(list(status(arena.game).conditions))
    assert words == [["Satiated"], [], ["Hungry"], ["Weak"], ["Fainting"]]
    arena.world.hero.nutrition = -150
    arena.wait(1)
    assert arena.game.ending == "died of starvation"


def test_wounds_heal_with_time() -> None:
    arena = Arena(1)
    arena.world.hero.hp = 5
    arena.wait(60)
    assert arena.world.hero.hp > 8


def test_a_spring_heals_faster() -> None:
    arena = Arena(1)
    ground(arena, 0, FOUNTAIN)
    arena.world.hero.hp = 5
    arena.wait(8)
    assert arena.world.hero.hp == 13


def test_experience_raises_the_level() -> None:
    arena = strong()
    arena.monster("cave ogre", 1, hp=1)
    while arena.world.level.live():
        arena.towards("fight")
    assert arena.world.hero.level > 1
    assert arena.world.hero.kills == 1
    assert any("1 kill" in line for line in attributes(arena.game))
