"""The hero's attributes, armour class and burden (save spec section 7).

All values are those that the game shows, not those that it stores.
"""

from typing import Final

from nhlog.nethack4.hero.form import form_of, monster_by_id
from nhlog.nethack4.hero.properties import Properties
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import KIND, Class, kinds, species
from nhlog.values import NamedTuple

__all__ = ["ATTRIBUTES", "Load", "armor_class", "attributes_of", "experience_for", "load_of", "strength_word"]

ATTRIBUTES: Final = ("Str", "Int", "Wis", "Dex", "Con", "Cha")

_ARMOR_SLOTS: Final = 0x7F
_RINGS: Final = 1 << 8 | 1 << 9
_LEAST, _MOST, _STRONGEST = 3, 25, 125
_FOOL: Final = 6
_NYMPHS: Final = "n"
_CHARMING: Final = ("incubus", "succubus")
_CHARM: Final = 18
_CAPACITY: Final = 1000
_OVERLOADED: Final = 5
_HUMAN_WEIGHT: Final = 1450
_HUMAN_SIZE: Final = 2
_STRONG, _ROCK_THROWER = 0x4000000, 0x8000000  # f2
_WOUND: Final = 100  # what a wounded leg cannot carry


def _worn(save: Save, kind: str) -> bool:
    return any(obj.otyp == KIND[kind] and obj.owornmask & _ARMOR_SLOTS for obj in save.inventory)


def armor_class(save: Save) -> int:
    """The armour class, clamped to the game's range."""
    you = save.you
    result = you.uac - (10 - form_of(you).ac) - you.uspellprot - you.ublessed
    for obj in save.inventory:
        if obj.owornmask & _ARMOR_SLOTS and not is_embedded(save, obj):
            base = kinds()[obj.otyp].ac
            result -= base + obj.spe - min(max(obj.eroded, obj.eroded2), base)
        elif obj.owornmask & _RINGS and obj.cls == Class.RING and obj.otyp == PROTECTION:
            result -= obj.spe
    return min(max(result, -128), 127)


def is_embedded(save: Save, obj: Obj) -> bool:
    """Whether an object is dragon armour that became the skin of a hero polymorphed into that dragon."""
    color, _, rest = kinds()[obj.otyp].name.partition(" ")
    is_form = save.you.polymorphed and form_of(save.you).name == f"{color} dragon"
    return is_form and rest in ("dragon scale mail", "dragon scales")


def attributes_of(save: Save) -> tuple[int, ...]:
    """The six attributes in the order of `ATTRIBUTES`; strength is at most 125, where 18/xx is 18 + xx."""
    you = save.you
    values = [sum(parts) for parts in zip(you.abon, you.atemp, you.acurr, strict=True)]
    values = [min(max(value, _LEAST), _MOST if n else _STRONGEST) for n, value in enumerate(values)]
    form = form_of(you)
    if form.symbol == _NYMPHS or form.name in _CHARMING:
        values[5] = max(values[5], _CHARM)
    if _worn(save, "gauntlets of power"):
        values[0] = _STRONGEST
    if _worn(save, "dunce cap"):
        values[1] = values[2] = _FOOL
    return tuple(values)


def strength_word(strength: int) -> str:
    """Strength as shown: ``17``, ``18/50``, ``18/**``, ``20``."""
    if strength <= 18:
        return str(strength)
    if strength < 118:
        return f"18/{strength - 18:02}"
    return "18/**" if strength == 118 else str(strength - 100)


class Load(NamedTuple):
    """The weight of what is carried, and the weight that the hero can carry unburdened."""

    weight: int
    capacity: int

    def burden(self, more: int = 0) -> int:
        """The burden level, 0 to 5, with `more` added to the weight."""
        over = self.weight + more - self.capacity
        if over <= 0:
            return 0
        return _OVERLOADED if self.capacity <= 1 else min(_OVERLOADED, over * 2 // self.capacity + 1)


def load_of(save: Save, properties: Properties) -> Load:
    """The weight of the hero's inventory, and the hero's capacity."""
    rock_thrower = bool(form_of(save.you).f2 & _ROCK_THROWER)
    return Load(
        sum(_weight(obj, rock_thrower=rock_thrower) for obj in save.inventory),
        _capacity(save, properties),
    )


def experience_for(level: int) -> int:
    """The experience points at which a level (below 30) ends."""
    if level < 10:
        return 10 << level
    return 10_000 << level - 10 if level < 20 else 10_000_000 * (level - 19)


def _weight(obj: Obj, *, rock_thrower: bool) -> int:
    if obj.cls == Class.COIN:
        return (obj.quantity + 50) // 100
    return 0 if rock_thrower and obj.otyp == KIND["boulder"] else obj.weight


def _capacity(save: Save, properties: Properties) -> int:
    you, form = save.you, form_of(save.you)
    values = attributes_of(save)
    strength = values[0]
    strength = strength if strength <= 18 else 19 + strength // 50 if strength <= 121 else strength - 100
    capacity = 25 * (strength + values[4]) + 50
    if you.polymorphed:
        if form.symbol == _NYMPHS:
            capacity = _CAPACITY
        elif not form.weight:
            capacity = capacity * form.size // _HUMAN_SIZE
        elif not (form.f2 & _STRONG and form.weight <= _HUMAN_WEIGHT):
            capacity = capacity * form.weight // _HUMAN_WEIGHT
    steed = monster_by_id(save.level, save.you.usteed)
    carried = steed is not None and species()[steed.species].f2 & _STRONG
    if "LEVITATION" in properties.held or carried or save.here == save.dungeons.topology.air:
        return _CAPACITY
    capacity = min(capacity, _CAPACITY)
    if "FLYING" not in properties.held:
        capacity -= _WOUND * sum(leg in properties.held for leg in ("LWOUNDED_LEGS", "RWOUNDED_LEGS"))
    return max(capacity, 0)


PROTECTION: Final = next(
    number for number, kind in enumerate(kinds()) if kind.name == "protection" and kind.cls == Class.RING
)
