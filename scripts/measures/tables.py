"""The tables of docs/benchmarks.md that `scripts/bench --docs` writes: figures of rows, a column for each size.

A table stands in the document between `<!-- growth: NAME -->` and `<!-- end -->`, with the machine and the day.  What
was not measured in this run stays as it is: a table is replaced as a whole or not at all.
"""

import os
import platform
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from nhlog.kernels import COMPILED
from scripts.measures import Cell, Row

__all__ = ["figure", "filled"]


def filled(document: str, rows: Iterable[Row]) -> str:
    """The document with the tables of these rows."""
    tables: dict[str, list[Cell]] = {}
    for row in rows:
        for cell in row.cells:
            tables.setdefault(cell.table, []).append(cell)
    for name, cells in tables.items():
        begin, end = f"<!-- growth: {name} -->\n", "<!-- end -->\n"
        before, _, rest = document.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"the document has no table {begin.strip()}")
        document = f"{before}{begin}{table(cells)}\n{measured()}\n{end}{after}"
    return document


def table(cells: Iterable[Cell]) -> str:
    """Lines and columns in the order in which they come; a last column compares the last two."""
    lines: dict[str, dict[str, float]] = {}
    for cell in cells:
        lines.setdefault(cell.line, {})[cell.column] = cell.figure
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    rows = [["", *columns, " : ".join(columns[:-3:-1])], ["---"] * (len(columns) + 2)]
    for name, line in lines.items():
        last = [line[column] for column in columns[-2:] if column in line]
        grown = f"{last[1] / last[0]:.2f}" if len(last) == 2 and last[0] else ""
        rows.append([name, *(figure(line[column]) if column in line else "" for column in columns), grown])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def figure(value: float) -> str:
    """Three digits of it, or all before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def measured() -> str:
    """The day and the machine."""
    model = "unnamed processor"
    with suppress(OSError):
        described = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(": ")[2] for line in described if line.startswith("model name")), model)
    kernels = "compiled" if COMPILED else "plain"
    day = time.strftime("%Y-%m-%d")
    return f"{day}, {os.cpu_count()} cores ({model}), Python {platform.python_version()}, {kernels} kernels.\n"
