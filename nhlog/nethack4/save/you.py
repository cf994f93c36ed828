"""The hero (save spec section 2.3).

Fields that later code uses as indexes are checked to be in range.
"""

import struct
from typing import Annotated, Final

from nhlog.nethack4.save import fiqhack
from nhlog.nethack4.save.fiqhack import Body
from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.wire import (
    FIQHACKS,
    I8,
    I32,
    I64,
    NETHACK4,
    U8,
    U32,
    Bit,
    Bits,
    Cursor,
    Layout,
    check,
    signed,
    text,
    unrotated,
)
from nhlog.nethack4.tables import fork
from nhlog.values import NamedTuple

__all__ = ["YOU", "Attributes", "You", "YouParts", "passed_of_you", "read_you", "skip_you", "with_body"]

_COLUMNS: Final = range(79)
_ROWS: Final = range(21)
_ROLES: Final = range(13)
_RACES: Final = range(5)
_GENDERS: Final = range(2)
_ALIGNMENTS: Final = range(3)
_LEVELS: Final = range(1, 31)
_HUNGER: Final = range(7)
_RANGES: Final = range(16)
_TRAPS: Final = range(5)
_ATTRIBUTES: Final = struct.Struct("<6b")
_PROPERTIES: Final = 69
_INTRINSICS: Final = struct.Struct(f"<{_PROPERTIES}I")
_OF_ROLE, _OUTSIDE = 24, 26  # bits of an intrinsic
_TIMER_BITS: Final = 16  # as FIQHack stores them
_BARE: Final = 10  # armour class
_ABOVE_18, _HUNDREDTHS = range(19, 26), 100  # NetHack 4 counts from 18/01 to 18/** between 18 and 19
_KILLER: Final = "you: killer by zombification"
_KILLERS: Final = tuple(f"you: killer by {name}" for name in ("stoning", "sliming", "illness", "genocide"))
_SECTION: Final = "you"
_CHECKED: Final = {
    "ux": _COLUMNS,
    "uy": _ROWS,
    "initrole": _ROLES,
    "initrace": _RACES,
    "initgend": _GENDERS,
    "initalign": _ALIGNMENTS,
    "upantheon": _ROLES,
    "ulevel": _LEVELS,
    "uhs": _HUNGER,
    "nv_range": _RANGES,
}

Six = Annotated[bytes, "6s"]


class Attributes(NamedTuple):
    """The six attributes, in the game's order."""

    strength: int
    intelligence: int
    wisdom: int
    dexterity: int
    constitution: int
    charisma: int


