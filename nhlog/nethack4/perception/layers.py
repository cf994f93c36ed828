"""The level as the engine passes it to its client, by squares (perception spec sections 2.6 to 2.8, save spec 5).

Objects and terrain are what the hero remembers of a square; monsters are not remembered but perceived anew.
"""

from array import array
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from nhlog.nethack4.hero.form import monster_by_id
from nhlog.nethack4.hero.properties import Properties
from nhlog.nethack4.perception.cells import Brand, Flag, Square, draw, substitutions
from nhlog.nethack4.perception.senses import Perceived, Senses
from nhlog.nethack4.perception.sight import DOOR, LAMPLIGHT, Sight, circle, is_water
from nhlog.nethack4.perception.vision import disc
from nhlog.nethack4.save.dungeon import DLevel, Dungeon, Topology
from nhlog.nethack4.save.kinds import ObjectClass, classes_in
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.levels.locations import COLNO, ROWNO, Memory, remembered_in
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACK_21, FIQHACKS, BadSave
from nhlog.nethack4.tables import KIND, races, roles, table
from nhlog.screen import Cell
from nhlog.values import NamedTuple

__all__ = ["RememberedRow", "drawn", "memory_of", "squares_of", "surroundings_of"]

_NOWHERE: Final = range(0)
_LOCKED, _TRAPPED = 8, 16  # door flags
_SWALLOW, _EFFECT = 1 << 16, 3 << 16  # kinds of effects

_KEPT: Final = 64 * ROWNO  # rows that are kept: from turn to turn few change

Rows = list[tuple[Square, ...]]


class RememberedRow(NamedTuple):
    """All that the remembered squares of a row depend on: their bytes, how they are lit, what kinds look like.

    They are computed once for equal rows, and so is how they are drawn: from turn to turn few change.  `tower` are the
    columns that are inside the Wizard's Tower, where a client draws these otherwise.
    """

    stored: bytes
    light: bytes
    looks: bytes
    edition: str
    tower: range


def squares_of(
    save: Save,
    properties: Properties,
    sight: Sight,
    senses: Senses,
    shown: Sequence[Perceived],
    remembered: Sequence[RememberedRow],
) -> Rows:
    """The squares of the hero's level, row by row; those rows are the remembered ones where nothing else is there."""
    you, level = save.you, save.level
    if you.swallowed:
        return _swallowed(save, senses)
    rows = [_squares(row) for row in remembered]
    for perceived in shown:
        square = rows[perceived.y][perceived.x]
        shown_there = square._replace(invis=0, mon=perceived.mon, monflags=perceived.flags)
        _put(rows, perceived.x, perceived.y, shown_there)
    _add_regions(level, sight, rows)
    here = rows[you.uy][you.ux]._replace(invis=0)
    _put(rows, you.ux, you.uy, _hero(save, senses, here) if senses.of_self() else here)
    if you.buried or (you.in_water and save.here != save.dungeons.topology.water):
        return _confined(save, properties, rows)
    return rows


def _put(rows: Rows, x: int, y: int, square: Square) -> None:
    """Set one square, in a row of its own: remembered ones are shared."""
    rows[y] = (*rows[y][:x], square, *rows[y][x + 1 :])


def memory_of(save: Save, level: Level, sight: Sight | None = None) -> list[RememberedRow]:
    """What the hero remembers of a level, row by row; it is lit as it is seen if it is the hero's."""
    places, edition = level.locations, save.context.edition
    looks = _looks(save.state.class_bytes, edition)
    light = sight.light if sight else [bytes(COLNO)] * ROWNO
    rows = [
        RememberedRow(stored, lit, looks, edition, tower)
        for stored, lit, tower in zip(places.rows(), light, _tower(save, level), strict=True)
    ]
    try:
        for row in rows:
            _squares(row)
    except BadSave as error:
        error.offset = places.at
        raise
    return rows


