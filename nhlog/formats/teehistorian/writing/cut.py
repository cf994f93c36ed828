"""Cutting a recording off behind a whole message, and ending it there as a server does: `recover` and `rewind`.

Offsets and sizes are those of the uncompressed bytes; a compressed file is written anew, and kept as it was.
"""

from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import Stamp
from nhlog.formats.teehistorian.reading.events import TICK
from nhlog.formats.teehistorian.reading.index import Cursor, Index
from nhlog.formats.teehistorian.replay import open_replay
from nhlog.formats.teehistorian.wire.codec import encode
from nhlog.formats.teehistorian.wire.messages import Finish
from nhlog.operations import Agree, Record
from nhlog.timeline import Position
from nhlog.unpacked import UnpackedSource, cut_unpacked, stamp_to_cut

__all__ = ["FINISH", "recover", "rewind"]

FINISH: Final = encode(Finish())


def recover(path: str, *, dry_run: bool, keep: bool) -> Record:
    """See :func:`nhlog.formats.teehistorian.operations.recover`."""
    stamp = stamp_to_cut(path)
    source = UnpackedSource(path)
    try:
        index = Index(source)
        if index.finished and not index.junk and source.fault is None:
            return {"recovered": False, "offset": None, "lost_bytes": 0, "kept_in": None}
        lost = source.size() - index.end
        kept = None if dry_run else _cut(path, stamp, source, _messages_end(index), keep)
        return {"recovered": not dry_run, "offset": index.end, "lost_bytes": lost, "kept_in": kept}
    except NhlogError as error:
        raise error.within(source.name) from None
    finally:
        source.close()


def rewind(path: str, position: Position, agree: Agree, *, dry_run: bool, keep: bool) -> Record:
    """See :func:`nhlog.formats.teehistorian.operations.rewind`."""
    stamp = stamp_to_cut(path)
    replay = open_replay(path)
    try:
        index, timeline = replay.index, replay.timeline
        cursor = Cursor(index)
        cursor.go(timeline.resolve(position, timeline.last))
        tick, size = cursor.world.tick, replay.source.size()
        offset = min(cursor.offset, _messages_end(index))
        after = offset < _messages_end(index) or index.junk
        lost: Record = {
            "offset": offset if after else None,
            "size": size if after else None,
            "tick": tick,
            "lost_ticks": index.tick - tick,
            "lost_time": (index.tick - tick) * TICK,
            "lost_bytes": size - offset if after else 0,
        }
        rewound = bool(after) and not dry_run and agree(lost)
        kept = _cut(path, stamp, replay.source, offset, keep) if rewound else None
        return {"rewound": rewound, **lost, "kept_in": kept}
    finally:
        replay.close()


def _messages_end(index: Index) -> int:
    """The offset behind the last sound message, FINISH left out: it is written again."""
    return index.end - (len(FINISH) if index.finished else 0)


def _cut(path: str, stamp: Stamp, source: UnpackedSource, offset: int, keep: bool) -> str | None:
    """Cut the recording at this offset, and end it there; returns the name of what is kept."""
    return cut_unpacked(path, stamp, source, offset, ending=FINISH, keeping=keep)
