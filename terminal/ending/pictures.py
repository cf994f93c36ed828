"""The picture of how a game ended: a tombstone, a victory, or a farewell.  All of it is ASCII, for any terminal."""

from collections.abc import Sequence
from typing import Final

from nhlog.formats.nhgame.replay import LEFT, WON
from nhlog.screen import width_of
from terminal.text.wrapping import wrapped

__all__ = ["picture"]

ROOM: Final = 25  # columns that are written on
LEAST: Final = 6  # rows that are

_STONE: Final = (
    (
        r"        _______________________        ",
        r"       /                       \       ",
        r"      /      REST IN PEACE      \      ",
        r"     /                           \     ",
    ),
    r"     | {} |     ",
    (
        r"    *|      *   *         *      |*    ",
        r" ____|__\|/_|__/\__(\/)___|__\|/_|____ ",
    ),
)
_FLAME: Final = (
    (
        r"                   )                   ",
        r"                  ) \                  ",
        r"                 / ) (                 ",
        r"                 \(_)/                 ",
        r"     .--------- VICTORY ---------.     ",
    ),
    r"     | {} |     ",
    (
        r"     '---------------------------'     ",
        r"                \_______/              ",
        r"           ______|_____|______         ",
    ),
)
_SIGN: Final = (
    (
        r"     .---------------------------.     ",
        r"     |         FAREWELL          |     ",
    ),
    r"     | {} |     ",
    (
        r"     '------------.-.------------'     ",
        r"                  | |                  ",
        r"            \|/   | |    ,             ",
        r" _____________|___|_|__\|/____________ ",
    ),
)


def picture(ending: str, lines: Sequence[str]) -> list[str]:
    """The rows of the picture for a game that ended like this, with `lines` written on it."""
    above, row, below = _FLAME if ending.startswith(WON) else _SIGN if ending.startswith(LEFT) else _STONE
    texts = [part for line in lines for part in wrapped(line, ROOM)]
    texts += [""] * (LEAST - len(texts))
    return [*above, *(row.format(_centred(text)) for text in texts), *below]


def _centred(text: str) -> str:
    room = ROOM - width_of(text)
    return " " * (room // 2) + text + " " * (room - room // 2)
