"""Drinking, reading, zapping, casting, and the use of tools.

The functions return whether a turn was used.
"""

from typing import Final

from nhlog.engines.delve.combat.harm import heal, wake_all
from nhlog.engines.delve.hero.input import NOWHERE, Arguments, Asking, ask_direction, ask_menu, ask_yes
from nhlog.engines.delve.hero.moving import change_terrain, terrain_at
from nhlog.engines.delve.items.learning import learn
from nhlog.engines.delve.items.magic import RAYS, beckon, dig, light_up, ray
from nhlog.engines.delve.items.meals import begin_meal
from nhlog.engines.delve.items.potions import drink
from nhlog.engines.delve.items.scrolls import read_scroll
from nhlog.engines.delve.world.board import INSIDE, OFFSETS
from nhlog.engines.delve.world.kinds import ARMOUR, BOOK, KINDS, POTION, SCROLL, TOOL, WAND
from nhlog.engines.delve.world.names import letter_of, name_of
from nhlog.engines.delve.world.pack import take_away, tell_item
from nhlog.engines.delve.world.state import CURSED, KNOWN, LIGHTED, World
from nhlog.engines.delve.world.terrain import CLOSED, CORRIDOR, LOCKED, OPEN, SOLID

__all__ = ["apply", "cast", "eat", "quaff", "read", "spell_cost", "spell_failure", "zap"]

MOST_SPELLS: Final = 8


def quaff(world: World, slot: int) -> bool:
    """Drink a potion."""
    item = world.hero.pack[slot]
    if item is None or KINDS[item.kind].symbol != POTION:
        world.say("You cannot drink that.")
        return False
    part = take_away(world, slot, 1)
    if part is not None:
        drink(world, part)
    return True


def read(world: World, slot: int) -> Asking[bool]:
    """Read a scroll, or learn a spell from a book."""
    item = world.hero.pack[slot]
    if item is None or KINDS[item.kind].symbol not in (SCROLL, BOOK):
        world.say("There is nothing to read on that.")
        return False
    if world.hero.blind:
        world.say("You cannot see a letter.")
        return False
    if KINDS[item.kind].symbol == BOOK:
        return _study(world, slot)
    part = take_away(world, slot, 1)
    if part is not None:
        world.say("As you read the scroll, it turns to dust.")
        yield from read_scroll(world, part)
    return True


def _study(world: World, slot: int) -> bool:
    item, hero = world.hero.pack[slot], world.hero
    if item is None:
        return False
    kind = KINDS[item.kind]
    if item.kind in hero.spells:
        world.say("You know this spell well.")
        return False
    if len(hero.spells) >= MOST_SPELLS:
        world.say("Your mind holds no more spells.")
        return False
    clever = max(hero.intelligence, hero.wisdom) + hero.level
    if item.flags & CURSED or clever + world.dice.below(8) < 10 + 3 * kind.level:
        world.say("The letters dance before your eyes.")
        hero.confused = min(hero.confused + 15, 2000)
        return True
    hero.spells.append(item.kind)
    learn(world, item.kind)
    world.say(
        f"You learn the spell of {kind.name.partition(' of ')[2]}. (Z casts it as {letter_of(len(hero.spells) - 1)}.)"
    )
    return True


def zap(world: World, slot: int) -> Asking[bool]:
    """Zap a wand."""
    item = world.hero.pack[slot]
    if item is None or KINDS[item.kind].symbol != WAND:
        world.say("You cannot zap that.")
        return False
    kind = KINDS[item.kind]
    direction = NOWHERE
    if kind.aimed or not world.lore.known[item.kind]:
        direction = yield from ask_direction(world, "In what direction?")
        if direction == NOWHERE:
            return False
    if not item.charges:
        world.say("Nothing happens.")
        item.flags |= KNOWN if world.lore.known[item.kind] else 0
        return True
    item.charges -= 1
    name = kind.name.partition(" of ")[2]
    if not kind.aimed:
        seen = light_up(world) if name == "light" else beckon(world)
    elif not 0 <= direction < len(OFFSETS):
        world.say("The wand shakes in your hand.")
        seen = False
    elif name == "digging":
        seen = dig(world, OFFSETS[direction])
    else:
        effect, through = RAYS[name]
        seen = ray(world, OFFSETS[direction], effect, through=through)
        if not seen:
            world.say("You see nothing of an effect.")
    if seen:
        learn(world, item.kind)
    return True


def spell_cost(number: int) -> int:
    """The power points that a spell costs."""
    return 5 * KINDS[number].level


def spell_failure(world: World, number: int) -> int:
    """The hero's chance to fail in casting a spell, in percent."""
    hero = world.hero
    clever = max(hero.intelligence, hero.wisdom)
    metal = sum(KINDS[item.kind].symbol == ARMOUR and KINDS[item.kind].color == 6 for item in world.worn())
    base = 20 * KINDS[number].level - 5 * (clever - 10) - 3 * hero.level + 15 * metal
    return min(max(base, 0), 95)


