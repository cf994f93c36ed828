"""The bytes of a game: head, person, hero, lore, messages, pack, then the levels in the order of the first visit.

Everything before the levels has a fixed offset.
"""

from struct import Struct
from typing import Final

from nhlog.engines.delve.wire.levels import DEPTHS, ITEM, check_item, read_level, write_level
from nhlog.engines.delve.wire.records import Cursor, Field, Record, pack_slots, pack_text, read_slots
from nhlog.engines.delve.world.board import INSIDE, SIZE
from nhlog.engines.delve.world.dice import Dice
from nhlog.engines.delve.world.kinds import AMULET, BOOK, KINDS, RING, UNTOLD
from nhlog.engines.delve.world.names import LOOKS
from nhlog.engines.delve.world.powers import POWERS
from nhlog.engines.delve.world.roles import GENDERS, RACES, ROLES
from nhlog.engines.delve.world.state import (
    PACK_PLACE,
    QUIVERED,
    RULES,
    SLOTS_CARRIED,
    WIELDED,
    WORN,
    Hero,
    Item,
    Level,
    Lore,
    Person,
    World,
)
from nhlog.engines.delve.world.terrain import WINGS
from nhlog.errors import Damaged
from nhlog.values import NamedTuple

__all__ = ["FoundHero", "read_hero", "read_world", "write_world"]

MAGIC: Final = b"delve"
NAME: Final = 32  # bytes
ENDING: Final = 80
MESSAGES: Final = 640
CALLED: Final = 24  # kinds that can be given a name
CALLED_TEXT: Final = 23
MOST_SPELLS: Final = 8
MOST_TURN: Final = 2_000_000_000
ALIGNMENTS: Final = ("lawful", "neutral", "chaotic", "unaligned")
MODES: Final = 3  # the highest

_HEAD: Final = Struct("<5sBBBIQQ")
_MOST: Final = 30_000  # of what is counted in two bytes

_HERO: Final = Record(
    "hero",
    Hero,
    (
        Field("square", "H", 0, SIZE - 1),
        Field("hp", "h", -999, 999),
        Field("hp_most", "h", 1, 999),
        Field("pw", "h", 0, 999),
        Field("pw_most", "h", 0, 999),
        Field("level", "B", 1, 30),
        Field("points", "I", 0, MOST_TURN),
        Field("gold", "I", 0, MOST_TURN),
        Field("nutrition", "h", -_MOST, _MOST),
        *(
            Field(name, "B", 1, 25)
            for name in ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
        ),
        *(
            Field(name, "H", 0, _MOST)
            for name in ("blind", "confused", "fast", "floating", "poisoned", "sensing", "stuck", "prayer")
        ),
        Field("luck", "b", -10, 10),
        Field("powers", "B", 0, (1 << len(POWERS)) - 1),
        Field("deepest", "B", 1, DEPTHS),
        Field("kills", "H", 0, _MOST),
        Field("rescued", "B", 0, 255),
        Field("recall", "B", 0, 255),
        Field("settings", "B", 0, 15),
    ),
)
_LORE: Final = MOST_SPELLS + 2 * len(KINDS) + CALLED * (CALLED_TEXT + 1)  # bytes of spells and lore
_UNTOLD: Final = tuple(number for number, kind in enumerate(KINDS) if kind.symbol in UNTOLD)


def write_world(world: World) -> bytes:
    """The bytes of a game."""
    person, hero, lore = world.person, world.hero, world.lore
    levels = [write_level(world.level) if depth == world.level.depth else world.stored[depth] for depth in world.order]
    return b"".join(
        (
            _HEAD.pack(
                MAGIC, world.rules, len(world.order), world.level.depth, world.turn, world.dice.state, world.seed
            ),
            pack_text(person.name, NAME),
            _person_numbers(person),
            _HERO.pack(hero),
            bytes(hero.spells).ljust(MOST_SPELLS, b"\0"),
            lore.looks,
            lore.known,
            _pack_called(lore.called),
            _pack_messages(world.messages),
            pack_text(world.ending, ENDING),
            pack_slots(ITEM, hero.pack),
            *levels,
        )
    )


