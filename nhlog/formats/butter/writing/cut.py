"""Cutting a recording off behind a whole frame: `recover` and `rewind`.

A .butter file is written anew, as its header tells how long its chunks are: chunks that stay whole are copied as they
are, of the last one the first frames.  So is a zip; a text is cut in place.  Offsets are those of the text of a zip.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

from nhlog.files.cuts import cut_tail, replace_whole
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.reading.echoreplayfile import EchoreplayFile
from nhlog.formats.butter.reading.source import FrameSource
from nhlog.formats.butter.replay import open_replay
from nhlog.formats.butter.wire.header import format_header
from nhlog.formats.butter.wire.packing import pack
from nhlog.formats.butter.writing.zip import zipped
from nhlog.operations import Agree, Record
from nhlog.timeline import Position
from nhlog.values import NamedTuple

__all__ = ["recover", "rewind"]


class _Cut(NamedTuple):
    """A cut at `offset` of `size` bytes, and what carries it out: told whether to keep what is cut off."""

    offset: int
    size: int
    carry_out: Callable[[bool], str | None]

    @property
    def lost(self) -> int:
        """The bytes that are cut off."""
        return max(self.size - self.offset, 0)

    def put(self, keep: bool) -> str | None:
        """Cut; returns the name of what is kept."""
        return self.carry_out(keep)


def recover(path: str, *, dry_run: bool, keep: bool) -> Record:
    """See :func:`nhlog.formats.butter.operations.recover`."""
    replay = open_replay(path)
    try:
        source = replay.source
        if not _is_open(source):
            return {"recovered": False, "offset": None, "lost_bytes": 0, "kept_in": None}
        cut = _cut(source, replay.timeline.last + 1, finished=True)
        kept = None if dry_run else cut.put(keep)
        return {"recovered": not dry_run, "offset": cut.offset, "lost_bytes": cut.lost, "kept_in": kept}
    finally:
        replay.close()


def rewind(path: str, position: Position, agree: Agree, *, dry_run: bool, keep: bool) -> Record:
    """See :func:`nhlog.formats.butter.operations.rewind`."""
    replay = open_replay(path)
    try:
        timeline = replay.timeline
        step = timeline.resolve(position, timeline.last)
        cut = _cut(replay.source, step + 1, finished=False)
        after = step < timeline.last or cut.lost > 0
        lost: Record = {
            "offset": cut.offset if after else None,
            "size": cut.size if after else None,
            "frame": step,
            "lost_frames": timeline.last - step,
            "lost_time": timeline.time(timeline.last) - timeline.time(step),
            "lost_bytes": cut.lost if after else 0,
        }
        rewound = after and not dry_run and agree(lost)
        return {"rewound": rewound, **lost, "kept_in": cut.put(keep) if rewound else None}
    finally:
        replay.close()


def _is_open(source: FrameSource) -> bool:
    """Whether the end of a recording is missing: it ends inside a frame, or a .butter file was never finished."""
    return not source.complete or (isinstance(source, ButterFile) and source.header.room > 0)


def _cut(source: FrameSource, frames: int, *, finished: bool) -> _Cut:
    """The cut that keeps so many frames; a .butter file that is not finished stays so unless it shall be `finished`."""
    if isinstance(source, ButterFile):
        return _cut_butter(source, frames, finished=finished)
    assert isinstance(source, EchoreplayFile)
    return _cut_text(source, frames)


def _cut_butter(reader: ButterFile, frames: int, *, finished: bool) -> _Cut:
    outline, header = reader.outline(), reader.header
    last = outline.chunk_of(frames - 1)
    whole = frames == outline.firsts[last + 1] and last not in outline.faults
    first_frames = b"" if whole else reader.first_frames(last, frames - outline.firsts[last])
    tail = reader.stored(last) if whole else pack(first_frames, header.compression)
    sizes = [reader.extents[number].end - reader.extents[number].start for number in range(last)] + [len(tail)]
    room = 0 if finished or not header.room else len(header.sizes) - len(sizes)
    head = format_header(replace(header, sizes=(*sizes, *(0,) * room)))

    def parts() -> Iterator[bytes]:
        return chain((head,), map(reader.stored, range(last)), (tail,))

    return _Cut(
        min(reader.extents[last].start + len(tail), reader.size),
        reader.size,
        lambda keep: replace_whole(reader.path, parts(), reader.stamp, keeping=keep),
    )


def _cut_text(source: EchoreplayFile, frames: int) -> _Cut:
    end = source.end_of(frames - 1)

    def carry_out(keep: bool) -> str | None:
        if not source.zipped:
            return cut_tail(source.path, end, source.stamp, keeping=keep)
        return replace_whole(
            source.path, zipped(os.path.basename(source.path), source.text(end)), source.stamp, keeping=keep
        )

    return _Cut(end, source.text_size(), carry_out)
