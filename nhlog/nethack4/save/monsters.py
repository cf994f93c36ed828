"""Monsters (save spec sections 3.4 and 3.5), read by the index of a walked chain.

Fields that later code uses as indexes are checked to be in range; a monster's species is the true one.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Final

from nhlog.nethack4.save import fiqhack
from nhlog.nethack4.save.chains import (
    ATTACHED_MONSTER,
    EXTENSIONS,
    PET,
    PRIEST,
    SHOPKEEPER,
    Index,
    more_of_monster,
)
from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.objects import Obj, read_objects
from nhlog.nethack4.save.wire import (
    FIQHACKS,
    I8,
    I16,
    I32,
    MAGIC_SIZE,
    NETHACK4,
    U8,
    U16,
    U32,
    BadSave,
    Bit,
    Bits,
    Cursor,
    Layout,
    check,
    text,
    unrotated,
)
from nhlog.nethack4.tables import roles, species
from nhlog.values import NamedTuple, dataclass

__all__ = [
    "OFF_MAP",
    "BillEntry",
    "Context",
    "Monster",
    "Pet",
    "Priest",
    "Shopkeeper",
    "quest_people",
    "read_attached",
    "read_monster",
    "read_monsters",
]

OFF_MAP: Final = 79  # the column of a monster that is not on the map
_COLUMNS: Final = range(79)
_ROWS: Final = range(21)
_DISGUISES: Final = range(4)
_FOLDED: Final = 12  # backgrounds that are only remembered, the last ones
_WORMS: Final = range(32)
_NONE: Final = -6000
_INVISIBILITY: Final = 13  # property
_INVISIBLE, _CAN_SEE = 1 << 30 | 1 << 28, 1 << 14  # flags
_INVISIBLE_KINDS: Final = ("stalker", "black light")
_CUSTOMER_END, _NAME = 67, 32  # of a shopkeeper's extension
_MINION: Final = 2
_TRADES: Final = {PRIEST: 1 << 1, _MINION: 1 << 3, SHOPKEEPER: 1 << 4}  # flags by extension
_ALIGNMENTS: Final = (b"\x01", b"\x00", b"\xff", b"\x80")  # lawful, neutral, chaotic, none


class _Record(NamedTuple):
    name_length: I16
    extension_type: I16
    species_code: I32
    id: U32
    hp: I32
    hpmax: I32
    special: I32
    traps_seen: U32
    last_move: U32
    strategy: U32
    eating: I32
    migration: Annotated[bytes, "4s"]
    unused: Annotated[bytes, "4s"]
    original_species: I16
    x: U8
    y: U8
    mux: U8
    muy: U8
    level: U8
    align: I8
    moveoffset: I16
    resistances: U16
    tame: I8
    disguise_kind: U8
    frozen: U8
    blinded: U8
    disguise: U32
    flags: U32
    fleetim_stored: U8
    weapon_check: I8
    worn: U32
    wormno: U8
    has_inventory: U8
    has_weapon: U8
    species: int
    relative: int
    name: str
    extension: bytes
    inventory: tuple[Obj, ...]
    image: tuple[int, int] | None


class BillEntry(NamedTuple):
    """An entry of a shop bill: the object's id, the price of one, how many there were, whether it is used up."""

    id: U32
    price: I32
    quantity: I32
    useup: I8


class Priest(NamedTuple):
    """A priest's extension: alignment and position of the shrine."""

    shralign: I8
    shroom: I8
    x: I8
    y: I8
    dnum: I8
    dlevel: I8


class Pet(NamedTuple):
    """A pet's extension."""

    droptime: I32
    dropdist: I32
    apport: I32
    whistletime: I32
    hungrytime: I32
    abuse: I32
    revivals: I32
    mhpmax_penalty: I32
    unused: Annotated[bytes, "2s"]
    killed_by_u: I8


class _ShopkeeperRecord(NamedTuple):
    bill_inactive: U32
    shk_x: I8
    shk_y: I8
    shd_x: I8
    shd_y: I8
    robbed: I32
    credit: I32
    debit: I32
    loan: I32
    shoptype: I16
    billct: I16
    visitct: I16
    dnum: I8
    dlevel: I8
    shoproom: I8
    following: I8
    surcharge: I8
    customer_raw: Annotated[bytes, "32s"]
    name_raw: Annotated[bytes, "32s"]
    bill_raw: Annotated[bytes, "2600s"]


