"""The hero's movement: steps, stairs, doors.

The functions return whether a turn was used.  Leaving a level only sets `World.destination`.
"""

from typing import Final

from nhlog.engines.delve.combat.fighting import strike
from nhlog.engines.delve.combat.harm import hurt, wake, wound
from nhlog.engines.delve.hero.input import Asking, ask_yes
from nhlog.engines.delve.hero.options import collect, confirm, takes_gold
from nhlog.engines.delve.hero.trap_effects import find_trap, fly_over, spring
from nhlog.engines.delve.world.board import INSIDE, OFFSETS, distance
from nhlog.engines.delve.world.kinds import GOLD
from nhlog.engines.delve.world.names import call_monster, gold, name_of
from nhlog.engines.delve.world.pack import has_ember
from nhlog.engines.delve.world.powers import has
from nhlog.engines.delve.world.sight import spotted
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import HELD, Monster, Trap, World
from nhlog.engines.delve.world.terrain import (
    BROKEN,
    CLOSED,
    DOORS,
    GATE,
    LIT,
    LOCKED,
    OPEN,
    SECRET,
    STAIRS_DOWN,
    STAIRS_UP,
    TERRAINS,
    WALK,
    WATER,
)
from nhlog.engines.delve.world.traps import TRAPS

__all__ = [
    "arrive_at",
    "change_terrain",
    "climb",
    "close_door",
    "descend",
    "fight",
    "holder",
    "kick",
    "look_here",
    "open_door",
    "search_around",
    "step",
    "terrain_at",
    "trapdoor_here",
]

UP: Final = 8
DOWN: Final = 9


def change_terrain(world: World, at: int, kind: int) -> None:
    """Change the terrain of a square, keeping its light."""
    world.level.terrain[at] = kind | world.level.terrain[at] & LIT
    world.ways.clear()


def terrain_at(world: World, at: int) -> int:
    """The terrain of a square."""
    return world.level.terrain[at] & ~LIT


def step(world: World, direction: int) -> Asking[bool]:
    """Take a step, or attack a monster in the way."""
    if direction == UP:
        return (yield from climb(world))
    if direction == DOWN:
        return (yield from descend(world))
    if not 0 <= direction < len(OFFSETS):
        world.say("You stay where you are.")
        return False
    if world.hero.confused and world.dice.one_in(3):
        direction = world.dice.below(len(OFFSETS))
    at = world.hero.square + OFFSETS[direction]
    monster = world.level.occupants.get(at)
    if monster is not None:
        strike(world, monster)
        return True
    if not _free_to_go(world):
        return True
    return (yield from _walk(world, at))


def _free_to_go(world: World) -> bool:
    """Whether nothing holds the hero; trying to get free takes a turn."""
    hero = world.hero
    if hero.stuck:
        hero.stuck -= 1
        world.say("You free yourself." if not hero.stuck else "You struggle, but you are stuck.")
        return False
    monster = holder(world)
    if monster is not None:
        name = call_monster(world, monster.species, seen=spotted(world, monster))
        if world.dice.below(20) < 4 + max(hero.strength - 12, 0) // 2:
            monster.flags &= ~HELD
            world.say(f"You tear yourself away from {name}.")
        else:
            world.say(f"You cannot get away from {name}!")
        return False
    return True


def holder(world: World) -> Monster | None:
    """The monster that holds the hero; None if there is none."""
    for offset in OFFSETS:
        monster = world.level.occupants.get(world.hero.square + offset)
        if monster is not None and monster.flags & HELD:
            return monster
    return None


def _walk(world: World, at: int) -> Asking[bool]:
    ground = terrain_at(world, at)
    if ground in (CLOSED, LOCKED):
        return _push(world, at, ground)
    if ground == WATER and not fly_over(world) and INSIDE[at]:
        world.say("That water is too deep.")
        world.disturbed = True
        return False
    if not (WALK[ground] or ground == WATER) or not INSIDE[at]:
        return _bump(world, at, ground)
    trap = world.level.trap_at(at)
    if trap is not None and trap.seen and not fly_over(world) and not world.hero.confused:
        world.disturbed = True
        if not (yield from confirm(world, f"Really step on the {TRAPS[trap.kind].name}?")):
            return False
    arrive_at(world, at)
    return True


