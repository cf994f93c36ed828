"""The keys that the play client handles itself; the others are the engine's."""

from typing import Final, Protocol

from terminal.screen.keys import Key, KeyTable
from terminal.views import View

__all__ = ["PLAY_KEYS", "SHOWING", "Playing"]


class Playing(Protocol):
    """What the client's own keys do to it; `view` shows the game."""

    view: View

    def show_page(self, page: str) -> None:
        """Show the keys (``help``), or a panel of the view."""

    def list_messages(self) -> None:
        """Show all that the game told."""

    def look_around(self) -> None:
        """Move a cursor over the map."""

    def show_options(self) -> None:
        """Show the menu of options."""

    def watch_again(self) -> None:
        """Show the game in the player of recordings."""

    def name_command(self) -> None:
        """Start typing the name of a command."""

    def answer_instead(self) -> None:
        """Take over the answer that another player is asked for."""

    def put_back(self) -> None:
        """Put back what another player cut off the game."""

    def free(self) -> None:
        """Free the game of a process that keeps it."""

    def quit(self) -> None:
        """Leave; the game can be continued later."""


_GROUP: Final = "This client"


def _panel(key: str, name: str, does: str) -> Key[Playing]:
    """The key that opens a panel of the view."""
    return Key(_GROUP, (key,), name, does, lambda c: c.show_page(name), lambda c: name in c.view.panels)


_SHOWS: Final[tuple[Key[Playing], ...]] = (
    _panel("i", "inventory", "inventory"),
    _panel("ctrl-x", "attributes", "attributes"),
    _panel("ctrl-o", "overview", "overview of the levels"),
    _panel("\\", "discoveries", "discoveries"),
    Key(_GROUP, ("ctrl-p",), "messages", "all messages", lambda c: c.list_messages()),
    _panel("ctrl-e", "ledger", "commands so far"),
    _panel("ctrl-k", "legend", "what the signs mean"),
    Key(_GROUP, (";",), "look", "what is on a square", lambda c: c.look_around(), lambda c: c.view.look is not None),
    Key(_GROUP, ("O",), "options", "options of the game and of the screen", lambda c: c.show_options()),
    Key(_GROUP, ("R",), "watch-again", "replay this game from any turn", lambda c: c.watch_again()),
    Key(_GROUP, ("?",), "help", "list the keys", lambda c: c.show_page("help")),
)

SHOWING: Final = frozenset(row.action for row in _SHOWS)
"""The actions that only show something: they are possible whatever the game waits for, unless that takes the key."""

PLAY_KEYS: Final[KeyTable[Playing]] = KeyTable(
    "play",
    (
        *_SHOWS,
        Key(_GROUP, ("#",), "command", "type a command by name", lambda c: c.name_command()),
        Key(_GROUP, ("ctrl-t",), "answer", "answer another player's prompt", lambda c: c.answer_instead()),
        Key(_GROUP, ("ctrl-u",), "put-back", "put back what another player cut off", lambda c: c.put_back()),
        Key(_GROUP, ("ctrl-f",), "free", "end a stuck process that blocks the game", lambda c: c.free()),
        Key(_GROUP, ("S",), "leave", "leave; the game is kept", lambda c: c.quit()),
    ),
    typed="0123456789",
    needed=("help", "leave"),
)
