"""The lobby: what there is in its folders, the chosen row, and what keys do, as tables.

What a key means depends on what is open (`MODES`; `terminal.screen.modes` says why tables).  The cursor is on a file,
not on a row: rows come, go and change their places with each look, and the cursor stays on its game.
"""

import os
import random
from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from nhlog.engines.prompts import AskText
from nhlog.errors import NhlogError
from nhlog.players.notices import Notices
from terminal.lobby.contents import Contents
from terminal.lobby.folders import Folders
from terminal.lobby.reading.jobs import Job
from terminal.lobby.rows import FOLDERS, OTHERS, SORTS, UNREADABLE, YOURS, Row
from terminal.lobby.visitors import Visitor
from terminal.messages.sending import Outbox
from terminal.prompts.text import TextInput
from terminal.screen.keys import Bound, Key, KeyTable, about, as_they_are
from terminal.screen.modes import Mode, Modes, Stack
from terminal.settings.menu import OptionsMenu

__all__ = ["LOBBY_KEYS", "MODES", "FilterText", "Lobby"]

_WANTS: Final = {YOURS: "play", OTHERS: "watch", FOLDERS: "walk"}  # what Enter does, by section; else it replays
_OF_PLAYERS: Final = ("new", "edit", "code")  # what can be wanted where there is no row
PAGE: Final = 10  # rows
_PACKED: Final = ".zst"  # what `nhlog tidy` adds to the name of what it packs
BUSY: Final = 60_000_000  # microseconds without anything after which a game is no busy one


class KeysShown:
    """The list of the keys; any key leaves it."""

    mode: ClassVar[str] = "help"

    def __init__(self) -> None:
        self.done = False

        self.clicked = ""
        """The key of the row that was clicked, which left it."""

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        self.done, self.clicked = True, about(key, "press")


class FilterText:
    """The text that rows must contain, while it is typed."""

    mode: ClassVar[str] = "text"

    def __init__(self) -> None:
        self.input = TextInput(AskText("show only:"))
        self.text = ""
        self.done = False

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        self.done = key in ("escape", "enter")
        if not self.done:
            self.input.press(key)
        self.text = "" if key == "escape" else self.input.typed


class Lobby:
    """The recordings in some folders, for a `visitor`; `bound` has that user's choice of keys."""

    def __init__(self, folders: Folders, visitor: Visitor, bound: Bound = as_they_are, place: str = "") -> None:
        self._bound = bound
        self._chosen = ""
        self._at = 0  # where the chosen row stood

        self.contents = Contents(folders, visitor)
        """What there is."""

        self.place = place
        """The folder that was walked into, if one was."""

        self.keys = bound(LOBBY_KEYS)
        """The keys where nothing is open."""

        self.opened = Stack()
        """What the user opened over the list."""

        self.message = ""
        """The message for the user."""

        self.notices = Notices(None)
        """What all players of the server are told."""

        self.notice = ""
        """What all players were told last; it stands where no message does."""

        self.outbox = Outbox()
        """The lines to players that are not sent yet."""

        self.wants = ""
        """What is to be done, mostly with the chosen row: play, watch, replay, walk, new, edit, code, write; empty for
        nothing."""

        self.done = False
        """Tells the loop to leave."""

        self.is_left = False
        """Whether the lobby is left for a program, and another one comes after it; else it stays beneath."""

        self.program = ""
        """The name of the program for which it was left."""

    # what there is

    def look(self) -> bool:
        """Glance at files that are new or changed; returns whether there are more.

        The cursor stays on its row, also where a game is put away to another folder, or a recording packed.
        """
        more = self.contents.look()
        if self._chosen and self.contents.row(self._chosen) is None:
            name = os.path.basename(self._chosen)
            self._chosen = next(
                (row.file for row in self.contents.rows if row.name in (name, name + _PACKED)), self._chosen
            )
        self._at = self.index
        if self._chosen and (row := self.chosen):
            self._chosen = row.file
        return more

    def wanted(self, rows: Sequence[Row], picture: tuple[int, int] | None = None) -> list[Job]:
        """What is to be read for the rows in view, the most important first; `picture` is the size of that of the
        chosen one, None for none.
        """
        return self.contents.to_read(rows, self.chosen if picture else None, picture or (0, 0))

    # which one

    @property
    def index(self) -> int:
        """The index of the chosen row in `rows`; of one that is no longer there, what stands in its place."""
        rows = self.contents.rows
        found = rows.place(self._chosen)
        return max(min(self._at, len(rows) - 1), 0) if found is None else found

    @property
    def chosen(self) -> Row | None:
        """The row under the cursor; None if there are no rows."""
        rows = self.contents.rows
        return rows[self.index] if rows else None

    def choose(self, file: str) -> None:
        """Put the cursor on the row of this file."""
        self._chosen = file

    def move(self, count: int) -> None:
        """Move the cursor by `count` rows."""
        rows = self.contents.rows
        if rows:
            self._at = min(max(self.index + count, 0), len(rows) - 1)
            self._chosen = rows[self._at].file

    # keys

    def press(self, key: str) -> None:
        """Do what the key of this name does."""
        self.message = ""
        MODES.of(self).take(self, key)

    def take(self, key: str) -> None:
        """Do what a key means under what was open."""
        MODES.of(self).take(self, key)

    def click(self, file: str) -> None:
        """Put the cursor on the row of this file; where it stands already, do as Enter does."""
        if self.chosen is not None and self.chosen.file == file:
            self.enter()
        else:
            self._chosen = file

    def enter(self) -> None:
        """Do what suits the chosen row; for an unreadable file, show the error."""
        row = self.chosen
        if row is not None and row.section == UNREADABLE:
            self.message = self.contents.broken[row.file]
        elif row is not None:
            self.wants = _WANTS.get(row.section, "replay")

    def want(self, what: str) -> None:
        """Ask for the chosen row to be shown: sets `wants`."""
        row = self.chosen
        if what in _OF_PLAYERS and not self.contents.visitor.plays:
            self.message = "you can only watch here: playing needs a player's key"
        elif row is not None and row.section == FOLDERS and what not in _OF_PLAYERS:
            self.wants = _WANTS[FOLDERS]
        elif row is not None or what in _OF_PLAYERS:
            self.wants = what

    def write(self) -> None:
        """Ask for a line to be written to the player of the chosen game."""
        row = self.chosen
        if self.contents.visitor.writes_as is None:
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
            self.opened.open(OptionsMenu(bound=self._bound))
        except NhlogError as error:
            self.message = str(error)

    def watch_any(self) -> None:
        """Watch a random game in which something happens; if there is none, one that somebody has open to play."""
        self.contents.count(())
        there = self.contents.crowded()
        self.contents.count(there)
        played = [row for row in there if (people := self.contents.people.get(row.file)) and people.players]
        busy = [row for row in played if self.contents.idle(row) < BUSY]
        if not played:
            self.message = "nobody is playing"
            return
        self._chosen = random.choice(busy or played).file
        self.wants = "watch"

    def next_sort(self) -> None:
        """Sort by the next order."""
        names = list(SORTS)
        self.contents.sort = names[(names.index(self.contents.sort) + 1) % len(names)]
        self._tell_sort()

    def turn_sort(self) -> None:
        """Reverse the order."""
        self.contents.reverse = not self.contents.reverse
        self._tell_sort()

    def _tell_sort(self) -> None:
        self.message = f"sorted by {self.contents.sort}" + (", reversed" if self.contents.reverse else "")

    def start_filter(self) -> None:
        """Start typing the filter."""
        self.opened.open(FilterText())
        self.contents.filter = ""

    def show_help(self) -> None:
        """Show the keys."""
        self.opened.open(KeysShown())

    def back(self) -> None:
        """Show all rows again, if a filter is set; else leave the lobby."""
        if self.contents.filter:
            self.contents.filter = ""
        else:
            self.quit()

    def quit(self) -> None:
        """Leave the lobby."""
        self.done = True


