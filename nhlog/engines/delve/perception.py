"""What the hero perceives of a game, for drawing it and as a record: never more than the player may know.

Values only; nothing here changes the game.
"""

from typing import Any, Final, Protocol

from nhlog.engines.delve.combat.harm import threshold
from nhlog.engines.delve.course.arrival import place_name
from nhlog.engines.delve.course.score import score_of
from nhlog.engines.delve.hero.body import hunger_word
from nhlog.engines.delve.hero.options import options_of
from nhlog.engines.delve.items.using import spell_cost, spell_failure
from nhlog.engines.delve.maps import STYLE_NAMES
from nhlog.engines.delve.wire import read_level
from nhlog.engines.delve.wire.records import Cursor
from nhlog.engines.delve.world.board import X, Y
from nhlog.engines.delve.world.kinds import CLASSES, KINDS, UNTOLD
from nhlog.engines.delve.world.names import appearance, article, call_monster, caption, kind_name, letter_of, one_of
from nhlog.engines.delve.world.pack import has_ember
from nhlog.engines.delve.world.powers import POWERS, armour_class, has, strength
from nhlog.engines.delve.world.roles import ROLES
from nhlog.engines.delve.world.sight import notice, senses, spotted, visible_monsters
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import (
    ASLEEP,
    BLESSED,
    CURSED,
    FLEEING,
    HELD,
    KIND_MEMORY,
    TRAP_MEMORY,
    UNCURSED_KNOWN,
    WIELDED,
    WORN,
    World,
)
from nhlog.engines.delve.world.terrain import TERRAINS
from nhlog.engines.delve.world.traps import TRAPS
from nhlog.values import NamedTuple

__all__ = [
    "Figure",
    "Played",
    "Possession",
    "Sight",
    "Status",
    "attributes",
    "describe",
    "discoveries",
    "inventory",
    "look",
    "overview",
    "record",
    "status",
]


class Played(Protocol):
    """A game, of which only the world is needed."""

    @property
    def world(self) -> World:
        """The world of the game."""
        ...


class Figure(NamedTuple):
    """A monster or the hero on the map: symbol, colour (0 to 15), and whether it is seen or only sensed."""

    symbol: str
    color: int
    seen: bool


class Sight(NamedTuple):
    """The map as the hero knows it.

    `codes` has a byte for each square: 0 for nothing, from 1 on for terrain (`TERRAINS`), from 64 on for traps, from
    128 on for kinds of items.  `view` has an odd byte for each square that the hero sees now.
    """

    hero: int
    codes: bytes
    view: bytes
    figures: dict[int, Figure]


class Status(NamedTuple):
    """The values of the two status rows."""

    who: str
    stats: tuple[tuple[str, int], ...]
    alignment: str
    place: str
    gold: int
    hp: int
    hp_most: int
    pw: int
    pw_most: int
    armour: int
    level: int
    points: int
    turn: int
    conditions: tuple[str, ...]


class Possession(NamedTuple):
    """A row of the inventory; `letter` is empty for the heading of a class."""

    letter: str
    caption: str
    in_use: bool = False
    cursed: bool = False
    blessed: bool = False


def look(game: Played) -> Sight:
    """The map as the hero knows it now."""
    world = game.world
    if not world.view:
        notice(world)
    figures = {}
    for monster in visible_monsters(world):
        species = SPECIES[monster.species]
        figures[monster.square] = Figure(species.symbol, species.color, spotted(world, monster))
    return Sight(world.hero.square, bytes(world.level.memory), world.view, figures)


def describe(game: Played, at: int) -> str:
    """What the hero knows of a square, in words."""
    world = game.world
    if not world.view:
        notice(world)
    if at == world.hero.square:
        return f"{world.person.name} the {world.person.role}, that is you"
    monster = world.level.occupants.get(at)
    if monster is not None and not monster.disguise and (spotted(world, monster) or senses(world, monster)):
        name = call_monster(world, monster.species, seen=True, an=True)
        if not spotted(world, monster):
            return f"{name}, felt from afar"
        notes = [word for flag, word in _NOTES if monster.flags & flag]
        if monster.hp * 3 < monster.most:
            notes.append("badly hurt")
        elif monster.hp < monster.most:
            notes.append("hurt")
        return ", ".join((name, *notes))
    return _remembered(world, at)


_NOTES: Final = ((ASLEEP, "asleep"), (FLEEING, "fleeing"), (HELD, "holding on to you"))


def _remembered(world: World, at: int) -> str:
    code = world.level.memory[at]
    if not code:
        return "nothing that you know"
    if code >= KIND_MEMORY:
        kind = KINDS[code - KIND_MEMORY]
        text = "gold" if kind.name == "gold piece" else one_of(world.lore, code - KIND_MEMORY)
    elif code >= TRAP_MEMORY:
        text = article(TRAPS[code - TRAP_MEMORY].name)
    else:
        text = TERRAINS[code - 1].name
    return text if world.view[at] & 1 else f"{text}, as you remember it"


