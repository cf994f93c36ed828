"""What the hero sees: squares in view, the monsters on them, and the memory of the level.

Seeing changes nothing but the memory.  Imports tables, records and tcod.
"""

from typing import Final

from nhlog.engines.delve.world.board import HEIGHT, WIDTH, X, Y, distance
from nhlog.engines.delve.world.powers import has, light_radius
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import DISGUISED, KIND_MEMORY, TRAP_MEMORY, Monster, World
from nhlog.engines.delve.world.terrain import CLOSED, LIT, LOCKED, SECRET, SIGHT, TERRAINS, WALL

__all__ = ["can_see", "in_line", "look_around", "notice", "sees_hero", "senses", "spotted", "visible_monsters"]

_FACE: Final = bytes(
    {SECRET: WALL, LOCKED: CLOSED}.get(byte & ~LIT, byte & ~LIT) + 1 if byte & ~LIT < len(TERRAINS) else 0
    for byte in range(256)
)
"""What terrain is remembered as: its visible kind, plus 1."""
SEEN: Final = 1  # in World.view: before the hero's eyes, and light enough
LINE: Final = 2  # nothing is between it and the hero


def look_around(world: World) -> None:
    """Compute what the hero sees, and remember it."""
    world.view = _field(world)
    _remember(world)


def notice(world: World) -> None:
    """Compute what the hero sees."""
    world.view = _field(world)


def _field(world: World) -> bytes:
    """A byte for each square: `SEEN`, `LINE`."""
    import numpy
    from tcod.constants import FOV_SYMMETRIC_SHADOWCAST
    from tcod.map import compute_fov

    hero, level = world.hero, world.level
    clear = numpy.frombuffer(level.terrain.translate(SIGHT), dtype=bool).reshape(HEIGHT, WIDTH)
    fov = compute_fov(clear, (Y[hero.square], X[hero.square]), algorithm=FOV_SYMMETRIC_SHADOWCAST)
    lines = fov.astype(numpy.uint8) * LINE
    if hero.blind:
        return bytes(lines.tobytes())
    lit = numpy.frombuffer(bytes(level.terrain), dtype=numpy.uint8).reshape(HEIGHT, WIDTH) >= LIT
    radius = light_radius(world)
    top, left = max(Y[hero.square] - radius, 0), max(X[hero.square] - radius, 0)
    lit[top : Y[hero.square] + radius + 1, left : X[hero.square] + radius + 1] = True
    lines[fov & lit] |= SEEN
    return bytes(lines.tobytes())


def _remember(world: World) -> None:
    import numpy

    level, hero, view = world.level, world.hero, world.view
    memory, terrain = level.memory, level.terrain
    flags = numpy.frombuffer(view, dtype=numpy.uint8)
    seen = [hero.square] if hero.blind else numpy.flatnonzero(flags & SEEN).tolist()
    locked = (
        [at for at in seen if memory[at] == LOCKED + 1 and terrain[at] & ~LIT == LOCKED] if LOCKED + 1 in memory else ()
    )
    for at in seen:
        memory[at] = _FACE[terrain[at]]
    for at in locked:  # the hero has tried it
        memory[at] = LOCKED + 1
    shown = set(seen)
    for trap in level.traps:
        if trap is not None and trap.seen and trap.square in shown:
            memory[trap.square] = TRAP_MEMORY + trap.kind
    for item in level.items:
        if item is not None and item.place in shown:
            memory[item.place] = KIND_MEMORY + item.kind
    for monster in level.monsters:
        if monster is not None and monster.flags & DISGUISED and monster.square in shown:
            memory[monster.square] = KIND_MEMORY + monster.disguise


def can_see(world: World, at: int) -> bool:
    """Whether the hero sees the square."""
    return bool(world.view[at] & SEEN)


def in_line(world: World, at: int) -> bool:
    """Whether there is a line of sight between the square and the hero, who may be blind."""
    return bool(world.view[at] & LINE)


def senses(world: World, monster: Monster) -> bool:
    """Whether the hero senses the monster's mind from a distance."""
    return has(world, "sensing") and "dead" not in SPECIES[monster.species].traits


def spotted(world: World, monster: Monster) -> bool:
    """Whether the hero sees the monster, and not its disguise."""
    if monster.flags & DISGUISED:
        return False
    if not world.view[monster.square] & SEEN:
        return False
    return "invisible" not in SPECIES[monster.species].traits or has(world, "true sight")


def visible_monsters(world: World) -> list[Monster]:
    """The monsters that the hero sees or senses, in the order of their slots."""
    feels = has(world, "sensing")
    true = has(world, "true sight")
    view = world.view
    found = []
    for monster in world.level.monsters:
        if monster is None or monster.flags & DISGUISED:
            continue
        traits = SPECIES[monster.species].traits
        if (view[monster.square] & SEEN and (true or "invisible" not in traits)) or (feels and "dead" not in traits):
            found.append(monster)
    return found


def sees_hero(world: World, monster: Monster) -> bool:
    """Whether the monster sees the hero (monsters see in the dark, up to 20 squares)."""
    return bool(world.view[monster.square] & LINE) and distance(monster.square, world.hero.square) <= 20
