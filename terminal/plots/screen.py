"""Any plot in the cells of a screen."""

from nhlog.plots import Heat, Plot
from nhlog.screen import Screen
from terminal.plots.curves import draw_curves
from terminal.plots.heat import draw_heat

__all__ = ["draw_plot"]


def draw_plot(plot: Plot, width: int, height: int, chosen: int = 0) -> Screen:
    """A plot in so many columns and rows; of curves, the series with the number `chosen` is drawn over the others."""
    if isinstance(plot, Heat):
        return draw_heat(plot, width, height)
    return draw_curves(plot, width, height, chosen)
