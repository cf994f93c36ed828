"""The whole screen of the player: title, view, details, timeline bar, status and message.

Every row has a fixed place, whatever is shown in it.
"""

from typing import Final

from nhlog.replay import Remarked
from nhlog.screen import Screen, Style, clip, width_of
from terminal.replay.controls import Controls, Mode
from terminal.replay.drawing.bar import draw_bar, draw_scale
from terminal.replay.drawing.details import draw_panel, draw_strip
from terminal.replay.drawing.help import draw_help
from terminal.replay.idle import OFF
from terminal.replay.look import draw_cursor
from terminal.replay.motion import Motion, Pace
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.screen.page import draw_page
from terminal.text.words import clock, utc_time

__all__ = ["LEAST", "draw_frame", "draw_hindered"]

LEAST: Final = (30, 7)  # columns and rows below which nothing useful can be shown
SIDE: Final = 120  # columns from which the details stand beside the view
NARROWEST: Final = 38  # columns that they need there
BELOW: Final = 16  # rows within the frame from which they stand below it otherwise
STRIP: Final = 4  # rows that they take there
CHROME: Final = 4  # rows of the frame: title, bar, status, message
SCALE: Final = 30  # rows from which the bar has a scale
HINTS: Final = (("space", "play"), ("/", "search"), ("h", "help"), ("q", "quit"))
BRIEF: Final = HINTS[-2:]  # what is left of the hints when there is something to say


def draw_frame(controls: Controls, width: int, height: int) -> Screen:
    """The current screen of the player, `width` columns by `height` rows.

    Raises :class:`LogRecovered` or :class:`LockNotObtained` for a log that changed meanwhile.
    """
    screen = Screen(width, height)
    if width < LEAST[0] or height < LEAST[1]:
        screen.put(0, 0, "too small")
        return screen
    scaled = int(height >= SCALE)
    least = controls.view.least(controls.player.replay)
    if height - CHROME - scaled < least[1] <= height and least[0] <= width:
        return _draw_crowded(controls, width, height, least[1])
    player = controls.player
    inside = (width, height - CHROME - scaled)
    _draw_title(screen, player)
    screen.paste(0, 1, _draw_inside(controls, *inside))
    screen.paste(0, height - 3 - scaled, draw_bar(player, width))
    if scaled:
        screen.paste(0, height - 3, draw_scale(player, width))
    _draw_status(screen, player, height - 2)
    _draw_message(screen, controls, height - 1)
    return screen


def draw_hindered(screen: Screen, player: Player) -> Screen:
    """The screen with what the player has to tell in its last row: for a recording that cannot be read just now."""
    shown = screen.crop(0, 0, screen.width, screen.height)
    shown.put(0, screen.height - 1, f" {clip(_told(player), screen.width - 2)}".ljust(screen.width), theme.RARE)
    return shown


def _draw_crowded(controls: Controls, width: int, height: int, least: int) -> Screen:
    """The whole view, and the rows of the frame below it that fit; the others are drawn over its first row."""
    screen = Screen(width, height)
    player, spare = controls.player, height - least
    screen.paste(0, 0, _draw_body(controls, width, least))
    if spare >= 1:
        _draw_status(screen, player, height - 1 - (spare >= 3))
    if spare >= 2:
        screen.paste(0, height - 2 - (spare >= 3), draw_bar(player, width))
    if spare >= 3:
        _draw_message(screen, controls, height - 1)
    if spare < 3 and _said(controls):
        screen.put(0, 0, " " * width)
        _draw_message(screen, controls, 0)
    else:
        _draw_note(screen, player, width if spare else _draw_summary(screen, player))
    return screen


def _draw_summary(screen: Screen, player: Player) -> int:
    """Draw the beginning of the status line in the corner; returns the column where it begins."""
    glyph, style = _motion(player)[0]
    text = f" {player.step * 100 // max(player.timeline.last, 1)}%  h help"
    first = screen.width - width_of(glyph + text) - 1
    x = screen.put(first, 0, f" {glyph}", style)
    screen.put(x, 0, text, theme.NOTE)
    return first


def _draw_note(screen: Screen, player: Player, end: int) -> None:
    """Draw the remark on what is shown, if there is one, instead of the first row up to the column `end`."""
    if note := clip(_note(player), end - 1):
        screen.put(0, 0, " " * end)
        screen.put(end - width_of(note) - 1, 0, f" {note}", theme.TITLE)


def _draw_body(controls: Controls, width: int, height: int) -> Screen:
    """The view, or a page instead of it or over it."""
    if controls.mode is Mode.HELP:
        return draw_help(width, height, controls.help_row)
    view = controls.view
    screen = view.body(controls.player.replay, width, height, controls.viewpoint)
    if controls.mode is Mode.LOOK:
        draw_cursor(screen, view, controls.player.replay, controls.viewpoint, controls.cursor)
    state = controls.player.replay.state
    if isinstance(state, Remarked) and state.asks is not None:
        from terminal.replay.drawing.question import draw_question  # only games of engines ask

        draw_question(screen, controls, state)
    if controls.page:
        draw_page(screen, view.panels[controls.page](controls.player.replay), controls.page_row)
    return screen


