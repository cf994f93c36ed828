"""Occupations, which take several turns, one turn at a time: running, exploring, searching, eating ...

Each has a function that does one turn of it and returns whether it took one; `World.occupation` is what remains.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.bindings import BINDINGS
from nhlog.engines.delve.commands.ways import CAN_WALK, LOCKED_MEMORY, landmarks, pursuit, unexplored, way
from nhlog.engines.delve.hero.input import Asking
from nhlog.engines.delve.hero.moving import climb, descend, search_around, step, terrain_at, trapdoor_here
from nhlog.engines.delve.items.meals import eat_on
from nhlog.engines.delve.world.board import OFFSETS, distance
from nhlog.engines.delve.world.names import call_monster
from nhlog.engines.delve.world.sight import look_around, spotted, visible_monsters
from nhlog.engines.delve.world.species import LURKING, SPECIES
from nhlog.engines.delve.world.state import ASLEEP, PASSED, Monster, Occupation, World
from nhlog.engines.delve.world.terrain import (
    BROKEN,
    CORRIDOR,
    DOORS,
    FLOOR,
    GATE,
    OPEN,
    STAIRS_DOWN,
    STAIRS_UP,
)

__all__ = ["MOST_TURNS", "attack", "explore", "go_down", "go_on", "go_up", "rest", "run", "rush", "search", "travel"]

_EXPLORE_KEY: Final = next(binding.key for binding in BINDINGS if binding.command.name == "explore")
MOST_TURNS: Final = 1000
NEAR: Final = 10  # squares: a monster that is farther away keeps nobody from exploring


def _limited(turns: int | None) -> int:
    return min(max(turns if turns is not None else 1, 1), MOST_TURNS)


def search(world: World, turns: int | None) -> Asking[bool]:
    """Search, for this many turns."""
    return (yield from _begin(world, Occupation("search", _limited(turns))))


def rest(world: World, turns: int | None) -> Asking[bool]:
    """Rest, for this many turns."""
    return (yield from _begin(world, Occupation("rest", _limited(turns))))


def run(world: World, direction: int) -> Asking[bool]:
    """Run in a direction until something interesting appears."""
    if not 0 <= direction < len(OFFSETS):
        return (yield from step(world, direction))
    return (yield from _begin(world, Occupation("run", MOST_TURNS, direction)))


def rush(world: World, direction: int) -> Asking[bool]:
    """Run in a direction as far as it goes, past branches and doors."""
    if not 0 <= direction < len(OFFSETS):
        return (yield from step(world, direction))
    return (yield from _begin(world, Occupation("rush", MOST_TURNS, direction)))


def explore(world: World) -> Asking[bool]:
    """Explore the level: walk to what was not seen yet, and to items, until something is of interest."""
    return (yield from _begin(world, Occupation("explore", MOST_TURNS)))


def travel(world: World, at: int) -> Asking[bool]:
    """Travel to a square by known ways."""
    if not at or at == world.hero.square:
        world.say("Travel where?" if not at else "You are there.")
        return False
    return (yield from _begin(world, Occupation("travel", MOST_TURNS, at)))


def go_down(world: World) -> Asking[bool]:
    """Go down the stairs; if not on stairs, travel to known ones."""
    return (yield from _stairs(world, (STAIRS_DOWN,), descend))


def go_up(world: World) -> Asking[bool]:
    """Go up the stairs; if not on stairs, travel to known ones."""
    return (yield from _stairs(world, (STAIRS_UP, GATE), climb))


def _stairs(world: World, kinds: tuple[int, ...], take: Callable[[World], Asking[bool]]) -> Asking[bool]:
    known = [at for at, code in enumerate(world.level.memory) if code - 1 in kinds]
    here = terrain_at(world, world.hero.square) in kinds or (STAIRS_DOWN in kinds and trapdoor_here(world) is not None)
    if not here and not known and world.rules > 2:
        word = "down" if STAIRS_DOWN in kinds else "up"
        world.say(f"You know no stairs {word} on this level yet: {_EXPLORE_KEY} explores it.")
        return False
    if here or not known:
        return (yield from take(world))
    world.say("You set out for the stairs.")
    return (yield from travel(world, known[0]))


def attack(world: World) -> Asking[bool]:
    """Attack the nearest monster that the hero sees, or take a step towards it."""
    here = world.hero.square
    foes = [monster for monster in visible_monsters(world) if spotted(world, monster)]
    foe = min(foes, key=lambda monster: distance(monster.square, here), default=None)
    if foe is None:
        world.say("You see nobody to fight.")
        return False
    near = foe.square - here
    number = OFFSETS.index(near) if near in OFFSETS else pursuit(world, foe.square)
    if number is None:
        world.say(f"You know no way to {call_monster(world, foe.species, seen=True)}.")
        return False
    return (yield from step(world, number))


def _begin(world: World, occupation: Occupation) -> Asking[bool]:
    world.occupation = occupation
    return (yield from go_on(world))


def go_on(world: World) -> Asking[bool]:
    """Continue the hero's occupation for one turn."""
    doing = world.occupation
    if doing is None:
        world.say("You have nothing to go on with.")
        return False
    left = Occupation(doing.name, doing.left - 1, doing.target)
    world.occupation = left if left.left > 0 else None
    spent = yield from _TURNS[doing.name](world, doing.target)
    if not spent:
        world.occupation = None
    return spent


