"""The hero's blows.

A blow wakes its target, whether it hits or not.
"""

from nhlog.engines.delve.combat.harm import hurt, wake, wound
from nhlog.engines.delve.world.kinds import KINDS, WEAPON
from nhlog.engines.delve.world.names import article, call_monster
from nhlog.engines.delve.world.powers import damage_bonus, hit_bonus
from nhlog.engines.delve.world.sight import spotted
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import ASLEEP, BLESSED, DISGUISED, FLEEING, HELD, Item, Monster, World

__all__ = ["strike"]


def strike(world: World, monster: Monster) -> None:
    """Let the hero attack a monster next to the hero."""
    species, dice = SPECIES[monster.species], world.dice
    world.disturbed = True
    if monster.flags & DISGUISED:
        wake(monster)
        monster.flags |= HELD
        world.say(f"Wait! That is {article(species.name)}! You are stuck to it.")
        return
    asleep = bool(monster.flags & (ASLEEP | FLEEING))
    wake(monster)
    monster.goal = world.hero.square
    name = call_monster(world, monster.species, seen=spotted(world, monster))
    weapon = world.wielded()
    bonus = _to_hit(weapon) + hit_bonus(world) + (3 if asleep else 0)
    if 1 + world.hero.level + species.armour + bonus + 3 <= 1 + dice.below(20):
        world.say(f"You miss {name}.")
    else:
        damage = _damage(world, weapon, monster, asleep=asleep)
        if damage < monster.hp:
            world.say(f"You hit {name}.")
        wound(world, monster, damage)
    if "acid" in species.traits and not dice.below(3):
        world.say("You are splashed by its acid!")
        hurt(world, dice.roll(1, 6), f"the acid of {article(species.name)}")


def _to_hit(weapon: Item | None) -> int:
    if weapon is None or KINDS[weapon.kind].symbol != WEAPON:
        return 0
    return KINDS[weapon.kind].hit + weapon.bonus


def _damage(world: World, weapon: Item | None, monster: Monster, *, asleep: bool) -> int:
    dice = world.dice
    count, sides = (1, 2) if weapon is None else KINDS[weapon.kind].damage
    damage = dice.roll(count, sides) + damage_bonus(world)
    if weapon is not None:
        damage += weapon.bonus if KINDS[weapon.kind].symbol == WEAPON else 0
        if weapon.flags & BLESSED and "dead" in SPECIES[monster.species].traits:
            damage += dice.roll(1, 4)
    if asleep and world.person.role == "Rogue":
        damage += dice.roll(1, 3 + world.hero.level)
    return max(damage, 1)
