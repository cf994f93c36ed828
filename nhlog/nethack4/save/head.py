"""The head of a save: engine version, turn, flags, hero and dungeons (save spec sections 2.1 to 2.4).

It comes before the levels and is a few kilobytes long, however long the game; nothing after it is read.
"""

from typing import Final

from nhlog.errors import Damaged, Unsupported
from nhlog.nethack4.save.chains import Index, walk_monster, walk_objects
from nhlog.nethack4.save.dungeon import DUNGEONS_MAGIC, DLevel, Dungeons, walk_dungeons
from nhlog.nethack4.save.fiqhack import BODY, REVISIONS
from nhlog.nethack4.save.flags import Flags, FlagsParts, read_flags, skip_flags
from nhlog.nethack4.save.version import VERSION, Version, check_engine, engine_of
from nhlog.nethack4.save.wire import FIQHACK, FIQHACKS, MAGIC_SIZE, BadSave, Cursor, check
from nhlog.nethack4.save.you import YOU, You, YouParts, read_you, skip_you, with_body
from nhlog.values import NamedTuple, dataclass

__all__ = [
    "HERO_FIELDS",
    "HERO_PLACES",
    "HERO_SIZE",
    "Head",
    "HeadParts",
    "Hero",
    "hero_from",
    "read_hero",
    "skip_head",
    "walk_head",
]

HERO_SIZE: Final = 6144  # bytes from a save's start that hold all of this, killer strings and autopickup rules included
_FIELDS: Final = ("uhp", "uhpmax", "ulevel", "dnum", "dlevel")
HERO_FIELDS: Final = YOU.part(*_FIELDS)
"""What of the hero's record a :class:`Hero` is made of."""
HERO_PLACES: Final = [YOU.place(field) for field in _FIELDS]
"""Where that is in the record."""
_HERO_END: Final = YOU.offset("dlevel") + 1


class HeadParts(NamedTuple):
    """A head with flags and hero not unpacked; `monster_at` is the offset of the hero's record as a monster.

    FIQHack's hero carries the `pack` there; NetHack 4's is in the state, and here empty.
    """

    version: Version
    moves: int
    flags: FlagsParts
    you: YouParts
    monster_at: int
    pack: Index
    dungeons: Dungeons


class Head(NamedTuple):
    """A head with all parts unpacked."""

    version: Version
    moves: int
    flags: Flags
    you: You
    monster_at: int
    pack: Index
    dungeons: Dungeons


@dataclass(frozen=True, slots=True)
class Hero:
    """The hero's place and condition, for lists; `place` as in the log's second line (``Dungeons:2``).

    `depth` counts levels from the surface.  `states`, `deeds` and `firsts` are those of an engine that tells of them
    (see :class:`nhlog.engines.protocol.Vitals`).
    """

    place: str
    level: int
    hp: int
    hp_max: int
    depth: int = 1
    states: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    firsts: tuple[str, ...] = ()


def skip_head(cursor: Cursor) -> HeadParts:
    """Move the cursor over the head, and set its edition; it must be at a save's start.

    Raises :class:`~nhlog.errors.Unsupported` for another engine's save, and :class:`~nhlog.nethack4.save.wire.BadSave`
    for bytes that break the layout or end too soon.
    """
    version = check_engine(cursor.data)
    cursor.edition = version.edition
    cursor.skip(VERSION.size, "version")
    moves = cursor.signed("turn")
    flags = skip_flags(cursor)
    if cursor.edition in FIQHACKS:
        _check_revision(read_flags(cursor.data, flags).revision, REVISIONS[cursor.edition], flags.at)
    you = skip_you(cursor)
    monster_at = cursor.at
    carries = walk_monster(cursor, "hero's monster")
    pack = walk_objects(cursor, "inventory") if carries and cursor.edition in FIQHACKS else ()
    return HeadParts(version, moves, flags, you, monster_at, pack, walk_dungeons(cursor))


def _check_revision(found: int, expected: int, at: int) -> None:
    if found != expected:
        raise Unsupported(
            f"{FIQHACK} of another version",
            offset=at,
            expected=f"revision {expected}",
            found=f"revision {found}",
        )


def walk_head(cursor: Cursor) -> Head:
    """Read the head at the cursor, which must be at a save's start; raises the same errors as :func:`skip_head`."""
    parts = skip_head(cursor)
    flags = read_flags(cursor.data, parts.flags)
    you = read_you(cursor.data, parts.you, flags.relative(parts.moves), cursor.edition)
    if cursor.edition in FIQHACKS:
        body = BODY[cursor.edition].read(cursor.data, parts.monster_at + MAGIC_SIZE)
        you = with_body(you, body, flags.relative(parts.moves))
    check(you.dnum, range(len(parts.dungeons.all)), "you: dungeon", parts.you.at)
    return Head(parts.version, parts.moves, flags, you, parts.monster_at, parts.pack, parts.dungeons)


def read_hero(head: bytes) -> Hero | None:
    """The hero of a save that begins with `head`; None for other engines' saves, and for too short or damaged heads.

    Also of FIQHack's, with the pack between hero and dungeons: there only a whole save is sure to be long enough.
    Those of many saves in a row are read by :class:`~nhlog.nethack4.heroes.HeroReader`.
    """
    try:
        if engine_of(head) == FIQHACK:
            at, dungeons = _fiqhack_parts(head)
        else:
            parts = skip_head(Cursor(head))
            at, dungeons = parts.you.at, parts.dungeons
        return hero_from(HERO_FIELDS.unpack_from(head, at), at, dungeons)
    except (Damaged, Unsupported):
        return None


def hero_from(fields: tuple[int, ...], at: int, dungeons: Dungeons) -> Hero:
    """The hero with these `HERO_FIELDS`, which are at `at`; raises :class:`BadSave` for one in no dungeon."""
    hp, hp_max, level, dnum, dlevel = fields
    check(dnum, range(len(dungeons.all)), "you: dungeon", at)
    here = DLevel(dnum, dlevel)
    return Hero(dungeons.place(here), level, hp, hp_max, dungeons.depth(here))


def _fiqhack_parts(head: bytes) -> tuple[int, Dungeons]:
    """The same for a save of FIQHack's, whose flags are as long, and whose hero begins with the same fields.

    What comes after these, and the monster that the hero is, have a layout of their own.
    """
    cursor = Cursor(head)
    cursor.skip(VERSION.size, "version")
    cursor.signed("turn")
    skip_flags(cursor)
    at = cursor.skip(_HERO_END, "you")
    found = head.find(DUNGEONS_MAGIC, cursor.at)
    if found < 0:
        raise BadSave("dungeon", offset=cursor.at, expected=repr(DUNGEONS_MAGIC))
    cursor.at = found
    return at, walk_dungeons(cursor)
