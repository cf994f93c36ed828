"""A menu of recordings: the files, what was read of each, and which one is selected.

Each title takes time to read, so they are read one at a time while no key is pressed.
"""

from collections.abc import Sequence
from typing import Final

from nhlog.errors import NhlogError
from nhlog.replay import Info
from terminal.replay.open import viewing
from terminal.screen.keys import Bound, Key, KeyTable, about, as_they_are

__all__ = ["MENU_KEYS", "Menu"]

PAGE: Final = 10  # rows


class Menu:
    """The files in order, one of them selected (`index`).

    `keys` are its keys.  `known` has the :class:`~nhlog.replay.Info` of each file read so far, or the error.  With
    `opened` and `done` the loop shows the selected file, and leaves the menu.
    """

    def __init__(self, files: Sequence[str], bound: Bound = as_they_are) -> None:
        self.files = tuple(files)
        self.keys = bound(MENU_KEYS)
        self.known: dict[str, Info | NhlogError | OSError] = {}
        self.index = 0
        self.opened = False
        self.done = False

    @property
    def file(self) -> str:
        """The path of the selected file."""
        return self.files[self.index]

    def read_next(self) -> bool:
        """Read the next file not read so far; returns False if there is none."""
        file = next((file for file in self.files if file not in self.known), None)
        if file is None:
            return False
        self.read(file)
        return True

    def read(self, file: str) -> None:
        """Read the Info of a file into `known`."""
        try:
            with viewing(file) as replay:
                self.known[file] = replay.info
        except (NhlogError, OSError) as error:
            self.known[file] = error
        except KeyboardInterrupt:
            self.known[file] = NhlogError("not read: cancelled")

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        if file := about(key, "row"):
            self.opened = file == self.file
            self.index = self.files.index(file)
        elif row := self.keys.of(key):
            row.act(self)

    def move(self, rows: int) -> None:
        """Move the selection by this many rows."""
        self.index = min(max(self.index + rows, 0), len(self.files) - 1)

    def open(self) -> None:
        """Tell the loop to show the selected file."""
        self.opened = True

    def quit(self) -> None:
        """Leave the menu."""
        self.done = True


MENU_KEYS: Final[KeyTable[Menu]] = KeyTable(
    "menu",
    (
        Key("List", ("enter", "right"), "open", "open", Menu.open),
        Key("List", ("q", "escape"), "quit", "quit", Menu.quit),
        Key("List", ("down", "wheel-down"), "next", "next", lambda menu: menu.move(1)),
        Key("List", ("up", "wheel-up"), "previous", "previous", lambda menu: menu.move(-1)),
        Key("List", ("page-down",), "ten-on", "ten on", lambda menu: menu.move(PAGE)),
        Key("List", ("page-up",), "ten-back", "ten back", lambda menu: menu.move(-PAGE)),
        Key("List", ("g", "home"), "first", "first", lambda menu: menu.move(-len(menu.files))),
        Key("List", ("G", "end"), "last", "last", lambda menu: menu.move(len(menu.files))),
    ),
    needed=("quit",),
)
