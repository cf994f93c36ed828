"""A menu of recordings: the files, what is known of each, and which one is chosen.

Titles are read one by one while no key is pressed, as each takes time.
"""

from collections.abc import Sequence
from typing import Final

from nhlog.errors import NhlogError
from nhlog.replay import Info
from terminal.replay.open import viewing
from terminal.screen.keys import Key

__all__ = ["MENU_KEYS", "Menu"]

PAGE: Final = 10  # rows


class Menu:
    """The files in order, one of them chosen (`index`).

    `known` has the :class:`~nhlog.replay.Info` of each file that was read, or the error.  `opened` and `done` are for
    the loop: show the chosen file, leave the menu.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self.files = tuple(files)
        self.known: dict[str, Info | NhlogError | OSError] = {}
        self.index = 0
        self.opened = False
        self.done = False

    @property
    def file(self) -> str:
        """The path of the chosen file."""
        return self.files[self.index]

    def read_next(self) -> bool:
        """Read the next file that was not read yet.  Returns False if there is none."""
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

    def press(self, key: str) -> None:
        """Do what the key of this name does."""
        if key in _BY_NAME:
            _BY_NAME[key].act(self)

    def move(self, rows: int) -> None:
        """Move the choice by some rows."""
        self.index = min(max(self.index + rows, 0), len(self.files) - 1)

    def open(self) -> None:
        """Ask for the chosen file to be shown."""
        self.opened = True

    def quit(self) -> None:
        """Leave the menu."""
        self.done = True


MENU_KEYS: Final[tuple[Key[Menu], ...]] = (
    Key("List", ("enter", "right"), "Enter", "open", Menu.open),
    Key("List", ("q", "escape"), "q", "quit", Menu.quit),
    Key("List", ("down",), "Down", "next", lambda menu: menu.move(1)),
    Key("List", ("up",), "Up", "previous", lambda menu: menu.move(-1)),
    Key("List", ("page-down",), "PgDn", "ten on", lambda menu: menu.move(PAGE)),
    Key("List", ("page-up",), "PgUp", "ten back", lambda menu: menu.move(-PAGE)),
    Key("List", ("g", "home"), "g", "first", lambda menu: menu.move(-len(menu.files))),
    Key("List", ("G", "end"), "G", "last", lambda menu: menu.move(len(menu.files))),
)

_BY_NAME: Final = {name: key for key in MENU_KEYS for name in key.names}
