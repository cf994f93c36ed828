"""Arriving on a level, and moving on one by other ways than walking.

A level that was left is stored as bytes until the hero comes back; a new one may have bones.
"""

from typing import Final

from nhlog.engines.delve.combat.harm import hurt, wake_all
from nhlog.engines.delve.hero.input import Asking
from nhlog.engines.delve.hero.moving import arrive_at, look_here
from nhlog.engines.delve.maps import new_level
from nhlog.engines.delve.maps.ground import DEEPEST, floors
from nhlog.engines.delve.wire import read_bones, read_level, write_level
from nhlog.engines.delve.wire.records import Cursor
from nhlog.engines.delve.world.board import OFFSETS, distance
from nhlog.engines.delve.world.pack import has_ember
from nhlog.engines.delve.world.sight import notice
from nhlog.engines.delve.world.species import SPECIES, species_named
from nhlog.engines.delve.world.state import ASLEEP, Level, Monster, World
from nhlog.engines.delve.world.terrain import FLOOR, GATE, GRAVE, LIT, STAIRS_DOWN, STAIRS_UP, WALK
from nhlog.engines.prompts import LookForBones
from nhlog.errors import NhlogError
from nhlog.log.wire.lines import Bones as BonesAnswer

__all__ = ["BONES_DEPTH", "FEELINGS", "go_where_destined", "place_name"]

BONES_DEPTH: Final = 3
"""The first level on which bones are left and found."""

FEELINGS: Final = {
    1: "Water drips, and something scurries away.",
    2: "You are lost among walls that all look alike.",
    3: "The echo of your step is long in coming.",
    4: "The air is wet, and the floor cannot be trusted.",
    5: "No light was ever lit here.",
    6: "It is cold as no winter is. A hearth lies at the middle of this place.",
}
"""The message on first arriving on a level, by its style."""
_BACK: Final = 30  # turns away after which those who were left behind have lost the trail


def place_name(depth: int) -> str:
    """The name of a level: "Delve:3"."""
    return f"Delve:{depth}"


def go_where_destined(world: World) -> Asking[None]:
    """Bring the hero to `World.destination`, if there is one."""
    if world.destination is None or world.ending:
        return
    depth, how = world.destination
    world.destination = None
    world.occupation = None
    depth = min(max(depth, 1), DEEPEST)
    world.disturbed = True
    if how == "anywhere" and depth == world.level.depth:
        _elsewhere(world)
        return
    if depth == world.level.depth:
        world.say("You shiver for a moment.")
        return
    yield from _change_level(world, depth, how)


def _elsewhere(world: World) -> None:
    places = [at for at in floors(world.level) if at not in world.level.occupants]
    if not places:
        world.say("You shiver for a moment.")
        return
    world.say("You are somewhere else.")
    world.hero.stuck = 0
    arrive_at(world, world.dice.pick(places))


def _change_level(world: World, depth: int, how: str) -> Asking[None]:
    followers = _followers(world) if how in ("up", "down") else []
    world.level.visited = world.turn
    world.stored[world.level.depth] = write_level(world.level)
    fresh = depth not in world.order
    if fresh:
        world.order.append(depth)
        world.level = new_level(world.seed, depth)
    else:
        world.level = read_level(Cursor(world.stored.pop(depth)))
        _time_passed(world)
    hero = world.hero
    hero.stuck = 0
    hero.square = _landing(world, how)
    world.ways.clear()
    _make_room(world)
    for monster in followers:
        _follow(world, monster)
    if fresh:
        hero.deepest = max(hero.deepest, depth)
        if feeling := FEELINGS.get(world.level.style):
            world.say(feeling)
        if depth >= BONES_DEPTH and world.dice.one_in(3):
            answer = yield LookForBones(place_name(depth))
            _lay_bones(world, answer)
    if how == "fall":
        world.say("You land hard.")
        hurt(world, world.dice.roll(1, 4), "a fall through a trapdoor")
    if has_ember(world):
        wake_all(world)
    notice(world)
    look_here(world)


def _followers(world: World) -> list[Monster]:
    """The awake monsters next to the hero that follow; removes them from their level."""
    found = []
    for offset in OFFSETS:
        monster = world.level.occupants.get(world.hero.square + offset)
        if monster is None or monster.flags & ASLEEP or not monster.goal:
            continue
        species = SPECIES[monster.species]
        if (
            "rooted" not in species.traits
            and "waterbound" not in species.traits
            and species.mind not in ("warden", "mimic")
        ):
            world.level.remove_monster(monster)
            found.append(monster)
    return found


def _follow(world: World, monster: Monster) -> None:
    places = [world.hero.square + offset for offset in OFFSETS]
    places = [at for at in places if WALK[world.level.terrain[at]] and at not in world.level.occupants]
    if places:
        monster.square = world.dice.pick(places)
        monster.goal = world.hero.square
        world.level.add_monster(monster)


def _landing(world: World, how: str) -> int:
    """The square at which the hero arrives."""
    wanted = {"down": (STAIRS_UP, GATE), "up": (STAIRS_DOWN,), "recall": (GATE, STAIRS_UP)}.get(how, ())
    for at, byte in enumerate(world.level.terrain):
        if byte & ~LIT in wanted:
            return at
    places = [at for at in floors(world.level) if at not in world.level.occupants and not world.level.trap_at(at)]
    walkable = places or [at for at, byte in enumerate(world.level.terrain) if WALK[byte]]
    return world.dice.pick(walkable) if walkable else _dig_in(world.level)


def _dig_in(level: Level) -> int:
    """Make a floor square on a level without any, which a save may contain; returns it."""
    at = len(level.terrain) // 2
    level.terrain[at] = FLOOR
    return at


def _make_room(world: World) -> None:
    """Move a monster away from the square where the hero arrives, or off the level if there is no room."""
    monster = world.level.occupants.get(world.hero.square)
    if monster is None:
        return
    places = sorted(floors(world.level), key=lambda at: distance(at, world.hero.square))
    for at in places:
        if at not in world.level.occupants and at != world.hero.square:
            world.level.move_monster(monster, at)
            return
    world.level.remove_monster(monster)


def _time_passed(world: World) -> None:
    """Let the monsters of the level heal, and forget the hero, for the time that has passed."""
    away = world.turn - world.level.visited
    for monster in world.level.live():
        monster.hp = min(monster.hp + max(away, 0) // 10, monster.most)
        monster.energy = 0
        if away > _BACK:
            monster.goal = 0


def _lay_bones(world: World, answer: object) -> None:
    if not isinstance(answer, BonesAnswer) or answer.blob is None:
        return
    try:
        bones = read_bones(answer.blob.decode(1 << 16))
    except NhlogError:
        return
    level, dice = world.level, world.dice
    places = [at for at in floors(level) if at not in level.occupants and distance(at, world.hero.square) > 3]
    if not places:
        return
    at = dice.pick(places)
    level.terrain[at] = GRAVE | level.terrain[at] & LIT
    level.grave = bones.name or "Nobody"
    for item in bones.items:
        level.add_item(item, at)
    ghost = species_named("ghost")
    hp = dice.roll(SPECIES[ghost].level, 8)
    level.add_monster(Monster(ghost, at, hp, hp))
    world.say("Somebody died here before you.")
