"""Opening a game to play it, and an earlier game as its ghost."""

import os
from functools import partial
from pathlib import Path

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.errors import Damaged, Unsupported
from nhlog.files.processes import user_name
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.players import Players
from nhlog.players.mutes import Author
from nhlog.players.notices import Notices
from nhlog.session import Session
from nhlog.session.bones import BonesFolder
from nhlog.session.following import Age, age_of
from nhlog.session.replay import GameReplay, engine_of
from terminal.messages.others import FromOthers
from terminal.play.controller import PlayController
from terminal.play.ghost import Ghost
from terminal.replay.open import open_viewed
from terminal.screen.keys import Bound, as_they_are
from terminal.views import view_of

__all__ = ["bones_place", "open_game", "open_ghost"]


def open_game(path: str, config: Config, bound: Bound = as_they_are) -> PlayController:
    """Open the game in the log `path` for writing, and return its controller.

    Raises :class:`~nhlog.errors.NhlogError`: :class:`~nhlog.files.CannotOpen` if it cannot be written,
    :class:`~nhlog.errors.Unsupported` if no engine plays it.
    """
    file = LogFile(path, writable=True)
    try:
        written, log = file.stamp().modified, Log(file)
        engine = engine_named(_played_by(log))
        bones = BonesFolder(bones_place(Path(path).resolve(), config), engine.name)
        session = Session(log, engine, writer=Writer(log, config.durability), bones=bones)
        _bring_up_to_date(session)
        replay = GameReplay(session, LogReplay(log))
        controller = PlayController(replay, view_of(replay.info.id), bound)
        author = Author(_player_of(path, config), config.door)
        controller.others = FromOthers(
            path,
            written // 1000,
            mail=config.mail,
            talk=config.talk,
            notices=Notices(config.door),
            say=partial(author.say, path),
        )
        return controller
    except BaseException:
        file.close()
        raise


def _played_by(log: Log) -> str:
    """The name of the log's engine; raises :class:`Unsupported` if no save can be read that has it.

    One row of the screen has room for it; the reason stands below the game.
    """
    saves = len(log.columns.save_lines)
    if saves and log.last_sound(saves - 1) < 0:
        try:
            log.save(saves - 1)
        except Damaged as error:
            raise Unsupported(f"offset {error.offset}: no save; play an old copy") from None
    return engine_of(log)


def bones_place(game: Path, config: Config) -> Path:
    """The file beside which a game's bones lie: the game itself, or one that all players of a server share."""
    players = None if config.players is None else Players(config.players.resolve())
    return game.parent if players is None or players.owner(game) is None else players.path


def _player_of(game: str, config: Config) -> str:
    """The name under which who plays a game talks: that of the server's player whose game it is, else the user's."""
    owner = None if config.players is None else Players(config.players.resolve()).owner(Path(game).resolve())
    return owner or user_name(os.getuid())


def _bring_up_to_date(session: Session) -> None:
    """Carry a game of an earlier version over; raises :class:`Unsupported` if the game can only be watched."""
    age = age_of(session.log, session.engine)
    if age is Age.NEWER:
        raise Unsupported(session.following.frozen)
    if age is Age.OLDER and not session.following.over:
        session.carry_over()


def open_ghost(path: str) -> Ghost:
    """The ghost from the game in `path`; raises :class:`NhlogError`, also if no engine plays that game."""
    replay = open_viewed(path)
    if not isinstance(replay, GameReplay):
        replay.close()
        raise Unsupported("only a game that can be played here can be a ghost", file=path)
    return Ghost(replay)
