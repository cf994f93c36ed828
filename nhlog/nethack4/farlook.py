"""What there is on a square, in the words of the game's farlook (perception spec section 5).

Told from what the client was given: memory, and monsters as they are perceived.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.nethack4.cells import WARNINGS, Flag, Square, statue_kind
from nhlog.nethack4.english import article, articled
from nhlog.nethack4.naming import Naming
from nhlog.nethack4.perception import Perception
from nhlog.nethack4.senses import Perceived
from nhlog.nethack4.tables import kinds, races, species, table

__all__ = ["describe"]

_FEARS: Final = ("worry", "concern", "anxiety", "disquiet", "alarm", "dread")
_NAMED_BY_SPECIES: Final = 0x80000  # f2: a proper name
_UNIQUE: Final = 0x1000  # geno
_SADDLE: Final = 1 << 14
_LONGEST: Final = 78
_ORDINARY: Final = ("normal vision",)


def describe(perception: Perception, x: int, y: int) -> str:
    """The parts of what is on a square, from the top down."""
    square = perception.squares[y][x]
    return "; ".join(_parts(perception, x, y, square))[:_LONGEST]


def _parts(perception: Perception, x: int, y: int, square: Square) -> Iterator[str]:
    if square.effect >> 16 == 1:
        swallower = species()[((square.effect - 1) & 0xFFFF) >> 3].name
        blind = "BLINDED" in perception.properties.held
        yield f"interior of {'a monster' if blind else articled(swallower)}"
        return
    if square.invis:
        yield "invisible monster"
    you = perception.save.you
    shown = next((shown for shown in perception.monsters if (shown.x, shown.y) == (x, y) and shown.mon), None)
    if (x, y) == (you.ux, you.uy) and perception.senses.of_self():
        yield _self(perception)
    elif shown is not None:
        yield _monster(perception, shown)
    if square.obj:
        yield _object(perception, square)
    if square.trap:
        yield str(table("traps")[square.trap - 1][1])
    yield str(table("bg_names")[square.bg])


def _self(perception: Perception) -> str:
    you = perception.save.you
    invisible = "invisible " if "INVIS" in perception.properties.held else ""
    race = "" if you.polymorphed else f"{races()[you.initrace].adjective} "
    return f"{invisible}{race}{species()[you.umonnum].name} called {you.name}"


def _monster(perception: Perception, shown: Perceived) -> str:
    if shown.mon >= WARNINGS:
        return f"unknown creature causing you {_FEARS[shown.mon - WARNINGS]}"
    monster, kind = shown.monster, species()[shown.mon - 1]
    keeper = monster.shopkeeper
    if keeper is not None and not monster.invisible:
        return keeper.name.lstrip("-_+|")
    words = "tame " if shown.flags & Flag.TAME else "peaceful " if shown.flags & Flag.PEACEFUL else ""
    words += "invisible " if monster.invisible else ""
    words += "saddled " if monster.worn & _SADDLE and "BLINDED" not in perception.properties.held else ""
    name = f"{words}{kind.name}" + (f" called {monster.name}" if monster.name else "")
    if not (kind.f2 & _NAMED_BY_SPECIES and not words):
        name = ("the " if kind.geno & _UNIQUE and not monster.name else article(name)) + name
    if (shown.x, shown.y) != (monster.x, monster.y):
        return f"tail of {name}"
    held = ", holding you" if monster.id == perception.save.you.ustuck else ""
    leashed = ", leashed to you" if monster.leashed else ""
    seen = "" if shown.senses == _ORDINARY else f" [seen: {', '.join(shown.senses)}]"
    return f"{name}{held}{leashed}{seen}"


def _object(perception: Perception, square: Square) -> str:
    """An object as it is remembered: by its looks, and its species where it has one."""
    kind = square.obj - 1
    what = statue_kind(square.obj)
    if what and 0 < square.obj_mn <= len(species()):
        of = species()[square.obj_mn - 1].name
        return f"{of} corpse" if what == "corpse" else f"{what} of {articled(of)}"
    if not kind:
        return "strange object"
    return Naming(perception.save).of_look(kind) or kinds()[kind].name
