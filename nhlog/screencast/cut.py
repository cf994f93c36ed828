"""Cutting a recording of a terminal off behind a whole event: `recover` and `rewind`.

Offsets and sizes are those of the unpacked file.
"""

from nhlog.errors import Unsupported
from nhlog.files import Stamp
from nhlog.operations import Agree, Record
from nhlog.screencast.events import Events
from nhlog.screencast.replay import Screencast
from nhlog.timeline import Position
from nhlog.unpacked import cut_unpacked

__all__ = ["recover", "rewind"]


def recover(events: Events, path: str, stamp: Stamp, *, dry_run: bool, keep: bool) -> Record:
    """Cut off what is no whole event at the end."""
    _check(events)
    lost, kept = events.waiting, None
    torn = lost > 0 or _ends_early(events)
    if torn and not dry_run:
        kept = cut_unpacked(path, stamp, events.source, events.end, keeping=keep)
    return {
        "recovered": torn and not dry_run,
        "offset": events.end if torn else None,
        "lost_bytes": lost,
        "kept_in": kept,
    }


def _ends_early(events: Events) -> bool:
    """Whether compressed data ends before its end, or is damaged there."""
    source = events.source
    return source.packed and (not source.complete or source.fault is not None)


def rewind(
    replay: Screencast, path: str, stamp: Stamp, position: Position, agree: Agree, *, dry_run: bool, keep: bool
) -> Record:
    """Cut off what comes after a position."""
    events, timeline = replay.recorded, replay.timeline
    _check(events)
    step, size = timeline.resolve(position, timeline.last), events.source.size()
    offset = events.offset(step + 1) if step < timeline.last else events.end
    after = offset < size
    lost: Record = {
        "offset": offset if after else None,
        "size": size if after else None,
        "frame": step,
        "lost_events": timeline.last - step,
        "lost_time": timeline.time(timeline.last) - timeline.time(step),
        "lost_bytes": size - offset,
    }
    rewound = after and not dry_run and agree(lost)
    kept = cut_unpacked(path, stamp, events.source, offset, keeping=keep) if rewound else None
    return {"rewound": rewound, **lost, "kept_in": kept}


def _check(events: Events) -> None:
    if not events.appendable:
        raise Unsupported("this kind of recording cannot be cut", file=events.source.name)
