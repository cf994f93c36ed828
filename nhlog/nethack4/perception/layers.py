"""The level as the engine passes it to its client, by squares (perception spec sections 2.6 to 2.8, save spec 5).

Objects and terrain are what the hero remembers of a square; monsters are not remembered but perceived anew.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from nhlog.nethack4.hero.form import monster_by_id
from nhlog.nethack4.hero.properties import Properties
from nhlog.nethack4.perception.cells import Brand, Flag, Square, substitutions
from nhlog.nethack4.perception.senses import Perceived, Senses
from nhlog.nethack4.perception.sight import DOOR, LAMPLIGHT, Sight, circle, is_water
from nhlog.nethack4.perception.vision import disc
from nhlog.nethack4.save.dungeon import DLevel, Dungeon, Topology
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.levels.locations import COLNO, ROWNO, Memory
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import KIND, races, roles, table

__all__ = ["memory_of", "obfuscated", "squares_of", "surroundings_of"]

_LOCKED, _TRAPPED = 8, 16  # door flags
_SWALLOW, _EFFECT = 1 << 16, 3 << 16  # kinds of effects

Rows = list[list[Square]]


def squares_of(save: Save, properties: Properties, sight: Sight, senses: Senses, shown: Sequence[Perceived]) -> Rows:
    """The squares of the hero's level, row by row."""
    you, level = save.you, save.level
    if you.swallowed:
        return _swallowed(save, senses)
    rows = _remembered(save, level, sight)
    for perceived in shown:
        square = rows[perceived.y][perceived.x]
        rows[perceived.y][perceived.x] = square._replace(invis=0, mon=perceived.mon, monflags=perceived.flags)
    _add_regions(level, sight, rows)
    here = rows[you.uy][you.ux]._replace(invis=0)
    rows[you.uy][you.ux] = _hero(save, senses, here) if senses.of_self() else here
    if you.buried or (you.in_water and save.here != save.dungeons.topology.water):
        return _confined(save, properties, rows)
    return rows


def memory_of(save: Save, level: Level) -> Rows:
    """What the hero remembers of a level, which need not be the current one."""
    return _remembered(save, level, None)


def _remembered(save: Save, level: Level, sight: Sight | None) -> Rows:
    """The remembered layers, and the brands."""
    known: dict[tuple[Memory, int, int, int], Square] = {}
    places, nothing = level.locations, bytes(COLNO)
    rows: Rows = []
    for y in range(ROWNO):
        row = []
        for key in zip(
            places.memory[y::ROWNO],
            places.flags[y::ROWNO],
            places.waslit[y::ROWNO],
            sight.light[y] if sight else nothing,
            strict=True,
        ):
            square = known.get(key)
            if square is None:
                square = known[key] = _square(save, *key)
            row.append(square)
        rows.append(row)
    return rows


def _square(save: Save, memory: Memory, flags: int, waslit: int, light: int) -> Square:
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
    shown = obfuscated(save, memory.obj - 1) + 1 if memory.obj else 0
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


def obfuscated(save: Save, kind: int) -> int:
    """The kind by which an object of this kind is drawn."""
    record = save.classes[kind]
    if not record.name_known:
        if kind in _gems():
            kind = _glass().get(record.color, kind)
        kind = _look_alikes().get(kind, kind)
    return save.classes[kind].descr_idx


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
                        rows[y][x] = rows[y][x]._replace(effect=region.effect_id)


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
            return here._replace(obj=obfuscated(save, hero.disguise) + 1)
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
    rows = [[Square()] * COLNO for _ in range(ROWNO)]
    swallower = monster_by_id(save.level, you.ustuck)
    kind = swallower.species if swallower else 0
    around = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]
    for number, (across, down) in enumerate(around):
        x, y = you.ux + across, you.uy + down
        if 0 <= x < COLNO and 0 <= y < ROWNO:
            wall = _SWALLOW | senses.taken_for(kind, x, y) << 3 | number
            rows[y][x] = Square(effect=wall + 1, monflags=senses.imagined)
    rows[you.uy][you.ux] = Square(mon=_own_species(save) + 1)
    return rows


def _confined(save: Save, properties: Properties, rows: Rows) -> Rows:
    """The squares if the hero is under water or buried: only those nearby."""
    you = save.you
    own = {(you.ux, you.uy)}
    if not you.buried and "BLINDED" not in properties.held:
        own |= {place for place in disc(you.ux, you.uy, circle(1)) if is_water(save.level, *place)}
    return [[square if (x, y) in own else Square() for x, square in enumerate(row)] for y, row in enumerate(rows)]


def surroundings_of(save: Save, here: DLevel) -> int:
    """The substitutions of a whole level (section 3)."""
    you, topology = save.you, save.dungeons.topology
    role, race = roles()[you.initrole], races()[you.initrace]
    mode = _mode(save.dungeons.topology, save.dungeons[here.dnum], here)
    of_role = [role.file.lower()] if here.dnum == topology.quest_dnum else []
    return substitutions([mode, *of_role, "female" if you.female else "male", race.noun])


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
