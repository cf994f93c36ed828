"""Watching a recording while others write it."""

from nhlog.config import Config
from nhlog.errors import Unsupported
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.file import LogFile
from nhlog.log.notify import Changes
from nhlog.session.replay import GameReplay
from terminal.replay.loop import watch
from terminal.replay.open import viewing
from terminal.replay.player import Player
from terminal.screen.display import Display

__all__ = ["watch_file"]


def watch_file(display: Display, file: str, config: Config, message: str = "") -> None:
    """Show the newest state of a recording as it grows, until the person leaves; `message` is shown first.

    Raises NhlogError where it cannot be opened, `Unsupported` for a log that is no local file.
    """
    with viewing(file) as replay:
        player = Player(replay)
        player.follow()
        player.message = message or player.message
        source = _source(replay)
        if source is None:
            watch(display, player)
            return
        with Changes(source, config.notify) as changes:
            watch(display, player, changes=changes)


def _source(replay: object) -> LogFile | None:
    """The file of a log, which reports changes; None for other recordings, which are looked at now and then."""
    lines = replay.lines if isinstance(replay, GameReplay) else replay
    source = lines.log.source if isinstance(lines, LogReplay) else None
    if source is not None and not isinstance(source, LogFile):
        raise Unsupported("only a log in a file can be watched", file=source.name)
    return source
