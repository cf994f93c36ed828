"""The effects of monsters' blows on the hero, by the words of `species.Attack.how`.

A blow is rolled once; its effect may move the monster or the hero's belongings, never the hero to another level.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.combat.harm import hurt, lose_level, make_helpless, wake
from nhlog.engines.delve.world.board import INSIDE, SIZE
from nhlog.engines.delve.world.kinds import EMBER, GOLD, KINDS
from nhlog.engines.delve.world.names import article, call_monster, gold, name_of
from nhlog.engines.delve.world.powers import armour_class, has
from nhlog.engines.delve.world.sight import spotted
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import CARRIED, FLEEING, HELD, WIELDED, WORN, Item, Monster, World
from nhlog.engines.delve.world.terrain import WALK, WATER

__all__ = ["BLOWS", "assail", "blink", "cause_of"]


def cause_of(monster: Monster) -> str:
    """The cause of death for a hero killed by this monster."""
    name = SPECIES[monster.species].name
    return f"the {name}" if name[0].isupper() else article(name)


def assail(world: World, monster: Monster) -> None:
    """Let the monster attack the hero next to it, with all its attacks."""
    species = SPECIES[monster.species]
    wake(monster)
    name = call_monster(world, monster.species, seen=spotted(world, monster))
    for attack in species.attacks:
        if world.hero.hp <= 0 or monster.hp <= 0:
            return
        world.disturbed = True
        if 10 + species.level + armour_class(world) <= world.dice.below(20) and attack.how != "burst":
            world.say(f"{name} misses you.")
            continue
        damage = world.dice.roll(attack.dice, attack.sides) if attack.dice else 0
        soak = max(-armour_class(world), 0)
        if damage and soak:
            damage = max(damage - world.dice.below(soak + 1), 1)
        BLOWS[attack.how](world, monster, name, damage)


def _plain(verb: str) -> Callable[[World, Monster, str, int], None]:
    def blow(world: World, monster: Monster, name: str, damage: int) -> None:
        world.say(f"{name} {verb} you!")
        hurt(world, damage, cause_of(monster))

    return blow


def _poison(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} bites you!")
    hurt(world, damage, cause_of(monster))
    if world.dice.one_in(4):
        world.say("Its venom burns in your veins.")
        world.hero.poisoned = min(world.hero.poisoned + world.dice.between(4, 8), 60)


def _paralyse(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} claws at you!")
    hurt(world, damage, cause_of(monster))
    if has(world, "freedom"):
        world.say("You stiffen for a moment.")
    elif world.helpless_how != "paralysed" and world.dice.one_in(3):  # between two times the hero can act
        world.say("You cannot move!")
        make_helpless(world, world.dice.between(2, 4), "paralysed")


def _stick(world: World, monster: Monster, name: str, damage: int) -> None:
    if not monster.flags & HELD:
        world.say(f"{name} sticks to you!")
        monster.flags |= HELD
    elif damage:
        world.say(f"{name} digests you a little.")
    hurt(world, damage, cause_of(monster))


def _hold(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} {'holds on to' if monster.flags & HELD else 'grabs'} you!")
    monster.flags |= HELD
    hurt(world, damage, cause_of(monster))


def _drown(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} coils around you and pulls!")
    hurt(world, damage, cause_of(monster))
    if monster.flags & HELD and world.level.terrain[monster.square] & 0x7F == WATER and world.dice.one_in(8):
        world.say("Your head is under water!")
        hurt(world, world.dice.roll(3, 6), f"drowning in the coils of {cause_of(monster)}")
    monster.flags |= HELD


def _gold(world: World, monster: Monster, name: str, damage: int) -> None:
    hero = world.hero
    hurt(world, damage, cause_of(monster))
    if not hero.gold:
        world.say(f"{name} rummages in your empty purse.")
        blink(world, monster)
        return
    taken = min(max(hero.gold // 2, 10), hero.gold, 60_000)
    hero.gold -= taken
    world.say(f"{name} takes {gold(taken)} from your purse and is gone!")
    world.level.add_item(Item(GOLD, taken), CARRIED + world.level.slot_of(monster))
    _escape(world, monster)
    blink(world, monster)


def _steal(world: World, monster: Monster, name: str, damage: int) -> None:
    hurt(world, damage, cause_of(monster))
    loose = [
        slot
        for slot, item in enumerate(world.hero.pack)
        if item is not None and not item.flags & (WIELDED | WORN) and item.kind != EMBER
    ]
    if not loose:
        world.say(f"{name} finds nothing to steal.")
        return
    slot = world.dice.pick(loose)
    item = world.hero.pack[slot]
    if item is None or not world.level.add_item(item, CARRIED + world.level.slot_of(monster)):
        return
    world.hero.pack[slot] = None
    world.say(f"{name} steals {name_of(world.lore, item)}!")
    _escape(world, monster)


def _escape(world: World, monster: Monster) -> None:
    monster.flags |= FLEEING
    monster.timer = 120


def blink(world: World, monster: Monster) -> None:
    """Move the monster to another place on the level."""
    level = world.level
    for _ in range(50):
        at = world.dice.below(SIZE)
        if INSIDE[at] and WALK[level.terrain[at]] and at not in level.occupants and at != world.hero.square:
            monster.flags &= ~HELD
            level.move_monster(monster, at)
            return


def _rust(world: World, monster: Monster, name: str, damage: int) -> None:
    iron = [item for item in world.worn() if KINDS[item.kind].slot and KINDS[item.kind].color == 6]
    if not iron:
        world.say(f"{name} flutters against you.")
        return
    item = world.dice.pick(iron)
    if item.bonus <= -3:
        world.say(f"{name} finds nothing more to eat.")
        return
    item.bonus -= 1
    world.say(f"{name} eats at {name_of(world.lore, item).partition(' ')[2]}.")


def _burst(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} bursts into flame!")
    world.level.remove_monster(monster)
    monster.hp = 0
    hurt(world, damage // 2 if has(world, "warding") else damage, cause_of(monster))


def _burn(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} burns you!")
    hurt(world, damage // 2 if has(world, "warding") else damage, cause_of(monster))


def _chill(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} passes a cold hand through you.")
    hurt(world, damage, cause_of(monster))
    if world.dice.one_in(4) and world.hero.strength > 6:
        world.hero.strength -= 1
        world.say("You feel weaker.")


def _drain(world: World, monster: Monster, name: str, damage: int) -> None:
    world.say(f"{name} touches you, and something of you is gone.")
    hurt(world, damage, cause_of(monster))
    if world.dice.one_in(4) and not has(world, "warding"):
        lose_level(world)


BLOWS: Final[dict[str, Callable[[World, Monster, str, int], None]]] = {
    "hit": _plain("hits"),
    "poison": _poison,
    "paralyse": _paralyse,
    "stick": _stick,
    "hold": _hold,
    "drown": _drown,
    "gold": _gold,
    "steal": _steal,
    "rust": _rust,
    "burst": _burst,
    "burn": _burn,
    "chill": _chill,
    "drain": _drain,
}