class _Record(NamedTuple):
    ubirthday: I64
    yflags: U32
    event_flags: U32
    uhp: I32
    uhpmax: I32
    uen: I32
    uenmax: I32
    ulevel: I32
    umoney0: I32
    uexp: I32
    urexp: I32
    ulevelmax: I32
    umonster: I32
    umonnum: I32
    mh: I32
    mhmax: I32
    mtimedone: I32
    ulycn: I32
    utrap_stored: I32
    utraptype: I32
    uhunger_stored: I32
    uhs: I32
    oldcap: I32
    umconf_stored: I32
    nv_range: I32
    bglyph: I32
    cglyph: I32
    bc_order: I32
    bc_felt: I32
    ucreamed: I32
    uswldtim: I32
    udg_cnt: I32
    next_attr_check: I32
    alignment_record: I32
    ugangr: I32
    ugifts: I32
    ublessed: I32
    ublesscnt_stored: I32
    ucleansed: I32
    uinvault: I32
    ugallop: I32
    urideturns: I32
    umortality: I32
    ugrave_arise: I32
    weapon_slots: I32
    skills_advanced: I32
    initrole: I32
    initrace: I32
    initgend: I32
    initalign: I32
    upantheon: I32
    ustuck: U32
    usteed: U32
    ux: I8
    uy: I8
    tx: I8
    ty: I8
    ux0: I8
    uy0: I8
    dnum: I8
    dlevel: I8
    compatibility: Annotated[bytes, "3s"]
    umoved: I8
    alignment: I8
    base_alignment: I8
    original_alignment: I8
    uluck: I8
    moreluck: I8
    uhitinc: I8
    udaminc: I8
    uac: I8
    uspellprot: U8
    usptime_stored: U8
    uspmtime: I8
    twoweap: I8
    bashmsg: I8
    moveamt: I8
    padding: Annotated[bytes, "511s"]
    ever_extrinsic: Annotated[bytes, "9s"]
    ever_intrinsic: Annotated[bytes, "9s"]
    ever_temporary: Annotated[bytes, "9s"]
    busy_raw: Annotated[bytes, "256s"]
    urooms: Annotated[bytes, "5s"]
    urooms0: Annotated[bytes, "5s"]
    uentered: Annotated[bytes, "5s"]
    ushops: Annotated[bytes, "5s"]
    ushops0: Annotated[bytes, "5s"]
    ushops_entered: Annotated[bytes, "5s"]
    ushops_left: Annotated[bytes, "5s"]
    macurr_raw: Six
    mamax_raw: Six
    acurr_raw: Six
    aexe_raw: Six
    abon_raw: Six
    amax_raw: Six
    atemp_raw: Six
    atime_raw: Six
    skill_record: Annotated[bytes, "60s"]
    name_raw: Annotated[bytes, "32s"]
    conducts_raw: Annotated[bytes, "128s"]
    intrinsics_raw: Annotated[bytes, "276s"]
    skills_raw: Annotated[bytes, "160s"]
    quest_flags: U32
    quest_leader: U32
    killers: tuple[str, ...]
    lastinvnr: int
    intrinsics: tuple[int, ...]
    relative: int


class You(_Record):
    """The hero, with the game's field names; positions on the map are columns 0 to 78 and rows 0 to 20.

    `umonster` is the species of the hero's own form, `umonnum` that of the current one; they differ while polymorphed.
    `ustuck` and `usteed` are ids of monsters, 0 for none.  `dnum` and `dlevel` are the level.  `intrinsics` has a word
    for each property by number: its low 24 bits are a timer, 24 is the role, 25 the race, 26 from outside, 28 special.
    `killers` are the reasons of death for stoning, sliming, illness and genocide.  Counters were stored relative to
    `relative`.
    """

    __slots__ = ()

    swallowed = Bit("yflags", 31)
    in_water = Bit("yflags", 30)
    undetected = Bit("yflags", 29)
    mfemale = Bit("yflags", 28)
    invulnerable = Bit("yflags", 27)
    buried = Bit("yflags", 26)
    edibility = Bit("yflags", 25)
    welcomed = Bit("yflags", 24)
    sick_type = Bits("yflags", 22, 23)
    female = Bit("yflags", 21)

    @property
    def name(self) -> str:
        """The hero's name."""
        return text(self.name_raw)

    @property
    def busy(self) -> str:
        """The hero's occupation, in the game's words."""
        return text(self.busy_raw)

    @property
    def polymorphed(self) -> bool:
        """Whether the hero is polymorphed."""
        return self.umonnum != self.umonster

    @property
    def utrap(self) -> int:
        """The number of turns that the hero stays in a trap of the kind `utraptype`; 0 if not trapped."""
        return self._counter(self.utrap_stored)

    @property
    def uhunger(self) -> int:
        """The nutrition left."""
        return self._counter(self.uhunger_stored)

    def _counter(self, stored: int) -> int:
        return signed(unrotated(stored & 0xFFFFFFFF, 32, self.relative))

    @property
    def acurr(self) -> Attributes:
        """The current attributes, without temporary changes."""
        return _six(self.acurr_raw)

    @property
    def abon(self) -> Attributes:
        """The bonuses to the attributes from items."""
        return _six(self.abon_raw)

    @property
    def atemp(self) -> Attributes:
        """The temporary changes of the attributes."""
        return _six(self.atemp_raw)


