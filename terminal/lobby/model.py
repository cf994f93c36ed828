"""The lobby: what there is in its folders, the chosen row, and the keys."""

import os
import random
from collections.abc import Sequence
from typing import Final

from nhlog.engines.prompts import AskText
from nhlog.errors import NhlogError
from terminal.lobby.contents import Contents
from terminal.lobby.folders import Folders
from terminal.lobby.reading.jobs import Job
from terminal.lobby.rows import FOLDERS, OTHERS, SORTS, UNREADABLE, YOURS, Row
from terminal.lobby.visitors import Visitor
from terminal.prompts.text import TextInput
from terminal.screen.keys import Bound, Key, KeyTable, about, as_they_are
from terminal.settings.menu import OptionsMenu

__all__ = ["LOBBY_KEYS", "Lobby"]

_WANTS: Final = {YOURS: "play", OTHERS: "watch", FOLDERS: "walk"}  # what Enter does, by section; else it replays
_OF_PLAYERS: Final = ("new", "edit")  # what can be wanted where there is no row
PAGE: Final = 10  # rows
_PACKED: Final = ".zst"  # what `nhlog tidy` adds to the name of what it packs
BUSY: Final = 60_000_000  # microseconds without anything after which a game is no busy one


class Lobby(Contents):
    """The recordings in some folders, for a `visitor`; `bound` has that user's choice of keys.

    `place` is the folder that was walked into, if one was.  `typing` is the input while the filter is being typed.
    `message` is shown to the person, `help` whether the keys are shown, `options` the menu of options while it is.
    `wants` is what is to be done with the chosen row: ``play``, ``watch``, ``replay``, ``walk``, ``new``, ``edit``,
    ``write`` or nothing.
    """

    def __init__(self, folders: Folders, visitor: Visitor, bound: Bound = as_they_are, place: str = "") -> None:
        super().__init__(folders, visitor)
        self.place = place
        self.keys = bound(LOBBY_KEYS)
        self._bound = bound
        self.typing: TextInput | None = None
        self.help = False
        self.options: OptionsMenu | None = None
        self.message = ""
        self.wants = ""
        self.done = False
        self._chosen = ""
        self._at = 0  # where the chosen row stood

    # what there is

    def look(self) -> bool:
        """Glance at files that are new or changed; returns whether there are more.

        The cursor stays on its row, also where a game is put away to another folder, or a recording packed.
        """
        more = super().look()
        if self._chosen and self._rows.of(self._chosen) is None:
            name = os.path.basename(self._chosen)
            self._chosen = next((row.file for row in self.rows if row.name in (name, name + _PACKED)), self._chosen)
        self._at = self.index
        if self._chosen and (row := self.chosen):
            self._chosen = row.file
        return more

    def wanted(self, rows: Sequence[Row], picture: tuple[int, int] | None = None) -> list[Job]:
        """What is to be read for the rows in view, the most important first; `picture` is the size of that of the
        chosen one, None for none.
        """
        return self.to_read(rows, self.chosen if picture else None, picture or (0, 0))

    # which one

    @property
    def index(self) -> int:
        """The index of the chosen row in `rows`; of one that is no longer there, what stands in its place."""
        rows = self.rows
        found = rows.place(self._chosen)
        return max(min(self._at, len(rows) - 1), 0) if found is None else found

    @property
    def chosen(self) -> Row | None:
        """The row under the cursor; None if there are no rows."""
        rows = self.rows
        return rows[self.index] if rows else None

    def choose(self, file: str) -> None:
        """Put the cursor on the row of this file."""
        self._chosen = file

    def move(self, count: int) -> None:
        """Move the cursor by `count` rows."""
        rows = self.rows
        if rows:
            self._at = min(max(self.index + count, 0), len(rows) - 1)
            self._chosen = rows[self._at].file

    # keys

    def press(self, key: str) -> None:
        """Do what the key of this name does."""
        self.message = ""
        if self.options is not None:
            self.options.press(key)
            self.options = None if self.options.done else self.options
            return
        if self.help:
            self.help = False
            key = about(key, "press")  # on a row of the help
        if file := about(key, "row"):
            self._click(file)
        elif self.typing is not None:
            self._type(key)
        elif row := self.keys.of(key):
            row.act(self)
        elif key:
            self.message = f"no such key: {self.keys.label('help')} lists the keys"

    def _type(self, key: str) -> None:
        """Handle a key while the filter is being typed; the filter takes effect at once."""
        assert self.typing is not None
        if key in ("down", "up"):
            self.move(1 if key == "down" else -1)
        elif key == "escape":
            self.typing, self.filter = None, ""
        elif key == "enter":
            self.typing = None
        else:
            self.typing.press(key)
            self.filter = self.typing.typed

    def _click(self, file: str) -> None:
        """Put the cursor on the row of this file; where it stands already, do as Enter does."""
        if self.chosen is not None and self.chosen.file == file:
            self.enter()
        else:
            self._chosen = file

    def enter(self) -> None:
        """Do what suits the chosen row; for an unreadable file, show the error."""
        row = self.chosen
        if row is not None and row.section == UNREADABLE:
            self.message = self.broken[row.file]
        elif row is not None:
            self.wants = _WANTS.get(row.section, "replay")

    def want(self, what: str) -> None:
        """Ask for the chosen row to be shown: sets `wants`."""
        row = self.chosen
        if what in _OF_PLAYERS and not self.visitor.plays:
            self.message = "you can only watch here: playing needs a player's key"
        elif row is not None and row.section == FOLDERS and what not in _OF_PLAYERS:
            self.wants = _WANTS[FOLDERS]
        elif row is not None or what in _OF_PLAYERS:
            self.wants = what

    def write(self) -> None:
        """Ask for a line to be written to the player of the chosen game."""
        row = self.chosen
        if self.visitor.writes_as is None:
            self.message = "you can only watch here: writing needs a player's key"
        elif row is None or row.section not in (YOURS, OTHERS):
            self.message = "nobody is playing this"
        elif row.is_relayed:
            self.message = "it is played on another machine: you cannot write to it"
        else:
            self.wants = "write"

    def show_options(self) -> None:
        """Show the menu of options."""
        try:
            self.options = OptionsMenu(bound=self._bound)
        except NhlogError as error:
            self.message = str(error)

    def watch_any(self) -> None:
        """Watch a random game in which something happens; if there is none, one that somebody has open to play."""
        self.count(())
        there = [row for row in map(self._rows.of, self._crowded) if row is not None and self._rows.has(row)]
        self.count(there)
        played = [row for row in there if (people := self.people.get(row.file)) and people.players]
        busy = [row for row in played if self.idle(row) < BUSY]
        if not played:
            self.message = "nobody is playing"
            return
        self._chosen = random.choice(busy or played).file
        self.wants = "watch"

    def next_sort(self) -> None:
        """Sort by the next order."""
        names = list(SORTS)
        self.sort = names[(names.index(self.sort) + 1) % len(names)]
        self._tell_sort()

    def turn_sort(self) -> None:
        """Reverse the order."""
        self.reverse = not self.reverse
        self._tell_sort()

    def _tell_sort(self) -> None:
        self.message = f"sorted by {self.sort}" + (", reversed" if self.reverse else "")

    def start_filter(self) -> None:
        """Start typing the filter."""
        self.typing = TextInput(AskText("show only:"))
        self.filter = ""

    def show_help(self) -> None:
        """Show the keys."""
        self.help = True

    def back(self) -> None:
        """Show all rows again, if a filter is set; else leave the lobby."""
        if self.filter:
            self.filter = ""
        else:
            self.quit()

    def quit(self) -> None:
        """Leave the lobby."""
        self.done = True


