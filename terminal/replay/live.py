"""Watching a recording while other processes write it."""

from contextlib import suppress
from typing import Any

from nhlog.config import Config
from nhlog.errors import NhlogError, Unsupported
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.notify import Changes
from nhlog.replay import Replay
from nhlog.session.replay import GameReplay
from terminal.replay.loop import watch
from terminal.replay.open import viewing
from terminal.replay.player import Player
from terminal.replay.torn import TornLine
from terminal.screen.display import Display

__all__ = ["LogWatcher", "watch_file"]


class LogWatcher(Player):
    """The player of a log that others write; it mends the log when one of them dies in the middle of a line.

    Raises :class:`Unsupported` for a log that is not a local file.
    """

    def __init__(self, replay: Replay[Any], log: Log) -> None:
        if not isinstance(log.source, LogFile):
            raise Unsupported("only a log in a file can be watched", file=log.source.name)
        super().__init__(replay)
        self.source = log.source
        self._log = log
        self._torn = TornLine()

    def advance(self, now: float) -> None:
        """Advance to the time `now`, in seconds; mend a line of which a part alone has stood for long."""
        super().advance(now)
        if self._torn.stands(self._log, now) and not self._log.header.finished:
            self._mend()

    def _mend(self) -> None:
        """Cut off the part of a line, if we may; else it is left to the next who plays, and is told why it stands."""
        from nhlog.log.append import Writer  # brings all that writes with it

        with suppress(NhlogError), self.source.allow_writing():
            Writer(self._log).mend()


def watch_file(display: Display, file: str, config: Config, message: str = "") -> None:
    """Show the newest state of a recording as it grows, until the user leaves; `message` is shown first.

    Raises :class:`NhlogError` if it cannot be opened, :class:`Unsupported` for a log that is not a local file.
    """
    with viewing(file) as replay:
        player = _player(replay)
        player.follow()
        player.message = message or player.message
        if not isinstance(player, LogWatcher):
            watch(display, player)
            return
        with Changes(player.source, config.notify) as changes:
            watch(display, player, changes=changes)


def _player(replay: Replay[Any]) -> Player:
    """The player of a log, whose file can notify of changes; of another recording, which is polled."""
    lines = replay.lines if isinstance(replay, GameReplay) else replay
    return LogWatcher(replay, lines.log) if isinstance(lines, LogReplay) else Player(replay)
