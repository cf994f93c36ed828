"""`nhlog verify`: the faults of a session, in the order of the file."""

from collections.abc import Iterator
from itertools import chain

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.butter.reading.source import ECHOREPLAY_DIALECT, FrameSource, faults_of, open_source
from nhlog.operations import Record
from nhlog.progress import report

__all__ = ["findings"]


def findings(path: str) -> Iterator[Record]:
    """A record per fault or remark, then a report with ``sound`` and counts."""
    try:
        source = open_source(path)
    except Damaged as error:
        finding = _finding(error)
        yield finding
        offset = finding["offset"]
        yield {"sound": False, "size": offset, "sound_bytes": 0, "chunks": 0, "sound_chunks": 0, "frames": 0}
        return
    with source:
        faults: list[int] = []
        broken: list[Damaged] = []
        frames = unguarded = 0
        for number in range(source.count):
            report("checking", number, source.count)
            chunk = source.chunk(number)
            frames += len(chunk.frames)
            unguarded += source.unguarded(number)
            broken += [chunk.fault] if chunk.fault else []
            notes = [*_notes(source, number, len(chunk.frames))]
            for finding in chain([_finding(chunk.fault)] if chunk.fault else (), notes):
                faults += [finding["offset"]] if finding["fault"] else []
                yield finding
        for fault in faults_of(source, frames, broken)[len(broken) :]:
            faults.append(fault.offset or 0)
            yield _finding(fault)
        if unguarded:
            what = "chunks without a checksum: a flipped bit in them is not noticed"
            yield _note(source.header.end, what, None, f"{unguarded} of {source.count} chunks")
        if source.size > source.end:
            what = "bytes behind the last chunk, which readers ignore"
            yield _note(source.end, what, None, str(source.size - source.end))
        yield {
            "sound": not faults,
            "size": source.size,
            "sound_bytes": min([*faults, source.size]),
            "chunks": source.count,
            "sound_chunks": source.count - len(broken),
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
