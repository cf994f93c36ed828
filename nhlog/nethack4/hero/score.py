"""The score: what the game computes when it ends in the state of a save (perception spec section 4.1).

The status rows show it as if the hero died now.  Integers only; logarithms are scaled by 1024.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import isqrt
from typing import Final

from nhlog.nethack4.save.kinds import classes_in
from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.state import vitals_in
from nhlog.nethack4.tables import Class, kinds, kinds_named

__all__ = ["DIED", "deepest_of", "score_of"]

DIED: Final = "died"
_SURVIVAL: Final = {"quit": 90, "escaped": 100, "ascended": 200}  # percent of the points, by the ending's first word
_DEATH: Final = 80
_SAVED: Final = ("escaped", "ascended")  # endings in which valuables count

_FULL: Final = 900_000_000  # the square of what a complete achievement is worth
_MOST_GOLD: Final = 30000
_FIRST_TURNS: Final = 2000  # that cost nothing
_LEVELS: Final = 29
_SQUARE_LIMIT: Final = 3_037_000_499  # beyond it a square would not fit 64 bits
_SIEGE: Final = kinds_named("Bell of Opening", "Book of the Dead", "Candelabrum of Invocation")
_FIRST_STONE: Final = min(kinds_named("luckstone"))  # gems and worthless glass come before it
_PRICES: Final = (  # of the artifacts, from the first on
    *(4000, 8000, 4000, 1500, 300, 2000, 800, 3500, 3000, 3000, 500, 2500, 1500, 8000, 200, 200, 200, 4000, 1200),
    *(1500, 2500, 2500, 2500, 5000, 1500, 2500, 2000, 4000, 3500, 4500, 7000, 3500, 4000),
)


def score_of(save: Save, ending: str = DIED) -> int:
    """The score of a game that ends so, in the words of its log's second line; may be negative."""
    you = save.you
    how = ending.partition(" ")[0]
    terms = (
        min(_MOST_GOLD, _log(max(0, _gold(save.inventory) - you.umoney0) + 1)),
        _part(you.ulevel - 1, _LEVELS),
        _part(deepest_of(save) - 1, _sanctum_depth(save) - 1),
        _discoveries(save.state.class_bytes, save.context.edition),
        min(_MOST_GOLD, _log(1 + _valuables(save.inventory))) if how in _SAVED else 0,
        _log(1 + sum(map(_treasure, save.inventory))),
        _kills(save.state.parts.mvitals, save.context.edition),
        _log(_FIRST_TURNS) - _log(max(save.moves, _FIRST_TURNS)),
    )
    total = sum(terms)
    return abs(total) * _SURVIVAL.get(how, _DEATH) // 100 * (1 if total >= 0 else -1)


def _part(value: int, whole: int) -> int:
    return isqrt(max(value, 0) * _FULL // whole) if whole > 0 else 0


@lru_cache(maxsize=1024)
def _log(value: int) -> int:
    if value <= 0:
        return -1024
    result, step = 0, 1024
    while value != 1:
        if value % 2 == 0 or step == 1 or value >= _SQUARE_LIMIT:
            value //= 2
            result += step
        else:
            value, step = value * value, step // 2
    return result


def _gold(objects: Iterable[Obj]) -> int:
    """The number of coins among the objects and in containers among them."""
    return sum((obj.quantity if obj.cls == Class.COIN else 0) + _gold(obj.contents) for obj in objects)


def deepest_of(save: Save) -> int:
    """The depth of the deepest level that was reached."""
    reached = [
        dungeon.depth_start + dungeon.dunlev_ureached - 1
        for dungeon in save.dungeons.all
        if dungeon.dunlev_ureached > 0
    ]
    return max(reached, default=1)


def _sanctum_depth(save: Save) -> int:
    return save.dungeons.depth(save.dungeons.topology.sanctum)


@lru_cache(maxsize=8)
def _discoveries(class_bytes: bytes, edition: str) -> int:
    """The part of the score for discoveries."""
    looks, classes = kinds(), classes_in(class_bytes, edition)
    hidden = [record for record in classes if not record.prediscovered and looks[record.descr_idx].look is not None]
    known = sum(record.name_known and not record.disclosed for record in hidden)
    return _part(known, len(hidden))


@lru_cache(maxsize=8)
def _kills(vitals: bytes, edition: str) -> int:
    """The part of the score for species of which one died."""
    return isqrt(
        sum(vital.died > 0 for vital in vitals_in(vitals, edition)) * _FULL // len(numbers_of(edition).species)
    )


def _valuables(objects: Iterable[Obj]) -> int:
    """The price of the amulets and gems among the objects and in containers among them, other than artifacts."""
    return sum(_price(obj) * obj.quantity + _valuables(obj.contents) for obj in objects)


def _price(obj: Obj) -> int:
    is_gem = obj.cls == Class.GEM and obj.otyp < _FIRST_STONE
    return kinds()[obj.otyp].cost if (is_gem or obj.cls == Class.AMULET) and not obj.artifact else 0


def _treasure(obj: Obj) -> int:
    if obj.artifact:
        return _PRICES[obj.artifact - 1] if obj.artifact <= len(_PRICES) else 0
    return kinds()[obj.otyp].cost if obj.otyp in _SIEGE else 0
