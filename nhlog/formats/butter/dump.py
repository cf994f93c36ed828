"""Frames, events and the state of a session as plain records (docs/butter.md).

Frames have the keys and units of the game's HTTP API; in all other records times are µs since 1970, durations µs.
"""

from collections.abc import Iterator
from itertools import tee
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.butter.reading.source import FrameSource, faults_of, open_source
from nhlog.formats.butter.replay import EchoReplay
from nhlog.formats.butter.wire import bones
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.echoreplay.format import bones_record, frame_record
from nhlog.formats.butter.wire.rotations import axes, axes_or_zeros
from nhlog.formats.butter.wire.values import Frame
from nhlog.operations import Record

__all__ = ["event_records", "frame_records", "state_record"]

_MS: Final = 1000  # µs
_NO_BONES: Final = {"user_bones": None, "error_code": 0, "err_description": None}


def frame_records(path: str, as_reference: bool) -> Iterator[Record]:
    """A record per frame, as the game's HTTP API gives it; damage gives a record with ``error``.

    With `as_reference` a .butter file is decoded as the reference decoder does it, its bugs included, else corrected;
    for an .echoreplay file both are the same.
    """
    expand = axes if as_reference else axes_or_zeros
    with open_source(path, ReferenceDecoder if as_reference else CorrectedDecoder) as source:
        none = _NO_BONES if as_reference and source.header.version == 1 else None  # its decoder reads a flag so
        ahead, behind = tee(_frames(source))
        found = (bones.reference_bones if as_reference else bones.corrected_bones)(_sound(ahead))
        number, faults = 0, []
        for one in behind:
            if isinstance(one, Damaged):
                faults.append(one)
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
        for fault in faults_of(source, number, faults)[len(faults) :]:
            yield {"error": str(fault)}


Pair = tuple[bool, Frame]


def _frames(source: FrameSource) -> Iterator[Pair | Damaged]:
    """Each frame with whether it is a keyframe; a chunk's fault follows its frames."""
    for number in range(source.count):
        chunk = source.chunk(number)
        yield from zip(chunk.keys, chunk.frames, strict=True)
        if chunk.fault is not None:
            yield chunk.fault


def _sound(found: Iterator[Pair | Damaged]) -> Iterator[Pair]:
    return (one for one in found if not isinstance(one, Damaged))


def state_record(replay: EchoReplay) -> Record:
    """The session at the step of the replay."""
    now = replay.state
    return {
        "step": now.step,
        "time": replay.timeline.time(now.step),
        "utc": now.frame.time * _MS,
        "fault": now.fault or None,
        "frame": frame_record(replay.header, now.frame, axes_or_zeros),
    }


def event_records(replay: EchoReplay, first: int, last: int) -> Iterator[Record]:
    """A record per event of these frames, in order."""
    for event in replay.events(first, last):
        yield {
            "kind": event.kind,
            "step": event.step,
            "time": replay.timeline.time(event.step),
            "text": event.text,
            "facts": dict(event.facts),
        }
