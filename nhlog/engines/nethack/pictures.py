"""What the numbers of NetHack's pictures (glyphs) mean, for who looks at a game without NetHack.

The names are in `pictures.json`, in NetHack's order.  A picture of a thing tells what it is, which the hero may not
know: so a name is told of those alone that look like what they are, and of others their kind.
"""

import json
import os
from bisect import bisect_right
from functools import cache
from typing import Any, Final

from nhlog.files import read_whole

__all__ = ["picture_words"]

_LARGEST: Final = 1 << 20  # bytes of the file

_RANGES: Final = (
    (0, "monsters", "{}"),
    (381, "monsters", "tame {}"),
    (762, "", "remembered, unseen monster"),
    (763, "monsters", "{}, detected"),
    (1144, "monsters", "{} corpse"),
    (1525, "monsters", "{}, ridden"),
    (1906, "objects", "{}"),
    (2359, "squares", "{}"),
    (2446, "", "explosion"),
    (2509, "", "beam"),
    (2541, "", "inside of a monster"),
    (5589, "", "warned of a monster"),
    (5595, "monsters", "statue of a {}"),
    (5976, "", ""),
)
"""Where each range of pictures begins (include/display.h of NetHack 3.6), whose names it has, and how they are told."""
_FIRSTS: Final = [first for first, _, _ in _RANGES]


def picture_words(glyph: int) -> str:
    """What a picture shows, in words; empty for a number that is none, and for what is nothing."""
    if glyph < 0:
        return ""
    first, names, words = _RANGES[bisect_right(_FIRSTS, glyph) - 1]
    return words.format(_tables()[names][glyph - first]) if names else words


@cache
def _tables() -> dict[str, Any]:
    path = os.path.splitext(__file__)[0] + ".json"
    tables: dict[str, Any] = json.loads(read_whole(path, _LARGEST))
    return tables