def _draw_inside(controls: Controls, width: int, height: int) -> Screen:
    """The view, and the details if they are switched on and fit."""
    replay, view = controls.player.replay, controls.view
    columns, rows = view.least(replay)
    side = min(width // 3, 56, width - columns - 1)
    if not controls.panel or controls.mode is Mode.HELP or controls.page:
        return _draw_body(controls, width, height)
    screen = Screen(width, height)
    if width >= SIDE and side >= NARROWEST:
        screen.paste(0, 0, _draw_body(controls, width - side - 1, height))
        screen.paste(width - side, 0, draw_panel(view.facts(replay), controls.player, side, height))
        return screen
    if height >= BELOW and height - STRIP >= rows:
        screen.paste(0, 0, _draw_body(controls, width, height - STRIP))
        screen.paste(0, height - STRIP, draw_strip(view.facts(replay), width, STRIP))
        return screen
    return _draw_body(controls, width, height)


def _draw_title(screen: Screen, player: Player) -> None:
    info = player.info
    kind = clip(_note(player) or f"{info.format}, {info.status}", screen.width - 4) + " "
    screen.put(0, 0, " " * screen.width, theme.TITLE)
    screen.put(1, 0, clip(info.title, screen.width - width_of(kind) - 3), theme.TITLE)
    screen.put(screen.width - width_of(kind), 0, kind, theme.TITLE)


def _note(player: Player) -> str:
    """The remark on the recording, or on the picture that is shown; empty if there is none."""
    if noted := player.info.note:
        return noted
    state = player.replay.state
    return state.note or state.check() if isinstance(state, Remarked) else ""


def _draw_status(screen: Screen, player: Player, y: int) -> None:
    """Draw the motion and the position; parts that do not fit are left out, the last first."""
    timeline, unit = player.timeline, player.timeline.unit
    here, last = timeline.at(unit, player.step), timeline.at(unit, timeline.last)
    behind = player.behind
    told = [
        *([f"{behind} behind"] if behind else []),
        f"{unit} {here} of {last}",
        f"{clock(player.time)} of {clock(timeline.time(timeline.last))}",
        f"{player.step * 100 // max(timeline.last, 1)}%",
    ]
    if timeline.start is not None:
        told.insert(-1, utc_time(timeline.start + player.time))
    x = 1
    for glyph, style in _motion(player):
        x = screen.put(x, y, glyph, style) + 1
    for text in told:
        if x + 2 + width_of(text) <= screen.width:
            x = screen.put(x + 1, y, text) + 1


def _motion(player: Player) -> list[tuple[str, Style]]:
    """The motion, the speed, and the treatment of idle gaps."""
    arrow = "▶" if player.direction > 0 else "◀"
    glyph = {Motion.PAUSED: "⏸", Motion.PLAYING: arrow, Motion.FOLLOWING: "●"}[player.motion]
    style = theme.NOTE if player.motion is Motion.PAUSED else theme.GOOD
    parts = [(glyph, style), (player.motion.value, style)]
    if player.direction < 0:
        parts.append(("backwards", theme.NOTE))
    unit = " turns/s" if player.pace is Pace.TURNS else "x"
    parts.append((f"{player.speed:g}{unit}", theme.NOTE))
    if player.idle is not OFF:
        parts.append((f"idle {player.idle.name}", theme.NOTE))
    return parts


def _draw_message(screen: Screen, controls: Controls, y: int) -> None:
    """Draw the typed text or the latest message; on the right, hints about keys."""
    said = _said(controls)
    x = screen.width
    for label, word in reversed(BRIEF if said else HINTS):
        x -= width_of(label) + width_of(word) + 3
        screen.put(x, y, label, theme.KEY)
        screen.put(x + 1 + width_of(label), y, word, theme.NOTE)
    if controls.mode is Mode.PROMPT:
        while width_of(said) > x - 3:
            said = said[1:]  # the end is where one types
        screen.put(screen.put(1, y, said), y, " ", theme.CURSOR)
    else:
        screen.put(1, y, clip(said, x - 2), theme.RARE)


def _said(controls: Controls) -> str:
    match controls.mode:
        case Mode.LOOK if controls.view.look:
            return controls.view.look(controls.player.replay, controls.viewpoint, *controls.cursor).text
        case Mode.PROMPT:
            return controls.asks + controls.typed
        case Mode.HELP:
            return "Up Down scroll, any other key returns"
    return f"{controls.typed}G goes there" if controls.typed else _told(controls.player)


def _told(player: Player) -> str:
    """What lasts, then the latest message."""
    return "; ".join(filter(None, (player.trouble, player.message)))
