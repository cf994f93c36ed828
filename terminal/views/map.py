"""A NetHack 4 game as its player saw it: a message row, the map, two status rows, laid out as in the game's client.

Everything but the message row is in the save; where that cannot be read the ledger stands in.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from nhlog.errors import NhlogError
from nhlog.formats.nhgame.state import LogState
from nhlog.nethack4.perception import Perception, perceive
from nhlog.replay import Replay
from nhlog.screen import Screen, shorten
from terminal.views import Fact, View, ledger, theme
from terminal.views.panels import PANELS, Line, drawn
from terminal.views.rows import current_event

__all__ = ["VIEW", "perceived"]

CLIENT: Final = (80, 24)  # columns and rows of the game's own client
MAP: Final = (79, 21)
MESSAGE: Final = 1  # rows above the map
STATUS: Final = 2  # and below it
LOW: Final = 8  # rows below which the map alone is shown
BESIDE: Final = 44  # columns that the ledger needs beside the map
BELOW: Final = 4  # rows that it needs below


@lru_cache(maxsize=8)
def perceived(save: bytes) -> Perception | NhlogError:
    """What the hero of a save perceives, or why that cannot be told."""
    try:
        perception = perceive(save)
        perception.status  # noqa: B018  # a save that tells nonsense says so here
        perception.squares  # noqa: B018
    except NhlogError as error:
        return error
    return perception


def body(replay: Replay[LogState], width: int, height: int) -> Screen:
    """The client's 80 by 24 cells, and the ledger where there is more room; less is cut around the hero."""
    perception = perceived(replay.state.save)
    if not isinstance(perception, Perception):
        return ledger.VIEW.body(replay, width, height)
    columns, rows = CLIENT
    screen = Screen(width, height)
    _draw_message(screen, replay)
    if width - columns > BESIDE and height >= rows:
        screen.paste(columns + 1, 0, ledger.VIEW.body(replay, width - columns - 1, height))
    elif height - rows > BELOW:
        screen.paste(0, rows + 1, ledger.VIEW.body(replay, width, height - rows - 1))
    below = STATUS if height >= LOW else 0
    shown = min(MAP[1], max(height - MESSAGE - below, 0))
    you = perception.save.you
    picture = perception.map().cut(_first(you.ux, width, MAP[0]), _first(you.uy, shown, MAP[1]), width, shown)
    screen.paste(0, MESSAGE, picture)
    if below:
        screen.paste(0, MESSAGE + shown, perception.status_rows())
    return screen


def _first(hero: int, room: int, size: int) -> int:
    """The first column or row to show where there is room for some only."""
    return max(min(hero - room // 2, size - room), 0)


def _draw_message(screen: Screen, replay: Replay[LogState]) -> None:
    """What the log knows: the command and its answers, or what is wrong."""
    event = current_event(replay)
    fault = replay.state.fault
    width = min(screen.width, CLIENT[0])
    screen.put(0, 0, shorten(fault or (event.text if event else ""), width), theme.ALARM if fault else theme.NOTE)


def facts(replay: Replay[LogState]) -> list[Fact]:
    """The ledger's facts, and why there is no map if there is none."""
    perception = perceived(replay.state.save)
    told = list(ledger.VIEW.facts(replay))
    if isinstance(perception, NhlogError) and replay.state.save:
        told.append(("no map", str(perception)))
    return told


def least(replay: Replay[LogState]) -> tuple[int, int]:
    """The client's size, if there is a map."""
    return CLIENT if isinstance(perceived(replay.state.save), Perception) else (0, 0)


def _panel(lines: Callable[[Perception], list[Line]]) -> Callable[[Replay[LogState]], Screen]:
    """What draws a panel of a replay; where the save cannot be read it says so."""

    def draw(replay: Replay[LogState]) -> Screen:
        perception = perceived(replay.state.save)
        if isinstance(perception, Perception):
            return drawn(lines(perception))
        return drawn([(str(perception) if replay.state.save else replay.state.fault, theme.ALARM)])

    return draw


def _ledger(replay: Replay[LogState]) -> Screen:
    return ledger.VIEW.body(replay, *LEDGER)


LEDGER: Final = (76, 22)
VIEW: Final = View(body, facts, least, {"ledger": _ledger, **{name: _panel(lines) for name, lines in PANELS.items()}})
