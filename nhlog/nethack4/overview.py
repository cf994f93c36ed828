"""The levels that were visited, as the game's overview of the dungeon lists them.

What is told of a level is what the hero remembers of it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nhlog.nethack4.english import articled, plural
from nhlog.nethack4.level import Level
from nhlog.nethack4.save import Save

__all__ = ["LevelNote", "overview_of"]

_FEATURES: Final = {34: "altar", 35: "grave", 36: "throne", 37: "sink", 38: "fountain", 27: "tree"}  # by background


@dataclass(frozen=True, slots=True)
class LevelNote:
    """A visited level: its ledger number, its place in the status line's words, the player's name for it, features."""

    ledger: int
    dungeon: str
    place: str
    name: str
    features: str
    is_here: bool


def overview_of(save: Save) -> Iterator[LevelNote]:
    """All visited levels, dungeon by dungeon, from the top."""
    for ledger in sorted(save.levels):
        level = save.levels[ledger]
        yield LevelNote(
            ledger=ledger,
            dungeon=save.dungeons[level.here.dnum].name,
            place=save.dungeons.place(level.here),
            name=level.name,
            features=", ".join(_features(level)),
            is_here=level.here == save.here,
        )


def _features(level: Level) -> Iterator[str]:
    counted = Counter(memory.bg for memory in level.locations.memory)
    for bg, name in _FEATURES.items():
        if counted[bg]:
            yield articled(name) if counted[bg] == 1 else f"{counted[bg]} {plural(name)}"
