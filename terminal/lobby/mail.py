"""Writing a line to the player of a game that is listed."""

from nhlog.config import Config
from nhlog.files import File
from nhlog.mail import MailRefused, send
from terminal.lobby.model import Lobby
from terminal.lobby.new_game import ask_text
from terminal.lobby.rows import Row
from terminal.screen.display import Display

__all__ = ["write_to_player"]


def write_to_player(display: Display, lobby: Lobby, config: Config, row: Row) -> str:
    """Ask for a line and send it; returns what became of it.  Raises :class:`NhlogError` if the game is gone.

    Who writes is there as a watcher is: then the player's client makes the file for mail while the line is typed.
    """
    name = lobby.contents.visitor.writes_as
    if not config.mail or name is None:
        return "writing to players is turned off here"
    with File(row.file) as file:
        file.mark()
        text = ask_text(display, lobby, f"To {row.title}:")
        if text is None:
            return ""
        try:
            send(row.file, name, text)
        except MailRefused as error:
            return error.what
    return f"sent: {text}"
