"""Screens of a recording as records, and which of them are asked for."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from nhlog.errors import Usage
from nhlog.operations import Record
from nhlog.screen import PLAIN, Color, Style
from nhlog.timeline import MICROSECONDS
from nhlog.vt import Grid, Tape

__all__ = ["chosen", "grid_record", "screen_records", "style_runs"]

_UNITS: Final = {"ms": 1000, "s": MICROSECONDS, "m": 60 * MICROSECONDS, "h": 3600 * MICROSECONDS}
_SPAN: Final = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h)")
_NAMES: Final = {
    "bold": "bold",
    "dim": "faint",
    "italic": "italic",
    "underline": "underline",
    "blink": "blink",
    "reverse": "inverse",
    "invisible": "invisible",
    "strikethrough": "strikethrough",
    "overline": "overline",
    "link": "link",
}
_COLORS: Final = ("fg", "bg", "underline_color")


def chosen(times: Sequence[int], first: int, last: int, frames: str | None, every: str | None) -> Iterable[int]:
    """The events from `first` to `last` whose screens are asked for.

    `frames` are numbers with commas, `every` is a span (``10s``): the event then shown, where it is another one. Raises
    :class:`Usage`.
    """
    if frames is not None and every is not None:
        raise Usage("use either --frames or --every")
    if frames is not None:
        if not re.fullmatch(r"\d{1,18}(,\d{1,18})*", frames):
            raise Usage("not frame numbers", expected="0,40,95", found=frames)
        numbers = sorted(set(map(int, frames.split(","))))
        if numbers[-1] >= len(times):
            raise Usage("no such frame", expected=f"0 to {len(times) - 1}", found=str(numbers[-1]))
        return [number for number in numbers if first <= number <= last]
    return range(first, last + 1) if every is None else _every(times, first, last, _span(every))


def _span(text: str) -> int:
    found = _SPAN.fullmatch(text)
    span = round(float(found[1]) * _UNITS[found[2]]) if found else 0
    if not span:
        raise Usage("not a time span", expected="500ms, 10s, 5m, 1h", found=text)
    return span


def _every(times: Sequence[int], first: int, last: int, span: int) -> Iterator[int]:
    """The events that are shown at multiples of the span, each once, and the last one."""
    number = -1
    while number < last:
        due = -(-times[number + 1] // span) * span  # the first multiple at which the next one is there
        number = min(bisect_right(times, due) - 1, last)
        if number >= first:
            yield number


def screen_records(tape: Tape, times: Sequence[int], steps: Iterable[int], *, styles: bool) -> Iterator[Record]:
    """A record for each of these events: the screen after it."""
    for step in steps:
        grid = tape.grid(step + 1)
        yield {"index": step, "time_us": times[step], **grid_record(grid), **(_styles(grid) if styles else {})}


def grid_record(grid: Grid) -> Record:
    """What is on a screen, as text."""
    return {
        "cols": grid.columns,
        "rows": len(grid.rows),
        "cursor": list(grid.cursor),
        "cursor_visible": grid.cursor_visible,
        "title": grid.title,
        "screen": grid.text(),
    }


def _styles(grid: Grid) -> Record:
    return {"styles": list(style_runs(grid))}


def style_runs(grid: Grid) -> Iterator[list[Any]]:
    """Cells of one style, one beside the other: row, first column, last column, what is not plain about them."""
    for y, row in enumerate(grid.rows):
        at = 0
        for style, cells in groupby(row, lambda cell: cell[1]):
            end = at + sum(1 for _ in cells)
            if style != PLAIN:
                yield [y, at, end - 1, _named(style)]
            at = end


def _named(style: Style) -> Record:
    named: Record = {name: value for own, name in _NAMES.items() if (value := getattr(style, own))}
    for name in _COLORS:
        color: Color | None = getattr(style, name)
        if color is not None:
            named[name] = ["palette", color] if isinstance(color, int) else ["rgb", list(color)]
    return named
