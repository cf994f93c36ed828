"""The list of all messages that a game told, the latest at the bottom: one scrolls and searches in it.

It is read as far as it is shown or searched, piece by piece; what comes after it was opened is not in it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from nhlog.errors import Usage
from nhlog.screen import PLAIN, Screen, width_of
from terminal.screen import theme
from terminal.screen.keys import Bound, Key, KeyTable, as_they_are, edited
from terminal.text.pattern import compile_pattern
from terminal.text.wrapping import wrapped

if TYPE_CHECKING:
    from nhlog.replay import Told

__all__ = ["History", "draw_history"]

PAGE: Final = 10  # messages that a key for a page scrolls by
AHEAD: Final = 100  # messages that are read for a screen; a smaller one shows fewer
TURN: Final = 8  # columns for the number of a turn, and the space after it


class History:
    """The list; `messages` are its pieces, the latest first.

    `told` are those that were read, the latest first, and `below` is how many of them are below the screen.  `typed` is
    the pattern that is being typed, None if none is; `note` is said about the last key.  `found` is the place in `told`
    of the message that was searched, or -1.  `done` is whether it was left.
    """

    mode: ClassVar[str] = "messages"

    def __init__(self, messages: Iterator[Sequence["Told"]], bound: Bound = as_they_are) -> None:
        self.keys = bound(MESSAGE_KEYS)
        self._pieces = messages
        self._whole = False
        self._pattern: re.Pattern[str] | None = None
        self._sought: tuple[int, int] | None = None  # the place to look at next, and the direction: 1 is back in time
        self._to_start = False
        self.told: list[Told] = []
        self.below = 0
        self.typed: str | None = None
        self.note = ""
        self.found = -1
        self.done = False

    def work(self) -> bool:
        """Read a piece; returns False if nothing more is wanted than was read."""
        if not self._wants_more:
            return False
        piece = next(self._pieces, None)
        self._whole = piece is None
        self.told += reversed(piece or ())
        if self._to_start and self._whole:
            self.scroll(len(self.told))
            self._to_start = False
        self._search_on()
        return True

    @property
    def _wants_more(self) -> bool:
        searching = self._to_start or self._sought is not None
        return not self._whole and (searching or len(self.told) < self.below + AHEAD)

    def press(self, key: str) -> None:
        """Handle the key with this name; it ends a search that goes on."""
        self.note = ""
        self._to_start, self._sought = False, None
        if self.typed is not None:
            self._type(key)
        elif row := self.keys.of(key):
            row.act(self)

    def scroll(self, count: int) -> None:
        """Scroll by so many messages, back in time, or on if negative."""
        self.below = max(min(self.below + count, len(self.told) - 1), 0)

    def go_on(self) -> None:
        """A page on, or out of the list at its end."""
        if self.below:
            self.scroll(-PAGE)
        else:
            self.leave()

    def leave(self) -> None:
        """Leave the list."""
        self.done = True

    def to_start(self) -> None:
        """Go to the first message of all."""
        self._to_start = not self._whole
        self.scroll(len(self.told))

    def ask(self) -> None:
        """Ask for a pattern."""
        self.typed = ""

    def _type(self, key: str) -> None:
        assert self.typed is not None
        if key != "enter":
            self.typed = edited(self.typed, key)
            return
        text, self.typed = self.typed, None
        try:
            self._pattern = compile_pattern(text) if text else self._pattern
        except Usage as error:
            self.note = error.what
        else:
            self.search(1)

    def search(self, direction: int) -> None:
        """Go to the next match back in time (1), or on (-1)."""
        if self._pattern is None:
            self.note = "search for what? / asks"
            return
        first = self.found if self.found >= 0 else self.below - (direction > 0)
        self._sought = first + direction, direction
        self._search_on()

    def _search_on(self) -> None:
        """Look at what was read, as far as it was not looked at."""
        if self._sought is None or self._pattern is None:
            return
        at, direction = self._sought
        while 0 <= at < len(self.told) and not self._pattern.search(self.told[at].text):
            at += direction
        self._sought = at, direction
        if 0 <= at < len(self.told):
            self.found = self.below = at
        elif at >= 0 and not self._whole:
            return
        else:
            self.note = f"not found: {self._pattern.pattern}"
        self._sought = None

    def hint(self, width: int) -> str:
        """The last row of a screen of this width: the pattern, what goes on, or what the keys do."""
        if self.typed is not None:
            return f"/{self.typed}"
        busy = "reading, any key ends it" if self._to_start or self._sought is not None else ""
        return busy or self.note or self._hint(width)

    def _hint(self, width: int) -> str:
        """What the keys do: as many hints as fit, each of them whole."""
        label = self.keys.label
        scroll = " ".join(map(label, ("up", "down", "page-up", "page-down")))
        ends, again = f"{label('first')} {label('last')}", f"{label('search-again')} {label('search-other-way')}"
        search = f"{label('search')} searches, {again} again"
        hints = [f"{label('leave')} leaves", f"{scroll} scroll", search, f"{ends} first and last"]
        while len(hints) > 1 and width_of(", ".join(hints)) > width - 1:
            hints.pop()
        return ", ".join(hints)


MESSAGE_KEYS: Final[KeyTable[History]] = KeyTable(
    "messages",
    (
        Key("Messages", ("up", "k", "wheel-up"), "up", "previous message", lambda history: history.scroll(1)),
        Key("Messages", ("down", "j", "wheel-down"), "down", "next message", lambda history: history.scroll(-1)),
        Key("Messages", ("page-up", "<"), "page-up", "ten up", lambda history: history.scroll(PAGE)),
        Key("Messages", ("page-down", ">"), "page-down", "ten down", lambda history: history.scroll(-PAGE)),
        Key("Messages", ("g", "home"), "first", "the first one", History.to_start),
        Key("Messages", ("G", "end"), "last", "the last one", lambda history: history.scroll(-history.below)),
        Key("Messages", (" ",), "on", "ten down; at the end, leave", History.go_on),
        Key("Messages", ("/",), "search", "search", History.ask),
        Key("Messages", ("n",), "search-again", "next match", lambda history: history.search(1)),
        Key("Messages", ("N",), "search-other-way", "previous match", lambda history: history.search(-1)),
        Key("Messages", ("escape", "q", "enter", "ctrl-p"), "leave", "leave", History.leave),
    ),
    needed=("leave",),
)


def draw_history(history: History, width: int, height: int) -> Screen:
    """The list as a screen: each message beside its turn, and what the keys do in the last row."""
    screen = Screen(width, height)
    y = height - 1
    if history.told:
        for at in range(history.below, len(history.told)):
            y -= _draw_message(screen, y, history, at)
            if y <= 0:
                break
    else:
        screen.put(0, 0, "Nothing was told.", theme.NOTE)
    screen.put(0, height - 1, " " * width)
    x = screen.put(1, height - 1, history.hint(width), theme.NOTE)
    if history.typed is not None:
        screen.put(x, height - 1, " ", theme.CURSOR)
    return screen


def _draw_message(screen: Screen, end: int, history: History, at: int) -> int:
    """Draw a message above row `end`; returns its rows."""
    told = history.told[at]
    rows = wrapped(told.text, screen.width - TURN - 1)
    style = theme.HERE if at == history.found else PLAIN
    for y, row in enumerate(rows, end - len(rows)):
        screen.put(TURN, y, row, style)
    first = at + 1 == len(history.told) or history.told[at + 1].turn != told.turn
    if first:
        label = f"T:{told.turn}"
        screen.put(TURN - 1 - width_of(label), end - len(rows), label, theme.NOTE)
    return len(rows)