class Shopkeeper(_ShopkeeperRecord):
    """A shopkeeper's extension: the positions of keeper (`shk`) and door (`shd`), the accounts."""

    __slots__ = ()

    @property
    def customer(self) -> str:
        """The name of the last customer."""
        return text(self.customer_raw)

    @property
    def name(self) -> str:
        """The shopkeeper's name, as stored: its first character may encode the gender."""
        return text(self.name_raw)

    @property
    def bill(self) -> tuple[BillEntry, ...]:
        """The entries in use."""
        return _BILL_ENTRY.read_all(self.bill_raw)[: max(self.billct, 0)]


class Monster(_Record):
    """A monster.

    `species` is the true one by number (-1 for none), `x` is `OFF_MAP` for one that is not on the map, `mux` and `muy`
    are where it believes the hero (79, 21: nowhere), `level` its own level.  `disguise` is what it mimics, by
    `disguise_kind`: 1 furniture (a background's number), 2 an object's kind, 3 a species.  `wormno` is its slot in the
    level's worms, 0 for none.  `worn` has the bits of :attr:`Obj.owornmask`.  `image` is where it is seen
    instead, None for most; only FIQHack's have one.
    """

    __slots__ = ()

    female = Bit("flags", 31)
    invisible = Bit("flags", 30)
    invis_blocked = Bit("flags", 29)
    perm_invis = Bit("flags", 28)
    shapechanger = Bits("flags", 25, 27)
    undetected = Bit("flags", 24)
    cancelled = Bit("flags", 23)
    buried = Bit("flags", 22)
    speed = Bits("flags", 20, 21)
    permspeed = Bits("flags", 18, 19)
    revived = Bit("flags", 17)
    avenge = Bit("flags", 16)
    flee = Bit("flags", 15)
    cansee = Bit("flags", 14)
    canmove = Bit("flags", 13)
    asleep = Bit("flags", 12)
    stunned = Bit("flags", 11)
    confused = Bit("flags", 10)
    peaceful = Bit("flags", 9)
    trapped = Bit("flags", 8)
    leashed = Bit("flags", 7)
    suspicious = Bit("flags", 6)
    is_shopkeeper = Bit("flags", 4)
    is_minion = Bit("flags", 3)
    is_guard = Bit("flags", 2)
    is_priest = Bit("flags", 1)
    is_wizard = Bit("flags", 0)

    @property
    def fleetim(self) -> int:
        """The number of turns that it flees; 0 means until it recovers."""
        return unrotated(self.fleetim_stored, 8, self.relative)

    @property
    def priest(self) -> Priest | None:
        """The extension of a priest; None for others."""
        return _PRIEST_LAYOUT.read(self.extension) if self.extension_type == PRIEST else None

    @property
    def minion_align(self) -> int | None:
        """The extension of a minion, the signed alignment of its god; None for others."""
        return int.from_bytes(self.extension, "little", signed=True) if self.extension_type == _MINION else None

    @property
    def pet(self) -> Pet | None:
        """The extension of a pet; None for others."""
        return _PET_LAYOUT.read(self.extension) if self.extension_type == PET else None

    @property
    def shopkeeper(self) -> Shopkeeper | None:
        """The extension of a shopkeeper; None for others."""
        return _SHOPKEEPER_LAYOUT.read(self.extension) if self.extension_type == SHOPKEEPER else None

    @property
    def bill(self) -> tuple[BillEntry, ...]:
        """The bill of a shopkeeper; empty for others."""
        shopkeeper = self.shopkeeper
        return shopkeeper.bill if shopkeeper else ()


_MONSTER: Final = {NETHACK4: Layout(Monster, 81)} | {
    edition: Layout(Monster, body.size, fiqhack.MONSTER[edition]) for edition, body in fiqhack.BODY.items()
}
_BILL_ENTRY: Final = Layout(BillEntry, 13)
_PRIEST_LAYOUT: Final = Layout(Priest, EXTENSIONS[PRIEST])
_PET_LAYOUT: Final = Layout(Pet, EXTENSIONS[PET])
_SHOPKEEPER_LAYOUT: Final = Layout(Shopkeeper, EXTENSIONS[SHOPKEEPER])


@dataclass(frozen=True, slots=True)
class Context:
    """What the interpretation of a monster's record depends on besides the record.

    `people` are the species of the role's quest and of the hero by their codes.  Counters were stored relative to
    nothing, to `moves` or to `lastmoves` of their level, as `encoding` says (see
    :class:`~nhlog.nethack4.save.flags.Flags`).
    """

    people: Mapping[int, int]
    encoding: int
    moves: int
    lastmoves: int = 0
    edition: str = NETHACK4

    @property
    def relative(self) -> int:
        """The number to add to a monster's counters."""
        return (0, -self.moves, -self.lastmoves)[self.encoding]

    def on_level(self, lastmoves: int) -> "Context":
        """The context for the monsters of a level."""
        return Context(self.people, self.encoding, self.moves, lastmoves, self.edition)