def status(game: Played) -> Status:
    """The values of the status rows."""
    world = game.world
    hero, person = world.hero, world.person
    titles = ROLES[person.role].titles
    title = titles[min((hero.level - 1) // 3, len(titles) - 1)]
    stats = (
        ("St", strength(world)),
        ("Dx", hero.dexterity),
        ("Co", hero.constitution),
        ("In", hero.intelligence),
        ("Wi", hero.wisdom),
        ("Ch", hero.charisma),
    )
    return Status(
        f"{person.name} the {title}",
        stats,
        person.alignment.capitalize(),
        place_name(world.level.depth),
        hero.gold,
        max(hero.hp, 0),
        hero.hp_most,
        hero.pw,
        hero.pw_most,
        armour_class(world),
        hero.level,
        hero.points,
        world.turn,
        tuple(_conditions(world)),
    )


def _conditions(world: World) -> list[str]:
    hero = world.hero
    words = [hunger_word(hero.nutrition)]
    for name, word in (
        ("blind", "Blind"),
        ("confused", "Conf"),
        ("poisoned", "Ill"),
        ("fast", "Fast"),
        ("floating", "Float"),
        ("stuck", "Stuck"),
        ("recall", "Stirring"),
    ):
        if getattr(hero, name):
            words.append(word)
    if any(monster.flags & HELD for monster in world.level.live()):
        words.append("Held")
    if has_ember(world):
        words.append("Ember")
    return [word for word in words if word]


def inventory(game: Played) -> list[Possession]:
    """The inventory, by class."""
    world = game.world
    rows = []
    for symbol, name in CLASSES.items():
        of_class = [
            (slot, item)
            for slot, item in enumerate(world.hero.pack)
            if item is not None and KINDS[item.kind].symbol == symbol
        ]
        if of_class:
            rows.append(Possession("", name))
        for slot, item in of_class:
            known = item.flags & UNCURSED_KNOWN
            rows.append(
                Possession(
                    letter_of(slot),
                    caption(world.lore, item),
                    bool(item.flags & (WIELDED | WORN)),
                    bool(known and item.flags & CURSED),
                    bool(known and item.flags & BLESSED),
                )
            )
    return rows


def discoveries(game: Played) -> list[tuple[str, list[str]]]:
    """The kinds that are identified or named, by class."""
    lore = game.world.lore
    found = []
    for symbol in UNTOLD:
        words = []
        for number, kind in enumerate(KINDS):
            if kind.symbol == symbol and lore.known[number]:
                words.append(f"{kind.name} ({appearance(lore, number)})")
            elif kind.symbol == symbol and number in lore.called:
                words.append(f"{kind_name(lore, number)} ({appearance(lore, number)})")
        if words:
            found.append((CLASSES[symbol], words))
    return found


def overview(game: Played) -> list[tuple[str, bool]]:
    """The visited levels, from the gate down, and whether the hero is there."""
    world = game.world
    rows = []
    for depth in sorted(world.order):
        here = depth == world.level.depth
        level = world.level if here else read_level(Cursor(world.stored[depth]))
        notes = [
            TERRAINS[code - 1].name.partition(" ")[2] for code in sorted(set(level.memory)) if _worth_telling(code)
        ]
        if level.grave:
            notes.append(f"bones of {level.grave}")
        rows.append((f"{place_name(depth)}  {STYLE_NAMES[level.style]}{': ' if notes else ''}{', '.join(notes)}", here))
    return rows


def _worth_telling(code: int) -> bool:
    return 0 < code <= len(TERRAINS) and TERRAINS[code - 1].name.endswith(("grave", "hearth", "spring", "valley"))


def attributes(game: Played) -> list[str]:
    """A description of the hero, in lines."""
    world = game.world
    hero, person = world.hero, world.person
    lines = [
        f"{person.name}, {person.alignment} {person.gender} {person.race} {person.role}",
        f"experience level {hero.level}, {hero.points} points; the next at {threshold(hero.level)}",
        f"{hero.kills} {'kill' if hero.kills == 1 else 'kills'}, deepest level {hero.deepest}, score {score_of(world)}",
    ]
    powers = [name for name in (*POWERS, "warding", "sensing") if has(world, name)]
    lines.append(f"powers: {', '.join(powers) if powers else 'none'}")
    for number, kind in enumerate(hero.spells):
        name = KINDS[kind].name.partition(" of ")[2]
        lines.append(f"spell {letter_of(number)} - {name}: {spell_cost(kind)} Pw, fails {spell_failure(world, kind)}%")
    if hero.rescued:
        lines.append(f"escaped death {hero.rescued} {'time' if hero.rescued == 1 else 'times'}")
    return lines


def record(game: Played) -> dict[str, Any]:
    """The record of `nhlog state` (docs/delve.md): hero, status, inventory, visible monsters, the latest messages."""
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
