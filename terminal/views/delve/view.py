"""The view of a delve game as its hero sees it: message row, map and two status rows, laid out as in NetHack's client.

All of it comes from the save; if that cannot be read, the ledger is shown.  Everything can be
understood without colour.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.disclosure import disclosed, last_words
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.delve.perception import attributes, describe, discoveries, inventory, overview, status
from nhlog.engines.delve.perception import look as look_at
from nhlog.engines.delve.world.board import HEIGHT, WIDTH, square
from nhlog.errors import NhlogError
from nhlog.formats.nhgame.state import LogState
from nhlog.replay import Replay
from nhlog.savehead import HEAD_SIZE
from nhlog.screen import PLAIN, Screen, Style, clip
from terminal.messages.rows import recent
from terminal.screen import theme
from terminal.views import LEGEND, Fact, SquareInfo, View, Viewpoint, ledger
from terminal.views.delve.glyphs import map_rows
from terminal.views.lines import Line, draw_lines

__all__ = ["PANELS", "VIEW", "corner", "draw", "game_of"]


CLIENT: Final = (80, 24)  # columns and rows of the message, the map and the status
MESSAGE: Final = 1  # rows above the map
STATUS: Final = 2  # and below it
LOW: Final = 8  # rows below which the map alone is shown
TALK: Final = 38  # columns that messages need there
BESIDE: Final = 28  # columns that the pack needs beside the map
BELOW: Final = 5  # rows that are worth filling below
GAP: Final = 2
CURSED: Final = Style(fg=1)
BLESSED: Final = Style(fg=6)
_LOW: Final = 3  # a third of the hit points


def game_of(state: LogState) -> DelveGame | NhlogError:
    """The game to show: the one in progress, else that of the state's save; an error if there is none."""
    return state.game if isinstance(state.game, DelveGame) else _loaded(state.save)


@lru_cache(maxsize=8)
def _loaded(save: bytes) -> DelveGame | NhlogError:
    if not save:
        return NhlogError("there is no save here")
    try:
        return ENGINE.load(save[HEAD_SIZE:])
    except NhlogError as error:
        return error


def draw(game: DelveGame, width: int, height: int, pan: tuple[int, int] = (0, 0)) -> Screen:
    """The game on a screen of this size: the 80 by 24 layout, cropped around the hero, or with more beside it.

    The first row is left for messages.
    """
    screen = Screen(width, height)
    shown = _rows_shown(height)
    left, top = corner(game, width, height, pan)
    for y, cells in enumerate(map_rows(look_at(game))[top : top + shown]):
        screen.place(0, MESSAGE + y, cells[left : left + width])
    if height >= LOW:
        screen.paste(0, MESSAGE + shown, draw_status(game, min(width, CLIENT[0])))
    _draw_more(screen, game)
    return screen


def _draw_more(screen: Screen, game: DelveGame) -> None:
    """Draw the pack beside the map, and the levels below it, if there is room."""
    columns, rows = CLIENT
    if screen.width - columns - GAP >= BESIDE:
        room = screen.width - columns - GAP
        pack = draw_lines([(clip(text, room), style) for text, style in PANELS["inventory"](game)])
        screen.paste(columns + GAP, MESSAGE, pack)
    if screen.height - rows >= BELOW:
        levels = draw_lines(PANELS["overview"](game)).crop(0, 0, columns, screen.height)
        screen.paste(0, screen.height - levels.height, levels)


def draw_status(game: DelveGame, width: int) -> Screen:
    """The two status rows."""
    known = status(game)
    screen = Screen(width, 2)
    stats = " ".join(f"{name}:{value}" for name, value in known.stats)
    screen.put(0, 0, clip(f"{known.who:<24} {stats} {known.alignment}", width))
    x = screen.put(0, 1, f"{known.place} $:{known.gold} ")
    x = screen.put(x, 1, f"HP:{known.hp}({known.hp_most})", _health(known.hp, known.hp_most))
    x = screen.put(
        x,
        1,
        f" Pw:{known.pw}({known.pw_most}) AC:{known.armour} Xp:{known.level}/{known.points} T:{known.turn}",
    )
    for word in known.conditions:
        x = screen.put(x + 1, 1, word, theme.RARE if word in ("Satiated", "Fast", "Float", "Ember") else theme.ALARM)
    return screen


def _health(hp: int, most: int) -> Style:
    if hp * _LOW <= most:
        return theme.ALARM
    return theme.RARE if hp * 3 <= most * 2 else theme.GOOD


def _pack(game: DelveGame) -> list[Line]:
    lines: list[Line] = []
    for row in inventory(disclosed(game) if game.ending else game):
        if not row.letter:
            lines.append((row.caption, theme.HEAD))
            continue
        style = CURSED if row.cursed else BLESSED if row.blessed else PLAIN
        lines.append((f"{row.letter} - {row.caption}", Style(fg=style.fg, bold=row.in_use)))
    return lines or [("You carry nothing.", PLAIN)]


def _discoveries(game: DelveGame) -> list[Line]:
    lines: list[Line] = []
    for heading, words in discoveries(game):
        lines += [(heading, theme.HEAD), *((text, PLAIN) for text in words)]
    return lines or [("You know nothing yet but what you were born with.", PLAIN)]