@cache
def quest_people(role: int) -> Mapping[int, int]:
    """The species of a role's quest monsters, by the codes that stand for them."""
    own = roles()[role]
    return {
        -1000: own.leader,
        -2000: own.guardian,
        -3000: own.nemesis,
        -4000: own.male,
        -5000: own.male if own.female < 0 else own.female,
        _NONE: -1,
    }


def read_monsters(data: bytes, index: Index, context: Context) -> tuple[Monster, ...]:
    """Read the monsters of a walked chain, in its order; raises :class:`BadSave`."""
    return tuple(read_monster(data, at, context, inside) for at, inside in index)


def read_attached(data: bytes, obj: Obj, context: Context) -> Monster | None:
    """The monster that an object remembers, without inventory; None if there is none.  Raises :class:`BadSave`."""
    return read_monster(data, obj.attached_at, context) if obj.attachment == ATTACHED_MONSTER else None


def read_monster(data: bytes, at: int, context: Context, inside: Index = ()) -> Monster:
    """Read the monster at `at`, with the inventory of that index; raises :class:`BadSave`."""
    edition = context.edition
    layout, numbers = _MONSTER[edition], numbers_of(edition)
    start = at + MAGIC_SIZE
    fields = layout.unpack(data, start)
    name_length, extension_type, code = fields[:3]
    more = more_of_monster(Cursor(data, start + layout.size, edition), name_length, extension_type, "monster")
    number = numbers.species[code] if 0 <= code < len(numbers.species) else context.people.get(code)
    if number is None:
        raise BadSave("species of a monster", offset=at + 8, expected=f"below {len(numbers.species)}", found=code)
    name = text(data[more.name])
    carried = read_objects(data, inside, edition)
    monster = Monster._make((*fields, number, context.relative, name, data[more.extension], carried, None))
    if monster.x != OFF_MAP:
        check(monster.x, _COLUMNS, "column of a monster", at)
        check(monster.y, _ROWS, "row of a monster", at)
    check(monster.wormno, _WORMS, "worm slot", at)
    check(monster.disguise_kind, _DISGUISES, "kind of disguise", at)
    disguise = monster.disguise
    match monster.disguise_kind:
        case 1:
            furniture = range(len(numbers.backgrounds) - _FOLDED)
            disguise = numbers.backgrounds[check(disguise, furniture, "disguise", at)]
        case 2:
            disguise = numbers.kind(disguise, "disguise", at)
        case 3:
            disguise = numbers.one_of(disguise, "disguise", at)
    return _OURS[edition](monster, data, start, disguise, more.extension_type, edition)


def _unchanged(monster: Monster, data: bytes, start: int, disguise: int, extension_type: int, edition: str) -> Monster:
    return monster


def _from_fiqhack(
    monster: Monster, data: bytes, start: int, disguise: int, extension_type: int, edition: str
) -> Monster:
    """A monster of FIQHack's, with the flags and the extension that it would have in NetHack 4."""
    flags = sum((monster.flags >> theirs & 1) << ours for ours, theirs in fiqhack.MONSTER_FLAGS.items())
    align = _ALIGNMENTS[monster.flags >> 1 & 3]
    named = species()[monster.species].name if monster.species >= 0 else ""
    body = fiqhack.BODY[edition].read(data, start)
    if named in _INVISIBLE_KINDS or body.has(_INVISIBILITY):
        flags |= _INVISIBLE
    image = None
    if body.image_x != fiqhack.NO_IMAGE:
        image = (
            check(body.image_x, _COLUMNS, "column of an image", start),
            check(body.image_y, _ROWS, "row of an image", start),
        )
    raw = monster.extension
    if extension_type == PRIEST and not raw[0]:  # without a shrine
        extension_type, raw = _MINION, align
    elif extension_type == PRIEST:
        raw = align + raw
    elif extension_type == PET:
        raw = raw[:-1] + bytes(2) + raw[-1:]
    elif extension_type == SHOPKEEPER:
        raw = raw[:_CUSTOMER_END] + monster.name.encode()[:_NAME].ljust(_NAME, b"\0") + raw[_CUSTOMER_END:]
    flags |= _TRADES.get(extension_type, 0) | _CAN_SEE
    return monster._replace(flags=flags, disguise=disguise, extension_type=extension_type, extension=raw, image=image)


_OURS: Final[dict[str, Callable[[Monster, bytes, int, int, int, str], Monster]]] = {
    NETHACK4: _unchanged,
    **dict.fromkeys(FIQHACKS, _from_fiqhack),
}
