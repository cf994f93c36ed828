"""Draw a square as the engine's curses client does (perception spec section 3).

A cell depends only on the square's layers and the level's substitutions, with the client's default options. What the
client cannot mark is bold: monsters that the hero imagines.

FIQHack's client has tiles of its own, few enough to be listed with its other numbers; which edition's are drawn is one
more substitution of the level.  It tells piles of objects, and the brand of a pet is drawn over that of a monster that
was detected.  The inside of the Wizard's Tower has colours of its own in its later edition.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final

from nhlog.nethack4.save.wire import FIQHACK_21, FIQHACKS
from nhlog.nethack4.tables import fork, kinds, species, table
from nhlog.screen import Cell, Glyph, Style
from nhlog.values import NamedTuple

__all__ = ["WARNINGS", "Brand", "Flag", "Square", "draw", "substitutions"]


class Flag:
    """The bits of what is known of the monster on a square; the last is not the engine's: the monster is imagined."""

    TAME: Final = 1
    RIDDEN: Final = 2
    DETECTED: Final = 4
    WARNING: Final = 8
    PEACEFUL: Final = 16
    IMAGINED: Final = 32


class Brand:
    """The bits of what is known of a square besides its contents."""

    STEPPED: Final = 1
    LOCKED: Final = 2
    UNLOCKED: Final = 4
    TRAPPED: Final = 8
    UNTRAPPED: Final = 16
    SEEN: Final = 32
    LIT: Final = 64
    TEMPORARILY_LIT: Final = 128
    PILE: Final = 256
    TOWER: Final = 512


class Square(NamedTuple):
    """The layers of one square, as the engine passes them to its client (save spec section 5); 0 is nothing."""

    bg: int = 0
    trap: int = 0
    obj: int = 0
    obj_mn: int = 0
    invis: int = 0
    mon: int = 0
    monflags: int = 0
    branding: int = 0
    effect: int = 0


_SPECIES: Final = len(species())
WARNINGS: Final = _SPECIES + 1  # layer values from here on are digits
_CORRIDOR, _FLOOR = 13, 14
_STONE: Final = 1
_NO_TILE: Final = 1 << 30  # above all numbers
_CLOSED_DOORS: Final = (24, 25)
_UNBRANDED_TRAPS: Final = (15, 18)  # vibrating square, magic portal
_STAIRS: Final = range(28, 34)  # and ladders: no piles are marked there
_TRAPPED_TILE, _PILE_TILE = 3, 4  # of general brands
_STATUES: Final = {"corpse": ("%", None), "statue": ("`", 7), "figurine": ("(", 7)}  # glyph, and colour if not its own
_FIRST_REPLACED: Final = 43  # tiles from here on look plain on the Rogue level
_STATUE: Final = "`"
_SWALLOWED: Final = 1  # kind of effect
_START: Final = ord("?") | 1 << 21
_GRAY: Final = 7 << 21
_DISTURBED: Final = {8: 4, 4: 6, 6: 2, 2: 3, 3: 1, 1: 5, 9: 13, 12: 13, 11: 9, 15: 11}
_DISTURBED_OTHERS: Final = 3
_BLACK, _DARK_GRAY = 0, 8

_CHAR: Final = 0x1FFFFF
_FG: Final = 31 << 21
_BG: Final = 15 << 26
_UNDERLINE: Final = 3 << 30
_KEEP_FG: Final = 16 << 21
_DISTURB_FG: Final = 17 << 21
_KEEP_BG: Final = 8 << 26
_KEEP_UNDERLINE: Final = 2 << 30


Pictures = tuple[tuple[int, int], ...]
"""Pictures, each with the substitutions that it is for, those for the most first."""
Tiles = dict[tuple[str, int], tuple[Pictures, int | None]]
"""By kind and number of a tile its pictures for certain substitutions, and the basic one (None: NetHack 4's)."""
_AS_NETHACK4: Final[tuple[Pictures, int | None]] = (), None
_NO_TILES: Final[Tiles] = {}


