"""Describe a square in the words of the game's farlook (perception spec section 5).

Uses what the hero remembers of the square and the monsters perceived on it; the parts are listed from the top down.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.nethack4.hero.form import form_of, monster_by_id, sticks
from nhlog.nethack4.names.english import articled
from nhlog.nethack4.names.gods import ALIGNMENTS, altar_alignment
from nhlog.nethack4.names.monsters import assumed_name, distant_name, steed_name
from nhlog.nethack4.names.objects import Naming
from nhlog.nethack4.perception.cells import WARNINGS, Flag
from nhlog.nethack4.perception.senses import Perceived
from nhlog.nethack4.perception.view import Perception
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.levels.locations import ALTARS, COLNO, ROWNO, Memory
from nhlog.nethack4.save.monsters import Monster
from nhlog.nethack4.save.objects import Obj, plain_object
from nhlog.nethack4.tables import KIND, Class, kinds, races, species, table

__all__ = ["describe"]

_FEARS: Final = ("worry", "concern", "anxiety", "disquiet", "alarm", "dread")
_LONGEST: Final = 77  # characters of what is said of a monster
_ORDINARY: Final = ("normal vision",)
_HOLDING_TRAPS: Final = ("bear trap", "pit", "spiked pit", "web")
_UNSEEN: Final = "remembered, unseen, creature"

# Backgrounds and terrains by number (save spec section 3.1).
_CLOUD, _DOORWAY = 17, 21
_STONE, _WALLS, _TREE, _SECRET_DOOR, _SECRET_CORRIDOR = 0, range(1, 13), 13, 14, 15
_WATERS, _RAISED_DRAWBRIDGE, _LAVA, _DOOR, _DRAWBRIDGE_WALL = range(16, 19), 19, 20, 22, 12
_DRAWBRIDGES: Final = (_RAISED_DRAWBRIDGE, 33)
_BROKEN, _SHUT, _DOOR_TRAP = 1, 4 | 8, 16  # flags of a door: mask of what it is, and a trap
_UNDER, _MOAT_BELOW, _LAVA_BELOW = 0x1C, 0, 4  # flags of a drawbridge: what is under it
_DIRECTION: Final = 3  # and whereto it opens
_BRIDGES: Final = (((0, 1), 0), ((0, -1), 1), ((-1, 0), 2), ((1, 0), 3))  # where one lies that opens this way

_LOOKS_UNKNOWN_AFAR: Final = (
    *(Class.WAND, Class.RING, Class.POTION, Class.SCROLL, Class.GEM, Class.SPELLBOOK, Class.WEAPON, Class.TOOL),
)
_TENGU: Final = next(number for number, kind in enumerate(species()) if kind.name == "tengu")


def describe(perception: Perception, level: Level, x: int, y: int) -> str:
    """The description of a square of a level."""
    return "; ".join(_parts(perception, level, x, y))


def _parts(perception: Perception, level: Level, x: int, y: int) -> Iterator[str]:
    save = perception.save
    memory = level.locations.memory[x * ROWNO + y]
    if level is save.level:
        yield from _perceived(perception, x, y)
    elif memory.invis:
        yield _UNSEEN
    if memory.obj:
        yield _object(perception, level, memory, x, y) + _embedded(level, x, y)
    if memory.trap:
        yield _trap(memory.trap)
    yield _background(perception, level, memory.bg, x, y)


def _perceived(perception: Perception, x: int, y: int) -> Iterator[str]:
    """The parts that are perceived and not only remembered."""
    you, square = perception.save.you, perception.squares[y][x]
    is_here = (x, y) == (you.ux, you.uy)
    if you.swallowed and not is_here:
        yield f"interior of {_swallower(perception, x, y)}"
    if square.invis:
        yield _UNSEEN
    shown = next((shown for shown in perception.monsters if (shown.x, shown.y) == (x, y) and shown.mon), None)
    if is_here and perception.senses.of_self():
        yield _self(perception)
    elif shown is not None and square.mon:
        yield _monster(perception, shown)


def _swallower(perception: Perception, x: int, y: int) -> str:
    save, held, senses = perception.save, perception.properties.held, perception.senses
    monster = monster_by_id(save.level, save.you.ustuck)
    if monster is None or "BLINDED" in held:
        return "a monster"
    if senses.imagined:
        return assumed_name(monster, senses.taken_for(monster.species, x, y), held)
    return monster.name or distant_name(save, monster, held)


def _self(perception: Perception) -> str:
    save, held = perception.save, perception.properties.held
    you = save.you
    invisible = "invisible " if "INVIS" in held else ""
    race = "" if you.polymorphed else f"{races()[you.initrace].adjective} "
    told = f"{invisible}{race}{form_of(you).name} called {you.name}"
    steed = monster_by_id(save.level, you.usteed)
    if steed is not None:
        kind = perception.senses.taken_for(steed.species, you.ux, you.uy)
        told += f", mounted on {steed_name(steed, kind, held)}"
    unseen = ("INVIS" in held and "SEE_INVIS" not in held) or you.undetected
    if not unseen or "BLINDED" in held or you.swallowed:
        return told
    from_items = perception.properties.from_items
    ways = ("infravision" if "INFRAVISION" in held else "", "telepathy" if "TELEPAT" in from_items else "")
    how = [*filter(None, ways), *(["monster detection"] if "DETECT_MONSTERS" in held else [])]
    return told + (f" [seen: {', '.join(how)}]" if how else "")


def _monster(perception: Perception, shown: Perceived) -> str:
    if shown.mon >= WARNINGS:
        imagined = "imagined " if shown.flags & Flag.IMAGINED else ""
        return f"unknown creature causing you {imagined}{_FEARS[shown.mon - WARNINGS]}"
    save, monster = perception.save, shown.monster
    told = _name(perception, shown)
    is_head = (shown.x, shown.y) == (monster.x, monster.y)
    if not is_head:
        told = f"tail of {told}" if perception.senses.of(monster) else "tail of an unseen long worm"
    if monster.id == save.you.ustuck:
        told += ", being held" if save.you.polymorphed and sticks(save.you) else ", holding you"
    told += ", leashed to you" if monster.leashed else ""
    told += _trapped(perception, monster)
    if is_head and shown.senses != _ORDINARY:
        return f"{told} [seen: {', '.join(shown.senses)}]"[: max(_LONGEST, len(told))]
    return told


def _name(perception: Perception, shown: Perceived) -> str:
    monster, held = shown.monster, perception.properties.held
    poses = shown.mon - 1 != monster.species and (shown.x, shown.y) == (monster.x, monster.y)
    if poses or shown.flags & Flag.IMAGINED:
        return assumed_name(monster, shown.mon - 1, held)
    return distant_name(perception.save, monster, held)


def _trapped(perception: Perception, monster: Monster) -> str:
    if not monster.trapped or not perception.sight.in_sight[monster.y][monster.x]:
        return ""
    traps = (trap for trap in perception.save.level.traps if (trap.x, trap.y) == (monster.x, monster.y))
    names = [_trap(trap.type) for trap in traps]
    return f", trapped in {articled(names[0])}" if names and names[0] in _HOLDING_TRAPS else ""


def _trap(number: int) -> str:
    return str(table("traps")[number - 1][1])


def _object(perception: Perception, level: Level, memory: Memory, x: int, y: int) -> str:
    """The remembered object, named by what is known from a distance."""
    kind = memory.obj - 1
    top = next((obj for obj in level.objects if (obj.x, obj.y) == (x, y)), None)
    if top is not None and top.otyp == kind:
        return Naming(perception.save, blind=True).name(top)
    return Naming(perception.save, blind=True).name(_likeness(perception, kind)) if kind else "strange object"


def _likeness(perception: Perception, kind: int) -> Obj:
    """An object of that kind without special properties."""
    record, cls = perception.save.classes[kind], kinds()[kind].cls
    return plain_object(
        kind,
        cls,
        species=_TENGU,
        weight=record.weight,
        spe=perception.save.state.current_fruit.id if kind == KIND["slime mold"] else 0,
        known=not record.uses_known,
        dknown=cls not in _LOOKS_UNKNOWN_AFAR,
    )


def _embedded(level: Level, x: int, y: int) -> str:
    """The terrain that an object is embedded in, by the true terrain; empty if it lies on top."""
    typ, flags = level.locations.typ[x * ROWNO + y], level.locations.flags[x * ROWNO + y]
    below = flags & _UNDER if typ == _RAISED_DRAWBRIDGE else None
    if typ == _TREE:
        return " stuck in a tree"
    if typ in (_STONE, _SECRET_CORRIDOR):
        return " embedded in stone"
    if typ in _WALLS or typ == _SECRET_DOOR:
        return " embedded in a wall"
    if typ == _DOOR and flags & _SHUT:
        return " embedded in a door"
    if typ in _WATERS or below == _MOAT_BELOW:
        return " in water"
    return " in molten lava" if typ == _LAVA or below == _LAVA_BELOW else ""


def _background(perception: Perception, level: Level, bg: int, x: int, y: int) -> str:
    dungeons, flags = perception.save.dungeons, level.locations.flags[x * ROWNO + y]
    if bg in ALTARS:
        return f"{'aligned' if dungeons.is_endgame(level.here) else ALIGNMENTS[altar_alignment(flags)]} altar"
    if bg == _DOORWAY:
        if _is_portcullis(level, x, y):
            return "open drawbridge portcullis"
        return "broken door" if flags & ~_DOOR_TRAP == _BROKEN else "doorway"
    if bg == _CLOUD:
        return "cloudy area" if level.here == dungeons.topology.air else "fog/vapor cloud"
    return str(table("bg_names")[bg])


def _is_portcullis(level: Level, x: int, y: int) -> bool:
    """Whether the square is the portcullis of a drawbridge."""
    typ, flags = level.locations.typ, level.locations.flags
    if typ[x * ROWNO + y] not in (_DOOR, _DRAWBRIDGE_WALL):
        return False
    for (across, down), direction in _BRIDGES:
        column, row = x + across, y + down
        if 0 <= column < COLNO and 0 <= row < ROWNO:
            place = column * ROWNO + row
            if typ[place] in _DRAWBRIDGES and flags[place] & _DIRECTION == direction:
                return True
    return False