def cast(world: World, given: Arguments) -> Asking[bool]:
    """Cast a spell that the hero knows."""
    hero = world.hero
    if not hero.spells:
        world.say("You know no spells.")
        return False
    letter = given.spell
    if letter is None:
        labels = [f"{KINDS[kind].name.partition(' of ')[2]} ({spell_cost(kind)} Pw)" for kind in hero.spells]
        picked = yield from ask_menu("Cast which spell?", labels, 1)
        letter = letter_of(picked[0]) if picked else ""
    known = [letter_of(number) for number in range(len(hero.spells))]
    if letter not in known:
        world.say("You know no such spell.")
        return False
    number = hero.spells[known.index(letter)]
    if hero.pw < spell_cost(number):
        world.say("You do not have the power for that.")
        return False
    direction = 10
    if KINDS[number].aimed:
        direction = yield from ask_direction(world, "In what direction?")
        if direction == NOWHERE:
            return False
    if world.dice.percent(spell_failure(world, number)):
        hero.pw -= spell_cost(number) // 2
        world.say("You fail to cast the spell.")
        return True
    hero.pw -= spell_cost(number)
    _work(world, KINDS[number].name.partition(" of ")[2], direction)
    return True


def _work(world: World, name: str, direction: int) -> None:
    """Apply the effect of a spell."""
    hero, dice = world.hero, world.dice
    if name == "light":
        light_up(world)
    elif name == "sensing":
        hero.sensing = min(hero.sensing + 30 + 5 * hero.level, 2000)
        world.say("Your mind opens to others.")
    elif name == "blinking":
        world.destination = (world.level.depth, "anywhere")
    elif name == "haste":
        hero.fast = min(hero.fast + 20 + 3 * hero.level, 2000)
        world.say("Your feet are light as wind.")
    elif name == "healing" and direction == 10:
        heal(world, dice.roll(2 + hero.level // 3, 6))
        world.say("You feel better.")
    elif 0 <= direction < len(OFFSETS):
        effect, through = RAYS[name]
        if not ray(world, OFFSETS[direction], effect, through=through):
            world.say("The spell meets nobody.")
    else:
        world.say("The spell fizzles at your feet.")


def eat(world: World, slot: int) -> bool:
    """Begin a meal."""
    return begin_meal(world, slot)


def apply(world: World, slot: int) -> bool | Asking[bool]:
    """Use a tool."""
    item = world.hero.pack[slot]
    kind = KINDS[item.kind] if item is not None else None
    if item is None or kind is None or kind.symbol != TOOL:
        world.say("You cannot use that so.")
        return False
    if kind.light:
        return _light(world, slot)
    if kind.name == "tin whistle":
        world.say("You blow the whistle. It echoes far.")
        wake_all(world)
        return True
    return _with_direction(world, kind.name)


def _light(world: World, slot: int) -> bool:
    item = world.hero.pack[slot]
    if item is None:
        return False
    if item.flags & LIGHTED:
        item.flags &= ~LIGHTED
        world.say("The light goes out.")
        return True
    if not item.extra:
        world.say("It is burnt out.")
        return False
    part = take_away(world, slot, 1) if item.count > 1 else item
    if part is None:
        return False
    if part is not item:
        free = next((number for number, other in enumerate(world.hero.pack) if other is None), NOWHERE)
        if free == NOWHERE:
            item.count += 1
            world.say("You have no hand free for that.")
            return False
        world.hero.pack[free] = part
        slot = free
    part.flags |= LIGHTED
    world.say(f"{name_of(world.lore, part)} burns brightly.")
    tell_item(world, slot)
    return True


def _with_direction(world: World, name: str) -> Asking[bool]:
    direction = yield from ask_direction(world, "In what direction?")
    if not 0 <= direction < len(OFFSETS):
        return False
    at = world.hero.square + OFFSETS[direction]
    if name == "pick-axe":
        return _hack(world, at)
    return (yield from _turn_key(world, at))


def _hack(world: World, at: int) -> bool:
    ground = terrain_at(world, at)
    if not INSIDE[at] or not (SOLID[ground] or ground in (CLOSED, LOCKED)):
        world.say("There is nothing to dig there.")
        return False
    if world.dice.below(4) > (world.hero.strength - 8) // 4:
        world.say("You dig.")
        return True
    change_terrain(world, at, CORRIDOR)
    world.say("You dig through.")
    return True


def _turn_key(world: World, at: int) -> Asking[bool]:
    ground = terrain_at(world, at)
    if ground == OPEN:
        world.say("Close it first.")
        return False
    if ground not in (CLOSED, LOCKED):
        world.say("There is no lock.")
        return False
    if not (yield from ask_yes("Unlock it?" if ground == LOCKED else "Lock it?")):
        return False
    if world.dice.below(3):
        change_terrain(world, at, CLOSED if ground == LOCKED else LOCKED)
        world.say("The lock clicks.")
    else:
        world.say("The key slips.")
    return True
