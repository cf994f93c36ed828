"""The view of a NetHack 4 game as its player saw it: message row, map and two status rows, laid out as in the client.

Everything but the message row comes from the save; if that cannot be read, the ledger is shown.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from nhlog.errors import NhlogError, Unsupported
from nhlog.formats.nhgame.state import LogState
from nhlog.nethack4.perception.view import Perception, perceive
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.version import NETHACK4
from nhlog.replay import Replay
from nhlog.screen import Screen, clip
from terminal.screen import theme
from terminal.views import LEGEND, Fact, SquareInfo, View, Viewpoint, ledger
from terminal.views.lines import draw_lines
from terminal.views.rows import current_event

__all__ = ["VIEW", "perceived"]

CLIENT: Final = (80, 24)  # columns and rows of the game's own client
MAP: Final = (79, 21)
MESSAGE: Final = 1  # rows above the map
STATUS: Final = 2  # and below it
LOW: Final = 8  # rows below which the map alone is shown
BESIDE: Final = 44  # columns that the ledger needs beside the map
BELOW: Final = 4  # rows that it needs below
DRAWN: Final = "drawn by its own rules"
UNDRAWN: Final = "no map of its games"


@lru_cache(maxsize=8)
def perceived(save: bytes) -> Perception | NhlogError:
    """What the hero of a save perceives; an error if that cannot be computed."""
    try:
        perception = perceive(save)
        perception.status  # noqa: B018  # a save that tells nonsense says so here
        perception.squares  # noqa: B018
    except NhlogError as error:
        return error
    return perception


def body(replay: Replay[LogState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The client's 80 by 24 cells, with the ledger if there is more room, cropped around the hero if there is less."""
    perception = perceived(replay.state.save)
    if not isinstance(perception, Perception):
        return ledger.VIEW.body(replay, width, height, viewpoint)
    columns, rows = CLIENT
    screen = Screen(width, height)
    level = _level(perception, viewpoint)
    _draw_message(screen, replay, "" if level is perception.save.level else _name(perception, level))
    if width - columns > BESIDE and height >= rows:
        screen.paste(columns + 1, 0, ledger.VIEW.body(replay, width - columns - 1, height, viewpoint))
    elif height - rows > BELOW:
        screen.paste(0, rows + 1, ledger.VIEW.body(replay, width, height - rows - 1, viewpoint))
    shown = _rows_shown(height)
    left, top = _corner(perception, viewpoint, width, shown)
    try:
        screen.paste(0, MESSAGE, perception.map(level).crop(left, top, width, shown))
    except NhlogError as error:  # another level is unpacked when it is looked at
        screen.put(0, MESSAGE, clip(str(error), min(width, columns)), theme.ALARM)
    if height >= LOW:
        screen.paste(0, MESSAGE + shown, perception.status_rows())
    return screen


def sides(replay: Replay[LogState]) -> list[str]:
    """The levels that can be shown: the hero's, then all that were visited."""
    perception = perceived(replay.state.save)
    if not isinstance(perception, Perception):
        return []
    return ["the hero's level", *(_name(perception, level) for level in perception.save.visited)]


def _level(perception: Perception, viewpoint: Viewpoint) -> Level:
    """The level that is shown."""
    levels = (perception.save.level, *perception.save.visited)
    return levels[viewpoint.side % len(levels)]


def _name(perception: Perception, level: Level) -> str:
    return perception.save.dungeons.place(level.here)


def _rows_shown(height: int) -> int:
    """The number of rows of the map that fit."""
    return min(MAP[1], max(height - MESSAGE - (STATUS if height >= LOW else 0), 0))