@cache
def substitution(name: str) -> int:
    """The bit of a substitution, by its name in the tables."""
    names: list[str] = table("subs")
    return 1 << [*names, *FIQHACKS, "secondary"].index(name)


def substitutions(names: Sequence[str]) -> int:
    """The bits of several substitutions."""
    return sum(map(substitution, set(names)))


@cache
def _editions() -> int:
    """The bits of FIQHack's editions, of which a level has at most one."""
    return substitutions(FIQHACKS)


class Tileset:
    """The pictures of one symbol set: for each tile a basic one, and others for certain substitutions."""

    def __init__(self, name: str) -> None:
        pictures: dict[str, list[Any]] = table(name)
        self._base: list[int] = pictures["base"]
        self._others: dict[int, list[tuple[int, int]]] = {}
        for tile, wanted, picture in sorted(pictures["bg_sub"] + pictures["exceptions"], reverse=True):
            self._others.setdefault(tile, []).append((wanted, picture))
        self._tiles: dict[str, tuple[int, int]] = table("tileseq")
        self._forks = {substitution(edition): _own(edition, name) for edition in FIQHACKS}

    def picture(self, kind: str, number: int, surroundings: int) -> int:
        """The picture of tile `number` of a kind: the one for the most of the substitutions in `surroundings`."""
        first, count = self._tiles[kind]
        tile = first + number if number < count else _NO_TILE
        own, base = self._forks.get(surroundings & _editions(), _NO_TILES).get((kind, number), _AS_NETHACK4)
        for wanted, picture in chain(own, self._others.get(tile, ())):
            if not wanted & ~surroundings:
                return picture
        if base is None:
            base = _plain(kind, number) if tile == _NO_TILE else self._base[tile]
        if kind == "mon":
            for name, (glyph, color) in _STATUES.items():
                if surroundings & substitution(name):
                    return self._statue(base, glyph, color, surroundings)
        if surroundings & substitution("rogue") and tile >= _FIRST_REPLACED:
            return base & _CHAR | _GRAY
        return base

    def _statue(self, picture: int, glyph: str, color: int | None, surroundings: int) -> int:
        coloured = color is None or (glyph == _STATUE and surroundings & substitution(FIQHACK_21))
        fg = picture & _FG if coloured else (color or 0) << 21
        if surroundings & substitution("rogue"):
            return ord(":") | fg | _KEEP_BG | _KEEP_UNDERLINE if color is None else ord(glyph) | _GRAY
        return ord(glyph) | fg | _KEEP_BG | _KEEP_UNDERLINE


def _plain(kind: str, number: int) -> int:
    """The picture of what a client has no tile for, as of another's: the symbol of its class."""
    row = species()[number] if kind == "mon" else kinds()[number]
    return ord(row.symbol) | row.color << 21 | _KEEP_BG | _KEEP_UNDERLINE


def _own(edition: str, name: str) -> Tiles:
    """The tiles of an edition of FIQHack's whose pictures differ from NetHack 4's."""
    which = _SETS.index(name)
    found: Tiles = {}
    for kind, number, wanted, *pictures in fork()["editions"][edition]["tiles"]:
        others, base = found.get((kind, number), _AS_NETHACK4)
        if wanted:
            others = (*others, (substitutions(wanted), pictures[which]))
        else:
            base = pictures[which]
        found[kind, number] = others, base
    return found


_SETS: Final = ("tileset_unicode", "tileset_ascii")


@cache
def _tileset(name: str) -> Tileset:
    return Tileset(name)


@lru_cache(maxsize=16384)
def draw(square: Square, level: int) -> Cell:
    """The cell of a square on a level with the substitutions `level`; it includes the picture of the ASCII tiles."""
    word = _composed(square, level, _tileset("tileset_unicode"))
    fg, bg = word >> 21 & 15, word >> 26 & 7
    if fg == _BLACK:
        fg = _DARK_GRAY
    if bg and fg == bg:
        fg = _BLACK
    char = chr(word & _CHAR)
    if not char.isascii():
        char = Glyph(char, chr(_composed(square, level, _tileset("tileset_ascii")) & _CHAR))
    return char, Style(fg=fg, bg=bg, bold=bool(square.monflags & Flag.IMAGINED), underline=bool(word >> 30 & 1))


