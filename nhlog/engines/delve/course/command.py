"""Carrying out a command: the action, its turn, and further turns while the hero is helpless.

Afterwards the hero can act again, or the game has ended.  Only this module handles the hero's death.
"""

from typing import Final

from nhlog.engines.delve.combat.blows import blink
from nhlog.engines.delve.commands.actions import ACTIONS
from nhlog.engines.delve.course.arrival import BONES_DEPTH, go_where_destined, place_name
from nhlog.engines.delve.course.score import score_of
from nhlog.engines.delve.hero.body import live_on
from nhlog.engines.delve.hero.input import Arguments, Asking, ask_yes
from nhlog.engines.delve.monsters.turns import act_all, newcomers
from nhlog.engines.delve.wire import Bones, write_bones
from nhlog.engines.delve.world.kinds import EMBER, GOLD, KINDS
from nhlog.engines.delve.world.names import call_monster
from nhlog.engines.delve.world.sight import look_around, notice, visible_monsters
from nhlog.engines.delve.world.state import Item, Monster, World
from nhlog.log.wire.lines import Command

__all__ = ["EXPLORE", "carry_out"]

EXPLORE: Final = 1  # of the header's play modes: from here to wizard mode death can be refused
WIZARD: Final = 2
_SPENT: Final = 40  # turns of helplessness that one command can bring
_LATEST: Final = 2_000_000_000  # turn; `wire` holds no later one


def carry_out(world: World, command: Command) -> Asking[None]:
    """Carry out a command."""
    _begin(world)
    before = visible_monsters(world)
    action = ACTIONS.get(command.name)
    if action is None:
        world.say("You do not know how to do that.")
        return
    done = action(world, Arguments(command))
    spent = done if isinstance(done, bool) else (yield from done)
    yield from _settle(world)
    if spent and not world.ending:
        _pass_turn(world)
        yield from _settle(world)
    if world.helpless:
        yield from _bear(world)
    look_around(world)
    if world.ending:
        world.say(f"{world.ending}. You are worth {score_of(world)} points.")
    come = _newcomers(world, before)
    if come and world.occupation is not None and world.rules > 1:
        names = " and ".join(call_monster(world, monster.species, seen=True, an=True) for monster in come)
        world.say(f"You stop: {names} {'comes' if len(come) == 1 else 'come'} into view.")
    if come or world.disturbed or world.ending:
        world.occupation = None


def _pass_turn(world: World) -> None:
    """Let a turn pass: monsters act, the hero's body changes, new monsters come."""
    if world.hero.fast and world.dice.one_in(3):
        return
    notice(world)
    act_all(world)
    if world.hero.hp > 0:
        live_on(world)
        newcomers(world)
    world.turn = min(world.turn + 1, _LATEST)


def _bear(world: World) -> Asking[None]:
    """Let turns pass until the hero can act again."""
    for _ in range(_SPENT):
        if not world.helpless or world.ending:
            break
        world.helpless -= 1
        _pass_turn(world)
        yield from _settle(world)
    world.helpless = 0
    if not world.ending:
        world.say("You can move again.")


def _newcomers(world: World, before: list[Monster]) -> list[Monster]:
    """The monsters that are seen and were not seen before."""
    known = {id(monster) for monster in before}
    return [monster for monster in visible_monsters(world) if id(monster) not in known]


def _begin(world: World) -> None:
    """Clear what belongs to the last command only, and compute derived values again."""
    world.messages.clear()
    world.disturbed = False
    world.noticed = False
    world.helpless = 0
    world.helpless_how = ""
    world.killer = ""
    world.destination = None
    world.ways.clear()
    notice(world)


def _settle(world: World) -> Asking[None]:
    """Handle the hero's death, and bring a living hero to the destination."""
    yield from _mortality(world)
    yield from go_where_destined(world)
    yield from _mortality(world)


def _mortality(world: World) -> Asking[None]:
    hero = world.hero
    if hero.hp > 0 or world.ending:
        return
    world.say("You die...")
    charm = next((item for item in world.worn() if KINDS[item.kind].name == "amulet of second chance"), None)
    if charm is not None:
        hero.pack[next(slot for slot, item in enumerate(hero.pack) if item is charm)] = None
        world.lore.known[charm.kind] = 1
        world.say("But the amulet on your breast grows warm, and crumbles. You live!")
    elif EXPLORE <= world.person.mode <= WIZARD and not (yield from ask_yes("Die?")):
        world.say("All right, so you do not die.")
    else:
        _end(world)
        return
    _revive(world)


def _revive(world: World) -> None:
    hero = world.hero
    hero.hp = hero.hp_most = max(hero.hp_most, 10)
    hero.nutrition = max(hero.nutrition, 500)
    hero.poisoned = hero.confused = hero.blind = 0
    hero.rescued = min(hero.rescued + 1, 255)
    world.helpless = 0
    for monster in world.level.live():
        if abs(monster.square - hero.square) < 2:
            blink(world, monster)


def _end(world: World) -> None:
    how = f", while {world.helpless_how}" if world.helpless_how and world.helpless else ""
    cause = world.killer or "nothing in particular"
    verb = {"starvation": "died of", "poison": "died of"}.get(cause, "killed by")
    world.ending = f"{verb} {cause}{how}"
    if world.level.depth < BONES_DEPTH or EXPLORE <= world.person.mode <= WIZARD:
        return  # where death can be refused, or things wished for, nothing is left for others
    items = [item for item in world.hero.pack if item is not None and item.kind != EMBER]
    if world.hero.gold:
        items.append(Item(GOLD, min(world.hero.gold, 60_000)))
    bones = Bones(world.level.depth, world.person.name, world.ending, tuple(items[:52]))
    world.bones = (place_name(world.level.depth), write_bones(bones))