def _middle(perception: Perception, viewpoint: Viewpoint) -> tuple[int, int]:
    """The square to keep visible if not all fit: the hero's, or the middle of another level."""
    save = perception.save
    return (save.you.ux, save.you.uy) if _level(perception, viewpoint) is save.level else (MAP[0] // 2, MAP[1] // 2)


def _corner(perception: Perception, viewpoint: Viewpoint, width: int, height: int) -> tuple[int, int]:
    """The first column and row of the map that are shown."""
    x, y = _middle(perception, viewpoint)
    return _first(x + viewpoint.pan[0], width, MAP[0]), _first(y + viewpoint.pan[1], height, MAP[1])


def _first(middle: int, room: int, size: int) -> int:
    """The first column or row to show if not all of them fit."""
    return max(min(middle - room // 2, size - room), 0)


def _draw_message(screen: Screen, replay: Replay[LogState], remembered: str) -> None:
    """Draw the command and its answers from the log, or an error; before it the name of a remembered level."""
    event = current_event(replay)
    fault = replay.state.fault
    width = min(screen.width, CLIENT[0])
    x = screen.put(0, 0, clip(f"{remembered} from memory: ", width), theme.KEY) if remembered else 0
    told = clip(fault or (event.text if event else ""), width - x)
    screen.put(x, 0, told, theme.ALARM if fault else theme.NOTE)


def facts(replay: Replay[LogState]) -> list[Fact]:
    """The ledger's facts, with the engine of a game of a fork, and the reason if there is no map."""
    perception = perceived(replay.state.save)
    engine = str(replay.info.metadata.get("engine", NETHACK4))
    told = [] if engine == NETHACK4 else [("engine", _engine_told(engine, perception))]
    told += ledger.VIEW.facts(replay)
    if isinstance(perception, NhlogError) and replay.state.save:
        told.append(("no map", str(perception)))
    return told


def _engine_told(engine: str, perception: Perception | NhlogError) -> str:
    """A fork, and whether its games can be drawn: of some that is so of certain versions."""
    if isinstance(perception, Perception):
        return f"{engine}: {DRAWN}"
    if not isinstance(perception, Unsupported):
        return engine
    return f"{perception.what}: {perception.found}" if engine in perception.what else f"{engine}: {UNDRAWN}"


def least(replay: Replay[LogState]) -> tuple[int, int]:
    """The client's size; no least size without a map."""
    return CLIENT if isinstance(perceived(replay.state.save), Perception) else (0, 0)


def _panel(name: str) -> Callable[[Replay[LogState]], Screen]:
    """The function that draws a panel of a replay, or the reason if the save cannot be read."""

    def draw(replay: Replay[LogState]) -> Screen:
        from terminal.views.nethack4.panels import PANELS  # which bring the names of all things with them

        save, fault = replay.state.save, replay.state.fault
        perception = perceived(save)
        if not isinstance(perception, Perception):
            return draw_lines([(str(perception) if save else fault, theme.ALARM)])
        try:
            return draw_lines(PANELS[name](perception))
        except NhlogError as error:
            return draw_lines([(str(error), theme.ALARM)])

    return draw


def _ledger(replay: Replay[LogState]) -> Screen:
    return ledger.VIEW.body(replay, *LEDGER, Viewpoint())


def look(replay: Replay[LogState], viewpoint: Viewpoint, across: int, down: int) -> SquareInfo:
    """The square that far from the hero (or the middle of another level), or the nearest one on the map."""
    from nhlog.nethack4.perception.farlook import describe

    perception = perceived(replay.state.save)
    if not isinstance(perception, Perception):
        return SquareInfo("there is no map here", lambda width, height: (-1, -1))
    middle_x, middle_y = _middle(perception, viewpoint)
    x, y = min(max(middle_x + across, 0), MAP[0] - 1), min(max(middle_y + down, 0), MAP[1] - 1)

    def place(width: int, height: int) -> tuple[int, int]:
        left, top = _corner(perception, viewpoint, width, _rows_shown(height))
        return x - left, y - top + MESSAGE

    try:
        told = describe(perception, _level(perception, viewpoint), x, y)
    except NhlogError as error:
        told = str(error)
    return SquareInfo(f"{told} ({x},{y})", place)


def _legend(replay: Replay[LogState]) -> Screen:
    """What is on the hero's level."""
    from nhlog.nethack4.perception.farlook import describe
    from terminal.views.legend import NO_MAP, draw_signs, signs_on

    perception = perceived(replay.state.save)
    if not isinstance(perception, Perception):
        return draw_signs(NO_MAP)
    level = perception.save.level
    return draw_signs(signs_on(perception.map(level).cells(), lambda x, y: describe(perception, level, x, y)))


LEDGER: Final = (76, 22)
VIEW: Final = View(
    body,
    facts,
    least,
    look,
    {
        "ledger": _ledger,
        LEGEND: _legend,
        **{name: _panel(name) for name in ("inventory", "discoveries", "overview", "attributes")},
    },
    sides=sides,
    zooms=(0, 0),
    words={"overview": "overview of the dungeon", "next-side": "next visited level, or 3v"},
)
