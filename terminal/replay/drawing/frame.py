"""The whole screen of the player: title, view, details, transport line and message.

Every row has a fixed place, whatever is shown in it: see :mod:`terminal.replay.layout.rows`.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

from nhlog.replay import Remarked
from nhlog.screen import PLAIN, Screen, clip, width_of
from terminal.replay.controls import Controls, Help, Typing, moves, too_large, zooms
from terminal.replay.drawing.bar import aim_track, draw_axis, draw_names, draw_transport
from terminal.replay.drawing.details import draw_panel, draw_strip
from terminal.replay.layout.line import BETWEEN, Part, transport_of
from terminal.replay.layout.rows import LEAST, TALKING, Layout, details_fit, layout_of, talk_fits
from terminal.replay.look import Look, draw_cursor
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.screen.hints import Entry, draw_hint, hint_width
from terminal.screen.page import draw_page, draw_title, too_small
from terminal.text.words import clock
from terminal.views import LEGEND

if TYPE_CHECKING:
    from nhlog.beside.talk import Said

__all__ = ["draw_frame", "draw_help", "draw_hindered", "draw_view", "message_of", "note_of"]

HINTS: Final = (("pause", "play"), ("search", "search"), ("help", "help"), ("quit", "quit"))  # actions, words for them
_ALONE: Final = ("help", "messages")  # modes without details beside them
BRIEF: Final = HINTS[-2:]  # what is left of the hints when there is something to say


def draw_frame(controls: Controls, width: int, height: int) -> Screen:
    """The current screen of the player, `width` columns by `height` rows.

    Raises :class:`LogRecovered` or :class:`LockNotObtained` for a log that changed meanwhile.
    """
    return _with_options(controls, _draw_pages(controls, width, height) or _draw_frame(controls, width, height))


def draw_view(controls: Controls, width: int, height: int) -> Screen:
    """The view alone, without the rows around it: for a page that has a title, a timeline and a message line itself."""
    return _with_options(
        controls, _draw_pages(controls, width, height) or _draw_inside(controls, width, height, height)
    )


def _with_options(controls: Controls, screen: Screen) -> Screen:
    """The screen, with the menu of options over it while that is shown."""
    if controls.opened.mode == "options":
        from terminal.settings.drawing import draw_options  # which few open
        from terminal.settings.menu import OptionsMenu

        draw_options(screen, cast(OptionsMenu, controls.opened.top))
    return screen


def _draw_pages(controls: Controls, width: int, height: int) -> Screen | None:
    """The pages about the end of a game, or the plots, while they take the whole screen."""
    if controls.opened.mode == "ending":
        from terminal.ending.drawing import draw_ending  # only games end so
        from terminal.ending.ending import Ending

        return draw_ending(cast(Ending, controls.opened.top), width, height)
    if controls.opened.mode == "plots":
        from terminal.plots.drawing import draw_plotting  # few look at them
        from terminal.plots.plotting import Plotting

        plots = cast(Plotting, controls.opened.top)
        return draw_plotting(plots, lambda step: _moment(controls.player, step), width, height)
    return None


def _draw_frame(controls: Controls, width: int, height: int) -> Screen:
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    screen = Screen(width, height)
    least = (0, 0) if controls.opened.mode == "help" else controls.view.least(controls.player.replay)
    layout = layout_of(least, width, height)
    screen.paste(0, layout.body, _draw_inside(controls, width, layout.drawn, layout.rows))
    _draw_transport(screen, controls, layout)
    if layout.body:
        _draw_title(screen, controls)
    elif layout.message is None and message_of(controls):
        screen.put(0, 0, " " * width)
    elif not controls.page:
        _draw_note(screen, controls.player)
    if layout.message is not None or message_of(controls):
        _draw_message(screen, controls, layout.message or 0)
    return screen


def _moment(player: Player, step: int) -> str:
    """When a step is, in the recording's unit and in time."""
    timeline = player.timeline
    return f"{timeline.unit} {timeline.at(timeline.unit, step)}, {clock(timeline.time(step))}"


def draw_hindered(screen: Screen, player: Player) -> Screen:
    """The screen with the player's message in its last row: for a recording that cannot be read just now."""
    shown = screen.crop(0, 0, screen.width, screen.height)
    shown.put(0, screen.height - 1, f" {clip(_told(player), screen.width - 2)}".ljust(screen.width), theme.RARE)
    return shown


def _without_rows(screen: Screen, count: int) -> Screen:
    """The screen without so many of its rows: the first blank ones, else those from the second on."""
    if not count:
        return screen
    blank = [*islice(filter(screen.is_blank, range(screen.height)), count)]
    others = [y for y in range(1, screen.height) if y not in blank]
    left_out = {*blank, *others[: count - len(blank)]}
    return screen.pick([y for y in range(screen.height) if y not in left_out])


