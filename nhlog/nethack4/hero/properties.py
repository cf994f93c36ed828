"""The hero's properties, by their names in the tables (perception spec section 2.2).

The hero has a property if anything gives it and nothing cancels it; those given by items are listed separately, because
some senses depend on that.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from nhlog.nethack4.hero.form import form_of, monster_by_id, own_species
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACKS
from nhlog.nethack4.tables import KIND, Class, artifacts, fork, kinds, species, table
from nhlog.values import dataclass

__all__ = ["Properties", "properties_of"]

_EQUIPPED: Final = 0x7FF | 1 << 16
_WIELDED, _INVOKED, _IN_USE = 1 << 11, 1 << 16, 0x3FFF
_TIMER: Final = 0xFFFFFF  # of an intrinsic; the bits above it say where it comes from
_SOURCES: Final = 1 << 24 | 1 << 25 | 1 << 26 | 1 << 28
_INFRAVISION: Final = 0x100  # f3

# What a form gives: bits of its f1 and f3, letters and names.
_BY_F1: Final = {"BLINDED": 0x1000, "SEE_INVIS": 0x1000000, "FLYING": 1, "SWIMMING": 2}
_BY_LETTER: Final = {"LEVITATION": "e", "STUNNED": "B"}
_BY_NAME: Final = {
    "TELEPAT": ("floating eye", "mind flayer", "master mind flayer"),
    "INVIS": ("stalker", "black light"),
    "STUNNED": ("stalker",),
    "HALLUC": ("black light",),
}
_FLYING: Final = 1  # f1


@dataclass(frozen=True, slots=True)
class Properties:
    """The names of the properties that the hero has, and of those among them that an item gives."""

    held: frozenset[str]
    from_items: frozenset[str]


def properties_of(save: Save) -> Properties:
    """The properties of the hero of a save."""
    items = {name for obj in save.inventory for name in _of_item(save, obj)}
    held = items | set(_of_self(save))
    flags = save.flags
    if any(obj.artifact == table("art_eyes") and obj.owornmask & _EQUIPPED for obj in save.inventory):
        held -= set() if flags.permablind else {"BLINDED"}
    if "HALLUC_RES" in held and not flags.permahallu:
        held.discard("HALLUC")
    if any(obj.otyp == KIND["mummy wrapping"] and obj.owornmask & _EQUIPPED for obj in save.inventory):
        held.discard("INVIS")
    return Properties(frozenset(held), frozenset(items & held))


@cache
def _names(edition: str) -> dict[int, str]:
    names = {number: name for name, number in table("props").items()}
    if edition in FIQHACKS:
        names |= {number: name for name, number in fork()["properties"].items()}
    return names


def _of_item(save: Save, obj: Obj) -> Iterator[str]:
    """The properties that one carried object gives (section 2.2.1)."""
    kind = kinds()[obj.otyp]
    wieldable = obj.cls == Class.WEAPON or (obj.cls == Class.TOOL and kind.sub)
    equipped = obj.owornmask & (_EQUIPPED | (_WIELDED if wieldable else 0))
    powers = artifacts().get(obj.artifact)
    given = list(powers.carry) if powers else []
    if equipped & _IN_USE:
        given += [save.classes[obj.otyp].prop, *(powers.worn if powers else ())]
        given += [number for bit, number, *_ in fork()["object_properties"] if obj.oprops >> bit & 1 and number]
    if equipped & _INVOKED and powers:
        given.append(powers.invoked)
    names = _names(save.context.edition)
    return (names[number] for number in given if number in names)


def _of_self(save: Save) -> Iterator[str]:
    """The properties that the hero's nature, form, steed and birth options give."""
    you = save.you
    for number, name in _names(save.context.edition).items():
        intrinsic = you.intrinsics[number]
        if intrinsic & (_TIMER | _SOURCES):
            yield name
    if save.flags.permablind:
        yield "BLINDED"
    if save.flags.permahallu:
        yield "HALLUC"
    form = form_of(you)
    yield from (name for name, bit in _BY_F1.items() if form.f1 & bit)
    yield from (name for name, letter in _BY_LETTER.items() if form.symbol == letter)
    yield from (name for name, forms in _BY_NAME.items() if form.name in forms)
    if form.f3 & _INFRAVISION or (not you.polymorphed and own_species(you).f3 & _INFRAVISION):
        yield "INFRAVISION"
    steed = monster_by_id(save.level, save.you.usteed)
    if steed is not None and species()[steed.species].f1 & _FLYING:
        yield "FLYING"
