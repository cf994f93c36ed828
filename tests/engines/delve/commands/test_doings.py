"""Prayer, words in the dust, the welcome, giving up."""

from nhlog.engines.prompts import AskText
from tests.engines.delve.arena import HERE, NO, YES, Arena, strong, text


def test_prayer_helps_once_in_need_and_not_soon_again() -> None:
    arena = Arena(1)
    arena.world.hero.hp = 1
    assert "much better" in arena.do("pray", answers=[YES])
    assert arena.world.hero.hp > 10
    arena.world.hero.hp = 10
    assert "warm" not in arena.do("pray", answers=[YES])


def test_prayer_can_be_thought_better_of() -> None:
    arena = Arena(1)
    turn = arena.game.turn
    arena.do("pray", answers=[NO])
    assert arena.game.turn == turn


def test_words_stay_in_the_dust_and_wear() -> None:
    arena = strong()
    arena.do("engrave", answers=[text("beware")])
    assert isinstance(arena.asked[0], AskText)
    assert 'written: "beware"' in arena.do("look")
    for _ in range(5):
        arena.towards("move", 4)
        arena.towards("move", 0)
    assert arena.world.level.engraving_at(HERE) is None


def test_the_first_welcome_has_a_hint_and_the_next_is_short() -> None:
    arena = Arena(1)
    assert "? all keys" in arena.do("welcome")
    assert "Welcome back" in arena.do("welcome")


def test_to_quit_is_asked() -> None:
    arena = Arena(1)
    arena.do("quit", answers=[NO])
    assert arena.game.ending == ""
    arena.do("quit", answers=[YES])
    assert arena.game.ending == "quit"
