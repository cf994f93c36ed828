"""The screen of the play client: the game's view, and over it the prompt and messages.

What was opened over the game fills the screen if it is one of `WHOLE`; else it is drawn over the game.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from nhlog.engines.protocol import Binding, GivesHints
from nhlog.errors import NhlogError
from nhlog.screen import Screen, clip, width_of
from nhlog.values import NamedTuple
from terminal.ending.drawing import draw_ending
from terminal.ending.ending import Ending
from terminal.messages.history import History, draw_history
from terminal.messages.rows import draw_rows
from terminal.play.controller import PlayController, Question
from terminal.prompts.characters import ScreenInput
from terminal.prompts.directions import PositionInput
from terminal.prompts.drawing import below, draw_message, draw_prompt
from terminal.replay.look import Look, draw_cursor
from terminal.screen import theme
from terminal.screen.hints import Entry, draw_entries, draw_hints, hint_width
from terminal.screen.keys import key_label
from terminal.screen.page import Page, draw_page, too_small
from terminal.settings.drawing import draw_options
from terminal.settings.menu import OptionsMenu
from terminal.views import Viewpoint

__all__ = ["draw_game", "draw_trouble"]

WHOLE: Final[Mapping[type, Callable[[Any, int, int], Screen]]] = {Ending: draw_ending, History: draw_history}
"""What of that which can be opened fills the screen, and what draws it."""

LEAST: Final = (30, 7)
DIGITS: Final = "0123456789"
FIRST_TURNS: Final = 50  # in which the keys are shown that are needed first
GAP: Final = 2  # columns before the words about others
GAME: Final = 24  # rows that the game's own screen has; below them there is room for a hint
_WALK: Final = "move"  # the command that walks in a direction
_ROSE: Final = ((1, 2, 3), (0, -1, 4), (7, 6, 5))  # the directions by their numbers, as they lie
_NEEDED: Final = frozenset({"inventory", "look", "leave"})  # hints that are needed first
FIRST: Final = 4  # hints of the game, in the row of hints
TURNING: Final = "Space > more  < back  Esc leaves"  # below a page that is too long
HINTS: Final = (  # actions, and words for them
    ("help", "keys"),
    ("leave", "leave"),
    ("inventory", "inventory"),
    ("look", "look"),
    ("watch-again", "watch again"),
    ("messages", "messages"),
)


def draw_game(controller: PlayController, width: int, height: int) -> Screen:
    """The current screen, `width` columns by `height` rows; raises :class:`NhlogError` if the log cannot be read."""
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    opened = controller.opened.top
    if type(opened) in WHOLE:
        return WHOLE[type(opened)](opened, width, height)
    screen = Screen(width, height)
    if opened is None and isinstance(controller.asked, ScreenInput) and not controller.seat.heard.has_more:
        draw_prompt(screen, controller.asked)
        _draw_company(screen, controller, (height - 1, height - 2, 0))
        return screen
    hinted = height > GAME
    screen.paste(0, 0, _body(controller, width, height - hinted))
    if hinted:
        x, _ = _draw_company(screen, controller, (height - 1,))
        _draw_hints(screen, controller, height - 1, x)
    if isinstance(opened, Page):
        opened.unseen = draw_page(screen, _page(controller, opened.name), opened.row, TURNING)
        return screen
    if isinstance(opened, Question) and opened.beside:
        draw_page(screen, below(controller.view.panels[opened.beside](controller.replay), 1), 0)
    _draw_said(screen, controller)
    if not hinted:
        told = bool(screen.text()[0])
        x, y = _draw_company(screen, controller, (height - 1, height - 2, 0))
        if _begins(controller) and not told:
            _draw_hints(screen, controller, 0, width if y else x)
    if isinstance(opened, OptionsMenu):
        draw_options(screen, opened)
    return screen


def _draw_said(screen: Screen, controller: PlayController) -> None:
    """Draw a page of the game's messages, and below the last one the client's question or message."""
    heard, opened = controller.seat.heard, controller.opened.top
    pages = heard.pages(screen.width)
    page = min(heard.turned, len(pages) - 1)
    rows = draw_rows(screen, pages[page])
    if page < len(pages) - 1:
        return
    top = GAME if controller.view.speaks and screen.height > GAME + 1 else rows  # not over what the game says itself
    if controller.asked is not None:
        draw_prompt(screen, controller.asked, rows)
    elif isinstance(opened, Look) and controller.view.look:
        draw_message(screen, controller.view.look(controller.replay, Viewpoint(), *opened.cursor).text, top)
    elif controller.says:
        draw_message(screen, controller.says, top)


def _draw_company(screen: Screen, controller: PlayController, rows: Sequence[int]) -> tuple[int, int]:
    """Draw at the end of one of these rows what another player did, that the game asks them, or who is there.

    It covers nothing, and takes at most half a row: the first one with room for all of it, else the one with the most.
    Returns the column and the row where it begins.
    """
    texts, words = screen.text(), controller.seat.company.words
    rooms = [max(min(screen.width - width_of(texts[y].rstrip()) - GAP, screen.width // 2), 0) for y in rows]
    room = next((room for room in rooms if room >= width_of(words)), max(rooms))
    told = clip(words, room)
    x, y = screen.width - width_of(told), rows[rooms.index(room)]
    screen.put(x, y, told, theme.NOTE)
    return x, y


def _body(controller: PlayController, width: int, height: int) -> Screen:
    """The game, the ghost and the cursor."""
    cursor = _cursor(controller)
    body = controller.view.body(controller.replay, width, height, Viewpoint())
    _draw_ghost(body, controller)
    if cursor is not None:
        draw_cursor(body, controller.view, controller.replay, Viewpoint(), cursor)
    return body


def draw_trouble(controller: PlayController, error: NhlogError, width: int, height: int) -> Screen:
    """The screen while the log cannot be read: the error, and the message."""
    screen = Screen(width, height)
    draw_message(
        screen,
        ". ".join(filter(None, (controller.seat.message, str(error), f"{controller.keys.label('leave')} leaves"))),
    )
    return screen


def _cursor(controller: PlayController) -> tuple[int, int] | None:
    """The cursor's distance from the hero in columns and rows; None without a cursor."""
    if isinstance(controller.opened.top, Look):
        return controller.opened.top.cursor
    if isinstance(controller.asked, PositionInput):
        _, x, y = controller.session.game.here
        return controller.asked.cursor[0] - x, controller.asked.cursor[1] - y
    return None


