"""Playing the game of a file, or showing it if it cannot be played."""

from contextlib import closing

from nhlog.config import Config
from nhlog.errors import Unsupported
from nhlog.files import CannotOpen
from nhlog.log.notify import Changes, playing_method
from terminal.followed import Followed
from terminal.play.ghost import Ghost
from terminal.play.loop import play
from terminal.play.open import open_game
from terminal.replay.live import watch_file
from terminal.screen.display import Display
from terminal.settings.kept import read_settings

__all__ = ["play_file"]


def play_file(display: Display, file: str, config: Config, ghost: Ghost | None = None, says: str = "") -> None:
    """Play the game in `file` until the user leaves; `says` is the first message.

    Of a finished game the end is shown; one that cannot be written, or that no engine plays, is watched.  Raises
    :class:`NhlogError` if it cannot be shown either.
    """
    try:
        controller = open_game(file, config, display.bound)
    except (CannotOpen, Unsupported) as error:
        watch_file(display, Followed(file), config, f"you watch this game: {error.what}")
        return
    with closing(controller):
        controller.ghost = ghost
        controller.greeting = says
        settings = read_settings()
        controller.usual_options = settings.games.get(controller.session.engine.name, {})
        controller.others.wants = settings.wants
        source = controller.seat.source
        with Changes(source, config.notify or playing_method(source)) as changes:
            play(display, controller, changes=changes)