def _draw_transport(screen: Screen, controls: Controls, layout: Layout) -> None:
    """Draw the transport line, and what belongs around it; where there is no row for hints, with some of them."""
    player, keys = controls.player, controls.keys
    if not moves(controls):
        _draw_still(screen, controls, layout)
        return
    hints = [(action, word) for action, word in BRIEF if layout.message is None and keys.label(action)]
    told = [Part(f"{keys.label(action)} {word}", theme.NOTE) for action, word in hints]
    transport = transport_of(player, screen.width, told)
    screen.paste(0, layout.transport, draw_transport(transport, player, screen.width))
    if layout.around:
        screen.paste(0, layout.transport - 1, draw_names(transport.track, player, screen.width))
        screen.paste(0, layout.transport + 1, draw_axis(transport.track, player, screen.width))
        aim_track(screen, layout.transport + 1, transport.track)
    motion = sum(width_of(part.text) + 1 for part in transport.left[:2])
    screen.aim(1, layout.transport, motion - 1, keys.key("pause"))
    end = screen.width - 1
    for (action, _), part in reversed(list(zip(hints, told, strict=True))):
        if part in transport.right:
            wide = width_of(part.text)
            screen.aim(end - wide, layout.transport, wide, keys.key(action))
            end -= wide + BETWEEN


def _draw_still(screen: Screen, controls: Controls, layout: Layout) -> None:
    """Leave the transport line empty where there is nothing to play, but for hints if they have no row of their own."""
    screen.put(0, layout.transport, " " * screen.width)
    end = screen.width - 1
    for action, word in reversed(BRIEF if layout.message is None else ()):
        if wide := hint_width(controls.keys, action, word):
            draw_hint(screen, end - wide, layout.transport, controls.keys, action, word)
            end -= wide + BETWEEN


def _draw_note(screen: Screen, player: Player) -> None:
    """Draw the remark on what is shown, if there is one, instead of the first row."""
    if note := clip(_note(player), screen.width - 1):
        screen.put(0, 0, " " * screen.width)
        screen.put(screen.width - width_of(note) - 1, 0, f" {note}", theme.TITLE)


def _draw_body(controls: Controls, width: int, height: int, rows: int) -> Screen:
    """The view, drawn in `height` rows of which `rows` are shown, or a page instead of it or over it."""
    opened = controls.opened.top
    if isinstance(opened, Help):
        return draw_help(controls, opened.row, width, rows)
    if controls.opened.mode == "messages":
        from terminal.messages.history import History, draw_history  # which few look at

        return draw_history(cast(History, opened), width, rows)
    view, replay = controls.view, controls.player.replay
    state = replay.state
    screen = view.body(replay, width, height, controls.viewpoint)
    if isinstance(opened, Look):
        draw_cursor(screen, view, replay, controls.viewpoint, opened.cursor)
    game = state if isinstance(state, Remarked) and (state.told or state.asks is not None) else None
    if game:
        from terminal.replay.drawing import question  # only games of engines have messages and questions

        question.draw_place(screen, controls, game)
    screen = _without_rows(screen, height - rows)
    if game:
        question.draw_said(screen, game)
    if controls.page:
        draw_page(screen, _page(controls), controls.page_row, _turning(controls))
    return screen


def _turning(controls: Controls) -> str:
    """What scrolls a page that is too long."""
    keys = controls.keys
    scrolls = [f"{keys.label(action)} {word}" for action, word in (("page-on", "more"), ("page-back", "back"))]
    return "  ".join([*(hint for hint in scrolls if not hint.startswith(" ")), "Esc leaves"])


