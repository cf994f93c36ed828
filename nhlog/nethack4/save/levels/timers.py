"""Timers and light sources, on a level or everywhere (save spec section 3.2)."""

from typing import Final

from nhlog.nethack4.save.wire import I8, I16, I32, U8, U16, U32, Cursor, Layout, check
from nhlog.values import NamedTuple

__all__ = ["TIMER", "Light", "Timer", "walk_lights"]

_RANGES: Final = range(16)  # the discs that the game has


class Timer(NamedTuple):
    """An event in turn `timeout`; `arg` is an object's id if `kind` is 2, `function` 3 is burning."""

    id: U32
    timeout: U32
    arg: U32
    kind: I16
    function: U8
    needs_fixup: U8


class Light(NamedTuple):
    """A light source: an object (`type` 0) or a monster (1; id 0 is the hero); its place may be outdated."""

    type: I32
    range: I16
    flags: U16
    id: U32
    x: I8
    y: I8


TIMER: Final = Layout(Timer, 16)
_LIGHT: Final = Layout(Light, 14)


def walk_lights(cursor: Cursor, what: str) -> tuple[Light, ...]:
    """Read the light sources at the cursor; raises :class:`BadSave`."""
    rows = cursor.rows(_LIGHT.size, what)
    lights = _LIGHT.read_all(cursor.data[rows])
    for light, at in zip(lights, range(rows.start, rows.stop, _LIGHT.size), strict=True):
        check(light.range, _RANGES, f"{what}: range", at)
    return lights
