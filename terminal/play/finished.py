"""Putting the finished games of the folder of games away, each with a dumplog."""

import os

from nhlog.config import Config
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.formats import reading
from nhlog.players import Players
from nhlog.scores.filing import is_due, put_away
from nhlog.scores.wire import Entry
from nhlog.scores.xlogfile import GAME
from terminal.ending.dumplog import dumplog_of

__all__ = ["due_games", "file_away", "filed"]


def due_games(config: Config) -> list[str]:
    """The finished games in the folders of games that are ours to put away; none if there is no folder for them."""
    if config.finished is None:
        return []
    players = [] if config.players is None else Players(config.players).all
    folders = [config.games, *(place for player in players for place in (player.games, *player.log_folders))]
    paths = (str(path) for folder in folders for path in sorted(folder.glob(f"*{GAME}")))
    return [path for path in paths if _is_due(path)]


def _is_due(path: str) -> bool:
    try:
        return is_due(path)
    except NhlogError:  # no log; lists show what is wrong with it
        return False


def file_away(path: str, config: Config) -> str:
    """Put a finished game away; returns where it is now, or why it could not be, in words.

    Raises :class:`~nhlog.errors.LockNotObtained` while somebody else holds the lock that this needs.
    """
    try:
        return filed(path, config)
    except LockNotObtained:
        raise
    except NhlogError as error:
        return str(error)


def filed(path: str, config: Config) -> str:
    """The same; raises :class:`NhlogError` if it could not be put away."""
    assert config.finished is not None  # one was due
    with reading(path):
        away = put_away(path, config.finished, dumplog_of, _known(path, config))
        return f"{os.path.basename(path)} is over and lies in {away}"


def _known(path: str, config: Config) -> Entry:
    """What is known of a game here, whatever its log says: the player, and the program that wrote it."""
    if config.players is None:
        return {}
    players = Players(config.players)
    name = players.owner(path)
    if name is None:
        return {}
    program = players.folder(name).program_of(path)
    return {"name": name} if program is None else {"name": name, "engine": program}
