"""Real saves made over: what no sample has is written into the bytes where the spec says that it lies."""

import struct
from typing import Self

from nhlog.nethack4.perception.view import Perception, perceive
from nhlog.nethack4.save.chains import walk_monsters
from nhlog.nethack4.save.head import skip_head
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import Cursor
from nhlog.nethack4.tables import kinds, species, table
from tests.nethack4.saves import sample

__all__ = ["Edit", "kind_number", "species_number"]

OUTSIDE = 1 << 26  # the source of an intrinsic
INTRINSICS, LOCATION, ROWNO = 1339, 8, 21


def species_number(name: str) -> int:
    """A species by name."""
    return [kind.name for kind in species()].index(name)


def kind_number(name: str, cls: int | None = None) -> int:
    """A kind of objects by name, and by class where several have it."""
    return next(n for n, kind in enumerate(kinds()) if kind.name == name and cls in (None, kind.cls))


class Edit:
    """A save that is being made over; each step gives the same one back."""

    def __init__(self, data: bytes | None = None) -> None:
        self.data = bytearray(data or sample())

    @property
    def save(self) -> Save:
        return Save.parse(bytes(self.data))

    @property
    def seen(self) -> Perception:
        """What the hero perceives now."""
        return perceive(bytes(self.data))

    def _put(self, at: int, code: str, value: int) -> Self:
        struct.pack_into("<" + code, self.data, at, value)
        return self

    def _set_bits(self, at: int, code: str, bits: int) -> Self:
        old = struct.unpack_from("<" + code, self.data, at)[0]
        return self._put(at, code, old | bits)

    # the hero (save spec 2.3)

    @property
    def _you(self) -> int:
        return skip_head(Cursor(bytes(self.data))).you.at

    def you(self, offset: int, code: str, value: int) -> Self:
        """A field of the hero's record."""
        return self._put(self._you + offset, code, value)

    def yflag(self, bit: int) -> Self:
        return self._set_bits(self._you + 8, "I", 1 << bit)

    def form(self, name: str) -> Self:
        """Another form than the hero's own."""
        return self.you(56, "i", species_number(name)).you(60, "i", 9).you(64, "i", 20)

    def intrinsic(self, *names: str) -> Self:
        for name in names:
            self.you(INTRINSICS + 4 * table("props")[name], "I", OUTSIDE)
        return self

    def place(self, x: int, y: int) -> Self:
        return self.you(216, "B", x).you(217, "B", y)

    def disguised(self, kind: int, value: int) -> Self:
        """The hero's own record as a monster."""
        at = skip_head(Cursor(bytes(self.data))).monster_at
        return self._put(at + 65, "B", kind)._put(at + 68, "I", value)

    # monsters (3.5)

    def monster(
        self,
        name: str,
        x: int,
        y: int,
        flags: int = 0,
        number: int = 9000,
        called: str = "",
        extension: tuple[int, bytes] = (0, b""),
        **fields: int,
    ) -> Self:
        """One more monster on the hero's level, the first of its chain; `flags` are bits of its word of flags."""
        name_raw = called.encode() + b"\0" if called else b""
        record = bytearray(85)
        struct.pack_into(
            "<4shhiIii", record, 0, b"MON\0", len(name_raw), extension[0], species_number(name), number, 9, 9
        )
        struct.pack_into(
            "<hBBBBB", record, 52, species_number(name), x, y, 79, 21, species()[species_number(name)].level
        )
        struct.pack_into("<I", record, 72, flags)
        for field, value in fields.items():
            offset, code = FIELDS[field]
            struct.pack_into("<" + code, record, offset, value)
        at = self._monsters
        self._put(at, "I", struct.unpack_from("<I", self.data, at)[0] + 1)
        self.data[at + 4 : at + 4] = record + name_raw + extension[1]
        return self

    def alone(self) -> Self:
        """No monsters on the hero's level."""
        start = self._monsters
        del self.data[start + 4 : self._after_monsters]
        return self._put(start, "I", 0)

    def worm(self, *segments: tuple[int, int]) -> Self:
        """The segments of the long worm in slot 1, from the tail to the head."""
        at = self._after_monsters
        assert self.data[at : at + 4] == bytes(4)
        raw = struct.pack("<I", len(segments)) + bytes(part for segment in segments for part in segment)
        self.data[at : at + 4] = raw + bytes(4)
        return self

    @property
    def _after_monsters(self) -> int:
        cursor = Cursor(bytes(self.data), self._monsters - 4)
        walk_monsters(cursor, "monsters")
        return cursor.at

    @property
    def _monsters(self) -> int:
        """Where the number of the level's monsters lies."""
        parts = self.save.level.parts
        return self.data.index(b"MCHN", parts.locations_at) + 4

    def light(self, monster: int, reach: int) -> Self:
        """One more source of light that is on no level, a monster (0: the hero)."""
        lights = self.data.index(b"STAT") + 8
        lights += 4 + 16 * struct.unpack_from("<I", self.data, lights)[0]
        self._put(lights, "I", struct.unpack_from("<I", self.data, lights)[0] + 1)
        self.data[lights + 4 : lights + 4] = struct.pack("<ihHIbb", 1, reach, 0, monster, 0, 0)
        return self

    # dungeons (2.4)

    def special(self, number: int) -> Self:
        """Make the hero's level the special place of that number in the topology (2 is the Rogue level)."""
        here, at = self.save.here, self.data.index(b"DGN\0") + 4
        at += 4 + 55 * struct.unpack_from("<I", self.data, at)[0] + 2 * number
        return self._put(at, "b", here.dnum)._put(at + 1, "b", here.dlevel)

    def region(self, x: int, y: int, effect: int, *, ttl: int = 5, visible: int = 1) -> Self:
        """One more region, of one square."""
        at = self.data.index(b"REGI", self.save.level.parts.damage.stop) + 8
        self._put(at, "I", struct.unpack_from("<I", self.data, at)[0] + 1)
        place = bytes((x, y, x, y))
        head = place + struct.pack("<iiih", 0, effect, 0, 1) + place
        self.data[at + 4 : at + 4] = head + struct.pack("<h12xhBBBhh", ttl, 0, 0, 0, visible, 0, 0)
        return self

    # squares (3.1)

    def _square(self, x: int, y: int) -> int:
        return self.save.level.parts.locations_at + LOCATION * (x * ROWNO + y)

    def memory(
        self, x: int, y: int, bg: int = 14, trap: int = 0, obj: int = 0, obj_mn: int = 0, invis: int = 0
    ) -> Self:
        """What is remembered of a square."""
        return self._put(self._square(x, y), "I", bg << 26 | trap << 21 | obj << 11 | obj_mn << 2 | invis << 1)

    def terrain(self, x: int, y: int, typ: int, flags: int = 0, *, lit: bool = True) -> Self:
        at = self._square(x, y)
        self._put(at + 4, "B", typ)
        return self._put(at + 6, "H", flags << 11 | lit << 9 | lit << 8)

    def seen_from_everywhere(self, x: int, y: int) -> Self:
        return self._put(self._square(x, y) + 5, "B", 0xFF)

    # objects (3.6)

    def floor(
        self, name: str, x: int, y: int, cls: int, *, flags: int = 1 << 26, called: str = "", **fields: int
    ) -> Self:
        """One more object on the floor, on top; `flags` are bits of its word of flags."""
        at = self.data.index(b"OCHN", self._after_traps) + 4
        return self._add_object(at, name, x, y, cls, flags, called, 0, fields)

    def carry(self, name: str, cls: int, letter: str, *, flags: int = 7 << 25, called: str = "", **fields: int) -> Self:
        """One more object in the inventory."""
        at = self.data.index(b"OCHN", self.data.index(b"STAT")) + 4
        return self._add_object(at, name, 0, 0, cls, flags, called, ord(letter), fields)

    @property
    def _after_traps(self) -> int:
        return self.save.level.parts.traps.stop

    def _add_object(
        self, at: int, name: str, x: int, y: int, cls: int, flags: int, called: str, letter: int, fields: dict[str, int]
    ) -> Self:
        name_raw = called.encode() + b"\0" if called else b""
        record = bytearray(51)
        struct.pack_into("<4sIIiii", record, 0, b"OBJ\0", len(name_raw), 5000 + len(self.data), 1, 1, -1)
        struct.pack_into("<IhbbbBBB", record, 36, flags, kind_number(name, cls), x, y, 0, cls, letter, 0)
        for field, value in fields.items():
            offset, code = OBJECT_FIELDS[field]
            struct.pack_into("<" + code, record, offset, value)
        self._put(at, "I", struct.unpack_from("<I", self.data, at)[0] + 1)
        self.data[at + 4 : at + 4] = record + name_raw
        return self

    def trap(self, kind: int, x: int, y: int) -> Self:
        """One more trap."""
        rows = self.save.level.parts.traps
        self._put(rows.start - 4, "I", (rows.stop - rows.start) // 10 + 1)
        self.data[rows.start : rows.start] = struct.pack("<BBbbbbHh", x, y, 0, 0, 0, 0, kind << 11 | 1 << 10, 0)
        return self

    def known(self, name: str, cls: int | None = None) -> Self:
        """A kind of objects that is identified (the record's flags, bit 31)."""
        return self._set_bits(self.save.state.parts.classes[kind_number(name, cls)], "I", 1 << 31)


FIELDS = {
    "tame": (64, "b"),
    "disguise_kind": (65, "B"),
    "disguise": (68, "I"),
    "level": (58, "B"),
    "worn": (78, "I"),
    "wormno": (82, "B"),
}
OBJECT_FIELDS = {
    "quantity": (16, "i"),
    "species": (20, "i"),
    "worn": (32, "I"),
    "spe": (44, "b"),
    "artifact": (47, "B"),
}
