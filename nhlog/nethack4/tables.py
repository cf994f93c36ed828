"""The names, numbers and symbols of NetHack 4.3.0, extracted from the game (licence: ``tables.LICENSE``).

What a fork has besides is numbered behind NetHack 4's own, so that a number means the same whichever engine wrote it.
Constant data, read once, on first use.
"""

from functools import cache
from typing import Any, Final

from nhlog.values import NamedTuple

__all__ = [
    "KIND",
    "Artifact",
    "Class",
    "Kind",
    "Race",
    "Role",
    "Species",
    "artifacts",
    "fork",
    "kinds",
    "kinds_named",
    "races",
    "roles",
    "species",
    "table",
]


class Species(NamedTuple):
    """A species of monster; `letter` is the number of its class, `f1` to `f3`, `res` and `geno` are bit masks."""

    name: str
    tile: str
    symbol: str
    letter: int
    color: int
    level: int
    ac: int
    speed: int
    f1: int
    f2: int
    f3: int
    res: int
    size: int
    weight: int
    geno: int


class Kind(NamedTuple):
    """A kind of object before the game shuffles appearances; for those of a game see its class records.

    `look` is the unidentified appearance (None: the name), `sub` a subtype or skill, `uses_known` whether there is more
    to know of it than its name.
    """

    name: str
    look: str | None
    tile: str
    cls: int
    symbol: str
    color: int
    material: int
    weight: int
    sub: int
    prop: int
    charged: int
    merge: int
    uses_known: int
    unique: int
    ac: int
    can: int
    bulk: int
    cost: int


class Class:
    """Object classes by number (perception spec section 1.1)."""

    WEAPON: Final = 2
    ARMOR: Final = 3
    RING: Final = 4
    AMULET: Final = 5
    TOOL: Final = 6
    FOOD: Final = 7
    POTION: Final = 8
    SCROLL: Final = 9
    SPELLBOOK: Final = 10
    WAND: Final = 11
    COIN: Final = 12
    GEM: Final = 13
    ROCK: Final = 14
    BALL: Final = 15
    CHAIN: Final = 16
    VENOM: Final = 17


class Role(NamedTuple):
    """A role: quest monsters by species, names, ranks (male, female if different) and gods (lawful to chaotic)."""

    leader: int
    guardian: int
    nemesis: int
    name: str
    name_female: str | None
    file: str
    male: int
    female: int
    ranks: tuple[tuple[str, str | None], ...]
    gods: tuple[str, ...]


class Race(NamedTuple):
    """A race; `male` and `female` are species, -1 for none."""

    noun: str
    adjective: str
    file: str
    male: int
    female: int
    attrmax: tuple[int, ...]


class Artifact(NamedTuple):
    """An artifact and the properties it gives when worn or wielded, carried, invoked; and the f2 mask it warns of."""

    name: str
    worn: tuple[int, ...]
    carry: tuple[int, ...]
    invoked: int
    warns_of: int


def _read(name: str) -> dict[str, Any]:
    import json  # what asks for no name needs neither
    from pkgutil import get_data

    tables: dict[str, Any] = json.loads(get_data("nhlog.nethack4", name) or b"")
    return tables


@cache
def _tables() -> dict[str, Any]:
    return _read("tables.json")


@cache
def fork() -> dict[str, Any]:
    """FIQHack's tables: our numbers by its own, the rows of what NetHack 4 does not have or has otherwise, and the
    properties that heroes gain with experience (role, level, property)."""
    return _read("fiqhack.json")


def table(name: str) -> Any:
    """A table as it is in the file; raises :class:`KeyError` if there is none."""
    return _tables()[name]


@cache
def species() -> tuple[Species, ...]:
    """All species by number; the forks' own come last."""
    keys = ("n", "tile", "sym", "let", "col", "lvl", "ac", "spd", "f1", "f2", "f3", "res", "size", "wt", "geno")
    return tuple(Species(*map(row.__getitem__, keys)) for row in (*table("monsters"), *fork()["more_species"]))


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds of objects by number; the forks' own come last."""
    keys = (
        *("n", "d", "tile", "cls", "sym", "col", "mat", "wt", "sub", "prop", "chg", "merge", "uses", "uniq"),
        *("ac", "can", "bulk", "cost"),
    )
    return tuple(Kind(*map(row.__getitem__, keys)) for row in (*table("objects"), *fork()["more_kinds"]))


class _Kinds(dict[str, int]):
    """The numbers of kinds by name; only for names that are unique."""

    def __missing__(self, name: str) -> int:
        self[name] = next(number for number, kind in enumerate(kinds()) if kind.name == name)
        return self[name]


KIND: Final = _Kinds()


def kinds_named(*names: str) -> frozenset[int]:
    """The numbers of the kinds that have these names."""
    return frozenset(KIND[name] for name in names)


@cache
def roles() -> tuple[Role, ...]:
    """All roles by number."""
    keys = ("ldr", "guard", "nem", "m", "f", "file", "male", "female")
    return tuple(
        Role._make((*map(row.__getitem__, keys), tuple(map(tuple, row["ranks"])), tuple(row["gods"])))
        for row in table("roles")
    )


@cache
def races() -> tuple[Race, ...]:
    """All races by number."""
    return tuple(
        Race(row["noun"], row["adj"], row["file"], row["male"], row["female"], tuple(row["attrmax"]))
        for row in table("races")
    )


@cache
def artifacts() -> dict[int, Artifact]:
    """All artifacts by number; they are numbered from 1."""
    return {
        int(number): Artifact(
            row["name"], tuple(row["worn"]), tuple(row["carry"]), row.get("inv", 0), row.get("warnm2", 0)
        )
        for number, row in table("artifact_props").items()
    }
