"""The menu of options: those of the game that is played, and how screens look.

What is chosen holds at once, and the mark stays where it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from nhlog.errors import NhlogError
from nhlog.values import dataclass
from terminal.messages.others import TALK, Wants
from terminal.screen.keys import Bound, Key, KeyTable, about, as_they_are
from terminal.screen.preferences import COLORS, SYMBOLS, Appearance
from terminal.settings.kept import Settings, keep_settings, read_settings

__all__ = ["OPTIONS_KEYS", "OptionsMenu", "Setting"]

_SCREEN: Final = "The screen"
_OTHERS: Final = "Others"
_YES, _NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of the menu: its heading, its name, what it `does` and its `values`; `value` is the current one.

    `choose` makes another one the current one.
    """

    group: str
    name: str
    does: str
    values: tuple[str, ...]
    value: Callable[[], str]
    choose: Callable[[str], None]


class OptionsMenu:
    """The rows of the menu, `game` before those of the client; one of them, number `index`, is marked.

    `told` says why something could not be kept; `done` is whether the user has left.  Raises :class:`Usage` if what was
    kept cannot be read.
    """

    mode: ClassVar[str] = "options"

    def __init__(self, game: Sequence[Setting] = (), bound: Bound = as_they_are) -> None:
        self.keys = bound(OPTIONS_KEYS)
        self._kept = read_settings()
        self.rows = (
            *game,
            Setting(
                _SCREEN,
                "colours",
                "as far as terminal and NO_COLOR allow",
                tuple(COLORS),
                lambda: self.appearance.colors,
                lambda value: self._look(colors=value),
            ),
            Setting(
                _SCREEN,
                "symbols",
                "as far as the locale allows",
                SYMBOLS,
                lambda: self.appearance.symbols,
                lambda value: self._look(symbols=value),
            ),
            Setting(
                _OTHERS,
                "mail",
                "lines that watchers write to you",
                (_YES, _NO),
                lambda: _YES if self.wants.mail else _NO,
                lambda value: self._want(mail=value == _YES),
            ),
            Setting(
                _OTHERS,
                "talk",
                "of those who watch you; off: nobody can",
                TALK,
                lambda: self.wants.talk,
                lambda value: self._want(talk=value),
            ),
        )
        self.index = 0
        self.told = ""
        self.done = False

    @property
    def appearance(self) -> Appearance:
        """How screens look."""
        return self._kept.appearance

    @property
    def wants(self) -> Wants:
        """What who plays wants of those who watch."""
        return self._kept.wants

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        self.told = ""
        if number := about(key, "row"):
            self._click(int(number))
        elif row := self.keys.of(key):
            row.act(self)

    def _click(self, number: int) -> None:
        """Mark this row, or change its value where it is marked already."""
        if number == self.index:
            self.change(1)
        self.index = number

    def move(self, rows: int) -> None:
        """Move the mark."""
        self.index = (self.index + rows) % len(self.rows)

    def change(self, count: int) -> None:
        """Give the marked option the value that is `count` further."""
        row = self.rows[self.index]
        value = row.value()
        place = row.values.index(value) if value in row.values else -1
        row.choose(row.values[(place + count) % len(row.values)])

    def keep_option(self, game: str, name: str, value: str) -> None:
        """Keep the value of a game's option for the games that begin later."""
        self._keep(lambda kept: kept.with_option(game, name, value))

    def leave(self) -> None:
        """Leave the menu."""
        self.done = True

    def _look(self, **chosen: str) -> None:
        self._keep(lambda kept: replace(kept, appearance=replace(kept.appearance, **chosen)))

    def _want(self, **chosen: Any) -> None:
        self._keep(lambda kept: replace(kept, wants=kept.wants._replace(**chosen)))

    def _keep(self, changed: Callable[[Settings], Settings]) -> None:
        """Change what is kept: another client of this player may have changed it, too."""
        self._kept = changed(self._kept)
        try:
            keep_settings(changed(read_settings()))
        except NhlogError as error:
            self.told = f"not kept: {error}"


OPTIONS_KEYS: Final[KeyTable[OptionsMenu]] = KeyTable(
    "options",
    (
        Key("Options", ("down", "j", "wheel-down"), "next", "next", lambda menu: menu.move(1)),
        Key("Options", ("up", "k", "wheel-up"), "previous", "previous", lambda menu: menu.move(-1)),
        Key("Options", ("right", " ", "enter", "l"), "change", "change", lambda menu: menu.change(1)),
        Key("Options", ("left", "h"), "change-back", "change back", lambda menu: menu.change(-1)),
        Key("Options", ("escape", "q", "O"), "quit", "leave", OptionsMenu.leave),
    ),
    needed=("quit",),
)