def _push(world: World, at: int, ground: int) -> bool:
    world.noticed = True
    if ground == LOCKED:
        world.say("This door is locked.")
        if world.rules > 1:
            world.level.memory[at] = LOCKED + 1
        return bool(world.hero.blind)
    change_terrain(world, at, OPEN)
    world.say("The door opens.")
    return True


def _bump(world: World, at: int, ground: int) -> bool:
    """Bump into something solid: takes a turn only if the hero did not see it."""
    world.disturbed = True
    if world.hero.blind and world.level.memory[at] == 0:
        world.level.memory[at] = 2
        world.say(f"You feel {TERRAINS[ground].name if ground != SECRET else 'a wall'}.")
        return True
    return bool(world.hero.confused)


def arrive_at(world: World, at: int) -> None:
    """Put the hero on a square of this level, with all consequences."""
    level, hero = world.level, world.hero
    hero.square = at
    world.ways.clear()
    if not fly_over(world):
        words = level.engraving_at(at)
        if words is not None and words.wear < 200:
            words.wear -= 1
            if not words.wear:
                level.engravings.remove(words)
        trap = level.trap_at(at)
        if trap is not None:
            spring(world, trap)
        collect(world)
    look_here(world)


def look_here(world: World) -> bool:
    """Describe what is on the hero's square; picks up gold."""
    level, at = world.level, world.hero.square
    if words := level.engraving_at(at):
        world.say(f'Here is written: "{words.text}".')
        world.noticed = True
    for item in level.items_at(at):
        if item.kind == GOLD and takes_gold(world.hero) and not fly_over(world):
            level.remove_item(item)
            world.hero.gold = min(world.hero.gold + item.count, 1_000_000_000)
            world.say(f"You pick up {gold(item.count)}.")
            world.noticed = True
    items = level.items_at(at)
    if items:
        world.noticed = True
        names = [name_of(world.lore, item) for item in items]
        if len(names) > 3:
            world.say(f"You see here many things: {', '.join(names[:2])}, and {len(names) - 2} more.")
        else:
            world.say(f"You see here {' and '.join(names)}.")
    ground = terrain_at(world, at)
    if ground not in _PLAIN:
        world.say(f"There is {TERRAINS[ground].name} here.")
    return False


_PLAIN: Final = frozenset(number for number, kind in enumerate(TERRAINS) if kind.symbol in "·░≈") | DOORS


def fight(world: World, direction: int) -> bool:
    """Attack in a direction, even if nobody is there."""
    if not 0 <= direction < len(OFFSETS):
        world.say("You cannot fight there.")
        return False
    monster = world.level.occupants.get(world.hero.square + OFFSETS[direction])
    if monster is None:
        world.say("You strike at thin air.")
    else:
        strike(world, monster)
    return True


def climb(world: World) -> Asking[bool]:
    """Go up the stairs, or leave the Delve."""
    ground = terrain_at(world, world.hero.square)
    if ground not in (STAIRS_UP, GATE):
        world.say("You cannot go up here.")
        return False
    if not _free_to_go(world):
        return True
    if ground == STAIRS_UP:
        world.destination = (world.level.depth - 1, "up")
        return True
    if has_ember(world):
        world.say("You step out into the snow, and the Ember lights your way home.")
        world.ending = "escaped with the Ember of Aud"
        return True
    if (yield from ask_yes("Leave the Delve for good, without the Ember?")):
        world.ending = "left the Delve without the Ember"
        return True
    return False


def descend(world: World) -> Asking[bool]:
    """Go down the stairs."""
    yield from ()
    if trapdoor := trapdoor_here(world):
        spring(world, trapdoor)
        return True
    if terrain_at(world, world.hero.square) != STAIRS_DOWN:
        world.say("You cannot go down here.")
        return False
    if not _free_to_go(world):
        return True
    world.destination = (world.level.depth + 1, "down")
    return True


