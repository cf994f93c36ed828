"""Opening a log: as it is, as a replay, or one save of it; what fails leaves nothing open."""

from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.file import open_log_source
from nhlog.log.log import Log
from nhlog.timeline import parse_position

__all__ = ["open_log", "open_replay", "save_at"]


def open_log(path: str) -> Log:
    """The log in the file `path` (``-`` for standard input), read to its end."""
    source = open_log_source(path)
    try:
        return Log(source)
    except BaseException:
        source.close()
        raise


def save_at(log: Log, position: str) -> bytes:
    """The binary save in force at `position`; raises :class:`Damaged` where it cannot be rebuilt."""
    replay = LogReplay(log)
    number = log.columns.save_at(replay.timeline.resolve(parse_position(position), 0))
    return log.save(number)


def open_replay(path: str) -> LogReplay:
    """That log as a replay, standing at its first save; raises :class:`Damaged` where it has none yet."""
    log = open_log(path)
    try:
        return LogReplay(log)
    except BaseException:
        log.source.close()
        raise