def _search(world: World, target: int) -> Asking[bool]:
    yield from ()
    return search_around(world)


def _rest(world: World, target: int) -> Asking[bool]:
    yield from ()
    return True


def _run(world: World, direction: int) -> Asking[bool]:
    """Run one step: stops at all that is of interest, and where a passage branches."""
    start = world.hero.square
    spent = yield from step(world, direction)
    here = world.hero.square
    ground = terrain_at(world, here)
    if _run_into(world, start):
        world.occupation = None
    elif ground == CORRIDOR:
        ahead = _ahead(world, direction)
        if ahead != [direction]:
            _turn(world, ahead)
    elif ground != FLOOR or (_beside_door(world, here) and not _beside_door(world, start)):
        world.occupation = None
    return spent


def _rush(world: World, direction: int) -> Asking[bool]:
    """Run one step: passes doors, places and branches, and stops where it does not go on."""
    start = world.hero.square
    spent = yield from step(world, direction)
    if _run_into(world, start):
        world.occupation = None
    elif direction not in (ahead := _ahead(world, direction)):
        _turn(world, ahead if terrain_at(world, world.hero.square) == CORRIDOR else [])
    return spent


def _run_into(world: World, start: int) -> bool:
    """Whether something stops whoever runs: what is in the way, an item, a monster near."""
    return world.hero.square == start or world.noticed or _company(world)


def _company(world: World) -> bool:
    """Whether a monster is near."""
    return any(distance(monster.square, world.hero.square) < 3 for monster in visible_monsters(world))


def _beside_door(world: World, at: int) -> bool:
    """Whether a door or a passage is orthogonally adjacent."""
    grounds = [terrain_at(world, at + offset) for offset in OFFSETS[::2]]
    return any(ground in DOORS or ground in (BROKEN, CORRIDOR) for ground in grounds)


def _ahead(world: World, direction: int) -> list[int]:
    """The directions in which one can walk on, but not back."""
    at, back = world.hero.square, (direction + 4) % 8
    behind = (back, (back + 1) % 8, (back - 1) % 8)
    return [
        number for number in range(8) if number not in behind and CAN_WALK[world.level.memory[at + OFFSETS[number]]]
    ]


def _turn(world: World, ahead: list[int]) -> None:
    """Turn with a passage that goes on in these directions; stop where it branches or ends."""
    straight = [number for number in ahead if number % 2 == 0] or ahead
    doing = world.occupation
    world.occupation = Occupation(doing.name, doing.left, straight[0]) if doing and len(straight) == 1 else None


def _travel(world: World, goal: int) -> Asking[bool]:
    start = world.hero.square
    number = way(world, goal)
    if number is None:
        world.say("You do not know a way there.")
        return False
    at = start + OFFSETS[number]
    if any(monster.square == at for monster in visible_monsters(world)):
        world.say("Somebody is in the way.")
        return False
    spent = yield from step(world, number)
    here = world.hero.square
    if here == goal or (here == start and terrain_at(world, at) != OPEN):
        world.occupation = None
    return spent


def _explore(world: World, target: int) -> Asking[bool]:
    for item in world.level.items_at(world.hero.square):
        item.flags |= PASSED
    if foe := _threat(world):
        world.say(f"You cannot explore while you see {foe}.")
        return False
    path = unexplored(world)
    if not path:
        locked = LOCKED_MEMORY in world.level.memory
        world.say(f"There is nothing left to explore{', but behind a locked door' if locked else ''}.")
        return False
    start, known = world.hero.square, landmarks(world)
    spent = yield from step(world, OFFSETS.index(path[0] - start))
    look_around(world)
    found = [name for at, name in landmarks(world).items() if at not in known]
    if found:
        world.say(f"You find {' and '.join(found)}.")
    here = world.hero.square
    if found or here == start or world.level.items_at(here) or world.level.engraving_at(here):
        world.occupation = None
    return spent


def _threat(world: World) -> str:
    """The name of a monster that the hero sees awake, near enough, and that could come; empty if there is none."""
    for monster in visible_monsters(world):
        near = distance(monster.square, world.hero.square) <= NEAR and spotted(world, monster)
        if near and not monster.flags & ASLEEP and not _stays(world, monster):
            return call_monster(world, monster.species, seen=True, an=True)
    return ""


def _stays(world: World, monster: Monster) -> bool:
    """Whether a monster does not come from where it is: it cannot, or it lurks there and is not disturbed yet."""
    species = SPECIES[monster.species]
    lurks = species.mind == "lurk" and monster.hp == monster.most
    waits = lurks and distance(monster.square, world.hero.square) > LURKING and world.rules > 2
    return waits or bool(species.traits & {"rooted", "waterbound"})


def _eat(world: World, slot: int) -> Asking[bool]:
    yield from ()
    return eat_on(world, slot)


_TURNS: Final[dict[str, Callable[[World, int], Asking[bool]]]] = {
    "search": _search,
    "rest": _rest,
    "run": _run,
    "rush": _rush,
    "travel": _travel,
    "explore": _explore,
    "eat": _eat,
}
