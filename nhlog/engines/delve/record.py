"""What the hero perceives, as plain values: the record of `nhlog state` (docs/delve.md)."""

from typing import Any

from nhlog.engines.delve.course.score import score_of
from nhlog.engines.delve.hero.options import options_of
from nhlog.engines.delve.perception import Played, describe, inventory, look, status
from nhlog.engines.delve.world.board import X, Y

__all__ = ["record"]


def record(game: Played) -> dict[str, Any]:
    """The record of hero, status, inventory, visible monsters, and the latest messages."""
    known = status(game)
    sight = look(game)
    hero = sight.hero
    return {
        "hero": {"name": known.who, "x": X[hero], "y": Y[hero], "attributes": dict(known.stats)},
        "status": {
            "place": known.place,
            "turn": known.turn,
            "hp": known.hp,
            "hp_max": known.hp_most,
            "pw": known.pw,
            "pw_max": known.pw_most,
            "armour": known.armour,
            "level": known.level,
            "points": known.points,
            "score": score_of(game.world),
            "depth": game.world.level.depth,
            "deepest": game.world.hero.deepest,
            "gold": known.gold,
            "words": list(known.conditions),
        },
        "inventory": [{"letter": row.letter, "caption": row.caption} for row in inventory(game) if row.letter],
        "monsters": [
            {"x": X[square], "y": Y[square], "name": describe(game, square)} for square in sorted(sight.figures)
        ],
        "options": options_of(game.world.hero),
        "messages": list(game.world.messages),
        "ending": game.world.ending,
    }
