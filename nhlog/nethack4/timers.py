"""What runs out and what shines, on a level or everywhere (save spec section 3.2)."""

from typing import Final, NamedTuple

from nhlog.nethack4.wire import I8, I16, I32, U8, U16, U32, Layout

__all__ = ["LIGHT", "TIMER", "Light", "Timer"]


class Timer(NamedTuple):
    """Something that happens in turn `timeout`: `arg` is an object's id where `kind` is 2; `function` 3 is its burning."""

    id: U32
    timeout: U32
    arg: U32
    kind: I16
    function: U8
    needs_fixup: U8


class Light(NamedTuple):
    """A source of light: an object (`type` 0) or a monster (1; id 0 is the hero); its place may be an old one."""

    type: I32
    range: I16
    flags: U16
    id: U32
    x: I8
    y: I8


TIMER: Final = Layout(Timer, 16)
LIGHT: Final = Layout(Light, 14)
