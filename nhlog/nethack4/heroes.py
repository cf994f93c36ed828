"""The heroes of many saves in a row, each read from the first bytes of its save.

The problem: where the hero is, and what the dungeons are called, is known once all before it was walked over, which
takes 28 µs.  Of a long game that is done for each of a million saves, and nearly all have all parts where the save
before had them.

What the walk only passes over, such as the flags, decides nothing.  Where all other bytes are those of the save that
was walked over last, a walk would come to the same places, and to the same dungeons.  Comparing them takes 1 µs.
"""

from collections.abc import Iterable, Iterator

from nhlog.errors import Damaged, Unsupported
from nhlog.nethack4.save.chains import passed_of_monster
from nhlog.nethack4.save.dungeon import Dungeons
from nhlog.nethack4.save.flags import passed_of_flags
from nhlog.nethack4.save.head import (
    HERO_FIELDS,
    HERO_PLACES,
    HERO_SIZE,
    HeadParts,
    Hero,
    hero_from,
    read_hero,
    skip_head,
)
from nhlog.nethack4.save.version import NETHACK4, VERSION, engine_of
from nhlog.nethack4.save.wire import Cursor
from nhlog.nethack4.save.you import passed_of_you

__all__ = ["HeroReader"]

_TURN = slice(VERSION.size, VERSION.size + 4)


class HeroReader:
    """Reads heroes, most quickly where a save is much like the one before."""

    def __init__(self) -> None:
        self._decisive: list[tuple[slice, bytes]] = []  # of the save that was walked over last; none if that failed
        self._at: int
        self._dungeons: Dungeons
        self._latest: tuple[tuple[int, ...], Hero] | None = None  # with the fields of which it was made

    def read(self, head: bytes) -> Hero | None:
        """The same as :func:`~nhlog.nethack4.save.head.read_hero`; the same object where nothing of it changed."""
        try:
            if not self._has_same_parts(head):
                self._decisive = []
                if engine_of(head) != NETHACK4:
                    return read_hero(head)
                self._walk(head)
            fields = HERO_FIELDS.unpack_from(head, self._at)
            if self._latest is None or self._latest[0] != fields:
                self._latest = fields, hero_from(fields, self._at, self._dungeons)
        except (Damaged, Unsupported):
            return None
        return self._latest[1]

    def _has_same_parts(self, head: bytes) -> bool:
        for part, known in self._decisive:
            if head[part] != known:
                return False
        return bool(self._decisive)

    @property
    def watched(self) -> list[int]:
        """The starts and ends of the ranges of a save that its hero follows from: all of it where they are not known.

        A save with the same bytes there as the one that was read last, if that has a hero, has the same one.
        """
        if not self._decisive:
            return [0, HERO_SIZE]
        fields = [slice(self._at + place.start, self._at + place.stop) for place in HERO_PLACES]
        parts = [*(part for part, _ in self._decisive), *fields]
        return [edge for part in parts for edge in (part.start, part.stop)]

    def _walk(self, head: bytes) -> None:
        """Find the parts of a save of NetHack 4's own; raises as :func:`~nhlog.nethack4.save.head.skip_head`."""
        self._latest = None
        cursor = Cursor(head)
        parts = skip_head(cursor)
        self._at, self._dungeons = parts.you.at, parts.dungeons
        self._decisive = [(part, head[part]) for part in _between(_passed(parts), cursor.at)]


def _passed(parts: HeadParts) -> Iterator[slice]:
    """What is passed over without a look, in its order."""
    yield _TURN
    yield from passed_of_flags(parts.flags)
    yield from passed_of_you(parts.you)
    yield passed_of_monster(parts.monster_at)


def _between(passed: Iterable[slice], end: int) -> Iterator[slice]:
    """The rest up to `end`."""
    at = 0
    for part in passed:
        if part.start == part.stop:
            continue
        if at < part.start:
            yield slice(at, part.start)
        at = part.stop
    yield slice(at, end)
