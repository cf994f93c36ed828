"""Where the saves of FIQHack differ from NetHack 4.3's: the orders of fields, sizes, and numbers.

There are two editions: branch 4.3.1 (2018), whose saves are of revision 18, and what came after it (from 2020 to 2024:
revision 21), with one kind of objects and one property more, and a chest whose contents belong to no level.

The modules of the sections have it in their tables, beside NetHack 4's.  What is not here is the same in both.
"""

from typing import Annotated, Final

from nhlog.nethack4.save.wire import FIQHACK_18, FIQHACK_21, I32, U8, Layout, Stored
from nhlog.values import NamedTuple

__all__ = [
    "BODY",
    "FRUITS",
    "HERO_MISSING",
    "HERO_REPLACED",
    "MONSTER",
    "MONSTER_FLAGS",
    "NO_IMAGE",
    "OBJECT",
    "REVISIONS",
    "SPELL",
    "Body",
]

REVISIONS: Final = {FIQHACK_18: 18, FIQHACK_21: 21}
"""The number of the layout, which a save has in its flags; others number kinds otherwise."""

_PROPERTIES: Final = {FIQHACK_18: 74, FIQHACK_21: 75}

NO_IMAGE: Final = 79

FRUITS: Final = 65536  # is added to the number of fruits


def _fields(text: str) -> Stored:
    return tuple((name, code) for name, _, code in (field.rpartition(":") for field in text.split()))


OBJECT: Final = _fields(
    """name_length:I id:I weight:i quantity:i corpsenm:i oeaten:i age:i owornmask:I flags:I
    otyp:h x:b y:b spe:b cls:b invlet:B artifact:B where:b timed:b has_contents:B
    :216x :4x"""
)
"""An object: `name_length` is whether more follows; then come its properties, what is reserved, and a monster's id."""

_MONSTER: Final = """name_length:h extension_type:h species_code:i id:I hp:i hpmax:i special:i traps_seen:I last_move:I
    strategy:B :2x eating:i migration:4s original_species:h x:B y:B :2x mux:B muy:B level:B align:b moveoffset:h
    tame:b disguise_kind:B frozen:B disguise:I fleetim_stored:B weapon_check:b worn:I wormno:B flags:I
    :{}x has_inventory:B has_weapon:B :3x"""
MONSTER: Final = {edition: _fields(_MONSTER.format(391 + 2 * number)) for edition, number in _PROPERTIES.items()}

MONSTER_FLAGS: Final = {31: 19, 24: 15, 22: 14, 17: 13, 16: 12, 15: 11, 13: 10, 12: 9, 9: 8, 8: 7, 7: 6, 6: 5, 0: 0}
"""The bits of a monster's flags by NetHack 4's."""


class Body(NamedTuple):
    """What FIQHack stores in a monster's record, the hero's too: its image, properties and power.

    Who sees a displaced monster sees it where its image is; without one the column is `NO_IMAGE`.  `timers` has 16 bits
    for each property that both editions have by number, `outside` one bit.
    """

    image_x: U8
    image_y: U8
    timers: Annotated[bytes, "148s"]
    outside: Annotated[bytes, "10s"]
    pw: I32
    pwmax: I32

    @property
    def properties(self) -> int:
        """The number of properties."""
        return len(self.timers) // 2

    def timer(self, number: int) -> int:
        """What is left of a property, as stored; 0 if it does not pass."""
        return int.from_bytes(self.timers[2 * number : 2 * number + 2], "little")

    def is_lasting(self, number: int) -> bool:
        """Whether it has a property for good."""
        return bool(self.outside[number // 8] >> number % 8 & 1)

    def has(self, number: int) -> bool:
        """Whether it has a property."""
        return bool(self.timer(number)) or self.is_lasting(number)


BODY: Final = {
    FIQHACK_18: Layout(
        Body, 617, _fields(":47x image_x:B image_y:B :25x timers:148s outside:10s :22x pw:i pwmax:i :355x")
    ),
    FIQHACK_21: Layout(
        Body, 619, _fields(":47x image_x:B image_y:B :25x timers:148s :2x outside:10s :22x pw:i pwmax:i :355x")
    ),
}

HERO_MISSING: Final = frozenset(
    ["uhitinc", "udaminc", "uac", "uspellprot", "usptime_stored", "uspmtime", "abon_raw", "intrinsics_raw"]
)
HERO_REPLACED: Final = {
    "moveamt": "b3x",
    "padding": "504s",
    "ever_extrinsic": "9sx",
    "ever_intrinsic": "9sx",
    "ever_temporary": "9sx",
    "skills_raw": "160s4x",
}
"""The hero's fields with other codes, and those that are not there; behind `moveamt` stands the reason of a death."""

SPELL: Final = (("knowledge_stored", "i"), ("otyp", "h"), ("level", "b4x"))
