"""Draw blocks, entities and trails of a three-dimensional world, seen from one side, in the cells of a screen.

A cell is twice as high as it is wide, so a square of the world takes two columns or half a row.  Positions that are
infinite or not a number are not drawn.
"""

from collections.abc import Iterable, Mapping
from math import cos, floor, isfinite, radians, sin
from typing import Final

from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos
from nhlog.screen import Screen, Style
from nhlog.values import dataclass
from terminal.screen import theme
from terminal.screen.dots import Dots

__all__ = ["SIDES", "Window", "around", "arrow", "color_of", "draw_blocks", "draw_grid", "draw_trail", "fitting"]

SIDES: Final = ("top", "side", "front")
"""From above, north upwards; from the south, east to the right; from the west, south to the right."""

NEAREST: Final = 1 / 8  # blocks in a column at most and at least
FARTHEST: Final = 65_536.0
NORMAL: Final = 0.5  # blocks in a column: a block is two columns and a row
MARGIN: Final = 2  # cells between what has to be seen and the edge
GRID: Final = 4  # rows between two points of the grid, at least
COLORS: Final = (
    *(33, 39, 45, 51, 50, 48, 46, 82, 118, 154, 190, 226, 220, 214, 208, 202, 196, 197, 199, 201, 165, 129, 99, 63),
    *(103, 109, 144, 137, 173, 180, 187, 152, 146, 139, 174, 223),
)
SPREAD: Final = 0x9E3779B1  # spreads neighbouring numbers over the colours (Knuth's multiplicative hash)
FAR: Final = 1e9  # blocks from the origin: beyond it nothing is shown, and sums stay exact

ARROWS: Final = "→↗↑↖←↙↓↘"


