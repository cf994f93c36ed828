"""Opens a log, as a log or as a replay; a failure leaves nothing open."""

from typing import TYPE_CHECKING

from nhlog.files import made_of
from nhlog.log.file import open_log_source
from nhlog.log.log import Log
from nhlog.timeline import Position, parse_position

if TYPE_CHECKING:
    from nhlog.formats.nhgame.replay import LogReplay

__all__ = ["PlacedLog", "open_log", "open_replay"]


class PlacedLog(Log):
    """A log whose saves can also be found by position; as a context manager it closes the file."""

    def save(self, number: int | str | Position) -> bytes:
        """Binary save `number`, counted from 0, or the latest save at a position, such as ``turn:120``.

        Raises :class:`~nhlog.errors.Damaged` if it cannot be rebuilt, :class:`~nhlog.errors.Usage` for an invalid
        position, and :class:`~nhlog.timeline.NoSuchPosition`.
        """
        if not isinstance(number, int):
            from nhlog.formats.nhgame.replay import LogReplay

            position = parse_position(number) if isinstance(number, str) else number
            number = self.columns.save_at(LogReplay(self).timeline.resolve(position))
        return super().save(number)


def open_log(path: str) -> PlacedLog:
    """Open the log in the file `path` (``-`` for standard input), and read it to its end."""
    return made_of(open_log_source(path), PlacedLog)


def open_replay(path: str) -> "LogReplay":
    """Open a log as a replay, standing at its first save; raises :class:`Damaged` if it has none yet."""
    from nhlog.formats.nhgame.replay import LogReplay

    return made_of(open_log(path), LogReplay)
