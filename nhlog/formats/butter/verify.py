"""`nhlog verify`: the faults of a session, in the order of the file."""

from collections.abc import Iterator
from itertools import chain

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.butter.reading.source import ECHOREPLAY_DIALECT, FrameSource, open_source
from nhlog.operations import Record

__all__ = ["findings"]


def findings(path: str) -> Iterator[Record]:
    """What is wrong with a session, and at last what was looked at."""
    try:
        source = open_source(path)
    except Damaged as error:
        finding = _finding(error)
        yield finding
        offset = finding["offset"]
        yield {"sound": False, "size": offset, "sound_bytes": 0, "chunks": 0, "sound_chunks": 0, "frames": 0}
        return
    with source:
        faults, sound, frames = [], 0, 0
        for number in range(source.count):
            chunk = source.chunk(number)
            frames += len(chunk.frames)
            sound += chunk.fault is None
            notes = [*_notes(source, number, len(chunk.frames))]
            for finding in chain([_finding(chunk.fault)] if chunk.fault else (), notes):
                faults += [finding["offset"]] if finding["fault"] else []
                yield finding
        if not source.complete and not faults:
            yield _note(source.size, "the end of the last line is missing", "a newline", None)
        if source.size > source.end:
            what = "bytes behind the last chunk, which readers ignore"
            yield _note(source.end, what, None, str(source.size - source.end))
        yield {
            "sound": not faults,
            "size": source.size,
            "sound_bytes": min([*faults, source.size]),
            "chunks": source.count,
            "sound_chunks": sound,
            "frames": frames,
        }


def _notes(source: FrameSource, number: int, frames: int) -> Iterator[Record]:
    interval, offset = source.header.interval, source.extents[number].start
    counted = source.dialect != ECHOREPLAY_DIALECT and number < source.count - 1
    if counted and frames not in (0, interval):
        yield _note(offset, f"chunk {number}: not as many frames as the header says", str(interval), str(frames))


def _finding(fault: NhlogError) -> Record:
    """A fault as a record."""
    return {
        "offset": fault.offset or 0,
        "what": fault.what,
        "expected": None if fault.expected is None else str(fault.expected),
        "found": None if fault.found is None else str(fault.found),
        "fault": True,
    }


def _note(offset: int, what: str, expected: str | None, found: str | None) -> Record:
    return {"offset": offset, "what": what, "expected": expected, "found": found, "fault": False}
