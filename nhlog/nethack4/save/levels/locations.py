"""The squares of a level: their terrain, and what the hero remembers of them (save spec section 3.1).

Each property is a plane: one byte per square, column by column.  Planes are extracted from the save on access.
"""

from functools import cached_property, lru_cache
from struct import Struct
from typing import Final

from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.wire import NETHACK4, BadSave, check
from nhlog.values import NamedTuple

__all__ = ["ALTARS", "COLNO", "LOCATIONS_SIZE", "ROWNO", "Locations", "Memory", "remembered_in"]

COLNO: Final = 79
ROWNO: Final = 21
_SQUARES: Final = COLNO * ROWNO
_SQUARE: Final = 8  # bytes: u32 memory, i8 typ, u8 seenv, u16 flags
_TYP, _SEENV, _LOW, _HIGH = 4, 5, 6, 7
LOCATIONS_SIZE: Final = _SQUARES * _SQUARE
_MEMORY: Final = Struct("<I4x")
_REMEMBERED: Final = Struct("<I2xBB")  # the memory word and the bytes with the flags
_PILE: Final = 1  # in the first of them; only FIQHack sets it

_TYPES: Final = range(36)
_TRAPS: Final = range(24)

ALTARS: Final = (34, *range(55, 60))
"""The backgrounds that are altars: NetHack 4's, and those by alignment that FIQHack has."""

_FIRST_FOLDED: Final = 43
_FOLDED_DOORS: Final = {  # a remembered door with what is known of it: its background, lock known, trap known
    _FIRST_FOLDED + 3 * door + known: (22 + door, known != 1, known != 0) for door in range(4) for known in range(3)
}


def _bits(first: int, width: int) -> bytes:
    """A translation table from a byte to some of its bits."""
    return bytes(byte >> first & (1 << width) - 1 for byte in range(256))


_EDGE: Final = _bits(1, 1)
_ROOM: Final = _bits(2, 6)
_WASLIT: Final = _bits(0, 1)
_LIT: Final = _bits(1, 1)
_HORIZONTAL: Final = _bits(2, 1)
_FLAGS: Final = _bits(3, 5)


class Memory(NamedTuple):
    """What the hero remembers of a square.

    `trap` counts from 1; `obj` is a true kind + 1 and `obj_mn` a species + 1 (or 1 if it has no meaning); 0 is nothing.
    `bg` is the number of a background, with `lock_known` and `trap_known` for doors.
    """

    bg: int
    trap: int
    obj: int
    obj_mn: int
    invis: bool
    stepped: bool
    lock_known: bool
    trap_known: bool


class Locations:
    """The squares of one level; a plane's byte for a square is at ``x * ROWNO + y``, its row is ``plane[y::ROWNO]``."""

    def __init__(self, data: bytes, at: int, edition: str = NETHACK4) -> None:
        self._data, self._at, self._edition = data, at, edition

    @property
    def at(self) -> int:
        """Where they begin in the save."""
        return self._at

    def rows(self) -> list[bytes]:
        """All that is known of the squares, row by row, for :func:`remembered_in`."""
        columns = memoryview(self._data)[self._at : self._at + LOCATIONS_SIZE].cast("Q")
        return [columns[y::ROWNO].tobytes() for y in range(ROWNO)]

    def _plane(self, byte: int) -> bytes:
        return self._data[self._at + byte : self._at + LOCATIONS_SIZE : _SQUARE]

    @cached_property
    def typ(self) -> bytes:
        """The number of the terrain."""
        plane = self._plane(_TYP)
        if max(plane) not in _TYPES:
            square = next(square for square, typ in enumerate(plane) if typ not in _TYPES)
            check(plane[square], _TYPES, "terrain", self._at + square * _SQUARE + _TYP)
        return plane

    @cached_property
    def seenv(self) -> bytes:
        """The sides from which the square was seen, one of eight bits for each."""
        return self._plane(_SEENV)

    @cached_property
    def _low(self) -> bytes:
        return self._plane(_LOW)

    @cached_property
    def _high(self) -> bytes:
        return self._plane(_HIGH)

    @cached_property
    def flags(self) -> bytes:
        """A door's mask (1 broken, 2 open, 4 closed, 8 locked, 16 trapped), a wall's mode and so on."""
        return self._high.translate(_FLAGS)

    @cached_property
    def horizontal(self) -> bytes:
        """1 if a wall or door is horizontal."""
        return self._high.translate(_HORIZONTAL)

    @cached_property
    def lit(self) -> bytes:
        """1 if the square is lit."""
        return self._high.translate(_LIT)

    @cached_property
    def waslit(self) -> bytes:
        """1 if the square was lit when it was last seen."""
        return self._high.translate(_WASLIT)

    @cached_property
    def room(self) -> bytes:
        """The number of the room: 0 none, 1 shared by several, from 3 on the level's rooms."""
        return self._low.translate(_ROOM)

    @cached_property
    def edge(self) -> bytes:
        """1 if the square is at a room's edge."""
        return self._low.translate(_EDGE)

    @cached_property
    def memory(self) -> tuple[Memory, ...]:
        """The remembered squares, in the order of the planes."""
        words = [word for (word,) in _MEMORY.iter_unpack(self._data[self._at : self._at + LOCATIONS_SIZE])]
        try:
            known = {word: _remembered(word, self._edition) for word in set(words)}
        except BadSave as error:
            error.offset = self._at
            raise
        return tuple(map(known.__getitem__, words))


def remembered_in(row: bytes, edition: str = NETHACK4) -> list[tuple[Memory, int, int, int]]:
    """What the hero remembers of each square of a row, the square's flags, whether it was lit when last seen, and
    whether several objects were seen there.

    Raises :class:`BadSave`, whose offset is 0.
    """
    return [
        (_remembered(word, edition), _FLAGS[high], _WASLIT[high], low & _PILE)
        for word, low, high in _REMEMBERED.iter_unpack(row)
    ]


@lru_cache(maxsize=4096)
def _remembered(word: int, edition: str) -> Memory:
    """Decode a memory word; an error's offset is 0."""
    numbers, at = numbers_of(edition), 0
    bg, lock_known, trap_known = numbers.background(word >> 26, "remembered background", at), False, False
    if bg in _FOLDED_DOORS:
        bg, lock_known, trap_known = _FOLDED_DOORS[bg]
    kind, one = word >> 11 & 0x3FF, word >> 2 & 0x1FF
    return Memory(
        bg,
        check(word >> 21 & 0x1F, _TRAPS, "remembered trap", at),
        numbers.kind(kind - 1, "remembered object", at) + 1 if kind else 0,
        numbers.one_of(one - 1, "remembered species", at) + 1 if one else 0,
        bool(word & 2),
        bool(word & 1),
        lock_known,
        trap_known,
    )