def _draw_ghost(body: Screen, controller: PlayController) -> None:
    """Draw the ghost at its place of the same turn; other things on that square stay visible."""
    session, ghost = controller.session, controller.ghost
    place = ghost.at(session.game.turn) if ghost and session.following.gamestate else None
    if place is None:
        return
    level, x, y = session.game.here
    if place[0] != level or place[1:] == (x, y) or controller.view.look is None:
        return
    square = controller.view.look(controller.replay, Viewpoint(), place[1] - x, place[2] - y)
    across, down = square.place(body.width, body.height)
    if 0 <= across < body.width and 0 < down < body.height:
        body.put(across, down, "@", theme.FUTURE)


def _page(controller: PlayController, name: str) -> Screen:
    return _help(controller) if name == "help" else controller.view.panels[name](controller.replay)


def _help(controller: PlayController) -> Screen:
    """What is needed first, the game's keys by groups, then the client's; keys with the same function share a row."""
    entries = [*_needed(controller)]
    group = ""
    for key, labels, binding in _merged(controller):
        if binding.group != group:
            group = binding.group
            entries.append(("", group, ""))
        entries.append((key, labels, binding.does))
    own = [row for row in controller.keys if row.keys and row.fits(controller)]
    entries += [("", own[0].group, ""), *((row.keys[0], row.label, row.does) for row in own)]
    if not (controller.prefix and controller.bindings.keys() & {*DIGITS}):
        entries.append(("", "0-9", "how often, before a key"))
    return draw_entries(entries)