def read_world(data: bytes) -> World:
    """Parse a save; raises :class:`Damaged` for impossible values."""
    cursor = Cursor(data)
    rules, count, depth, turn, state, seed = _read_head(cursor)
    person = _read_person(cursor)
    hero = _HERO.read(cursor)
    hero.spells = _read_spells(cursor)
    lore = _read_lore(cursor)
    messages = cursor.text(MESSAGES, "messages")
    ending = cursor.text(ENDING, "ending")
    _read_pack(cursor, hero)
    start = cursor.at
    level, stored, order = _read_levels(cursor, count, depth)
    if not INSIDE[hero.square] or not WINGS[level.terrain[hero.square]] or hero.square in level.occupants:
        raise Damaged("the hero is on an impossible square", offset=start, found=hero.square)
    if hero.hp > hero.hp_most or hero.pw > hero.pw_most:
        raise Damaged("the hero has impossible points", offset=start, found=(hero.hp, hero.pw))
    told = messages.split("\n") if messages else []
    return World(person, seed, Dice(state), turn, hero, lore, level, stored, order, told, ending, rules)


class FoundHero(NamedTuple):
    """The hero of a save, on the level at this depth; `ending` is how the game ended, empty if it did not."""

    hero: Hero
    depth: int
    ending: str


def read_hero(data: bytes) -> FoundHero:
    """The hero, and the pack, of a save whose levels may be missing; raises :class:`Damaged` for impossible values."""
    cursor = Cursor(data)
    _, _, depth, *_ = _read_head(cursor)
    _read_person(cursor)
    hero = _HERO.read(cursor)
    cursor.take(_LORE + MESSAGES, "lore")
    ending = cursor.text(ENDING, "ending")
    _read_pack(cursor, hero)
    return FoundHero(hero, depth, ending)


def read_seed(data: bytes) -> int:
    """What the levels of a save grow from; raises :class:`Damaged` for what is no save."""
    return _read_head(Cursor(data))[-1]


def _read_head(cursor: Cursor) -> tuple[int, int, int, int, int, int]:
    """The rules, the number of levels, the depth, the turn, the state of the dice, and the seed."""
    magic, rules, count, depth, turn, state, seed = _HEAD.unpack(cursor.take(_HEAD.size, "head"))
    if magic != MAGIC or not 1 <= rules <= RULES:
        raise Damaged("not a save of this game", offset=0, expected=MAGIC, found=magic + bytes((rules,)))
    if not 1 <= count <= DEPTHS or not 1 <= turn <= MOST_TURN:
        raise Damaged("impossible numbers in the save's head", offset=len(MAGIC) + 1, found=(count, turn))
    return rules, count, depth, turn, state, seed


def _person_numbers(person: Person) -> bytes:
    return bytes(
        (
            list(ROLES).index(person.role),
            RACES.index(person.race),
            GENDERS.index(person.gender),
            ALIGNMENTS.index(person.alignment),
            person.mode,
        )
    )


def _read_person(cursor: Cursor) -> Person:
    name = cursor.text(NAME, "name")
    role = list(ROLES)[cursor.number("role", len(ROLES) - 1)]
    race = RACES[cursor.number("race", len(RACES) - 1)]
    gender = GENDERS[cursor.number("gender", len(GENDERS) - 1)]
    alignment = ALIGNMENTS[cursor.number("alignment", len(ALIGNMENTS) - 1)]
    return Person(name, role, race, gender, alignment, cursor.number("mode", MODES))


def _read_spells(cursor: Cursor) -> list[int]:
    start = cursor.at
    spells = cursor.take(MOST_SPELLS, "spells").rstrip(b"\0")
    for number in spells:
        if number >= len(KINDS) or KINDS[number].symbol != BOOK or spells.count(number) > 1:
            raise Damaged("spells", offset=start, found=number)
    return list(spells)