@dataclass(frozen=True, slots=True)
class Window:
    """The visible part of the world: `left` and `top` are the coordinates at its edges, `scale` is blocks per column.

    "Across" and "down" are the world's axes as seen from the side: see :func:`Window.seen`.
    """

    side: str
    left: float
    top: float
    scale: float
    width: int
    height: int

    def seen(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        """A position's coordinates across and down, and its nearness: of two on one cell, the larger is shown."""
        return _seen(self.side, x, y, z)

    def cell(self, position: Pos) -> tuple[int, int] | None:
        """The column and row of a position, which may lie outside; None if it is not finite."""
        across, down, _ = self.seen(*position[:3])
        if not (abs(across) < FAR and abs(down) < FAR):
            return None
        return floor((across - self.left) / self.scale), floor((down - self.top) / (2 * self.scale))


def _seen(side: str, x: float, y: float, z: float) -> tuple[float, float, float]:
    if side == "top":
        return x, z, y
    return (x, -y, z) if side == "side" else (z, -y, -x)


def around(side: str, middle: Pos, width: int, height: int, zoom: int, pan: tuple[int, int]) -> Window:
    """The window with the position `middle` at its centre."""
    across, down = _finite(_seen(side, *middle[:3]))
    return _window(side, across, down, _zoomed(NORMAL, zoom), width, height, pan)


def fitting(side: str, places: Iterable[Pos], width: int, height: int, zoom: int, pan: tuple[int, int]) -> Window:
    """The window that shows all these positions at the largest scale."""
    seen = [_finite(_seen(side, *place[:3])) for place in places] or [(0.0, 0.0)]
    left, right = min(across for across, _ in seen), max(across for across, _ in seen)
    top, bottom = min(down for _, down in seen), max(down for _, down in seen)
    columns, rows = max(width - 2 * MARGIN, 1), max(height - 2 * MARGIN, 1)
    scale = max((right - left) / columns, (bottom - top) / (2 * rows), NORMAL)
    return _window(side, (left + right) / 2, (top + bottom) / 2, _zoomed(scale, zoom), width, height, pan)


def _window(
    side: str, across: float, down: float, scale: float, width: int, height: int, pan: tuple[int, int]
) -> Window:
    """The window around a middle, aligned to whole cells, so that fixed things do not flicker as the middle moves."""
    column, row = floor(across / scale) - width // 2 + pan[0], floor(down / (2 * scale)) - height // 2 + pan[1]
    return Window(side, column * scale, row * 2 * scale, scale, width, height)


def _zoomed(scale: float, zoom: int) -> float:
    return float(min(max(scale * 2.0 ** -min(max(zoom, -64), 64), NEAREST), FARTHEST))


def _finite(seen: tuple[float, float, float]) -> tuple[float, float]:
    across, down, _ = seen
    return (across, down) if abs(across) < FAR and abs(down) < FAR else (0.0, 0.0)


def draw_grid(screen: Screen, window: Window) -> float:
    """Draw points at equal distances; returns that distance in blocks."""
    step = 1.0
    while step < GRID * 2 * window.scale:
        step *= 2
    row = -floor(-window.top / step) * step
    while row < window.top + window.height * 2 * window.scale:
        column = -floor(-window.left / step) * step
        y = floor((row - window.top) / (2 * window.scale))
        while column < window.left + window.width * window.scale:
            screen.put(floor((column - window.left) / window.scale), y, "·", theme.BAR)
            column += step
        row += step
    return step


def draw_blocks(screen: Screen, window: Window, blocks: Mapping[BlockPosition, int]) -> None:
    """Draw the changed blocks in the colours of their states; a removed block is hollow."""
    scale, right, bottom = window.scale, window.left + window.width * window.scale, 0.0
    bottom = window.top + window.height * 2 * scale
    shown = []
    for position, block in blocks.items():
        across, down, near = window.seen(*position)
        if window.side != "top":
            down -= 1  # a block reaches from its place upwards
        if window.left - 1 <= across <= right and window.top - 1 <= down <= bottom:
            shown.append((near, across, down, block))
    shown.sort()
    for _, across, down, block in shown:
        x, y = floor((across - window.left) / scale), floor((down - window.top) / (2 * scale))
        columns = max(floor((across + 1 - window.left) / scale) - x, 1)
        rows = max(floor((down + 1 - window.top) / (2 * scale)) - y, 1)
        glyph, style = ("░", theme.BAR) if block == 0 else ("█", Style(fg=color_of(block)))
        for row in range(max(y, 0), min(y + rows, window.height)):
            screen.put(x, row, glyph * columns, style)


def color_of(number: int) -> int:
    """The colour for a block's state or an entity's type; always the same for the same number."""
    return COLORS[(number * SPREAD >> 16) % len(COLORS)]


def draw_trail(screen: Screen, window: Window, places: Iterable[Pos], style: Style) -> None:
    """Draw the path through `places`: a dot for each, eight to a cell."""
    dots = Dots()
    for place in places:
        across, down, _ = window.seen(*place[:3])
        if not (abs(across) < FAR and abs(down) < FAR):
            continue
        column, row = floor((across - window.left) / window.scale * 2), floor((down - window.top) / window.scale * 2)
        dots.put(column, row, style)
    dots.draw(screen)


def arrow(window: Window, position: Pos) -> tuple[int, int, str] | None:
    """The direction of view as seen from this side: a neighbouring column and row, and an arrow.

    None for a direction towards or away from the camera.
    """
    if not (isfinite(position.yaw) and isfinite(position.pitch)):
        return None
    yaw, pitch = radians(position.yaw), radians(position.pitch)
    across, down, _ = window.seen(-sin(yaw) * cos(pitch), -sin(pitch), cos(yaw) * cos(pitch))
    column, row = (0 if abs(part) < sin(radians(22.5)) else 1 if part > 0 else -1 for part in (across, down))
    if not (column or row):
        return None
    glyph = {(1, 0): 0, (1, -1): 1, (0, -1): 2, (-1, -1): 3, (-1, 0): 4, (-1, 1): 5, (0, 1): 6, (1, 1): 7}
    return column, row, ARROWS[glyph[column, row]]