def _needed(controller: PlayController) -> Iterator[Entry]:
    """The directions as a rose, and the keys that a new player needs first; nothing for a game without either."""
    hints = [hint for hint in _first_hints(controller) if hint.name != _WALK]
    rose = _rose(controller)
    if not hints and not rose:
        return
    yield "", "First of all", ""
    yield from rose
    yield from ((hint.key, hint.label, hint.word) for hint in hints)
    for action, word in HINTS:
        if (key := controller.keys.key(action)) and action in _NEEDED:
            yield key, controller.keys.label(action), word


def _rose(controller: PlayController) -> list[Entry]:
    """The letters of the eight directions as they lie; empty for a game that does not walk by letters."""
    bindings = controller.session.engine.bindings
    walks = [binding for binding in bindings if binding.command.name == _WALK and binding.command.arguments]
    letters = {binding.command.arguments[0].value: binding.key for binding in walks if len(binding.key) == 1}
    if not letters.keys() >= {*range(8)}:
        return []
    word = next((hint.word for hint in _first_hints(controller) if hint.name == _WALK), _WALK)
    arrows = "the arrows do, too" if any(binding.key == "left" for binding in walks) else " "
    capital = next((binding.command.name for binding in bindings if binding.key == letters[0].upper()), "")
    words = (word, arrows, f"capital letters {capital}" if capital else " ")
    rows = [" ".join(letters.get(number, "·") for number in row) for row in _ROSE]
    return [("", row, told) for row, told in zip(rows, words, strict=True)]


def _merged(controller: PlayController) -> list[tuple[str, str, Binding]]:
    """The engine's bindings, each with its first key and the labels of all its keys that the client does not take."""
    rows: dict[tuple[str, str], list[Binding]] = {}
    for binding in controller.session.engine.bindings:
        rows.setdefault((binding.group, binding.does), []).append(binding)
    found = []
    for same in rows.values():
        keys = [binding.key for binding in same if controller.own(binding.key) is None]
        labels = " ".join(map(key_label, keys)) or f"#{same[0].command.name}"
        found.append((keys[0] if keys else "", labels, same[0]))
    return found


def _draw_hints(screen: Screen, controller: PlayController, y: int, end: int) -> None:
    """Draw the keys that are needed most, as many as fit before a column: in the first turns those of the game, too."""
    x = 1
    always = sum(2 + hint_width(controller.keys, action, word) for action, word in HINTS[:2])
    for hint in _first_hints(controller)[:FIRST] if _begins(controller) else []:
        if x + width_of(f"{hint.label} {hint.word}") + always < end:
            x = screen.put(x, y, hint.label, theme.KEY)
            x = screen.put(x + 1, y, hint.word, theme.NOTE) + 2
    here = {row.action for row in controller.keys if row.fits(controller)}
    draw_hints(screen, y, controller.keys, tuple(hint for hint in HINTS if hint[0] in here), x, end)


def _begins(controller: PlayController) -> bool:
    """Whether the game has just begun, so that a new player may need hints."""
    session = controller.session
    return session.following.gamestate is not None and session.game.turn <= FIRST_TURNS and not session.following.over


class _Hint(NamedTuple):
    """A command that a new player needs first: its name, a key of it, what its keys are called, what it does."""

    name: str
    key: str
    label: str
    word: str


def _first_hints(controller: PlayController) -> list[_Hint]:
    """The keys that a new player of the game needs first."""
    engine = controller.session.engine
    found = []
    for name, word in engine.hints if isinstance(engine, GivesHints) else ():
        keys = [binding.key for binding in engine.bindings if binding.command.name == name]
        keys = [key for key in keys if controller.own(key) is None]
        letters = "".join(key for key in keys if len(key) == 1)
        found += [_Hint(name, keys[0], letters or key_label(keys[0]), word)] if keys else []
    return found
