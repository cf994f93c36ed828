"""Opening what a person names: a recording to look at, or a game to play.

A log whose engine is known becomes a game: the same steps, and the engine's word for what lies between its saves.
"""

import getpass
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nhlog.engines import engines
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.replay import Replay
from terminal.ability import call

if TYPE_CHECKING:
    from nhlog.config import Config
    from nhlog.engines.protocol import NewGame
    from terminal.ghost import Ghost
    from terminal.seat import Seat

__all__ = ["begin", "default_name", "new_file", "open_ghost", "open_seat", "open_viewed"]

ENGINE: Final = "delve"  # what a new game is of
BONES: Final = "bones"  # the folder beside the games
LONGEST_NAME: Final = 31  # bytes of a player's name, in the log (log spec section 13) and in a file's name
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9-]+")


def open_viewed(path: str, **options: Any) -> Replay[Any]:
    """The recording `path`, standing at its first step, opened with those options that are not None.

    Raises :class:`~nhlog.errors.NhlogError`: also :class:`~nhlog.errors.Usage` for an option that its format has not.
    """
    replay: Replay[Any] = call(path, "open", **options)
    if not isinstance(replay, LogReplay) or replay.info.metadata["engine"] not in engines():
        return replay
    from nhlog.session.replay import with_engine  # brings all that writes with it

    return with_engine(replay)


def open_seat(path: str, config: "Config") -> "Seat":
    """A seat at the game in `path`, which is opened for writing; raises :class:`~nhlog.errors.NhlogError`."""
    from nhlog.engines import engine_named
    from nhlog.log.append import Writer
    from nhlog.log.file import LogFile
    from nhlog.log.log import Log
    from nhlog.session import Session
    from nhlog.session.bones import BonesFolder
    from nhlog.session.replay import GameReplay, engine_of
    from terminal.seat import Seat
    from terminal.views import view_of

    file = LogFile(path, writable=True)
    try:
        log = Log(file)
        engine = engine_named(engine_of(log))
        bones = BonesFolder(Path(path).resolve().parent / BONES / engine.name)
        session = Session(log, engine, writer=Writer(log, config.durability), bones=bones)
        replay = GameReplay(session, LogReplay(log))
        return Seat(replay, view_of(replay.info.format))
    except BaseException:
        file.close()
        raise


def open_ghost(path: str) -> "Ghost":
    """The hero of the game in `path`; raises :class:`~nhlog.errors.NhlogError`, and where no engine knows the game."""
    from nhlog.errors import Unsupported
    from nhlog.session.replay import GameReplay
    from terminal.ghost import Ghost

    replay = open_viewed(path)
    if not isinstance(replay, GameReplay):
        replay.close()
        raise Unsupported("no ghost comes from a game that cannot be played here", file=path)
    return Ghost(replay)


def begin(options: "NewGame", config: "Config", path: str | None = None) -> str:
    """Begin a new game in `path`, or in the folder of games; the name of its file."""
    from nhlog.engines import engine_named
    from nhlog.session import new_game

    _check_name(options.name)
    path = path or new_file(config.games, options.name)
    new_game(path, engine_named(ENGINE), options, config.durability).log.source.close()
    return path


def _check_name(name: str) -> None:
    """Raise :class:`Usage` for one that the log has no room for."""
    from nhlog.errors import Usage

    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        raise Usage("a name has to be UTF-8", found=ascii(name)) from None
    if not 0 < size <= LONGEST_NAME:
        raise Usage("no such name", expected=f"1 to {LONGEST_NAME} bytes", found=f"{size} bytes")


def default_name() -> str:
    """What a person is called who does not say."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the system does not know them
        return f"user{os.getuid()}"


def new_file(folder: Path, name: str) -> str:
    """A name for the log of a new game of this player: safe whatever the player is called, and not taken yet."""
    folder.mkdir(parents=True, exist_ok=True)
    safe = _UNSAFE.sub("_", name)[:LONGEST_NAME].strip("_") or "nobody"
    day = time.strftime("%Y-%m-%d")
    count = 1
    while os.path.lexists(path := folder / f"{safe}-{day}-{count}.nhgame"):
        count += 1
    return str(path)
