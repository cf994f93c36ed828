"""Tables: a heading and a row for each record, as wide as what is in them, or as a terminal is.

Where a width is given nothing is cut off: cells go on below, and a table that is still too wide is followed by another
one with its other columns.  Without a width each record is one line.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Final

from nhlog.values import NamedTuple
from terminal.text.values import MOMENTS, heading, is_number, worded
from terminal.text.words import number
from terminal.text.wrapping import Line, Part, columns, wrapped

__all__ = ["table"]

Record = Mapping[str, Any]

_GAP: Final = "  "
_NARROW: Final = 12  # columns of words that a cell keeps, if it has so many
_LONGEST: Final = 24  # letters of a word that is not broken
_ALIGNED: Final = 400  # columns to which cells are filled up: a longer one pushes its own line out
_PARTS: Final = 3  # of an object that is one cell: as many as one tells apart without names
_STATUSES: Final = {
    **dict.fromkeys(("live", "sound", "recovered", "put back"), "GOOD"),
    **dict.fromkeys(("damaged", "unreadable", "needs recovery", "error", "not sound", "refused"), "ALARM"),
}
"""The styles of statuses."""


class _Column(NamedTuple):
    """A column of cells that are ready to be printed."""

    name: str
    cells: Sequence[str]
    numeric: bool

    @property
    def natural(self) -> int:
        """The width at which nothing has to be wrapped."""
        return min(max(map(columns, (self.name, *self.cells))), _ALIGNED)

    @property
    def least(self) -> int:
        """The narrowest width at which it can be read."""
        words = self.name.split() + (
            [*self.cells] if self.numeric else [word for c in self.cells for word in c.split()]
        )
        longest = max(map(columns, words), default=1)
        return longest if self.numeric else min(self.natural, max(min(longest, _LONGEST), _NARROW))


def table(records: Sequence[Record], width: int | None = None, optional: Collection[str] = ()) -> list[str]:
    """The records as a table: a heading and a line each, numbers right-aligned, empty columns left out.

    An object in a cell is shown as its values, whose names are in the heading; one of many values has columns of its
    own.  Where there is a `width` the columns with the names `optional` are left out, one after the other, until the
    others fit.
    """
    kinds = {type(value) for record in records for value in record.values()}
    has_objects = any(issubclass(kind, Mapping) for kind in kinds)
    found = _columns([_flattened(record) for record in records] if has_objects else records)
    if width is None:
        return [*_block(found, [column.natural for column in found])]
    for name in optional:
        if _taken(column.natural for column in found) > width:
            found = [column for column in found if column.name != heading(name)]
    blocks = [*_blocks(found, width)]
    if len(blocks) > 1 and len(records) == 1:
        return [*_upright(found)]
    lines: list[str] = []
    for block in blocks:
        lines += [*([""] if lines else []), *_block(block, _widths(block, width))]
    return lines


def _upright(found: list[_Column]) -> Iterator[Line]:
    """A single record that is too wide for a row: its values one below the other."""
    label = max(columns(column.name) for column in found)
    for column in found:
        yield Line((f"{column.name:<{label}}", "NOTE"), "  ", column.cells[0], hang=label + 2)


def _columns(records: Sequence[Record]) -> list[_Column]:
    keys = dict.fromkeys(key for record in records for key in record)
    made = (_column(key, [record.get(key) for record in records]) for key in keys)
    return [column for column in made if any(column.cells)]


def _column(key: str, values: Sequence[Any]) -> _Column:
    """A column; where one of its numbers has decimals all have as many."""
    cells = [worded(key, value) for value in values]
    numeric = key not in MOMENTS and all(value is None or is_number(value) for value in values)
    if numeric and any(isinstance(value, float) for value in values):
        cells = ["" if value is None else number(value) if isinstance(value, float) else str(value) for value in values]
        decimals = max(len(cell.partition(".")[2]) for cell in cells)
        cells = [_padded(cell, decimals) for cell in cells]
    return _Column(heading(key), cells, numeric)


def _padded(cell: str, decimals: int) -> str:
    """A number with so many decimals; one that is none, or is written with an exponent, as it is."""
    whole, _, part = cell.partition(".")
    return f"{whole}.{part:0<{decimals}}" if decimals and whole.lstrip("-").isdigit() and "e" not in part else cell


def _flattened(record: Record) -> dict[str, Any]:
    """The record, with columns of their own for what its objects have."""
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if not isinstance(value, Mapping):
            flat[key] = value
        elif len(value) > _PARTS:
            flat.update({part if part not in record else f"{key} {part}": inner for part, inner in value.items()})
        else:
            flat[f"{key} {'/'.join(value)}"] = "/".join(worded(part, inner) for part, inner in value.items())
    return flat


def _taken(widths: Iterator[int]) -> int:
    """The columns that a row of cells takes."""
    each = [*widths]
    return sum(each) + len(_GAP) * (len(each) - 1)


def _blocks(found: list[_Column], width: int) -> Iterator[list[_Column]]:
    """The columns, in as many tables as they need, each of which begins with the first."""
    if not found:
        yield []
        return
    block, first = found[:1], found[0].least
    taken = first
    for column in found[1:]:
        least = column.least
        if len(block) > 1 and taken + len(_GAP) + least > width:
            yield block
            block, taken = found[:1], first
        block.append(column)
        taken += len(_GAP) + least
    yield block


def _widths(block: list[_Column], width: int) -> list[int]:
    """How wide each column is: the widest give way first."""
    widths = [column.natural for column in block]
    while _taken(iter(widths)) > width:
        yielding = [index for index, column in enumerate(block) if widths[index] > column.least]
        if not yielding:
            break
        widest = max(yielding, key=lambda index: widths[index])
        widths[widest] -= 1
    return widths


def _block(block: list[_Column], widths: list[int]) -> Iterator[str]:
    """The lines of one table."""
    if not block:
        return
    yield from _row([column.name for column in block], block, widths, "HEAD")
    rows = zip(*(column.cells for column in block), strict=True)
    if not all(map(_all_fit, block, widths)):
        for cells in rows:
            yield from _row(cells, block, widths, "")
        return
    for cells, line in zip(rows, _filled(block, widths), strict=True):
        if cells[-1] and _STATUSES.keys().isdisjoint(cells):
            yield line
        else:
            yield _line(cells, cells, block, widths, "")


def _all_fit(column: _Column, width: int) -> bool:
    """Whether no cell of a column needs more than one line, as :func:`_fits` finds it."""
    return max(map(len, column.cells)) <= width and "".join(column.cells).isascii()


def _filled(block: list[_Column], widths: list[int]) -> Iterator[str]:
    """The same as :func:`_line` for rows whose cells fit, have no style, and the last of which is not empty.

    It fills up column by column, in a fifth of the time, which is what a list of a thousand games mostly waits for.
    """
    widths = widths if block[-1].numeric else [*widths[:-1], 0]
    fills = (str.rjust if column.numeric else str.ljust for column in block)
    cells = (map(fill, column.cells, repeat(width)) for fill, column, width in zip(fills, block, widths, strict=True))
    return map(_GAP.join, zip(*cells, strict=True))


def _row(cells: Sequence[str], block: list[_Column], widths: list[int], style: str) -> Iterator[str]:
    """The lines of one row."""
    if all(map(_fits, cells, widths)):
        yield _line(cells, cells, block, widths, style)
        return
    pieces = [[cell] if width >= _ALIGNED else wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for row in range(max(map(len, pieces))):
        texts = [piece[row] if row < len(piece) else "" for piece in pieces]
        yield _line(texts, cells, block, widths, style)


def _fits(cell: str, width: int) -> bool:
    """Whether a cell takes one line, without asking how wide its characters are."""
    return len(cell) <= width and cell.isascii()


def _line(texts: Sequence[str], cells: Sequence[str], block: list[_Column], widths: list[int], style: str) -> Line:
    """One line of a row: these pieces of its cells, what has no style in one part."""
    last = max((index for index, text in enumerate(texts) if text), default=0)
    parts: list[Part] = []
    plain = ""
    for index, (text, width, column) in enumerate(zip(texts[: last + 1], widths, block, strict=False)):
        named = style or _STATUSES.get(cells[index], "")
        room = " " * (width - columns(text))
        plain += f"{_GAP if index else ''}{room if column.numeric else ''}"
        if named and text:
            parts += [plain, (text, named)]
            plain = ""
        else:
            plain += text
        if index < last and not column.numeric:
            plain += room
    return Line(*(part for part in (*parts, plain) if part))