def _overview(game: DelveGame) -> list[Line]:
    lines: list[Line] = [("The Delve", theme.HEAD)]
    for text, here in overview(game):
        lines.append((f"{'▶' if here else ' '} {text}", theme.KEY if here else PLAIN))
    return lines


def _attributes(game: DelveGame) -> list[Line]:
    first, *rest = attributes(game)
    return [(first, theme.HEAD), *((text, PLAIN) for text in (*rest, *(last_words(game) if game.ending else ())))]


PANELS: Final[Mapping[str, Callable[[DelveGame], list[Line]]]] = {
    "inventory": _pack,
    "discoveries": _discoveries,
    "overview": _overview,
    "attributes": _attributes,
}


def _draw_messages(screen: Screen, game: DelveGame, replay: Replay[LogState]) -> None:
    """Draw the latest messages below the pack, or below the map and above the levels, where there is room."""
    columns, rows = CLIENT
    x, y, width, end = columns + GAP, MESSAGE + len(PANELS["inventory"](game)) + 1, screen.width - columns - GAP, 0
    if width < TALK:
        x, y, width, end = 0, rows + 1, columns, len(PANELS["overview"](game)) + 1
    told = recent(replay, width, screen.height - y - 1 - end) if screen.height - y - end >= BELOW else []
    if told:
        screen.paste(x, y, draw_lines([("Messages", theme.HEAD), *told]))


def _rows_shown(height: int) -> int:
    """The number of rows of the map that fit."""
    return min(HEIGHT, max(height - MESSAGE - (STATUS if height >= LOW else 0), 0))


def corner(game: DelveGame, width: int, height: int, pan: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """The first column and row of the map that are shown, for the part of the screen below the message."""
    y, x = divmod(game.world.hero.square, WIDTH)
    return _first(x + pan[0], width, WIDTH), _first(y + pan[1], _rows_shown(height), HEIGHT)


def _first(hero: int, room: int, size: int) -> int:
    """The first column or row to show if not all of them fit."""
    return max(min(hero - room // 2, size - room), 0)


def body(replay: Replay[LogState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The game as its hero sees it, or the ledger if the save cannot be read."""
    state = replay.state
    game = game_of(state)
    if not isinstance(game, DelveGame):
        return ledger.VIEW.body(replay, width, height, viewpoint)
    screen = draw(game, width, height, viewpoint.pan)
    _draw_messages(screen, game, replay)
    if state.fault:
        screen.put(0, 0, clip(state.fault, min(width, CLIENT[0])), theme.ALARM)
    return screen


def facts(replay: Replay[LogState]) -> list[Fact]:
    """The ledger's facts, and the reason if there is no map."""
    game = game_of(replay.state)
    found = list(ledger.VIEW.facts(replay))
    if not isinstance(game, DelveGame):
        found.append(("no map", str(game)))
    return found


def least(replay: Replay[LogState]) -> tuple[int, int]:
    """The size of map, message and status rows; no least size without a map."""
    return CLIENT if isinstance(game_of(replay.state), DelveGame) else (0, 0)


def look(replay: Replay[LogState], viewpoint: Viewpoint, across: int, down: int) -> SquareInfo:
    """The square that many columns and rows from the hero, or the nearest one on the map."""
    game = game_of(replay.state)
    if not isinstance(game, DelveGame):
        return SquareInfo("there is no map here", lambda width, height: (-1, -1))
    here_y, here_x = divmod(game.world.hero.square, WIDTH)
    x, y = min(max(here_x + across, 0), WIDTH - 1), min(max(here_y + down, 0), HEIGHT - 1)

    def place(width: int, height: int) -> tuple[int, int]:
        left, top = corner(game, width, height, viewpoint.pan)
        return x - left, y - top + MESSAGE

    return SquareInfo(f"{describe(game, square(x, y))} ({x},{y})", place)


def _panel(lines: Callable[[DelveGame], list[Line]]) -> Callable[[Replay[LogState]], Screen]:
    """The function that draws a panel of a replay, or the reason if the save cannot be read."""

    def panel(replay: Replay[LogState]) -> Screen:
        game = game_of(replay.state)
        return draw_lines(lines(game) if isinstance(game, DelveGame) else [(str(game), theme.ALARM)])

    return panel


def _ledger(replay: Replay[LogState]) -> Screen:
    return ledger.VIEW.body(replay, *LEDGER, Viewpoint())


def _legend(replay: Replay[LogState]) -> Screen:
    """What is on the hero's level."""
    from terminal.views.legend import NO_MAP, draw_signs, signs_on

    game = game_of(replay.state)
    if not isinstance(game, DelveGame):
        return draw_signs(NO_MAP)
    rows = map_rows(look_at(game))
    return draw_signs(signs_on(rows, lambda x, y: describe(game, square(x, y)).partition(", as you")[0]))


LEDGER: Final = (76, 22)
VIEW: Final = View(
    body,
    facts,
    least,
    look,
    {"ledger": _ledger, LEGEND: _legend, **{name: _panel(lines) for name, lines in PANELS.items()}},
    zooms=(0, 0),
    words={"overview": "overview of the levels"},
)
