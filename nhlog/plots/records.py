"""A plot as records of plain values: docs/json.md has their keys."""

from collections.abc import Iterator
from typing import Any

from nhlog.plots.values import Curves, Plot

__all__ = ["records_of"]


def records_of(kind: str, plot: Plot) -> Iterator[dict[str, Any]]:
    """A plot as records of plain values: of the whole, of each series or the map, of each mark."""
    x, y = plot.x, plot.y
    scales = {"x": x.name, "x_unit": x.unit, "y": y.name, "y_unit": y.unit}
    yield {"kind": "plot", "plot": kind, "title": plot.title, **scales}
    if isinstance(plot, Curves):
        for one in plot.series:
            yield {"kind": "series", "name": one.name, "x": [*one.xs], "y": [*one.ys], "steps": [*one.steps]}
        for mark in plot.marks:
            yield {"kind": "mark", "name": mark.name, "step": mark.step, "x": float(mark.x)}
        return
    yield {
        "kind": "map",
        "extent": [*plot.extent],
        "columns": plot.columns,
        "rows": plot.rows,
        "seconds": [*plot.seconds],
        "firsts": [*plot.firsts],
    }
    for mark in plot.marks:
        yield {"kind": "mark", "name": mark.name, "step": mark.step, "x": float(mark.x), "y": float(mark.y)}
