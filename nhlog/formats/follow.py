"""What happened in a recording: all at once, or as it happens, from before its first byte on.

Both give the same record for an event: `kind`, `step`, `time`, `text`, and what its format adds.  Records
without a `step` are about the recording: their `kind` says what became of it, in words in `text`, or ``error``.
"""

from bisect import bisect_left
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Any, Final

from nhlog.errors import NhlogError, TooShort
from nhlog.files import may_come, stamp_of
from nhlog.formats import format_of, open_recording
from nhlog.operations import Operations, Record
from nhlog.replay import Change, Replay, Status

__all__ = ["follow", "happened"]

_NOT_YET: Final = "there is no such file yet"

Opener = Callable[[str], Replay[Any]]
Told = tuple[int, str]
"""The step and the text of an event."""
Opened = tuple[Operations, Replay[Any]]
"""A replay, with what its format offers: known before it is open, as a process opens a log but once."""
Following = Generator[Record | None, None, Opened | None]


def happened(path: str, opened: Opener = open_recording) -> Iterator[Record]:
    """Yield a record per event of a recording, then one with ``error`` for each damage; raises :class:`NhlogError`."""
    own, replay = _opened(path, opened)
    try:
        yield from _records((own, replay), 0)
        if own.faults is not None:
            yield from own.faults(replay)
        elif replay.info.status is Status.DAMAGED:
            yield {"kind": "error", "error": replay.info.note or "damaged: nhlog verify says where"}
    finally:
        replay.close()


def _opened(path: str, opened: Opener) -> Opened:
    return format_of(path).load(), opened(path)


def _records(one: Opened, first: int, last: int | None = None) -> Iterator[Record]:
    """The events of these steps, by default up to the newest."""
    own, replay = one
    timeline = replay.timeline
    last = timeline.last if last is None else last
    if own.events is not None:
        yield from own.events(replay, first, last)
        return
    for event in replay.events(first, last):
        yield {"kind": "event", "step": event.step, "time": timeline.time(event.step), "text": event.text}


def follow(path: str, opened: Opener = open_recording) -> Iterator[Record | None]:
    """Yield the events of a recording, then new ones as they happen; None whenever the caller should wait a moment.

    The last record has the kind ``finished``.  Besides events there are the kinds ``waiting`` (the file is not there
    yet, or still too short), ``rewound`` (the last `events` events are taken back), ``replaced`` (the events of another
    recording follow, from its first), ``gone`` (no file has the name now) and ``hindered`` (it cannot be read now).  An
    event with `amends` replaces so many of the latest events.  Raises :class:`NhlogError` if the recording cannot be
    opened at first, or not even its folder is there.
    """
    one: Opened | None = yield from _begun(path, opened)
    while one is not None:
        successor = None
        try:
            successor = yield from _followed(path, one, opened)
        finally:
            one[1].close()
        one = successor


def _begun(path: str, opened: Opener) -> Following:
    told = ""
    while True:
        try:
            return _opened(path, opened)
        except TooShort as error:
            if error.what != told:
                told = error.what
                yield {"kind": "waiting", "text": f"waiting: {told}"}
        except NhlogError:
            if not told and not may_come(path):
                raise
            if not told:
                told = _NOT_YET
                yield {"kind": "waiting", "text": f"waiting: {told}"}
        yield None


def _followed(path: str, one: Opened, opened: Opener) -> Following:
    """The events until the end (None is returned), or until another recording is opened (which is returned)."""
    replay, known, state, replaced = one[1], _Known(one), "", False
    yield from known.news()
    while replay.info.status is not Status.FINISHED:
        try:
            change = replay.refresh()
        except NhlogError as error:
            if state != error.message:
                state = error.message
                yield {"kind": "hindered", "text": state}
            yield None
            continue
        replaced = change is Change.REPLACED or (replaced and change is Change.NOTHING)
        if replaced:
            with suppress(NhlogError, OSError):
                successor = _opened(path, opened)
                yield {"kind": "replaced", "text": "another file has its name now, and is shown"}
                return successor
        if change is Change.REWOUND:
            yield from known.rewound()
        elif change is not Change.NOTHING:
            yield from known.news()
        gone = "gone" if stamp_of(path) is None else ""
        if gone and gone != state:
            yield {"kind": gone, "text": "the file was deleted or moved"}
        state = gone
        yield None
    yield {"kind": "finished", "text": "the recording is finished"}
    return None


class _Known:
    """The events of a replay that were printed; the newest of them may still change, as a command gets its answer."""

    def __init__(self, one: Opened) -> None:
        self._one = one
        self._told: list[Told] = []

    def news(self) -> Iterator[Record]:
        """The events that were added since, and the last one again if there is more to it now.

        Where even the first is another one now, as a game was recognised in a terminal, all are printed again.
        """
        last = self._told[-1][0] if self._told and self._begins_alike() else 0
        first = bisect_left(self._told, (last, ""))
        yield from self._tell(self._told[first:], self._events(last))

    def rewound(self) -> Iterator[Record]:
        """How many of the printed events are gone, and those that came in their place."""
        found = self._events(0)
        lost = len(self._told) - _common(self._told, found)
        del self._told[len(self._told) - lost :]
        yield {"kind": "rewound", "text": "something was taken back", "events": lost}
        yield from self._tell(self._told[:], found)

    def _events(self, first: int) -> list[Record]:
        return [*_records(self._one, first)]

    def _begins_alike(self) -> bool:
        first = self._told[0][0]
        found = next(_records(self._one, 0, first), None)
        return found is not None and _told(found) == self._told[0]

    def _tell(self, tail: list[Told], found: list[Record]) -> Iterator[Record]:
        standing = _common(tail, found)
        amended = len(tail) - standing
        del self._told[len(self._told) - amended :]
        for record in found[standing:]:
            self._told.append(_told(record))
            yield {**record, "amends": amended} if amended else record
            amended = 0


def _told(record: Record) -> Told:
    return record["step"], record["text"]


def _common(told: list[Told], found: list[Record]) -> int:
    """How many events at the beginning of both are the same."""
    pairs = enumerate(zip(told, map(_told, found), strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(told), len(found)))