LOBBY_KEYS: Final[KeyTable[Lobby]] = KeyTable(
    "lobby",
    (
        Key("Games", ("enter",), "open", "play, watch, or open a folder", Lobby.enter),
        Key("Games", ("n",), "new-game", "new game", lambda lobby: lobby.want("new")),
        Key("Games", ("w",), "watch", "watch", lambda lobby: lobby.want("watch")),
        Key("Games", ("r",), "replay", "replay from the start", lambda lobby: lobby.want("replay")),
        Key("Games", ("*",), "watch-any", "watch any live game", Lobby.watch_any),
        Key("Games", ("e",), "edit-options", "edit a game's own options", lambda lobby: lobby.want("edit")),
        Key("Games", ("M",), "write", "write to the player", Lobby.write),
        Key("List", ("down", "j", "wheel-down"), "next", "next", lambda lobby: lobby.move(1)),
        Key("List", ("up", "k", "wheel-up"), "previous", "previous", lambda lobby: lobby.move(-1)),
        Key("List", ("page-down",), "ten-on", "ten down", lambda lobby: lobby.move(PAGE)),
        Key("List", ("page-up",), "ten-back", "ten up", lambda lobby: lobby.move(-PAGE)),
        Key("List", ("g", "home"), "first", "first", lambda lobby: lobby.move(-len(lobby.rows))),
        Key("List", ("G", "end"), "last", "last", lambda lobby: lobby.move(len(lobby.rows))),
        Key("List", ("/",), "filter", "filter the list", Lobby.start_filter),
        Key("List", ("s",), "sort", "change sort order", Lobby.next_sort),
        Key("List", ("S",), "reverse", "reverse the order", Lobby.turn_sort),
        Key("List", ("O",), "options", "options: colours, symbols, mail", Lobby.show_options),
        Key("List", ("?", "h"), "help", "list the keys", Lobby.show_help),
        Key("List", ("escape",), "back", "clear the filter, or leave", Lobby.back),
        Key("List", ("q",), "quit", "leave", Lobby.quit),
    ),
)
