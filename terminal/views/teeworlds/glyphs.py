"""The look of each tile of a Teeworlds map: a character that identifies it without colour, and a style (spec 5).

One table per kind of layer, used for drawing and for the legend; must not import other views.
"""

from collections.abc import Iterable
from typing import Final

from nhlog.formats.datafile.terrain import CHECKPOINTS, FINISH, START
from nhlog.screen import PLAIN, Style
from nhlog.values import NamedTuple

__all__ = [
    "AIR",
    "GLYPHS",
    "HOOK",
    "HOOKABLE",
    "ICE",
    "KILL",
    "LETTER",
    "LETTERS",
    "OTHER",
    "RACE",
    "SOFT",
    "STEEL",
    "UNHOOKABLE",
    "WATER",
    "Glyph",
]

AIR, SOFT, UNHOOKABLE, HOOKABLE, LETTER = range(5)  # how much a tile matters where several share a cell


class Glyph(NamedTuple):
    """A tile's character and style, its meaning in words, and its priority (`AIR` to `LETTER`)."""

    char: str
    style: Style
    words: str
    rank: int = LETTER


_NOTHING: Final = Glyph(" ", PLAIN, "air", AIR)
_UNKNOWN: Final = Glyph("?", Style(dim=True), "something else", SOFT)

HOOK: Final = Style(fg=137)
STEEL: Final = Style(fg=246)
ICE: Final = Style(fg=117)
WATER: Final = Style(fg=32)
KILL: Final = Style(fg=203, bold=True)
RACE: Final = Style(fg=231, bold=True, underline=True)
LETTERS: Final = Style(fg=177, bold=True)
OTHER: Final = Style(fg=214)
_BOOST: Final = Style(fg=228)
_POWER: Final = Style(fg=150)
_ENTITY: Final = Style(fg=223, bold=True)

