"""What the hero of a save perceives, as plain values for `nhlog state` and other programs.

Includes nothing that the hero does not know, except the names that the game itself shows in its status rows.
"""

from typing import Any

from nhlog.nethack4.hero.body import ATTRIBUTES, attributes_of
from nhlog.nethack4.names.captions import Item
from nhlog.nethack4.perception.cells import WARNINGS, Flag
from nhlog.nethack4.perception.view import Perception
from nhlog.nethack4.tables import races, roles, species

__all__ = ["perception_record"]

Record = dict[str, Any]


def perception_record(perception: Perception) -> Record:
    """The record of hero, status, inventory, map and monsters."""
    save, status = perception.save, perception.status
    return {
        "hero": _hero(perception),
        "status": {
            "title": status.title,
            "hp": status.hp,
            "hp_max": status.hp_max,
            "pw": status.pw,
            "pw_max": status.pw_max,
            "defense": status.defense,
            "level": status.level,
            "place": status.place,
            "gold": status.gold,
            "score": status.score,
            "turn": status.turn,
            "words": [word for word, _ in status.words],
        },
        "inventory": [
            {
                "letter": item.letter,
                "caption": item.caption,
                "quantity": item.obj.quantity,
                "weight": item.obj.weight,
            }
            for item in perception.captions.inventory()
            if isinstance(item, Item)
        ],
        "map": {
            "dungeon": save.dungeons[save.here.dnum].name,
            "level": save.here.dlevel,
            "depth": save.dungeons.depth(save.here),
            "rows": perception.map().text(),
        },
        "monsters": _monsters(perception),
    }


def _hero(perception: Perception) -> Record:
    you = perception.save.you
    return {
        "name": you.name,
        "role": roles()[you.initrole].name,
        "race": races()[you.initrace].noun,
        "gender": "female" if you.female else "male",
        "form": species()[you.umonnum].name,
        "polymorphed": you.polymorphed,
        "x": you.ux,
        "y": you.uy,
        "attributes": dict(zip(map(str.lower, ATTRIBUTES), attributes_of(perception.save), strict=True)),
        "properties": sorted(name.lower().replace("_", " ") for name in perception.properties.held),
    }


def _monsters(perception: Perception) -> list[Record]:
    """The monsters that are shown, and the hero, by row and column."""
    you = perception.save.you
    found = [
        _monster(shown.x, shown.y, shown.mon, shown.how_seen, shown.flags) for shown in perception.monsters if shown.mon
    ]
    own = perception.squares[you.uy][you.ux]
    if perception.senses.of_self() and own.mon:
        found.append(_monster(you.ux, you.uy, own.mon, "self", own.monflags))
    return sorted(found, key=lambda monster: (monster["y"], monster["x"]))


def _monster(x: int, y: int, mon: int, how_seen: str, flags: int) -> Record:
    danger = mon - WARNINGS
    return {
        "x": x,
        "y": y,
        "name": f"warning {danger}" if danger >= 0 else species()[mon - 1].name,
        "how_seen": how_seen,
        "brand": "tame" if flags & Flag.TAME else "peaceful" if flags & Flag.PEACEFUL else "",
        "imagined": bool(flags & Flag.IMAGINED),
    }