def _composed(square: Square, level: int, tiles: Tileset) -> int:
    word = _START
    for picture in _pictures(square, level, tiles):
        word = _over(word, picture)
    return word


def _pictures(square: Square, level: int, tiles: Tileset) -> list[int]:
    """The pictures of the square's layers, the lowest first."""
    bg, branding = square.bg, square.branding
    lit = branding & (Brand.LIT | Brand.TEMPORARILY_LIT) or (branding & Brand.SEEN and bg != _CORRIDOR)
    here = level | substitution("lit" if lit else "unlit")
    if branding & Brand.TOWER:
        here |= substitution("secondary")

    def picture(kind: str, number: int, surroundings: int = here) -> int:
        return tiles.picture(kind, number, surroundings)

    found = [
        picture("bg", _CORRIDOR if bg == _CORRIDOR else _FLOOR),
        picture("bg", 0 if bg == _STONE else bg),
    ]
    if square.obj and branding & Brand.PILE and not square.mon and not square.trap and bg not in _STAIRS:
        found.append(picture("genbrand", _PILE_TILE))
    elif bg in _CLOSED_DOORS:
        found += [picture("genbrand", tile) for tile in (1, 2) if branding & (Brand.LOCKED, Brand.UNLOCKED)[tile - 1]]
    elif bg in (_CORRIDOR, _FLOOR) and branding & Brand.STEPPED:
        found.append(picture("genbrand", 0))
    if square.trap:
        found.append(picture("trap", square.trap - 1))
    if square.obj:
        kind = statue_kind(square.obj)
        if kind and 0 < square.obj_mn <= _SPECIES:
            found.append(picture("mon", square.obj_mn - 1, here | substitution(kind)))
        else:
            found.append(picture("obj", square.obj - 1))
    if square.invis:
        found.append(picture("invis", 0))
    if 0 < square.mon <= _SPECIES:
        found.append(picture("mon", square.mon - 1))
    elif square.mon:
        found.append(picture("warn", square.mon - WARNINGS))
    order = _BRANDS[::-1] if level & _editions() else _BRANDS
    brands = [_BRANDS.index(flag) for flag in order if square.monflags & flag]
    found += [picture("monbrand", brand) for brand in brands[-1:]]
    if (square.trap and square.trap not in _UNBRANDED_TRAPS) or branding & Brand.TRAPPED:
        found.append(picture("genbrand", _TRAPPED_TILE))
    if square.effect:
        number = square.effect - 1 & 0xFFFF
        swallowed = square.effect >> 16 == _SWALLOWED
        found.append(picture("swallow", number & 7) if swallowed else picture("effect", number))
    return found


_BRANDS: Final = (Flag.TAME, Flag.PEACEFUL, Flag.DETECTED)


@cache
def statue_kind(obj: int) -> str:
    """The substitution for an object that is drawn as its monster; empty for all others."""
    name = kinds()[obj - 1].name
    return name if name in _STATUES else ""


def _over(below: int, picture: int) -> int:
    """Combine two pictures; attributes that the upper one leaves open come from the lower one."""
    char = picture & _CHAR or below & _CHAR
    bg = below & _BG if picture & _KEEP_BG else picture & _BG
    underline = below & _UNDERLINE if picture & _KEEP_UNDERLINE else picture & _UNDERLINE
    fg = picture & _FG
    if fg == _DISTURB_FG:
        fg = _DISTURBED.get(below >> 21 & 31, _DISTURBED_OTHERS) << 21
    elif fg >= _KEEP_FG:
        fg = below & _FG
    return char | fg | bg | underline