def trapdoor_here(world: World) -> Trap | None:
    """The known trapdoor on the hero's square; None if there is none."""
    trap = world.level.trap_at(world.hero.square)
    return trap if trap is not None and trap.seen and TRAPS[trap.kind].name == "trapdoor" else None


def open_door(world: World, direction: int) -> bool:
    """Open the door in a direction."""
    at = _door_at(world, direction)
    if not at:
        return False
    ground = terrain_at(world, at)
    if ground == OPEN:
        world.say("It is open.")
        return False
    return _push(world, at, ground) or ground == LOCKED


def close_door(world: World, direction: int) -> bool:
    """Close the door in a direction."""
    at = _door_at(world, direction)
    if not at:
        return False
    if terrain_at(world, at) != OPEN:
        world.say("It is closed.")
        return False
    if at in world.level.occupants or world.level.items_at(at):
        world.say("Something is in the way.")
        return True
    change_terrain(world, at, CLOSED)
    world.say("The door closes.")
    return True


def _door_at(world: World, direction: int) -> int:
    """The square of the door in a direction; 0 if there is none."""
    if 0 <= direction < len(OFFSETS):
        at = world.hero.square + OFFSETS[direction]
        if terrain_at(world, at) in DOORS:
            return at
    world.say("There is no door.")
    return 0


def kick(world: World, direction: int) -> bool:
    """Kick in a direction."""
    if not 0 <= direction < len(OFFSETS):
        world.say("You cannot kick there.")
        return False
    hero, dice, level = world.hero, world.dice, world.level
    at = hero.square + OFFSETS[direction]
    if (monster := level.occupants.get(at)) is not None:
        wake(monster)
        name = call_monster(world, monster.species, seen=spotted(world, monster))
        if dice.below(20) < 8 + hero.level + SPECIES[monster.species].armour // 2:
            world.say(f"You kick {name}.")
            wound(world, monster, dice.roll(1, 3 + max(hero.dexterity - 12, 0) // 2))
        else:
            world.say(f"Your kick misses {name}.")
        return True
    ground = terrain_at(world, at)
    if ground in (CLOSED, LOCKED):
        if dice.below(30) < hero.strength + hero.level - 4:
            change_terrain(world, at, BROKEN)
            world.say("WHAMM! The door crashes open!")
        else:
            world.say("WHAMM!")
        _alarm_near(world)
        return True
    if items := level.items_at(at):
        _slide(world, at, OFFSETS[direction])
        return bool(items)
    if WALK[ground] or ground == WATER:
        world.say("You kick at empty space.")
    else:
        world.say("Ouch! That hurts!")
        hurt(world, dice.roll(1, 4), "kicking a wall")
    return True


def _slide(world: World, at: int, offset: int) -> None:
    item = world.level.items_at(at)[0]
    for _ in range(world.dice.between(2, 5)):
        if not WALK[world.level.terrain[at + offset]] or at + offset in world.level.occupants:
            break
        at += offset
    item.place = at
    world.say(f"{name_of(world.lore, item)} slides away.")


def _alarm_near(world: World) -> None:
    """Wake light sleepers nearby with noise."""
    for monster in world.level.live():
        if distance(monster.square, world.hero.square) < 8 and world.dice.one_in(2) and not monster.disguise:
            wake(monster)


def search_around(world: World) -> bool:
    """Search the neighbouring squares for hidden doors and traps."""
    chance = 2 if has(world, "searching") else 4
    for offset in OFFSETS:
        at = world.hero.square + offset
        if terrain_at(world, at) == SECRET and world.dice.one_in(chance):
            change_terrain(world, at, CLOSED)
            world.say("You find a hidden door.")
            world.disturbed = True
        trap = world.level.trap_at(at)
        if trap is not None and not trap.seen and world.dice.one_in(chance):
            find_trap(world, trap)
        monster = world.level.occupants.get(at)
        if monster is not None and not spotted(world, monster):
            world.say("You feel something there!" if not monster.disguise else "That is no honest thing!")
            world.disturbed = True
            if monster.disguise:
                wake(monster)
    return True
