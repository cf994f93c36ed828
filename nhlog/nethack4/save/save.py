"""A whole save of NetHack 4.3 or FIQHack (save spec section 2).

Parsing walks the save to its last byte; its parts are unpacked on access.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from nhlog.nethack4.save.dungeon import DLevel, Dungeons, SpecialLevel, walk_special_levels
from nhlog.nethack4.save.flags import Flags
from nhlog.nethack4.save.head import walk_head
from nhlog.nethack4.save.kinds import ObjectClass
from nhlog.nethack4.save.levels.level import Level, walk_level
from nhlog.nethack4.save.levels.timers import Light, Timer
from nhlog.nethack4.save.monsters import Context, Monster, quest_people, read_monster
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.state import Fruit, State, TrackedObject, Vital, walk_state
from nhlog.nethack4.save.version import Version
from nhlog.nethack4.save.wire import BadSave, Cursor, check
from nhlog.nethack4.save.you import You

__all__ = ["Save"]

_SMALLEST_LEVEL: Final = 13832  # bytes of a level with nothing on it, and of its ledger number


@dataclass(frozen=True, eq=False)
class Save:
    """A save; `moves` is the turn, `levels` are all visited ones, by ledger number.

    Accessing its parts raises :class:`BadSave` for values that are impossible in the game.
    """

    data: bytes
    version: Version
    moves: int
    flags: Flags
    you: You
    dungeons: Dungeons
    special_levels: tuple[SpecialLevel, ...]
    levels: Mapping[int, Level]
    state: State
    context: Context
    _monster_at: int

    @classmethod
    def parse(cls, data: bytes) -> "Save":
        """Parse a save.

        Raises :class:`Unsupported` for another engine's, :class:`BadSave` for one that breaks the layout.
        """
        cursor = Cursor(data)
        head = walk_head(cursor)
        context = Context(quest_people(head.you.initrole), head.flags.save_encoding, head.moves, edition=cursor.edition)
        special_levels = walk_special_levels(cursor)
        levels_at = cursor.at
        levels = _walk_levels(cursor, context, head.dungeons)
        here = DLevel(head.you.dnum, head.you.dlevel)
        ledger = head.dungeons.ledger(here)
        if ledger not in levels:
            raise BadSave("levels: the hero's is missing", offset=levels_at, expected=f"ledger number {ledger}")
        on_water = here == head.dungeons.topology.water
        state = walk_state(cursor, context, on_water=on_water, pack=head.pack, levels=len(levels))
        if cursor.at != len(data):
            raise BadSave("end of the save", offset=cursor.at, expected="no more bytes", found=len(data) - cursor.at)
        return cls(
            data=data,
            version=head.version,
            moves=head.moves,
            flags=head.flags,
            you=head.you,
            dungeons=head.dungeons,
            special_levels=special_levels,
            levels=levels,
            state=state,
            context=context,
            _monster_at=head.monster_at,
        )

    @property
    def here(self) -> DLevel:
        """The hero's level, by dungeon and number."""
        return DLevel(self.you.dnum, self.you.dlevel)

    @cached_property
    def level(self) -> Level:
        """The hero's level."""
        return self.levels[self.dungeons.ledger(self.here)]

    @property
    def visited(self) -> tuple[Level, ...]:
        """All visited levels, dungeon by dungeon from the top."""
        return tuple(self.levels[ledger] for ledger in sorted(self.levels))

    @cached_property
    def hero(self) -> Monster:
        """The hero's own record as a monster, of which only the disguise is useful."""
        return read_monster(self.data, self._monster_at, self.context)

    @property
    def inventory(self) -> tuple[Obj, ...]:
        """The objects that the hero carries."""
        return self.state.inventory

    @property
    def timers(self) -> tuple[Timer, ...]:
        """The timers that belong to no level."""
        return self.state.timers

    @property
    def lights(self) -> tuple[Light, ...]:
        """The light sources that belong to no level."""
        return self.state.lights

    @property
    def classes(self) -> tuple[ObjectClass, ...]:
        """The class record of each kind of object, by number."""
        return self.state.classes

    @property
    def mvitals(self) -> tuple[Vital, ...]:
        """The births and deaths of each species, by number."""
        return self.state.mvitals

    @property
    def fruits(self) -> tuple[Fruit, ...]:
        """The names given to slime molds."""
        return self.state.fruits

    @property
    def tracked_objects(self) -> tuple[TrackedObject, ...]:
        """The objects that the hero is working with, by slot."""
        return self.state.tracked_objects


def _walk_levels(cursor: Cursor, context: Context, dungeons: Dungeons) -> dict[int, Level]:
    levels: dict[int, Level] = {}
    for _ in range(cursor.count(_SMALLEST_LEVEL, "levels")):
        at = cursor.at
        level = walk_level(cursor, context)
        check(level.here.dnum, range(len(dungeons.all)), f"level {level.ledger}: dungeon", at)
        if level.ledger in levels:
            raise BadSave("levels", offset=at, expected="each ledger number once", found=level.ledger)
        levels[level.ledger] = level
    return levels
