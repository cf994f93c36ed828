"""Other actions: praying, engraving, naming, travelling, greeting, quitting.

The functions return whether a turn was used.
"""

from typing import Final

from nhlog.engines.delve.combat.harm import hurt
from nhlog.engines.delve.commands.occupations import travel as begin_travel
from nhlog.engines.delve.commands.ways import places
from nhlog.engines.delve.hero.body import WEAK
from nhlog.engines.delve.hero.input import NOWHERE, Arguments, Asking, ask_item, ask_place, ask_text, ask_yes
from nhlog.engines.delve.hero.options import confirm
from nhlog.engines.delve.hero.trap_effects import fly_over
from nhlog.engines.delve.wire.levels import ENGRAVED
from nhlog.engines.delve.wire.world import CALLED
from nhlog.engines.delve.world.kinds import KINDS, UNTOLD
from nhlog.engines.delve.world.powers import has
from nhlog.engines.delve.world.state import CURSED, GREETED, MOST_ENGRAVINGS, WIELDED, WORN, Engraving, World

__all__ = ["call", "engrave", "interrupt", "pray", "quit_game", "travel", "welcome"]

WORDS_WEAR: Final = 3
MOST_CALLED: Final = 20  # characters of a name


def welcome(world: World) -> bool:
    """Greet a player who enters the game; takes no time."""
    person = world.person
    if world.hero.settings & GREETED:
        world.say(f"Welcome back to the Delve, {person.name}.")
        return False
    world.hero.settings |= GREETED
    world.say(f"Welcome to the Delve, {person.name} the {person.race} {person.role}.")
    world.say("Ten levels below, the Ember of Aud still burns. Bring it up.")
    world.say("(hjklyubn or arrows walk and fight, > goes down, i is your pack, ? all keys.)")
    return False


def interrupt(world: World) -> bool:
    """Stop the hero's occupation."""
    if world.occupation is not None:
        world.say(f"You stop {_GERUNDS[world.occupation.name]}.")
        world.occupation = None
    return False


_GERUNDS: Final = {
    "search": "searching",
    "rest": "resting",
    "run": "running",
    "rush": "running",
    "explore": "exploring",
    "travel": "travelling",
    "eat": "eating",
}


def travel(world: World, given: Arguments) -> Asking[bool]:
    """Travel to the square given as an argument, or else prompted for."""
    at = given.square
    if at is None:
        at = yield from ask_place(world, "Travel where?", world.hero.square, places(world))
        if not at:
            world.say("Never mind.")
            return False
    return (yield from begin_travel(world, at))


def engrave(world: World, given: Arguments) -> Asking[bool]:
    """Engrave in the dust with a finger."""
    level, at = world.level, world.hero.square
    if fly_over(world):
        world.say("You cannot reach the floor.")
        return False
    text = given.text
    if text is None:
        text = yield from ask_text("What do you want to write in the dust here?")
    text = _fitting(text, ENGRAVED)
    if not text:
        world.say("You write nothing.")
        return False
    old = level.engraving_at(at)
    if old is not None:
        level.engravings.remove(old)
    if len(level.engravings) >= MOST_ENGRAVINGS:
        world.say("The dust of this level is full of words.")
        return False
    level.engravings.append(Engraving(at, WORDS_WEAR, text))
    world.say(f'You write in the dust: "{text}".')
    return True


def _fitting(text: str, size: int) -> str:
    """The printable part of the text, shortened to at most `size` bytes."""
    plain = "".join(char for char in text if char.isprintable())
    return plain.encode("utf-8", "replace")[:size].decode("utf-8", "ignore").strip()


def call(world: World, given: Arguments) -> Asking[bool]:
    """Give a name to an unidentified kind of item."""
    slot = given.slot
    if given.letter is None:
        slot, _ = yield from ask_item(
            world, "What do you want to name?", lambda item: KINDS[item.kind].symbol in UNTOLD
        )
        if slot == NOWHERE:
            return False
    item = world.hero.pack[slot] if slot >= 0 else None
    if item is None or KINDS[item.kind].symbol not in UNTOLD or world.lore.known[item.kind]:
        world.say("That needs no name.")
        return False
    text = given.text
    if text is None:
        text = yield from ask_text("Call it what?")
    name = _fitting(text, MOST_CALLED)
    called = world.lore.called
    if not name:
        called.pop(item.kind, None)
        world.say("It has no name.")
    elif len(called) >= CALLED and item.kind not in called:
        world.say("You cannot keep more names in mind.")
    else:
        called[item.kind] = name
        world.say(f"You will know it as {name}.")
    return False


def pray(world: World) -> Asking[bool]:
    """Pray, after a confirmation; helps only if the last prayer was long enough ago."""
    if not (yield from confirm(world, "Do you want to pray?")):
        return False
    hero = world.hero
    low = hero.hp * 5 <= hero.hp_most or hero.hp < 6
    weak = hero.nutrition < WEAK
    cursed = any(item is not None and item.flags & CURSED and item.flags & (WORN | WIELDED) for item in hero.pack)
    trouble = low or weak
    patience = 300 if trouble else 100 if cursed or hero.poisoned or hero.blind else 0
    if has(world, "holy"):
        patience += 150
    if hero.prayer > patience or hero.luck < 0:
        return _rebuke(world)
    world.say("You kneel. For a moment it is warm, as by a fire.")
    if low:
        world.say("You feel much better.")
        hero.hp_most = max(hero.hp_most, 5 + 3 * hero.level)
        hero.hp = hero.hp_most
    if weak:
        world.say("Your hunger is stilled.")
        hero.nutrition = 900
    _bless(world)
    hero.prayer = world.dice.between(450, 900)
    return True


def _bless(world: World) -> None:
    """Give the additional effects of a successful prayer."""
    hero = world.hero
    hero.poisoned = hero.blind = hero.confused = hero.stuck = 0
    for item in hero.pack:
        if item is not None and item.flags & CURSED and item.flags & (WORN | WIELDED):
            item.flags &= ~CURSED
            world.say("A weight falls from you.")


def _rebuke(world: World) -> bool:
    hero = world.hero
    hero.prayer = min(hero.prayer + 200, 2000)
    if world.dice.one_in(3):
        world.say("A coal falls out of nowhere. You have asked too soon!")
        hurt(world, world.dice.roll(2, 6), "an impatient prayer")
        hero.luck = max(hero.luck - 1, -5)
    else:
        world.say("Nobody answers.")
    return True


def quit_game(world: World) -> Asking[bool]:
    """Quit the game, after a confirmation."""
    if (yield from ask_yes("Really quit? This ends the game.")):
        world.ending = "quit"
    return False
