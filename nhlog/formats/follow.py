"""The events of a recording as they happen, from before its first byte on, and of the one that replaces it.

A record has a `kind`: ``event`` (``step time text``), or what became of the recording, in words in `text`.
"""

from bisect import bisect_left
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Any

from nhlog.errors import NhlogError, TooShort
from nhlog.files import stamp_of
from nhlog.formats import open_recording
from nhlog.operations import Record
from nhlog.replay import Change, Replay, Status

__all__ = ["follow"]

Opener = Callable[[str], Replay[Any]]
Told = tuple[int, str]
"""The step and the text of an event."""
Following = Generator[Record | None, None, Replay[Any] | None]


def follow(path: str, opened: Opener = open_recording) -> Iterator[Record | None]:
    """Yield the events of a recording, then new ones as they happen; None whenever the caller should wait a moment.

    The last record has the kind ``finished``.  Besides events there are the kinds ``waiting`` (the file is still too
    short), ``rewound`` (the last `events` events are taken back), ``replaced`` (the events of another recording follow,
    from its first), ``gone`` (no file has the name now) and ``hindered`` (it cannot be read now).  An event with
    `amends` replaces so many of the latest events.  Raises :class:`NhlogError` if the recording cannot be opened at
    first.
    """
    replay: Replay[Any] | None = yield from _begun(path, opened)
    while replay is not None:
        successor = None
        try:
            successor = yield from _followed(path, replay, opened)
        finally:
            replay.close()
        replay = successor


def _begun(path: str, opened: Opener) -> Following:
    told = ""
    while True:
        try:
            return opened(path)
        except TooShort as error:
            if error.what != told:
                told = error.what
                yield {"kind": "waiting", "text": f"waiting: {told}"}
        except NhlogError:
            if not told:
                raise
        yield None


def _followed(path: str, replay: Replay[Any], opened: Opener) -> Following:
    """The events until the end (None is returned), or until another recording is opened (which is returned)."""
    known, state, replaced = _Known(replay), "", False
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
                successor = opened(path)
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
    """The events of a replay that were told; the newest of them may still change, as a command gets its answer."""

    def __init__(self, replay: Replay[Any]) -> None:
        self._replay = replay
        self._told: list[Told] = []

    def news(self) -> Iterator[Record]:
        """The events that were added since, and the last one again if there is more to it now."""
        last = self._told[-1][0] if self._told else 0
        first = bisect_left(self._told, (last, ""))
        yield from self._tell(self._told[first:], self._events(last))

    def rewound(self) -> Iterator[Record]:
        """How many of the told events do not stand any more, and those that came in their place."""
        found = self._events(0)
        lost = len(self._told) - _common(self._told, found)
        del self._told[len(self._told) - lost :]
        yield {"kind": "rewound", "text": "something was taken back", "events": lost}
        yield from self._tell(self._told[:], found)

    def _events(self, first: int) -> list[Told]:
        return [(event.step, event.text) for event in self._replay.events(first, self._replay.timeline.last)]

    def _tell(self, tail: list[Told], found: list[Told]) -> Iterator[Record]:
        standing = _common(tail, found)
        amended = len(tail) - standing
        del self._told[len(self._told) - amended :]
        for step, text in found[standing:]:
            self._told.append((step, text))
            time = self._replay.timeline.time(step)
            yield {
                "kind": "event",
                "step": step,
                "time": time,
                "text": text,
                **({"amends": amended} if amended else {}),
            }
            amended = 0


def _common(told: list[Told], found: list[Told]) -> int:
    """How many events at the beginning of both are the same."""
    pairs = enumerate(zip(told, found, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(told), len(found)))
