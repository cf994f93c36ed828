"""Watching a recording while other processes write it."""

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any

from nhlog.config import Config
from nhlog.errors import NhlogError, Unsupported
from nhlog.files import File
from nhlog.files.changes import FileChanges
from nhlog.files.events import is_remote
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log import NotifyMethod
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.notify import Changes
from nhlog.players.mutes import Author
from nhlog.replay import Replay
from nhlog.session.replay import GameReplay
from terminal.followed import Followed
from terminal.replay.beside import Beside
from terminal.replay.motion import Idle
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.replay.torn import TornLine
from terminal.replay.waiting import show_file
from terminal.screen.display import Display

__all__ = ["LiveFile", "LiveLog", "following", "replayed", "watch_file"]


class LiveFile:
    """A recording that others write to a file, whose changes the system announces."""

    def __init__(self, path: str) -> None:
        self._mark = _marked(path)
        self.changes = FileChanges(path)

    def advance(self, now: float) -> None:
        """Nothing is ever due."""

    def event(self) -> str:
        """Nothing: the player sees what happened."""
        return ""

    def close(self) -> None:
        """Stop listening for changes."""
        self.changes.close()
        if self._mark:
            self._mark.close()


def _marked(path: str) -> File | None:
    """The file, with the mark by which others see that we watch it; None if it has gone."""
    if is_remote(path):
        return None
    with suppress(NhlogError):
        file = File(path)
        file.mark()
        return file
    return None


class LiveLog:
    """A log that others write, whose changes are noticed by this method, or by the one that suits the file.

    If `mends`, a part of a line is cut off that one of them left who died while writing it.  Raises
    :class:`Unsupported` for a log that is not a local file.
    """

    def __init__(self, log: Log, method: NotifyMethod | None = None, *, mends: bool = False) -> None:
        if not isinstance(log.source, LogFile):
            raise Unsupported("only a log in a file can be watched", file=log.source.name)
        self.source = log.source
        self._log = log
        self._turn = log.columns.last_turn
        self._torn = TornLine() if mends else None
        self.changes = Changes(self.source, method)

    def advance(self, now: float) -> None:
        """Mend a line that has been incomplete for long."""
        if self._torn and self._torn.stands(self._log, now) and not self._log.header.finished:
            self._mend()

    def event(self) -> str:
        """Who took the game back."""
        before, self._turn = self._turn, self._log.columns.last_turn
        if self._turn >= before:
            return ""
        from terminal.replay.rewind_offer import told_back  # brings all that writes with it

        return told_back(self._log, before)

    def _mend(self) -> None:
        """Cut off the part of a line, if we may; else leave it to the next player, and say why it is there."""
        from nhlog.log.append import Writer  # brings all that writes with it

        with suppress(NhlogError), self.source.allow_writing():
            Writer(self._log).mend()

    def close(self) -> None:
        """Stop listening for changes."""
        self.changes.close()


def watch_file(
    display: Display,
    source: Followed,
    config: Config,
    message: str = "",
    author: Author | None = None,
    opening: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Show the newest state of a recording as it grows, until the user leaves; `message` is shown first.

    As the `author`, if there is one, the user writes to the player and talks to all; `opening` are the options that
    open the recording.

    Raises :class:`NhlogError` if it cannot be opened, :class:`Unsupported` for a log that is not a local file.
    """

    def newest(file: str) -> Replay[Any]:
        replay = open_viewed(file, **opening)
        replay.seek(replay.timeline.last)
        with suppress(NhlogError):
            _ = replay.state, replay.timeline.known_markers  # to find them may take as long as to open it
        return replay

    def shown(file: str, replay: Replay[Any]) -> Player:
        try:
            player = _player(replay, file, config.notify, mends=True)
        except BaseException:
            replay.close()
            raise
        player.follow()
        player.beside = _beside(file, author, config)
        player.message = message or player.message
        return player

    show_file(display, source, newest, shown)


def replayed(file: str, replay: Replay[Any], *, speed: float = 1.0, idle: Idle | None = None) -> Player:
    """The player of a recording that others need not write, with what was said beside it as a track."""
    player = Player(replay, speed=speed, idle=idle)
    player.beside = Beside(_track(file))
    return player


def _beside(file: str, author: Author | None, config: Config) -> Beside:
    """What is written beside a recording that grows, and how the `author` writes there, if there is one."""
    if author is None or not os.path.isfile(file):
        return Beside(_track(file), closed="one writes and talks under a name, where the game is played")
    write = partial(author.send, file) if config.mail else None
    return Beside(file, write=write, say=partial(author.say, file) if config.talk else None, closed="")


def _track(file: str) -> str:
    """The recording beside which talk may be found; empty for what is none."""
    return file if "://" in file or os.path.isfile(file) else ""


def following(replay: Replay[Any], file: str) -> Player:
    """The player of a recording that others may write, which it only reads."""
    player = _player(replay, file, None, mends=False)
    player.beside = Beside(_track(file))
    return player


def _player(replay: Replay[Any], file: str, method: NotifyMethod | None, *, mends: bool) -> Player:
    """The player of a log; changes of a log that is no file are found by polling."""
    lines = replay.lines if isinstance(replay, GameReplay) else replay
    if isinstance(lines, LogReplay):
        return Player(replay, live=LiveLog(lines.log, method, mends=mends))
    return Player(replay, live=LiveFile(file) if os.path.isfile(file) else None)
