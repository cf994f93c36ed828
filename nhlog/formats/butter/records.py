"""What the verbs print of a session (docs/butter.md): plain records, in the order of the file.

The names in `dump` are those of the game's interface; elsewhere moments are µs since 1970 and spans µs.
"""

from collections.abc import Iterator
from itertools import chain, islice, tee
from typing import Any, Final

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.butter.reading.outline import Outline
from nhlog.formats.butter.reading.source import ECHOREPLAY_DIALECT, FrameSource, open_source
from nhlog.formats.butter.reading.stats import session_stats
from nhlog.formats.butter.replay import FORMAT, EchoReplay
from nhlog.formats.butter.wire import bones
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.echoreplay.format import bones_record, frame_record
from nhlog.formats.butter.wire.rotations import axes, axes_or_zeros
from nhlog.formats.butter.wire.values import Frame

__all__ = ["dump", "events", "info", "listing", "open_replay", "state", "stats", "verify"]

Record = dict[str, Any]
_MS: Final = 1000  # µs
_NO_BONES: Final = {"user_bones": None, "error_code": 0, "err_description": None}


def open_replay(path: str) -> EchoReplay:
    """That session, standing at its first frame; raises :class:`Damaged` where it has none."""
    source = open_source(path)
    try:
        return EchoReplay(source)
    except BaseException:
        source.close()
        raise


def dump(path: str, as_reference: bool = False) -> Iterator[Record]:
    """Every frame as the game's interface tells it; a damaged place gives a record with an error.

    As the reference, its bugs included, or (what a recording of the interface has no need of) corrected.
    """
    expand = axes if as_reference else axes_or_zeros
    with open_source(path, ReferenceDecoder if as_reference else CorrectedDecoder) as source:
        none = _NO_BONES if as_reference and source.header.version == 1 else None  # its decoder reads a flag so
        ahead, behind = tee(_frames(source))
        found = (bones.reference_bones if as_reference else bones.corrected_bones)(_sound(ahead))
        number = 0
        for one in behind:
            if isinstance(one, Damaged):
                yield {"error": str(one)}
                continue
            try:
                limbs = next(found)
            except Damaged as error:
                yield {"error": str(error.within(path))}
                return
            frame = one[1]
            yield {
                "i": number,
                "t": frame.time,
                "frame": frame_record(source.header, frame, expand),
                "bones": bones_record(limbs) or none,
            }
            number += 1


Pair = tuple[bool, Frame]


def _frames(source: FrameSource) -> Iterator[Pair | Damaged]:
    """Each frame, and whether it is a keyframe; a chunk's fault behind its frames."""
    for number in range(source.count):
        chunk = source.chunk(number)
        yield from zip(chunk.keys, chunk.frames, strict=True)
        if chunk.fault is not None:
            yield chunk.fault


def _sound(found: Iterator[Pair | Damaged]) -> Iterator[Pair]:
    return (one for one in found if not isinstance(one, Damaged))


def info(path: str) -> Record:
    """What a session says of itself."""
    with open_source(path) as source:
        outline, header = source.outline(), source.header
        times = outline.times
        spans = sorted(b - a for a, b in zip(times, islice(times, 1, None), strict=False))
        middle = spans[len(spans) // 2] if spans else 0
        first = source.chunk(0).frames[:1] if source.count else ()
        return {
            "format": FORMAT,
            "health": _health(source, outline),
            "version": header.version,
            "dialect": source.dialect,
            "session": header.sessionid,
            "server": header.sessionip,
            "client": header.client_name,
            "map": header.map_name,
            "match_type": header.match_type,
            "private": header.private_match,
            "rounds": header.total_round_count,
            "round_scores": {"blue": header.blue_round_score, "orange": header.orange_round_score},
            "players": [
                {"name": who.name, "userid": who.userid, "number": who.number, "level": who.level}
                for who in header.people
            ],
            "start": times[0] * _MS if times else None,
            "end": times[-1] * _MS if times else None,
            "duration": max((max(times) - times[0]) * _MS, 0) if times else 0,
            "frames": len(times),
            "rate": round(1000 / middle, 2) if middle > 0 else None,
            "worst_gap": spans[-1] * _MS if spans else 0,
            "goals": sum(event.kind == "goal" for event in outline.events),
            "chunks": source.count,
            "keyframes": len(outline.keys),
            "interval": header.interval,
            "compression": header.compression,
            "bones": any(frame.bones is not None for frame in first),
            "size": source.size,
            "bytes_per_frame": round(source.size / len(times), 1) if times else None,
            "losses": _losses(source, outline, first),
        }


def _health(source: FrameSource, outline: Outline) -> str:
    faults = [str(fault).removeprefix(f"{source.path}: ") for fault in outline.faults.values()]
    if not faults:
        return "sound" if outline.times else "no frame"
    return faults[0] + (f" and {len(faults) - 1} more" if len(faults) > 1 else "")


def _losses(source: FrameSource, outline: Outline, first: tuple[Frame, ...]) -> list[str]:
    """What this file cannot tell as it was (spec 9)."""
    told = [outline.clock_setbacks()] if outline.clock_setbacks() else []
    if source.dialect == ECHOREPLAY_DIALECT:
        return told
    if any(event.kind == "pause" for event in outline.events):
        told.append("pause timers count from the latest keyframe")
    if source.header.combat:
        told.append("combat points have steps of 0.01")
    if first and first[0].bones is not None:
        told.append("bones turn and drift with every frame")
    return told


def verify(path: str) -> Iterator[Record]:
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


def listing(path: str) -> Record:
    """A session in one line: its header, and the first and the last frame."""
    with open_source(path) as source:
        header = source.header
        start, end = source.ends()
        return {
            "file": path,
            "format": FORMAT,
            "title": f"{header.match_type.replace('_', ' ')} in {header.map_name}",
            "people": [who.name for who in header.people],
            "start": None if start is None else start * _MS,
            "duration": None if start is None or end is None else max(end - start, 0) * _MS,
            "changed": source.changed,
            "size": source.size,
            "status": "finished" if source.complete else "incomplete",
        }


def state(replay: EchoReplay) -> Record:
    """The session where the replay stands."""
    now = replay.state
    return {
        "step": now.step,
        "time": replay.timeline.time(now.step),
        "utc": now.frame.time * _MS,
        "fault": now.fault or None,
        "frame": frame_record(replay.header, now.frame, axes_or_zeros),
    }


def stats(path: str) -> Iterator[Record]:
    """What players and teams did."""
    with open_source(path) as source:
        yield from session_stats(one[1] for one in _frames(source) if not isinstance(one, Damaged))


def events(path: str) -> Iterator[Record]:
    """What happened, in order."""
    replay = open_replay(path)
    try:
        for event in replay.events(0, replay.timeline.last):
            yield {
                "step": event.step,
                "time": replay.timeline.time(event.step),
                "kind": event.kind,
                "text": event.text,
                "facts": dict(event.facts),
            }
    finally:
        replay.close()
