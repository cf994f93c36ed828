"""Where two recordings of one format differ: in what they say of themselves, in what happened, in their states.

Of events and states the first difference is told: all that comes after it follows from it, or may.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import zip_longest
from typing import Any, Final

from nhlog.errors import NhlogError
from nhlog.formats import format_of
from nhlog.operations import Operations, Record, as_record
from nhlog.progress import report
from nhlog.replay import Replay

__all__ = ["compare", "difference", "differences"]

MOST: Final = 40  # values of a state that are told one by one
PLACES: Final = ("offset", "line", "step")  # of a state in its file: others are no other state
_SHORT: Final = 8  # values of a list that are one value


def compare(old: str, new: str) -> Iterator[Record]:
    """A record for each difference between the recordings `old` and `new`, which are of one format.

    Each has a ``kind`` (``info``, ``length``, ``event``, ``state``), says ``what`` it is and ``at`` which position, and
    has both values, of which one is None where only the other recording has it.
    """
    operations = format_of(old).load()
    infos = (_plain(as_record(operations.info(path))) for path in (old, new))
    yield from differences("info", None, *infos)
    with closing(operations.open(old)) as one, closing(operations.open(new)) as other:
        if one.timeline.last != other.timeline.last:
            yield difference("length", "steps", None, one.timeline.last + 1, other.timeline.last + 1)
        yield from _events(one, other)
        yield from _states(operations, one, other)


def difference(kind: str, what: str, at: str | None, old: Any, new: Any) -> Record:
    """One record."""
    return {"kind": kind, "what": what, "at": at, "old": old, "new": new}


def differences(kind: str, at: str | None, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Record]:
    """A record for each value that is another one in `new`, or only in one of the two."""
    for what in dict.fromkeys((*old, *new)):
        if old.get(what) != new.get(what):
            yield difference(kind, what, at, old.get(what), new.get(what))


def _plain(info: Record) -> dict[str, Any]:
    return {key: value for key, value in _flat(info) if key not in ("file", "name")}  # which name the file


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values inside a value, with where they are: ``hero.x``, ``monsters[2].name``."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list | tuple) and (
        len(value) > _SHORT or any(isinstance(item, Mapping | list | tuple) for item in value)
    ):
        for number, inner in enumerate(value):
            yield from _flat(inner, f"{name}[{number}]")
    else:
        yield name, [*value] if isinstance(value, tuple) else value


def _events(one: Replay[Any], other: Replay[Any]) -> Iterator[Record]:
    """How many events there are, if not as many, and the first that is another."""
    first = None
    old = new = 0
    for left, right in zip_longest(one.events(0, one.timeline.last), other.events(0, other.timeline.last)):
        old += left is not None
        new += right is not None
        if first is None and (left and (left.text, left.source)) != (right and (right.text, right.source)):
            first = left, right
    if old != new:
        yield difference("length", "events", None, old, new)
    if first is not None:
        left, right = first
        where = _place(one, left.step) if left else _place(other, right.step) if right else None
        yield difference("event", "first other event", where, left and left.text, right and right.text)


def _states(operations: Operations, one: Replay[Any], other: Replay[Any]) -> Iterator[Record]:
    """The values that are others at the first step where the states differ in more than their place in the file."""
    last = min(one.timeline.last, other.timeline.last)
    for step in one.timeline.stops:
        if step > last:
            return
        report("comparing", step, last)
        one.seek(step)
        other.seek(step)
        if one.state != other.state and (found := _values(operations, one, other)):
            yield from found[:MOST]
            if len(found) > MOST:
                yield difference("state", f"{len(found) - MOST} other values", _place(one, step), None, None)
            return


def _values(operations: Operations, one: Replay[Any], other: Replay[Any]) -> list[Record]:
    """The values that differ in two states that do."""
    where = _place(one, one.step)
    try:
        states = [dict(_flat(operations.state(replay))) if operations.state else {} for replay in (one, other)]
    except NhlogError as error:  # one of them cannot be told
        return [difference("state", error.what, where, None, None)]
    return [one for one in differences("state", where, *states) if one["what"] not in PLACES]


def _place(replay: Replay[Any], step: int) -> str:
    timeline = replay.timeline
    return f"{timeline.unit} {timeline.at(timeline.unit, step)}"
