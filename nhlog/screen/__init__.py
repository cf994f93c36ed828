"""What is shown: a `grid` of cells, their `style`, and the `glyphs` in them, independent of any terminal.

Must not import anything else of nhlog.
"""

from nhlog.screen.glyphs import Glyph, clip, width_of
from nhlog.screen.grid import Cell, Run, Screen
from nhlog.screen.style import ALL_COLORS, PLAIN, Color, Style, rgb

__all__ = ["ALL_COLORS", "PLAIN", "Cell", "Color", "Glyph", "Run", "Screen", "Style", "clip", "rgb", "width_of"]
