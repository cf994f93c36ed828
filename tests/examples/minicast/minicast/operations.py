"""What can be done with terminal recordings; records have the keys that `nhlog --json` prints."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from minicast.replay import CastReplay
from nhlog import Listing, Operations, Record, Status
from nhlog.operations.options import defaults, flag, option, whole


@dataclass(frozen=True)
class DumpOptions:
    """What `nhlog dump` can be asked for."""

    raw: bool = flag("For minicasts: print the text with its line breaks.")
    from_line: int = option(1, "For minicasts: the first line to print, counted from 1.", "N", whole(1))


@dataclass(frozen=True)
class CastInfo:
    """The answer of `nhlog info`."""

    format: str
    title: str
    status: Status
    duration: int
    frames: int
    health: str


def info(path: str) -> CastInfo:
    with closing(CastReplay(path)) as replay:
        told, health = replay.info, str(replay.fault or "sound")
        return CastInfo(told.format, told.title, told.status, told.duration, replay.timeline.last, health)


def listing(path: str) -> Listing:
    with closing(CastReplay(path)) as replay:
        told, stamp = replay.info, replay.source.stamp()
        return Listing(
            file=path,
            format=told.format,
            title=told.title,
            start=told.start,
            duration=told.duration,
            changed=stamp.modified // 1000 if stamp else None,
            size=replay.source.size(),
            status=told.status,
        )


def dump(path: str, options: DumpOptions = defaults(DumpOptions)) -> Iterator[Record]:
    with closing(CastReplay(path)) as replay:
        for number, output in enumerate(replay.outputs[options.from_line - 1 :], options.from_line):
            yield {"line": number, "code": output.code, "text": output.text if options.raw else output.text.strip()}
        yield from [{"error": replay.fault.message}] if replay.fault else []


def verify(path: str) -> Iterator[Record]:
    with closing(CastReplay(path)) as replay:
        size, fault = replay.source.size(), replay.fault
        if fault is not None:
            found = {"what": fault.what, "expected": fault.expected, "found": fault.found}
            yield {"offset": fault.offset, **found, "fault": True}
        yield {"sound": fault is None, "size": size, "sound_bytes": replay.offset if fault else size}


def events(replay: CastReplay, first: int, last: int) -> Iterator[Record]:
    for event in replay.events(first, last):
        time = replay.timeline.time(event.step)
        yield {"kind": "output", "step": event.step, "time": time, "text": event.text}


OPERATIONS = Operations(open=CastReplay, info=info, listing=listing, dump=dump, verify=verify, events=events)
