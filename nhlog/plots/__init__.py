"""Pictures of a whole recording, as values: curves over its course, and maps of where somebody or something was.

A replay offers them as :class:`nhlog.replay.Plottable`; what draws them knows no format.  `values` has what a plot is,
`kinds` how a recording makes its plots, `records` what `--json` prints of one.  Must not import a format.
"""

from nhlog.plots.kinds import Kind, NothingToPlot, Plots, evenly
from nhlog.plots.records import records_of
from nhlog.plots.values import TIME, Curves, Heat, Mark, Plot, Scale, Series, Walls

__all__ = [
    "TIME",
    "Curves",
    "Heat",
    "Kind",
    "Mark",
    "NothingToPlot",
    "Plot",
    "Plots",
    "Scale",
    "Series",
    "Walls",
    "evenly",
    "records_of",
]