def draw_help(controls: Controls, row: int, width: int, height: int) -> Screen:
    """The help from this row on, in as many columns as fit."""
    screen = Screen(width, height)
    entries = _entries(controls)
    wide = 1 + max(width_of(label) for _, label, does in entries if does)
    widest = 1 + wide + max(width_of(does) for _, _, does in entries)  # columns of an entry and the space before it
    columns = max(min(width // widest, -(-len(entries) // max(height, 1))), 1)
    rows = -(-len(entries) // columns)
    first = max(min(row, rows - height), 0)
    for number, (key, label, does) in enumerate(entries):
        x, y = number // rows * (width // columns) + 1, number % rows - first
        screen.put(x, y, label, theme.KEY if does else theme.HEAD)
        screen.put(x + wide, y, clip(does, width // columns - wide - 1), PLAIN)
        screen.aim(x, y, width // columns - 1 if key else 0, f"press {key}")
    return screen


def _entries(controls: Controls) -> list[Entry]:
    """The keys that mean something here, each group under its name."""
    entries: list[Entry] = []
    group = ""
    for key in filter(lambda key: key.keys and key.fits(controls), controls.keys):
        if key.group != group:
            group = key.group
            entries.append(("", group, ""))
        entries.append((key.keys[0], key.label, controls.help_words(key)))
    return entries


def _page(controls: Controls) -> Screen:
    """The panel of the view that is shown over it."""
    if controls.page != LEGEND:
        return controls.view.panels[controls.page](controls.player.replay)
    from terminal.replay.drawing.legend import draw_legend  # no first screen has one

    return draw_legend(controls)


def _draw_inside(controls: Controls, width: int, height: int, rows: int) -> Screen:
    """The view, and the details if they are switched on and fit, and what is said beside it."""
    replay, view, said = controls.player.replay, controls.view, controls.player.beside.shown(controls.player)
    alone = controls.opened.mode in _ALONE or bool(controls.page)
    details = None if alone or not controls.panel else details_fit(view.least(replay), width, height)
    talk = talk_fits(view.least(replay), width, details) if said and not alone else 0
    if details is None and not talk:
        return _draw_body(controls, width, height, rows)
    side, strip = details or (0, 0)
    column = side or talk
    left = width - column - 1 if column else width
    screen = Screen(width, rows)
    if strip:
        above = height - strip
        screen.paste(0, 0, _draw_body(controls, left, above, above))
        screen.paste(0, above, draw_strip(view.facts(replay), left, strip))
    else:
        screen.paste(0, 0, _draw_body(controls, left, height, rows))
    if column:
        spoken = 0 if not said else rows // TALKING if side else rows
        _draw_side(screen, column, controls, said, spoken)
    return screen


def _draw_side(screen: Screen, width: int, controls: Controls, said: "Sequence[Said]", spoken: int) -> None:
    """Draw the last columns of a screen: details, and in so many of its last rows what was `said`."""
    x, told = screen.width - width, screen.height - spoken
    if told:
        facts = controls.view.facts(controls.player.replay)
        screen.paste(x, 0, draw_panel(facts, controls.player, width, told))
    if spoken:
        from terminal.replay.drawing.talk import draw_talk  # beside most recordings nothing was said

        screen.paste(x, told, draw_talk(said, width, spoken))


def _draw_title(screen: Screen, controls: Controls) -> None:
    info = controls.player.info
    draw_title(screen, info.title, note_of(controls) or f"{info.format}, {info.status}")


def note_of(controls: Controls) -> str:
    """The remark on what is shown, or what part of it that is; empty if there is none."""
    return _note(controls.player) or _part(controls)


def _part(controls: Controls) -> str:
    """That the terminal is too small for what was recorded, and what can be done about it; empty if it is not."""
    size = too_large(controls)
    if size is None:
        return ""
    told, label = f"{size[0]}x{size[1]}", controls.keys.label
    if controls.viewpoint.zoom < 0:
        return f"all of {told}: {label('zoom-in')} as it was"
    pans = " ".join(filter(None, (label(f"pan-{side}") for side in ("up", "left", "down", "right"))))
    all_of_it = f", {label('zoom-out')} all of it" if zooms(controls) else ""
    return f"part of {told}: {pans} move{all_of_it}"


def _note(player: Player) -> str:
    """The remark on the recording, or on the picture that is shown; empty if there is none."""
    if noted := player.remark:
        return noted
    state = player.replay.state
    remark = state.note or state.check() if isinstance(state, Remarked) else ""
    if player.fails:
        remark = state.fault
    return remark or player.lacking


def _draw_message(screen: Screen, controls: Controls, y: int) -> None:
    """Draw the typed text or the latest message; on the right, hints about keys."""
    said = message_of(controls)
    x = screen.width
    hints = [hint for hint in (BRIEF if said else HINTS) if controls.keys.fits(hint[0], controls)]
    for action, word in reversed(hints):
        width = hint_width(controls.keys, action, word)
        if width + 2 > x:
            break
        if width:
            x -= width + 2
            draw_hint(screen, x, y, controls.keys, action, word)
    if controls.opened.mode == "text":
        while width_of(said) > x - 3:
            said = said[1:]  # the end is where one types
        screen.put(screen.put(1, y, said), y, " ", theme.CURSOR)
    else:
        screen.put(1, y, clip(said, x - 2), theme.RARE)


def message_of(controls: Controls) -> str:
    """The message line: what is being typed, or the latest message."""
    match controls.opened.top:
        case Look() as look if controls.view.look:
            return controls.view.look(controls.player.replay, controls.viewpoint, *look.cursor).text
        case Typing() as typing:
            return typing.prompt + typing.text
        case Help():
            return "Up Down scroll, any other key returns"
    return f"{controls.typed}{controls.keys.label('end')} goes there" if controls.typed else _told(controls.player)


def _told(player: Player) -> str:
    """What lasts, then the latest message."""
    return "; ".join(filter(None, (player.news.trouble, player.message)))
