"""The summary of a recording, from one pass over it, as far as it can be read."""

from collections import Counter

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.reading.attendance import Attendance
from nhlog.formats.teehistorian.reading.reader import Incomplete, Reader
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.wire.header import Header
from nhlog.replay import Status
from nhlog.values import dataclass

__all__ = ["Summary", "summarise"]


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of one pass; `world` is the state at the end.

    `counts` are messages by kind, `extras` EX messages by name.  `size` is the number of uncompressed bytes, of which
    `junk` come after the end.  `error` is the error that ended the reading early, or another fault.  `grows` is whether
    more may be added: what came through a pipe is all there is.
    """

    header: Header
    world: World
    attendance: Attendance
    counts: Counter[str]
    extras: Counter[str]
    size: int
    junk: int
    error: Damaged | None
    grows: bool

    @property
    def status(self) -> Status:
        """`LIVE` for a file without an end, which may be one that was truncated."""
        if isinstance(self.error, Incomplete) and self.grows:
            return Status.LIVE
        return Status.DAMAGED if self.error or self.junk else Status.FINISHED

    @property
    def health(self) -> str:
        """``sound``, or a description of the fault."""
        if self.junk:
            return f"{self.junk} bytes after the end"
        return self.error.what if self.error else "sound"


def summarise(path: str) -> Summary:
    """Read the recording in `path` once; raises :class:`NhlogError` if there is no header."""
    attendance = Attendance()
    reader = Reader(path, attendance.on_message)
    error = _read(reader)
    return Summary(
        reader.header,
        reader.world,
        attendance,
        reader.world.counts,
        reader.world.extras,
        reader.stream.end,
        reader.stream.junk,
        error,
        grows=path != "-",
    )


def _read(reader: Reader) -> Damaged | None:
    try:
        for piece in reader.pieces():
            reader.stream.feed(piece)
            reader.stream.apply()
        reader.check()
    except Damaged as error:
        return error
    return next(reader.flaws(), None)
