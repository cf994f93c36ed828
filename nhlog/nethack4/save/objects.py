"""Objects (save spec section 3.6), read by the index of a walked chain.

Fields that later code uses as indexes are checked to be in range.
"""

import struct
from collections.abc import Callable
from typing import Final

from nhlog.nethack4.save import fiqhack
from nhlog.nethack4.save.chains import ATTACHED_MONSTER, Index, more_of_object
from nhlog.nethack4.save.numbers import Numbers, numbers_of
from nhlog.nethack4.save.wire import (
    FIQHACKS,
    I8,
    I16,
    I32,
    MAGIC_SIZE,
    NETHACK4,
    U8,
    U32,
    Bit,
    Bits,
    Cursor,
    Layout,
    check,
    text,
)
from nhlog.nethack4.tables import kinds_named
from nhlog.values import NamedTuple

__all__ = ["Obj", "plain_object", "read_objects"]

_CLASSES: Final = range(18)
_ARTIFACTS: Final = range(34)
_KNOWN, _DKNOWN = 27, 26  # bits
_ATTACHMENT: Final = 9  # bit
_ATTACHED: Final = 3 << _ATTACHMENT
_OF_SPECIES: Final = kinds_named("corpse", "statue", "figurine", "egg", "tin")
_LEASH: Final = 211  # the number in the tables of the kind whose `corpsenm` is a monster's id


class _Record(NamedTuple):
    name_length: U32
    id: U32
    weight: I32
    quantity: I32
    corpsenm: I32
    oeaten: I32
    age: I32
    owornmask: U32
    flags: U32
    otyp: I16
    x: I8
    y: I8
    spe: I8
    cls: I8
    invlet: U8
    artifact: U8
    where: I8
    timed: I8
    has_contents: U8
    name: str
    attached_at: int
    contents: "tuple[Obj, ...]"
    oprops: int
    oprops_known: int
    mem_o_id: int
    female: bool


class Obj(_Record):
    """An object, with the game's field names.

    `otyp` is its kind and `cls` its class by number, `corpsenm` a species (-1 for none; a leash's is a monster's id),
    `invlet` its letter's code, `artifact` its number (0 for none), `owornmask` how it is worn or wielded. `name` is the
    name a player gave it, `contents` its contents.  The monster that it remembers is at `attached_at` in the save (see
    :func:`nhlog.nethack4.save.monsters.read_attached`).

    Only FIQHack's have magical properties, by number (bit masks), a remembered twin, by its id, and a female species.
    """

    __slots__ = ()

    cursed = Bit("flags", 31)
    blessed = Bit("flags", 30)
    unpaid = Bit("flags", 29)
    no_charge = Bit("flags", 28)
    known = Bit("flags", _KNOWN)
    dknown = Bit("flags", _DKNOWN)
    bknown = Bit("flags", 25)
    rknown = Bit("flags", 24)
    eroded = Bits("flags", 22, 23)
    eroded2 = Bits("flags", 20, 21)
    oerodeproof = Bit("flags", 19)
    locked = Bit("flags", 18)
    broken = Bit("flags", 17)
    trapped = Bit("flags", 16)
    recharged = Bits("flags", 13, 15)
    lamplit = Bit("flags", 12)
    greased = Bit("flags", 11)
    attachment = Bits("flags", _ATTACHMENT, _ATTACHMENT + 1)
    in_use = Bit("flags", 8)
    was_thrown = Bit("flags", 7)
    bypass = Bit("flags", 6)
    was_dropped = Bit("flags", 5)
    cknown = Bit("flags", 0)


_NOTHING_MORE: Final = (0, 0, 0, False)
_MORE: Final = struct.Struct("<QQI")
_MORE_AT: Final = 47
_MALE: Final = 2  # in `spe`, of what has a species
_OBJ: Final = {NETHACK4: Layout(Obj, 47)} | dict.fromkeys(FIQHACKS, Layout(Obj, 267, fiqhack.OBJECT))


def plain_object(kind: int, cls: int, *, species: int, weight: int, spe: int, known: bool, dknown: bool) -> Obj:
    """An object of that kind and class without other properties."""
    nothing = Obj._make((0,) * len(Obj._fields))._replace(name="", contents=(), female=False)
    flags = known << _KNOWN | dknown << _DKNOWN
    return nothing._replace(otyp=kind, cls=cls, quantity=1, corpsenm=species, weight=weight, spe=spe, flags=flags)


def read_objects(data: bytes, index: Index, edition: str = NETHACK4) -> tuple[Obj, ...]:
    """Read the objects of a walked chain, in its order: the first on a square is on top.  Raises :class:`BadSave`."""
    return tuple(_read(data, at, inside, edition) for at, inside in index)


def _read(data: bytes, at: int, inside: Index, edition: str) -> Obj:
    layout = _OBJ[edition]
    fields = layout.unpack(data, at + MAGIC_SIZE)
    length, flags = fields[0], fields[8]
    end = at + MAGIC_SIZE + layout.size
    name, attached_at = "", 0
    if length or flags & _ATTACHED:
        more = more_of_object(Cursor(data, end, edition), length, flags, "object")
        name, attached_at = text(data[more.name]), more.attached_at
    obj = Obj._make((*fields, name, attached_at, read_objects(data, inside, edition), *_NOTHING_MORE))
    numbers = numbers_of(edition)
    if not (
        0 <= obj.otyp < len(numbers.kinds)
        and obj.cls in _CLASSES
        and obj.artifact in _ARTIFACTS
        and -1 <= obj.corpsenm < len(numbers.species)
    ):
        _check(obj, at, numbers)
    return _OURS[edition](obj, numbers, data, at)


def _check(obj: Obj, at: int, numbers: Numbers) -> None:
    """Raise :class:`BadSave` for values that do not exist in the game."""
    kind = numbers.kind(obj.otyp, "kind of an object", at)
    check(obj.cls, _CLASSES, "class of an object", at)
    check(obj.artifact, _ARTIFACTS, "artifact", at)
    if kind != _LEASH:
        check(obj.corpsenm, range(-1, len(numbers.species)), "species of an object", at)


def _unchanged(obj: Obj, numbers: Numbers, data: bytes, at: int) -> Obj:
    return obj


def _from_fiqhack(obj: Obj, numbers: Numbers, data: bytes, at: int) -> Obj:
    """An object of FIQHack's, with NetHack 4's numbers, and without the sex that it has in `spe`."""
    kind, of = numbers.kinds[obj.otyp], obj.corpsenm
    if kind != _LEASH and of >= 0:
        of = numbers.species[of]
    has_species = kind in _OF_SPECIES
    properties, known, remembered = _MORE.unpack_from(data, at + MAGIC_SIZE + _MORE_AT)
    attachment = ATTACHED_MONSTER << _ATTACHMENT if obj.attached_at else 0
    return obj._replace(
        otyp=kind,
        corpsenm=of,
        spe=obj.spe & 1 if has_species else obj.spe,
        flags=obj.flags & ~_ATTACHED | attachment,
        oprops=properties,
        oprops_known=known,
        mem_o_id=remembered,
        female=has_species and not obj.spe & _MALE,
    )


_OURS: Final[dict[str, Callable[[Obj, Numbers, bytes, int], Obj]]] = {
    NETHACK4: _unchanged,
    **dict.fromkeys(FIQHACKS, _from_fiqhack),
}
