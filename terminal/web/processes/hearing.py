"""What is read aloud of a terminal to a player who does not see it: what is new there, in words, and once.

One key may change the whole screen, and who hears all of that hears nothing.  What counts stands in another place in
each program, in one row or in several, and none of them says where.  So it is found as readers of terminals find it,
in the difference of two pictures:

- A *piece* is what stands in a row between three spaces, or between lines of a frame.  One of words that was nowhere
  on the screen is new.  One that has become longer is new where it has: what a program adds is read alone, and what
  one types is not read back letter by letter.
- What stands again where it stood some pictures ago was covered by a menu; not in the first row, where messages are.
- A map and a row of numbers are no words.  The page has a key that leads to them.
- What changes in its numbers alone is a clock, if no key was pressed, or if it is in a list.
- A row that is *lit*, by another background, is the chosen one of a list.  It is read when another one is lit, and
  first; what stands beside the list, outside of its columns, only explains it.  Of a whole new list, that row and the
  first row of the screen, a title, are read.
- If nothing is new after a key that changed something, and words stand in the first row, they were said again.

Rejected: the first row alone, which was read before (of three rows of messages it is one, and of lists none); the row
of the cursor (a roguelike's stands on the map, and our client hides its own); a sequence by which our client says what
it means (nothing of other programs would be read).
"""

import re
from collections import deque
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from nhlog.screen import Cell
from nhlog.values import NamedTuple
from nhlog.vt import Grid

__all__ = ["Hearing"]

_MOST: Final = 400  # characters that are read at a time
_FEW: Final = 8  # new pieces: with more of them the list is a new one
_EARLIER: Final = 8  # pictures: for so many keys a menu is over what stands there again when it is closed
_PIECE: Final = re.compile(r"[^\s\u2500-\u259f]+(?: {1,2}[^\s\u2500-\u259f]+)*")  # without lines and blocks of frames
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_NO_LETTERS: Final = re.compile(r"[\W\d_]+")
_MARKS: Final = " ▶►●>*"
"""What points to a chosen row."""


class _Piece(NamedTuple):
    """What stands in a row, from its column `x` up to the column `end`; about there, behind wide characters."""

    text: str
    x: int
    end: int
    y: int


class _Row(NamedTuple):
    """A row of a terminal: its cells, what stands in it, and what of that is lit."""

    cells: tuple[Cell, ...] = ()
    pieces: tuple[_Piece, ...] = ()
    lit: tuple[_Piece, ...] = ()


class Hearing:
    """The pictures of a terminal, one after the other, and what was heard of them."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []
        self._earlier: deque[set[_Piece]] = deque(maxlen=_EARLIER)
        self._typed = False

    def typed(self) -> None:
        """The player pressed a key."""
        self._typed = True

    def next(self, grid: Grid) -> str:
        """Have this picture as the newest; returns what is read aloud of it, empty for nothing."""
        before = self._rows
        olds = [*before, *[_Row()] * (len(grid.rows) - len(before))]
        rows = [
            old if old.cells == cells else _row(cells, y)
            for y, (cells, old) in enumerate(zip(grid.rows, olds, strict=False))
        ]
        told = self._new(rows, before) or self._again(rows, before)
        self._rows, self._typed = rows, False
        self._earlier.append({piece for row in rows[1:] for piece in row.pieces})
        return told if len(told) <= _MOST else f"{told[:_MOST].rpartition(' ')[0]} …"

    def _new(self, rows: list[_Row], before: list[_Row]) -> str:
        lit = [piece for row in rows for piece in row.lit]
        chosen_before = {self._chosen(piece) for row in before for piece in row.lit}
        chosen = [piece for piece in lit if self._chosen(piece) not in chosen_before]
        name = _placed if self._typed and not lit else _letters
        known = {name(piece) for row in before for piece in row.pieces}
        new = [piece for row in rows for piece in row.pieces if name(piece) not in known and _is_read(piece, row, lit)]
        if chosen and len(new) > _FEW:
            new = [piece for piece in new if piece.y == 0]
        covered = set().union(*self._earlier)
        new = [piece for piece in new if piece not in covered]
        new.sort(key=lambda piece: 2 * piece.x > len(rows[0].cells))  # a page over the right half behind the rest
        places = {(piece.x, piece.y): piece.text for row in before for piece in row.pieces}
        added = [_added(piece.text, places.get((piece.x, piece.y), "")) for piece in new]
        return "\n".join(dict.fromkeys([*map(_named, chosen), *filter(_is_words, added)]))

    def _chosen(self, piece: _Piece) -> tuple[str, int]:
        """What makes a lit row the same: after a key its place, too, as two may have one text."""
        return (_named(piece), piece.y) if self._typed else (_letters(piece), 0)

    def _again(self, rows: list[_Row], before: list[_Row]) -> str:
        """What stands in the first row, if a key had it said again."""
        first = rows[0]
        if (
            not (self._typed and before and first == before[0])
            or rows == before
            or all(map(_has_background, first.cells))
        ):
            return ""
        return " ".join(piece.text for piece in first.pieces if _is_words(piece.text))


def _named(piece: _Piece) -> str:
    return piece.text.strip(_MARKS)


def _placed(piece: _Piece) -> tuple[str, int]:
    """What makes a piece the same in rows that go up; a menu has other columns than what it says again."""
    return piece.text, piece.x


def _letters(piece: _Piece) -> str:
    return _NO_LETTERS.sub("", piece.text)


def _row(cells: tuple[Cell, ...], y: int) -> _Row:
    text = "".join(text for text, _ in cells)
    pieces = tuple(_Piece(found[0], *found.span(), y) for found in _PIECE.finditer(text))
    return _Row(cells, pieces, tuple(_lit(cells, y)) if y else ())


def _lit(cells: tuple[Cell, ...], y: int) -> Iterator[_Piece]:
    x = 0
    for is_lit, run in groupby(cells, _has_background):
        texts = [text for text, _ in run]
        text = " ".join("".join(texts).split())
        if is_lit and _WORD.search(text):
            yield _Piece(text, x, x + len(texts), y)
        x += len(texts)


def _has_background(cell: Cell) -> bool:
    _, style = cell
    return style.reverse or style.bg is not None


def _is_read(piece: _Piece, row: _Row, lit: list[_Piece]) -> bool:
    """Whether it is no lit row itself, and in the columns of those that are."""
    if any(one.x < piece.end and piece.x < one.end for one in row.lit):
        return False
    return not (lit and piece.y) or (min(one.x for one in lit) < piece.end and piece.x < max(one.end for one in lit))


def _is_words(text: str) -> bool:
    return bool(_WORD.search(text)) and 2 * len(_NO_LETTERS.sub("", text)) >= len(text.replace(" ", ""))


def _added(text: str, before: str) -> str:
    """What of a text is new where another one stood; nothing if some of that was erased."""
    return "" if before.startswith(text) else text.removeprefix(before)