_GAME: Final = {
    0: _NOTHING,
    1: Glyph("█", HOOK, "hookable", HOOKABLE),
    2: Glyph("×", KILL, "death"),
    3: Glyph("▓", STEEL, "unhookable", UNHOOKABLE),
    4: Glyph("%", STEEL, "stops lasers", SOFT),
    5: Glyph("▒", _POWER, "hook passes", SOFT),
    6: Glyph("▒", _POWER, "hook passes", SOFT),
    7: Glyph("j", _POWER, "jump"),
    9: Glyph("≈", ICE, "freeze", SOFT),
    10: Glyph("E", LETTERS, "teleporter, cruel"),
    11: Glyph("~", WATER, "unfreeze", SOFT),
    12: Glyph("D", ICE, "deep freeze", SOFT),
    13: Glyph("d", WATER, "deep unfreeze", SOFT),
    14: Glyph("W", LETTERS, "weapon teleporter"),
    15: Glyph("H", LETTERS, "hook teleporter"),
    16: Glyph("w", _POWER, "wall jump"),
    17: Glyph("e", _POWER, "endless hook"),
    18: Glyph("e", STEEL, "no endless hook"),
    19: Glyph("b", _POWER, "hits"),
    20: Glyph("b", STEEL, "no hits"),
    21: Glyph("s", _POWER, "solo"),
    22: Glyph("s", STEEL, "no solo"),
    24: Glyph("o", OTHER, "switch opens"),
    25: Glyph("x", OTHER, "switch closes"),
    26: Glyph("T", LETTERS, "teleporter"),
    27: Glyph("t", LETTERS, "teleporter's exit"),
    28: Glyph("»", _BOOST, "speed-up", SOFT),
    29: Glyph("k", LETTERS, "teleporter's checkpoint"),
    30: Glyph("u", LETTERS, "checkpoint's exit"),
    31: Glyph("U", LETTERS, "to the checkpoint"),
    32: Glyph("J", _POWER, "jumps refilled"),
    START: Glyph("S", RACE, "start line"),
    FINISH: Glyph("F", RACE, "finish line"),
    **{index: Glyph(str((index - 34) % 10), RACE, "time checkpoint") for index in CHECKPOINTS},
    60: Glyph("|", OTHER, "one way", SOFT),
    61: Glyph("=", OTHER, "two ways", SOFT),
    62: Glyph("+", OTHER, "stopper", SOFT),
    63: Glyph("C", LETTERS, "to the checkpoint, cruel"),
    64: Glyph("|", OTHER, "one way", SOFT),
    65: Glyph("|", OTHER, "one way", SOFT),
    66: Glyph(":", _POWER, "all pass", SOFT),
    67: Glyph(":", _POWER, "one direction passes", SOFT),
    68: Glyph("&", WATER, "tune zone", SOFT),
    **dict.fromkeys((71, 72, 73, 74, 75), Glyph("!", _POWER, "rule of the map")),
    76: Glyph("!", _POWER, "team unlocked"),
    79: Glyph("$", KILL, "time added"),
    **dict.fromkeys((88, 89, 90, 91, 104, 105, 106, 107), Glyph("p", _POWER, "power on or off")),
    95: Glyph("$", RACE, "time taken off"),
    **dict.fromkeys((96, 97, 98, 99, 112, 113, 128, 129), Glyph("g", LETTERS, "teleporting weapons")),
    144: Glyph("D", ICE, "live freeze", SOFT),
    145: Glyph("d", WATER, "live unfreeze", SOFT),
    190: _NOTHING,
    191: _NOTHING,
    192: Glyph("^", RACE, "spawn"),
    193: Glyph("^", KILL, "red spawn"),
    194: Glyph("^", Style(fg=75, bold=True), "blue spawn"),
    195: Glyph("R", KILL, "red flag"),
    196: Glyph("B", Style(fg=75, bold=True), "blue flag"),
    197: Glyph("[", _ENTITY, "armour"),
    198: Glyph("♥", KILL, "health"),
    **{
        index: Glyph(")", _ENTITY, words)
        for index, words in zip(range(199, 203), ("shotgun", "grenade launcher", "ninja", "laser"), strict=True)
    },
    **dict.fromkeys(range(203, 220), Glyph("*", _ENTITY, "laser wall")),
    **dict.fromkeys(range(220, 240), Glyph("*", _ENTITY, "plasma or dragger")),
    240: Glyph("*", _ENTITY, "door"),
    **dict.fromkeys(range(241, 256), Glyph("*", _ENTITY, "laser wall")),
}
_SWITCHES: Final = {
    22: Glyph("o", OTHER, "switch opens for a while"),
    23: Glyph("x", OTHER, "switch closes for a while"),
}
_ARROWS: Final = ("→", "↘", "↓", "↙", "←", "↖", "↑", "↗")
_PUSHES: Final = {
    number: Glyph(arrow, _BOOST, f"pushes {words}")
    for number, (arrow, words) in enumerate(
        zip(
            _ARROWS,
            ("right", "down right", "down", "down left", "left", "up left", "up", "up right"),
            strict=True,
        ),
        1,
    )
}


def _table(rows: dict[int, Glyph], other: Glyph) -> tuple[Glyph, ...]:
    return tuple(rows.get(index, other) for index in range(256))


def _glyphs(known: Iterable[tuple[str, tuple[Glyph, ...]]]) -> dict[str, tuple[Glyph, ...]]:
    return dict(known)


_OF_GAME: Final = _table(_GAME, _UNKNOWN)

GLYPHS: Final = _glyphs(
    [
        *((kind, _OF_GAME) for kind in ("all", "game", "front", "tele", "tune", "lines")),
        ("switch", _table(_GAME | _SWITCHES, _UNKNOWN)),
        ("speedup", _table({0: _NOTHING, **_PUSHES}, _UNKNOWN)),
        ("tiles", _table({0: _NOTHING}, Glyph("▒", STEEL, "painted", SOFT))),
    ]
)
"""The glyphs of the 256 tiles, by the kind of a layer (`Grid.kind`)."""