def _read_lore(cursor: Cursor) -> Lore:
    start = cursor.at
    looks = bytearray(cursor.take(len(KINDS), "looks"))
    for symbol, words in LOOKS.items():
        found = sorted(looks[number] for number in _UNTOLD if KINDS[number].symbol == symbol)
        if len(set(found)) != len(found) or found[-1] >= len(words):
            raise Damaged("looks", offset=start, found=bytes(found))
    if any(looks[number] for number in range(len(KINDS)) if number not in _UNTOLD):
        raise Damaged("an appearance of a kind that has none", offset=start)
    start = cursor.at
    known = bytearray(cursor.take(len(KINDS), "known"))
    if max(known) > 1:
        raise Damaged("known", offset=start, found=max(known))
    return Lore(looks, known, _read_called(cursor))


def _pack_messages(messages: list[str]) -> bytes:
    """The latest messages, as many as fit."""
    text = "\n".join(messages)
    first = 0
    while len(text.encode("utf-8", "replace")) > MESSAGES and first < len(messages) - 1:
        first += 1
        text = "\n".join(messages[first:])
    return pack_text(text, MESSAGES)


def _pack_called(called: dict[int, str]) -> bytes:
    names = b"".join(bytes((number,)) + pack_text(text, CALLED_TEXT) for number, text in sorted(called.items()))
    return names.ljust(CALLED * (CALLED_TEXT + 1), b"\0")


def _read_called(cursor: Cursor) -> dict[int, str]:
    start = cursor.at
    called = {}
    for _ in range(CALLED):
        number, text = cursor.number("called", len(KINDS) - 1), cursor.text(CALLED_TEXT, "called")
        if text and number in _UNTOLD:
            called[number] = text
    if _pack_called(called) != cursor.data[start : cursor.at]:
        raise Damaged("called", offset=start)
    return called


def _read_pack(cursor: Cursor, hero: Hero) -> None:
    start = cursor.at
    hero.pack = read_slots(cursor, ITEM, SLOTS_CARRIED + -SLOTS_CARRIED % 8)[:SLOTS_CARRIED]
    if any(cursor.data[start + SLOTS_CARRIED * ITEM.size : cursor.at]):
        raise Damaged("more items in the pack than it can hold", offset=start)
    used: list[str] = []
    for item in hero.pack:
        if item is None:
            continue
        check_item(item, start)
        if item.place != PACK_PLACE:
            raise Damaged("an item in the pack belongs elsewhere", offset=start, found=item.place)
        used += _use(item, start)
    if len(set(used)) != len(used) - max(used.count("=") - 1, 0) or used.count("=") > 2:
        raise Damaged("two items are worn in the same place", offset=start, found=" ".join(used))


def _use(item: Item, offset: int) -> list[str]:
    """The hero's slots that an item occupies; raises :class:`Damaged` for a worn item that cannot be worn."""
    kind = KINDS[item.kind]
    used = [name for name, flag in (("wielded", WIELDED), ("ready", QUIVERED)) if item.flags & flag]
    if item.flags & WORN:
        if not kind.slot and kind.symbol not in (RING, AMULET):
            raise Damaged("an item is worn that cannot be worn", offset=offset, found=kind.name)
        used.append(kind.slot or kind.symbol)
    return used


def _read_levels(cursor: Cursor, count: int, depth: int) -> tuple[Level, dict[int, bytes], list[int]]:
    stored: dict[int, bytes] = {}
    current: Level | None = None
    order: list[int] = []
    for _ in range(count):
        start = cursor.at
        there = read_level(cursor)
        if there.depth in order:
            raise Damaged("the same level twice", offset=start, found=there.depth)
        order.append(there.depth)
        if there.depth == depth:
            current = there
        else:
            stored[there.depth] = cursor.data[start : cursor.at]
    if current is None:
        raise Damaged(
            "the hero's level is missing", offset=len(MAGIC) + 2, expected=" ".join(map(str, order)), found=depth
        )
    if cursor.at != len(cursor.data):
        raise Damaged("extra bytes after the levels", offset=cursor.at, found=len(cursor.data) - cursor.at)
    return current, stored, order