YOU: Final = Layout(You, 1783)
_FIQHACKS: Final = Layout(
    You,
    1498,
    tuple(
        (field, fiqhack.HERO_REPLACED.get(field, code))
        for field, code in YOU.fields
        if field not in fiqhack.HERO_MISSING
    ),
)
_LAYOUTS: Final = {NETHACK4: YOU} | dict.fromkeys(FIQHACKS, _FIQHACKS)
_KILLER_AT: Final = {NETHACK4: YOU.size} | dict.fromkeys(FIQHACKS, _FIQHACKS.offset("padding"))
"""Where in the record a killer's name stands; at its end, for none."""
_INTRINSICS_AT: Final = YOU.offset("intrinsics_raw")


def _six(raw: bytes) -> Attributes:
    return Attributes._make(_ATTRIBUTES.unpack(raw))


class YouParts(NamedTuple):
    """Where the hero's record is, in two pieces, and the killers' names, and the number that ends the section."""

    at: int
    record: tuple[slice, slice]
    killers: tuple[slice, ...]
    lastinvnr: int


def skip_you(cursor: Cursor) -> YouParts:
    """Move the cursor over the hero; raises :class:`BadSave`."""
    size, first = _LAYOUTS[cursor.edition].size, _KILLER_AT[cursor.edition]
    at = cursor.skip(first, _SECTION)
    if first < size:
        cursor.rows(1, _KILLER)
    rest = cursor.skip(size - first, _SECTION)
    killers = tuple([cursor.rows(1, killer) for killer in _KILLERS])
    pieces = slice(at, at + first), slice(rest, rest + size - first)
    return YouParts(at, pieces, killers, cursor.signed("you: last inventory letter"))


def passed_of_you(parts: YouParts) -> tuple[slice, ...]:
    """What :func:`skip_you` passes over without a look, in its order."""
    return *parts.record, *parts.killers


def read_you(data: bytes, parts: YouParts, relative: int, edition: str = NETHACK4) -> You:
    """Read the hero at the ranges from `skip_you`; `relative` is what the counters were stored relative to."""
    at = parts.at
    killers = tuple(text(data[killer]) for killer in parts.killers)
    first, rest = parts.record
    raw = data[first] + data[rest]
    intrinsics = _INTRINSICS.unpack_from(raw, _INTRINSICS_AT) if edition == NETHACK4 else ()
    you: You = _LAYOUTS[edition].extended(raw, 0, killers, parts.lastinvnr, intrinsics, relative)
    for field, allowed in _CHECKED.items():
        value = getattr(you, field)
        if value not in allowed:
            check(value, allowed, f"you: {field}", at)
    if you.utrap:
        check(you.utraptype, _TRAPS, "you: utraptype", at)
    numbers = numbers_of(edition)
    own = numbers.one_of(you.umonster, "you: umonster", at)
    current = numbers.one_of(you.umonnum, "you: umonnum", at)
    return you if edition == NETHACK4 else you._replace(umonster=own, umonnum=current)


def with_body(you: You, body: Body, relative: int) -> You:
    """FIQHack's hero with what that stores in the hero's record as a monster, in NetHack 4's terms.

    `relative` is what the timers were stored relative to.  There are a few more properties than NetHack 4 has.
    """
    intrinsics = [
        unrotated(body.timer(number), _TIMER_BITS, relative) | body.is_lasting(number) << _OUTSIDE
        for number in range(body.properties)
    ]
    for role, level, number in fork()["experience"]:
        intrinsics[number] |= (role == you.initrole and level <= you.ulevel) << _OF_ROLE
    strength, *others = you.acurr_raw
    acurr = bytes((strength + _HUNDREDTHS if strength in _ABOVE_18 else strength, *others))
    return you._replace(uen=body.pw, uenmax=body.pwmax, uac=_BARE, intrinsics=tuple(intrinsics), acurr_raw=acurr)
