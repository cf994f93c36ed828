"""How recorded terminals look: the screen at its own size.

A smaller terminal shows the part around the cursor; from farther away, all of it: of several cells the most telling.
"""

from typing import Any, Final

from nhlog.replay import Replay
from nhlog.screen import PLAIN, Cell, Screen, width_of
from nhlog.screencast.games import Status
from nhlog.vt import Grid
from terminal.screen import theme
from terminal.views import LEGEND, Fact, View, Viewpoint

__all__ = ["VIEW"]

_LITTLE: Final = frozenset(" .·,'`-_")


def body(replay: Replay[Any], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The recorded screen in the middle, or as much of it as fits; all of it if one steps back."""
    grid: Grid = replay.state.grid
    screen, recorded = Screen(width, height), _with_cursor(grid)
    if viewpoint.zoom < 0:
        recorded = _squeezed(recorded, min(width, recorded.width), min(height, recorded.height))
    left, top = _corner((recorded.width, recorded.height), (width, height), grid.cursor, viewpoint)
    screen.paste(-left, -top, recorded)
    return screen


def corner(replay: Replay[Any], width: int, height: int, viewpoint: Viewpoint) -> tuple[int, int]:
    """Where the recorded screen is cut: where one chose to look, else around the cursor."""
    return _corner(least(replay), (width, height), replay.state.grid.cursor, viewpoint)


def _corner(
    size: tuple[int, int], room: tuple[int, int], cursor: tuple[int, int], viewpoint: Viewpoint
) -> tuple[int, int]:
    chosen = viewpoint.corner or (None, None)
    across, down = (_begin(*axis) for axis in zip(size, room, cursor, chosen, strict=True))
    return across, down


def _with_cursor(grid: Grid) -> Screen:
    """The recorded screen, its cursor in reverse."""
    screen, (x, y) = grid.screen(), grid.cursor
    if grid.cursor_visible:
        row = grid.rows[y]
        first = x - (row[x][0] == "" and x > 0)  # of a wide character
        last = x + (row[x + 1 : x + 2] != () and row[x + 1][0] == "")
        cells = [(text, style._replace(reverse=not style.reverse)) for text, style in row[first : last + 1]]
        screen.fill(first, y, cells)
    return screen


def _squeezed(screen: Screen, width: int, height: int) -> Screen:
    """All of a screen in less room."""
    small, rows = Screen(width, height), screen.cells()
    for y in range(height):
        block = rows[y * screen.height // height : (y + 1) * screen.height // height]
        for x in range(width):
            across = range(x * screen.width // width, (x + 1) * screen.width // width)
            text, style = max((row[column] for row in block for column in across), key=_weight)
            small.put(x, y, text if width_of(text) == 1 else "?" if text else " ", style)
    return small


def _weight(cell: Cell) -> int:
    """How much a cell says."""
    text, style = cell
    return (text not in _LITTLE) + (text.strip() != "") + 2 * style.reverse


def _begin(size: int, room: int, cursor: int, chosen: int | None) -> int:
    """Where to begin with showing; below 0 where there is more room than needed."""
    if size <= room:
        return -((room - size) // 2)
    step = max(room // 2, 1)  # it moves seldom, and far
    wanted = cursor // step * step - (room - step) // 2 if chosen is None else chosen
    return min(max(wanted, 0), size - room)


def facts(replay: Replay[Any]) -> list[Fact]:
    """What stands beside the screen."""
    state, grid = replay.state, replay.state.grid
    found = [("title", grid.title), ("size", f"{grid.columns} x {len(grid.rows)}"), ("shown", state.fault)]
    found += _of_game(state.status) if state.status else []
    found += [
        ("typed", repr(state.typed)[1:] if state.typed else ""),
        ("score", "" if state.score is None else str(state.score)),
    ]
    return [(name, value) for name, value in found if value]


def _of_game(status: Status) -> list[Fact]:
    """What the status lines on the screen say, in the same words for every game."""
    found = [
        (status.game, " the ".join(filter(None, (status.name, status.title)))),
        ("place", status.place),
        ("turn", "" if status.turn is None else str(status.turn)),
        ("health", "" if status.hp is None else f"{status.hp} of {status.hp_max}"),
        ("level", "" if status.level is None else str(status.level)),
        ("is", " ".join(status.conditions)),
    ]
    return [(name, value) for name, value in found if value]


def least(replay: Replay[Any]) -> tuple[int, int]:
    """The recorded size."""
    grid: Grid = replay.state.grid
    return grid.columns, len(grid.rows)


def legend(replay: Replay[Any]) -> Screen:
    """What is not the recorded program's own."""
    from terminal.views.legend import draw_signs

    return draw_signs(
        [
            (" ", theme.CURSOR, "the cursor of the recorded terminal"),
            ("", PLAIN, "All other signs are as the recorded program wrote them."),
        ]
    )


VIEW: Final = View(
    body,
    facts,
    least,
    panels={LEGEND: legend},
    zooms=(-1, 0),
    words={"zoom-in": "as it was recorded", "zoom-out": "all of the screen", "centre": "as it was, at the cursor"},
    corner=corner,
)
