"""What a game that is over tells: what its hero carried by its true name, how they stood, and how the score is made."""

from nhlog.engines.delve.course.score import parts_of
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.delve.wire import read_world, write_world
from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.state import KNOWN, UNCURSED_KNOWN

__all__ = ["disclosed", "last_words"]


def disclosed(game: DelveGame) -> DelveGame:
    """A game that is over, with all that its hero carried identified."""
    world = read_world(write_world(game.world))
    world.lore.known[:] = bytes([1]) * len(KINDS)
    for item in world.hero.pack:
        if item is not None:
            item.flags |= KNOWN | UNCURSED_KNOWN
    return DelveGame(world)


def last_words(game: DelveGame) -> list[str]:
    """What the hero of a game that is over never knew, and the parts of the score."""
    hero = game.world.hero
    luck = "lucky" if hero.luck > 0 else "unlucky" if hero.luck < 0 else "neither lucky nor unlucky"
    prayer = f"a prayer was due in {hero.prayer} turns" if hero.prayer else "a prayer was due"
    parts = [f"{points:+6d}  {what}" for what, points in parts_of(game.world)]
    return [f"{luck}; {prayer}", *(["the score:", *parts] if parts else [])]