def _tower(save: Save, level: Level) -> list[range]:
    """Row by row, the columns inside the Wizard's Tower: where nobody arrives who teleports to that level."""
    topology = save.dungeons.topology
    if save.context.edition != FIQHACK_21 or level.here not in (topology.wiz1, topology.wiz2, topology.wiz3):
        return [_NOWHERE] * ROWNO
    left, top, right, bottom = level.no_arrival
    inside = range(left, min(right + 1, COLNO))
    return [inside if top <= y <= bottom else _NOWHERE for y in range(ROWNO)]


def drawn(remembered: Sequence[RememberedRow], rows: Rows | None, surroundings: int) -> list[list[Cell]]:
    """The cells of what is remembered, row by row, with the squares of `rows` where these are other ones."""
    cells = [[*_cells(row, surroundings)] for row in remembered]
    for y, row in enumerate(rows or ()):
        before = _squares(remembered[y])
        if row is not before:
            for x, square in enumerate(row):
                if square is not before[x]:
                    cells[y][x] = draw(square, surroundings)
    return cells


@lru_cache(maxsize=_KEPT)
def _cells(row: RememberedRow, surroundings: int) -> tuple[Cell, ...]:
    return tuple(draw(square, surroundings) for square in _squares(row))


@lru_cache(maxsize=_KEPT)
def _squares(row: RememberedRow) -> tuple[Square, ...]:
    """The remembered layers of a row, and the brands."""
    looks = array("H", row.looks)
    stored = zip(remembered_in(row.stored, row.edition), row.light, strict=True)
    squares = [_square(looks, *one, light) for one, light in stored]
    for x in row.tower:
        squares[x] = squares[x]._replace(branding=squares[x].branding | Brand.TOWER)
    return tuple(squares)


def _square(looks: Sequence[int], memory: Memory, flags: int, waslit: int, pile: int, light: int) -> Square:
    """The layers of one square: what is remembered of it, and how it is lit."""
    branding = Brand.STEPPED if memory.stepped else 0
    if memory.lock_known:
        branding |= Brand.LOCKED if flags & _LOCKED else Brand.UNLOCKED
    if memory.trap_known:
        branding |= Brand.TRAPPED if flags & _TRAPPED else Brand.UNTRAPPED
    if light:
        branding |= Brand.SEEN
    if waslit:
        branding |= Brand.LIT
    elif light == LAMPLIGHT:
        branding |= Brand.TEMPORARILY_LIT
    if pile:
        branding |= Brand.PILE
    shown = looks[memory.obj - 1] + 1 if memory.obj else 0
    return Square(memory.bg, memory.trap, shown, memory.obj_mn, int(memory.invis), branding=branding)


@cache
def _look_alikes() -> dict[int, int]:
    """Kinds that look like another one until identified, with the kind that represents them."""
    return {KIND[name]: KIND[group[0]] for group in table("obf_groups") for name in group}


@cache
def _glass() -> dict[int, int]:
    return {int(color): KIND[name] for color, name in table("obf_glass").items()}


@cache
def _gems() -> frozenset[int]:
    return frozenset(KIND[name] for name in table("obf_gems"))


@lru_cache(maxsize=8)
def _looks(class_bytes: bytes, edition: str) -> bytes:
    """For each kind the one by which objects of that kind are drawn, as unsigned 16-bit numbers."""
    classes = classes_in(class_bytes, edition)
    return array("H", (_obfuscated(classes, kind) for kind in range(len(classes)))).tobytes()


def _obfuscated(classes: Sequence[ObjectClass], kind: int) -> int:
    """The kind by which an object of this kind is drawn."""
    record = classes[kind]
    if not record.name_known:
        if kind in _gems():
            kind = _glass().get(record.color, kind)
        kind = _look_alikes().get(kind, kind)
    return classes[kind].descr_idx


@cache
def _effects() -> range:
    """The layer values of regions, such as gas clouds."""
    return range(_EFFECT + 1, _EFFECT + 1 + len(table("effects")))


