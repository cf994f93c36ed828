"""The movement of monsters: towards the hero, away from the hero, random.

A monster never leaves the inside of the board, and never shares a square.
"""

from typing import Final

from nhlog.engines.delve.world.board import INSIDE, OFFSETS, SIZE, distance, flood
from nhlog.engines.delve.world.sight import sees_hero
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import HELD, Monster, World
from nhlog.engines.delve.world.terrain import CLOSED, LIT, OPEN, OPENABLE, SWIM, WALK, WINGS

__all__ = [
    "beside",
    "chase",
    "feared_words",
    "flee",
    "is_afraid",
    "may_go",
    "passable",
    "steps_to_hero",
    "stroll",
    "walk_to",
]

SCENT: Final = 16  # steps from which a hunter finds the hero unseen
ANYWHERE: Final = bytes(b"\1" * 256)
WORD: Final = "AUD"
"""The engraved word that monsters fear."""


def passable(monster: Monster) -> bytes:
    """The terrain that the monster can enter, as a table of bytes."""
    traits = SPECIES[monster.species].traits
    if "waterbound" in traits:
        return SWIM
    if "phases" in traits:
        return ANYWHERE
    if "flies" in traits or "swims" in traits:
        return WINGS
    return OPENABLE if "hands" in traits else WALK


def steps_to_hero(world: World, way: bytes) -> list[int]:
    """For each square the number of steps to the hero over this terrain; 9999 if it is too far."""
    found = world.ways.get(way)
    if found is None:
        hero = world.hero.square
        if way is ANYWHERE:
            found = [distance(at, hero) for at in range(SIZE)]
        else:
            found = flood(world.level.terrain, hero, way, SCENT)
        world.ways[way] = found
    return found


def beside(world: World, monster: Monster) -> bool:
    """Whether the hero is in the monster's reach."""
    return distance(monster.square, world.hero.square) == 1


def feared_words(world: World, at: int) -> bool:
    """Whether the feared word is engraved on a square."""
    words = world.level.engraving_at(at)
    return words is not None and WORD in words.text.upper() and words.wear < 200


def is_afraid(world: World, monster: Monster) -> bool:
    """Whether the monster does not dare to attack the hero on the hero's square."""
    if not world.level.engravings or not feared_words(world, world.hero.square):
        return False
    return beside(world, monster) and SPECIES[monster.species].mind != "warden" and world.dice.below(7) > 0


def may_go(world: World, monster: Monster, at: int, *, through: bool = False) -> bool:
    """Whether the monster can enter a square now; `through` is for one that digs."""
    if not INSIDE[at] or at in world.level.occupants or at == world.hero.square:
        return False
    return through or bool(passable(monster)[world.level.terrain[at]])


def _go(world: World, monster: Monster, at: int) -> None:
    terrain = world.level.terrain
    if terrain[at] & ~LIT == CLOSED and "phases" not in SPECIES[monster.species].traits:
        terrain[at] = OPEN | terrain[at] & LIT
        world.ways.clear()
        return
    monster.flags &= ~HELD
    world.level.move_monster(monster, at)


def chase(world: World, monster: Monster) -> bool:
    """Take a step towards the hero, or where it last saw the hero; returns False if it knows neither."""
    if "rooted" in SPECIES[monster.species].traits:
        return True
    steps = steps_to_hero(world, passable(monster))
    here = min((steps[monster.square + offset] for offset in OFFSETS), default=9999)
    if monster.goal and here < SCENT:
        places = [monster.square + offset for offset in OFFSETS]
        places = [at for at in places if steps[at] <= steps[monster.square] and may_go(world, monster, at)]
        if places:
            _go(world, monster, min(places, key=lambda at: (steps[at], distance(at, world.hero.square))))
        return True
    if not monster.goal:
        return False
    if monster.square == monster.goal or not walk_to(world, monster, monster.goal):
        monster.goal = world.hero.square if sees_hero(world, monster) else 0
    return True


def walk_to(world: World, monster: Monster, goal: int) -> bool:
    """Take a step straight towards a square; returns False if that is not possible."""
    if "rooted" in SPECIES[monster.species].traits:
        return False
    places = [monster.square + offset for offset in OFFSETS]
    now = distance(monster.square, goal)
    places = [at for at in places if distance(at, goal) < now and may_go(world, monster, at)]
    if not places:
        return False
    _go(world, monster, min(places, key=lambda at: (distance(at, goal), abs(at - goal))))
    return True


def flee(world: World, monster: Monster) -> bool:
    """Take a step away from the hero; returns False if there is none."""
    if "rooted" in SPECIES[monster.species].traits:
        return False
    now = distance(monster.square, world.hero.square)
    steps = steps_to_hero(world, passable(monster))
    places = [monster.square + offset for offset in OFFSETS]
    places = [
        at
        for at in places
        if may_go(world, monster, at) and distance(at, world.hero.square) >= now and steps[at] >= steps[monster.square]
    ]
    if not places:
        return False
    _go(
        world,
        monster,
        max(places, key=lambda at: (steps[at] if steps[at] < SCENT else SCENT, distance(at, world.hero.square))),
    )
    return True


def stroll(world: World, monster: Monster) -> None:
    """Take a random step."""
    if "rooted" in SPECIES[monster.species].traits:
        return
    at = monster.square + world.dice.pick(OFFSETS)
    if may_go(world, monster, at):
        _go(world, monster, at)
