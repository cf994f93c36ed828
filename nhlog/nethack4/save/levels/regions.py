"""Regions, such as gas clouds (save spec section 3.7)."""

import struct
from typing import Annotated, Final

from nhlog.nethack4.save.wire import I16, I32, U8, BadSave, Cursor, Layout, text
from nhlog.values import NamedTuple

__all__ = ["Rectangle", "Region", "walk_regions", "walk_timestamp"]

_MAGIC: Final = b"REGI"
_SECTION: Final = "regions"
_RECT: Final = 4
_MONSTER: Final = struct.Struct("<I")
_LENGTHS: Final = struct.Struct("<hh")


class Rectangle(NamedTuple):
    """A rectangle of squares by its first and last columns and rows, all included."""

    lx: U8
    ly: U8
    hx: U8
    hy: U8


class _Head(NamedTuple):
    bounds_raw: Annotated[bytes, "4s"]
    attached_monster: I32
    effect_id: I32
    arg: I32
    nrects: I16


class _Tail(NamedTuple):
    ttl: I16
    callbacks: Annotated[bytes, "12s"]
    n_monst: I16
    player_flags: U8
    attached_to_hero: U8
    visible: U8


class Region(NamedTuple):
    """A region; `ttl` is its remaining time (0 expired, negative forever), `monsters` are the ids of those inside."""

    bounds: Rectangle
    attached_monster: int
    effect_id: int
    arg: int
    rectangles: tuple[Rectangle, ...]
    ttl: int
    player_flags: int
    attached_to_hero: bool
    visible: bool
    monsters: tuple[int, ...]
    enter_message: str
    leave_message: str


_RECTANGLE: Final = Layout(Rectangle, _RECT)
_HEAD: Final = Layout(_Head, 18)
_TAIL: Final = Layout(_Tail, 19)
_SHORTEST: Final = _HEAD.size + _TAIL.size + _LENGTHS.size


def walk_timestamp(cursor: Cursor) -> int:
    """The turn in which the regions at the cursor were saved, as stored; raises :class:`BadSave`."""
    cursor.magic(_MAGIC, _SECTION)
    return cursor.word(_SECTION)


def walk_regions(cursor: Cursor) -> tuple[Region, ...]:
    """Read the regions after their timestamp; raises :class:`BadSave`."""
    return tuple(_walk_region(cursor) for _ in range(cursor.count(_SHORTEST, _SECTION)))


def _walk_region(cursor: Cursor) -> Region:
    head = cursor.record(_HEAD, _SECTION)
    rectangles = cursor.take(_RECT * _size(cursor, head.nrects), _SECTION)
    tail = cursor.record(_TAIL, _SECTION)
    monsters = cursor.take(_MONSTER.size * _size(cursor, tail.n_monst), _SECTION)
    enter, leave = _LENGTHS.unpack(cursor.take(_LENGTHS.size, _SECTION))
    return Region(
        _RECTANGLE.read(head.bounds_raw),
        head.attached_monster,
        head.effect_id,
        head.arg,
        _RECTANGLE.read_all(rectangles),
        tail.ttl,
        tail.player_flags,
        bool(tail.attached_to_hero),
        bool(tail.visible),
        tuple(number for (number,) in _MONSTER.iter_unpack(monsters)),
        text(cursor.take(_size(cursor, enter), _SECTION)),
        text(cursor.take(_size(cursor, leave), _SECTION)),
    )


def _size(cursor: Cursor, number: int) -> int:
    """Read a number; raises :class:`BadSave` if it is negative."""
    if number < 0:
        raise BadSave(f"{_SECTION}: number of parts", offset=cursor.at, expected="0 or more", found=number)
    return number
