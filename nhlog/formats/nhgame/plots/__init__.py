"""Plots of a game: `course` looks how the hero is in its saves, `curves` makes plots of that.

Must not import the replay.
"""

from nhlog.formats.nhgame.plots.curves import plots_of

__all__ = ["plots_of"]
