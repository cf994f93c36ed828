"""Objects (save spec section 3.6), read by the index of a walked chain.

Fields that later code uses as indexes are checked to be in range.
"""

from typing import Final, NamedTuple

from nhlog.nethack4.save.chains import Index
from nhlog.nethack4.save.wire import I8, I16, I32, MAGIC_SIZE, U8, U32, Bit, Bits, Layout, check, text

__all__ = ["Obj", "plain_object", "read_objects"]

_KINDS: Final = range(432)
_CLASSES: Final = range(18)
_ARTIFACTS: Final = range(34)
_SPECIES: Final = range(-1, 381)
_KNOWN, _DKNOWN = 27, 26  # bits
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


class Obj(_Record):
    """An object, with the game's field names.

    `otyp` is its kind and `cls` its class by number, `corpsenm` a species (-1 for none; a leash's is a monster's id),
    `invlet` its letter's code, `artifact` its number (0 for none), `owornmask` how it is worn or wielded. `name` is the
    name a player gave it, `contents` its contents.  The monster that it remembers is at `attached_at` in the save (see
    :func:`nhlog.nethack4.save.monsters.read_attached`).
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
    attachment = Bits("flags", 9, 10)
    in_use = Bit("flags", 8)
    was_thrown = Bit("flags", 7)
    bypass = Bit("flags", 6)
    was_dropped = Bit("flags", 5)


_OBJ: Final = Layout(Obj, 47)


def plain_object(kind: int, cls: int, *, species: int, weight: int, spe: int, known: bool, dknown: bool) -> Obj:
    """An object of that kind and class without other properties."""
    nothing = Obj._make((0,) * len(Obj._fields))._replace(name="", contents=())
    flags = known << _KNOWN | dknown << _DKNOWN
    return nothing._replace(otyp=kind, cls=cls, quantity=1, corpsenm=species, weight=weight, spe=spe, flags=flags)


def read_objects(data: bytes, index: Index) -> tuple[Obj, ...]:
    """Read the objects of a walked chain, in its order: the first on a square is on top.  Raises :class:`BadSave`."""
    return tuple(_read(data, at, inside) for at, inside in index)


def _read(data: bytes, at: int, inside: Index) -> Obj:
    start = at + MAGIC_SIZE
    fields = _OBJ.unpack(data, start)
    named = start + _OBJ.size
    end = named + fields[0]
    name = text(data[named:end]) if fields[0] else ""
    obj = Obj._make((*fields, name, end, read_objects(data, inside)))
    if (
        obj.otyp not in _KINDS
        or obj.cls not in _CLASSES
        or obj.artifact not in _ARTIFACTS
        or obj.corpsenm not in _SPECIES
    ):
        _check(obj, at)
    return obj


def _check(obj: Obj, at: int) -> None:
    """Raise :class:`BadSave` for values that do not exist in the game."""
    check(obj.otyp, _KINDS, "kind of an object", at)
    check(obj.cls, _CLASSES, "class of an object", at)
    check(obj.artifact, _ARTIFACTS, "artifact", at)
    if obj.otyp != _LEASH:
        check(obj.corpsenm, _SPECIES, "species of an object", at)