def _top(mode: str) -> Callable[[Lobby], bool]:
    return lambda lobby: lobby.opened.mode == mode


def _choose(lobby: Lobby, key: str) -> None:
    lobby.opened.press(OptionsMenu, key)


def _leave_help(lobby: Lobby, key: str) -> None:
    shown = lobby.opened.press(KeysShown, key)
    if shown.clicked:
        lobby.take(shown.clicked)


def _type(lobby: Lobby, key: str) -> None:
    """Handle a key while the filter is being typed; the filter takes effect at once."""
    if file := about(key, "row"):
        lobby.click(file)
    elif key in ("down", "up"):
        lobby.move(1 if key == "down" else -1)
    else:
        lobby.contents.filter = lobby.opened.press(FilterText, key).text


def _command(lobby: Lobby, key: str) -> None:
    if file := about(key, "row"):
        lobby.click(file)
    elif row := lobby.keys.of(key):
        row.act(lobby)
    elif key:
        lobby.message = f"no such key: {lobby.keys.label('help')} lists the keys"


MODES: Final[Modes[Lobby]] = Modes(
    Mode("options", "their menu is shown", _top("options"), _choose, "`[keys.options]`"),
    Mode("help", "the keys are shown", _top("help"), _leave_help, "leaves the help"),
    Mode("text", "the filter is typed", _top("text"), _type, "is typed; Up and Down move, Enter ends it, Esc drops it"),
    Mode("list", "nothing above does", lambda lobby: True, _command, "`[keys.lobby]`"),
)
"""What takes a key: the first row that holds."""


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
        Key("List", ("g", "home"), "first", "first", lambda lobby: lobby.move(-len(lobby.contents.rows))),
        Key("List", ("G", "end"), "last", "last", lambda lobby: lobby.move(len(lobby.contents.rows))),
        Key("List", ("/",), "filter", "filter the list", Lobby.start_filter),
        Key("List", ("s",), "sort", "change sort order", Lobby.next_sort),
        Key("List", ("S",), "reverse", "reverse the order", Lobby.turn_sort),
        Key("List", ("O",), "options", "options: colours, symbols, mail, talk", Lobby.show_options),
        Key("List", ("L",), "code", "a code for another key, or the page", lambda lobby: lobby.want("code")),
        Key("List", ("?", "h"), "help", "list the keys", Lobby.show_help),
        Key("List", ("escape",), "back", "clear the filter, or leave", Lobby.back),
        Key("List", ("q",), "quit", "leave", Lobby.quit),
    ),
)