def _add_regions(level: Level, sight: Sight, rows: Rows) -> None:
    """Add regions, such as gas clouds, to the squares."""
    for region in reversed(level.regions):  # the first one is on top
        if not (region.visible and region.ttl and region.effect_id in _effects()):
            continue
        for left, top, right, bottom in region.rectangles:
            for y in range(max(top, 0), min(bottom, ROWNO - 1) + 1):
                for x in range(max(left, 0), min(right, COLNO - 1) + 1):
                    if sight.in_sight[y][x] and level.locations.typ[x * ROWNO + y] >= DOOR:
                        _put(rows, x, y, rows[y][x]._replace(effect=region.effect_id))


def _hero(save: Save, senses: Senses, here: Square) -> Square:
    """The hero's square, with the hero's appearance (section 2.7)."""
    you, hero = save.you, save.hero
    steed = monster_by_id(save.level, you.usteed)
    if steed is not None and senses.sees(steed):
        mon = senses.taken_for(steed.species, you.ux, you.uy) + 1
        return here._replace(mon=mon, monflags=Flag.RIDDEN | senses.imagined)
    match hero.disguise_kind:
        case 1:
            return here._replace(bg=hero.disguise, trap=0, obj=0)
        case 2:
            return here._replace(obj=_obfuscated(save.classes, hero.disguise) + 1)
        case 3:
            return here._replace(mon=hero.disguise + 1)
    return here._replace(mon=_own_species(save) + 1)


def _own_species(save: Save) -> int:
    you = save.you
    if not save.flags.showrace or you.polymorphed:
        return you.umonnum
    race = races()[you.initrace]
    return race.female if you.female and race.female >= 0 else race.male


def _swallowed(save: Save, senses: Senses) -> Rows:
    """The squares if the hero is swallowed: only the monster's walls."""
    you = save.you
    rows: Rows = [(Square(),) * COLNO] * ROWNO
    swallower = monster_by_id(save.level, you.ustuck)
    kind = swallower.species if swallower else 0
    around = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]
    for number, (across, down) in enumerate(around):
        x, y = you.ux + across, you.uy + down
        if 0 <= x < COLNO and 0 <= y < ROWNO:
            wall = _SWALLOW | senses.taken_for(kind, x, y) << 3 | number
            _put(rows, x, y, Square(effect=wall + 1, monflags=senses.imagined))
    _put(rows, you.ux, you.uy, Square(mon=_own_species(save) + 1))
    return rows


def _confined(save: Save, properties: Properties, rows: Rows) -> Rows:
    """The squares if the hero is under water or buried: only those nearby."""
    you = save.you
    own = {(you.ux, you.uy)}
    if not you.buried and "BLINDED" not in properties.held:
        own |= {place for place in disc(you.ux, you.uy, circle(1)) if is_water(save.level, *place)}
    return [tuple(square if (x, y) in own else Square() for x, square in enumerate(row)) for y, row in enumerate(rows)]


def surroundings_of(save: Save, here: DLevel) -> int:
    """The substitutions of a whole level (section 3)."""
    you, topology = save.you, save.dungeons.topology
    role, race = roles()[you.initrole], races()[you.initrace]
    mode = _mode(save.dungeons.topology, save.dungeons[here.dnum], here)
    of_role = [role.file.lower()] if here.dnum == topology.quest_dnum else []
    edition = [save.context.edition] if save.context.edition in FIQHACKS else []
    return substitutions([mode, *of_role, "female" if you.female else "male", race.noun, *edition])


def _mode(topology: Topology, dungeon: Dungeon, here: DLevel) -> str:
    """The kind of level; the first rule that fits."""
    if dungeon.hellish:
        return "gehennom"
    for place, mode in _QUEST:
        if here == getattr(topology, place):
            return mode
    if here.dnum == topology.quest_dnum:
        return "questfill2" if here.dlevel > topology.qlocate.dlevel else "questfill1"
    if here.dnum == topology.mines_dnum:
        return "mine"
    if here.dnum == topology.sokoban_dnum:
        return "sokoban"
    return next((place for place in ("rogue", "knox", "astral") if here == getattr(topology, place)), "default")


_QUEST: Final = (("qstart", "questhome"), ("qlocate", "questlocate"), ("nemesis", "questgoal"))
