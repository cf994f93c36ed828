"""A log that begins as another one does, and is a game of its own from there on: two files, one past.

The lines are the other log's, byte for byte; the header says that the game goes on, and the first backup points at the
latest one that came along.  The other log is read as by any spectator, without a lock, and may be played meanwhile.
"""

from collections.abc import Iterator
from dataclasses import replace

from nhlog.errors import Damaged
from nhlog.files import atomic
from nhlog.log.log import Log
from nhlog.log.reading import pieces
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import Identification
from nhlog.log.wire.lines import BACKUP_HEAD

__all__ = ["branch"]

_FIRST_COUNT = 1
_POINTER = 8  # digits of it, behind the first letter of a backup


def branch(log: Log, save: int, target: str, *, state: str, mode: int) -> int:
    """Write the lines of a log up to its save number `save` to the new file `target`; returns its size.

    `state` is the text for line 2 of the header, `mode` the play mode.  Raises :class:`~nhlog.errors.LogRecovered`
    where the log was cut meanwhile, :class:`Damaged` for a header that is not the game's own,
    :class:`~nhlog.errors.Usage` if there is such a file, and :class:`~nhlog.files.CannotWrite`.
    """
    header = log.header
    whole = replace(
        header,
        identification=Identification("save", _FIRST_COUNT, header.identification.version),
        state=state,
        mode=mode,
    ).format()
    columns = log.columns
    first, latest, end = columns.backup_offset(0), columns.backup_at(save), columns.after(columns.save_lines[save])
    if len(whole) != header.length:  # other spaces than the game's own: every pointer would be wrong
        raise Damaged("the header cannot be rewritten in place", file=log.source.name, offset=0)

    def parts() -> Iterator[bytes]:
        yield whole
        yield from pieces(log.known.read, header.length, first)
        head = log.known.read(BACKUP_HEAD, first)
        pointer = b"%08x" % columns.backup_offset(latest)
        yield head if backup_pointer(head) is None else head[:1] + pointer + head[1 + _POINTER :]
        yield from pieces(log.known.read, first + BACKUP_HEAD, end)

    return atomic.write(target, parts(), force=False)
