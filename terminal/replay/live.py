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
from nhlog.mail import send
from nhlog.replay import Replay
from nhlog.session.replay import GameReplay
from terminal.followed import Followed
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.replay.torn import TornLine
from terminal.replay.waiting import show_file
from terminal.screen.display import Display

__all__ = ["LogWatcher", "following", "watch_file"]


class FileWatcher(Player):
    """The player of a recording that others write to a file, of which the system tells."""

    def __init__(self, replay: Replay[Any], path: str) -> None:
        super().__init__(replay)
        self._mark = _marked(path)
        self.changes = self._listening = FileChanges(path)

    def close(self) -> None:
        """Close the recording, and be told of nothing any more."""
        self._listening.close()
        if self._mark:
            self._mark.close()
        super().close()


def _marked(path: str) -> File | None:
    """The file, with the mark of who watches it, by which others know of us; None if it has gone."""
    if is_remote(path):
        return None
    with suppress(NhlogError):
        file = File(path)
        file.mark()
        return file
    return None


class LogFollower(Player):
    """The player of a log that others write, which it only reads.

    Raises :class:`Unsupported` for a log that is not a local file.
    """

    def __init__(self, replay: Replay[Any], log: Log) -> None:
        if not isinstance(log.source, LogFile):
            raise Unsupported("only a log in a file can be watched", file=log.source.name)
        super().__init__(replay)
        self.source = log.source
        self._log = log
        self._listening: Changes | None = None

    def refresh(self) -> None:
        """Check whether the log grew, was rewound or finished, and adapt to it."""
        before = self._log.columns.last_turn
        super().refresh()
        if self._log.columns.last_turn < before:
            from terminal.replay.rewind_offer import told_back  # brings all that writes with it

            self.tell(told_back(self._log, before))

    def listen(self, method: NotifyMethod | None) -> None:
        """Be told of changes as they are made, in this way or the one that suits the file."""
        self.changes = self._listening = Changes(self.source, method)

    def close(self) -> None:
        """Close the recording, and be told of nothing any more."""
        if self._listening:
            self._listening.close()
        super().close()


class LogWatcher(LogFollower):
    """The player of a log that others write; it mends the log when one of them dies in the middle of a line."""

    def __init__(self, replay: Replay[Any], log: Log) -> None:
        super().__init__(replay, log)
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


def watch_file(
    display: Display,
    source: Followed,
    config: Config,
    message: str = "",
    name: str | None = None,
    opening: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Show the newest state of a recording as it grows, until the user leaves; `message` is shown first.

    Under the `name`, if there is one, the user writes to who plays; `opening` are the options that open the recording.

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
            player = _player(replay, file, LogWatcher, config.notify)
        except BaseException:
            replay.close()
            raise
        player.follow()
        if name and config.mail and os.path.isfile(file):
            player.write = partial(send, file, name)
        player.message = message or player.message
        return player

    show_file(display, source, newest, shown)


def following(replay: Replay[Any], file: str) -> Player:
    """The player of a recording that others may write, which it only reads."""
    return _player(replay, file, LogFollower, None)


def _player(replay: Replay[Any], file: str, of_log: type[LogFollower], method: NotifyMethod | None) -> Player:
    """The player of a log, whose file can notify of changes as others can; of what is no file, which is polled."""
    lines = replay.lines if isinstance(replay, GameReplay) else replay
    if not isinstance(lines, LogReplay):
        return FileWatcher(replay, file) if os.path.isfile(file) else Player(replay)
    player = of_log(replay, lines.log)
    player.listen(method)
    return player
