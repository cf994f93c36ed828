"""What NetHack tells of a game, as plain values: the record of `nhlog state` (docs/nethack.md)."""

from typing import Any

from nhlog.engines.nethack.save import Saved
from nhlog.engines.nethack.seen import Seen

__all__ = ["record"]

_ATTRIBUTES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
_ALIGNMENTS = {-1: "chaotic", 0: "neutral", 1: "lawful"}


def record(seen: Seen, saved: Saved, ending: str) -> dict[str, Any]:
    """The record of hero, status, inventory, map, screen and question, of the build, and of how the game ended."""
    status = seen.status
    x, y = seen.square
    yes_no, line, space = seen.asks
    column, row = seen.cursor
    return {
        "hero": {
            "x": x,
            "y": y,
            "attributes": dict(zip(_ATTRIBUTES, (status[3], *status[4:9]), strict=True)),
            "alignment": _ALIGNMENTS.get(status[26], "none"),
        },
        "status": {
            "place": seen.place,
            "turn": seen.turn,
            "hp": status[10],
            "hp_max": status[11],
            "pw": status[14],
            "pw_max": status[15],
            "armour": status[16],
            "level": status[18],
            "points": status[19],
            "score": status[9],
            "depth": status[12],
            "deepest": seen.deepest,
            "gold": status[13],
            "hunger": seen.hunger,
            "burden": seen.burden,
            "words": seen.conditions,
        },
        "inventory": [item._asdict() for item in seen.inventory],
        "message": seen.message,
        "asks": {"letter": yes_no, "line": line, "key": space},
        "screen": [chars for chars, _ in seen.rows],
        "cursor": {"x": column, "y": row},
        "map": seen.map,
        "glyphs": [list(numbers) for numbers in seen.glyphs],
        "keys": saved.keys,
        "build": saved.build.hex(),
        "ending": ending,
        "xlogfile": saved.line.decode("latin-1").rstrip("\n"),
    }
