"""The tables of docs/benchmarks.md that `scripts/bench --docs` writes, one for each measurement.

A table stands in the document between `<!-- table: MEASUREMENT -->` and `<!-- end -->`, with the machine and the day.
Those that were not measured in this run stay as they are: a table is replaced as a whole or not at all.
"""

import os
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from nhlog.kernels import COMPILED
from scripts.measures import PARTS, Cell, Row

__all__ = ["aimed", "figure", "filled"]


def filled(document: str, measured: Mapping[str, Sequence[Row]]) -> str:
    """The document with the tables of these measurements; raises ValueError if it has no place for one."""
    for name, rows in measured.items():
        begin, end = f"<!-- table: {name} -->\n", "<!-- end -->\n"
        before, _, rest = document.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"the document has no table {begin.strip()}")
        cells = [cell for row in rows for cell in row.cells]
        table = growth(cells) if cells else results(rows)
        document = f"{before}{begin}{table}\n{machine()}\n{end}{after}"
    return document


def results(rows: Iterable[Row]) -> str:
    """A line for each row: what took how many milliseconds, and whether that is what was aimed at."""
    lines = [["", *PARTS, "aim", ""], ["---", *["---:"] * len(PARTS), "---", "---"]]
    for row in rows:
        name = row.name.strip()
        times = [figure(row.at(part) * 1e3) if row.times else "" for part in PARTS.values()]
        aim = aimed(row).replace("not met", "**not met**")
        lines.append([f"… {name}" if name != row.name else name, *times, aim, row.note])
    return written(lines)


def aimed(row: Row) -> str:
    """How many milliseconds were aimed at, of which part, and whether it is met."""
    names = {part: name for name, part in PARTS.items()}
    aims = ", ".join(f"{names[part]} {figure(most * 1e3)}" for part, most in row.aims)
    return f"{aims}: {'met' if row.meets else 'not met'}" if aims else ""


def growth(cells: Iterable[Cell]) -> str:
    """Lines and columns in the order in which they come; a last column compares the last two."""
    figures: dict[str, dict[str, float]] = {}
    for cell in cells:
        figures.setdefault(cell.line, {})[cell.column] = cell.figure
    columns = list(dict.fromkeys(column for line in figures.values() for column in line))
    lines = [["", *columns, " : ".join(columns[:-3:-1])], ["---"] * (len(columns) + 2)]
    for name, line in figures.items():
        last = [line[column] for column in columns[-2:] if column in line]
        grown = f"{last[1] / last[0]:.2f}" if len(last) == 2 and last[0] else ""
        lines.append([name, *(figure(line[column]) if column in line else "" for column in columns), grown])
    return written(lines)


def written(lines: Iterable[Sequence[str]]) -> str:
    """Lines of cells as Markdown has them."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def figure(value: float) -> str:
    """Three digits of it, or all before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def machine() -> str:
    """The day and the machine."""
    model = "unnamed processor"
    with suppress(OSError):
        described = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(": ")[2] for line in described if line.startswith("model name")), model)
    kernels = "compiled" if COMPILED else "plain"
    day = time.strftime("%Y-%m-%d")
    return f"{day}, {os.cpu_count()} cores ({model}), Python {platform.python_version()}, {kernels} kernels.\n"
