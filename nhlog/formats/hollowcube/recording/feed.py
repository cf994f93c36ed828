"""Records from JSON lines: those that `nhlog dump --json` prints, or that a game writes while it runs.

A line is an object with `events`, and with `tick` if ticks without events are left out; lines of type ``header`` and
``metadata`` before the first one describe the recording, one of type ``end`` says how many ticks there are.  Other
lines are ignored.  Events are parsed by the types of their fields, the inverse of `record_of`.

A recording that is continued knows the numbers of the ticks that it has: input that goes on with them leaves a gap of
ticks without events where some are missing, and is refused where it begins with ticks that are there already.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from math import isfinite
from typing import Any, Final, Protocol, get_type_hints
from uuid import UUID

from nhlog.errors import Usage
from nhlog.files.kinds import with_article
from nhlog.formats.hollowcube.state import Scene
from nhlog.formats.hollowcube.wire.enums import FLAGS, Hand
from nhlog.formats.hollowcube.wire.events import EVENTS, Event
from nhlog.formats.hollowcube.wire.header import TICKS_PER_SECOND
from nhlog.formats.hollowcube.wire.nbt import Tag, from_json, from_plain
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector
from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.formats.hollowcube.writing.moves import Move

__all__ = ["Feed", "Sink"]

_MOST_SKIPPED: Final = TICKS_PER_SECOND * 3600 * 24 * 7  # a week without an event is a mistake
_NOTHING: Final = tuple(Scene().snapshot())


class Sink(Protocol):
    """A target to which ticks are added: a recorder, or a ring buffer."""

    @property
    def session(self) -> int:
        """Its tick that is tick 0 of the input."""
        ...

    @session.setter
    def session(self, tick: int) -> None: ...

    @property
    def ticks(self) -> int:
        """The number of ticks so far."""
        ...

    @property
    def timestamp(self) -> int:
        """When the recording was begun, in milliseconds since 1970."""
        ...

    def tick(self, events: Sequence[Event | Move]) -> None:
        """Add a tick."""

    def skip(self, count: int) -> None:
        """Add `count` ticks without events."""


class Feed:
    """Parses lines into the sink that `begin` creates at the first tick, from the header and metadata lines before."""

    def __init__(self, begin: Callable[[Facts], Sink], facts: Facts) -> None:
        self._begin, self._facts = begin, facts
        self._sink: Sink | None = None
        self._is_whole = False  # whether the input began with a header
        self._until = 0  # how many ticks it has, if it says so
        self._snapshot: tuple[Event | Move, ...] = ()

    def line(self, text: bytes) -> str | None:
        """Process one line; returns a file name if the line is a request to save (``save``), else None.

        Raises :class:`Usage` for an invalid line, and for ticks that go backwards.
        """
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            raise Usage("not a line of JSON", found=f"{text[:60]!r}") from None
        if not isinstance(record, dict):
            raise Usage("not an object", found=f"{text[:60]!r}")
        if "save" in record:
            return str(record["save"])
        kind = record.get("type", "tick")
        if kind == "tick":
            self._tick(record)
        elif kind == "end":
            self._until = _whole(record.get("ticks"), 1 << 31)
        elif self._sink is None:
            self._describe(kind, record)
        return None

    def end(self) -> Sink:
        """End the input; returns the sink, after adding the ticks without events that it ends with."""
        sink = self._started(None)
        behind = sink.session + self._until - sink.ticks
        if behind > 0:
            sink.skip(min(behind, _MOST_SKIPPED))
        return sink

    def _describe(self, kind: str, record: dict[str, Any]) -> None:
        """Process a line of header, metadata or snapshot, which come before the ticks."""
        try:
            if kind == "header":
                self._facts, self._is_whole = _with_header(self._facts, record), True
            elif kind == "metadata":
                self._facts = replace(self._facts, metadata=from_json(record["nbt"]))
            elif kind == "snapshot" and record.get("chunk") == 0:
                snapshot = tuple(event_from_record(event) for event in record["events"])
                self._snapshot = () if snapshot == _NOTHING else snapshot
        except (KeyError, TypeError, ValueError) as error:
            raise Usage(f"{with_article(kind)} cannot be made of this: {error}", found=f"{record!r:.80}") from None

    def _tick(self, record: dict[str, Any]) -> None:
        events, number = record.get("events"), record.get("tick")
        if not isinstance(events, list) or not isinstance(number, int | None):
            raise Usage("not a tick", expected='{"tick": number, "events": [...]}', found=f"{record!r:.80}")
        parsed = [event_from_record(event) for event in events]
        sink = self._started(number)
        if number is not None:
            ahead = sink.session + number - sink.ticks
            if not 0 <= ahead <= _MOST_SKIPPED:
                expected = f"{sink.ticks - sink.session} or later"
                raise Usage("a tick out of order", expected=expected, found=number)
            sink.skip(ahead)
        sink.tick((*self._snapshot, *parsed))
        self._snapshot = ()

    def _started(self, first: int | None) -> Sink:
        """The sink; at the first call it begins, and is told what number the input's tick `first` has in it."""
        if self._sink is None:
            self._sink = self._begin(self._facts)
            if self._goes_on(self._sink, first):
                self._snapshot = ()  # of the recording's beginning
            else:
                self._sink.session = self._sink.ticks - (0 if self._is_whole else first or 0)
        return self._sink

    def _goes_on(self, sink: Sink, first: int | None) -> bool:
        """Whether the input has the numbers of what was recorded before, and is not a session that begins at 0."""
        if not sink.ticks:
            return False
        return sink.timestamp == self._facts.timestamp if self._is_whole else bool(first)


def _with_header(facts: Facts, record: dict[str, Any]) -> Facts:
    """The facts with the values of a header record; missing ones are kept."""
    version = record.get("data_version")
    return replace(
        facts,
        world_id=UUID(record["world_id"]),
        world_version=bytes.fromhex(record["world_version"]),
        timestamp=int(record["timestamp"]),
        data_version=facts.data_version if version is None else int(version),
    )


_BITS: Final = {"run_time": 64}  # of whole numbers; all others have 32
_KINDS: Final[Mapping[str, Any]] = {kind.__name__: kind for kind in (*EVENTS, Move)}


def event_from_record(record: Any) -> Event | Move:
    """The event of a record of `nhlog dump`, with its type in `e`; raises :class:`Usage` for an invalid record.

    The NBT types of items are guessed from their plain values, as a record does not keep them.
    """
    kind = _KINDS.get(record.get("e", "")) if isinstance(record, dict) else None
    if kind is None:
        raise Usage("not an event", expected=f"e: one of {', '.join(_KINDS)}", found=f"{record!r:.80}")
    try:
        event: Event | Move = kind._make([parse(record) for parse in _PARSERS[kind]])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Usage(f"{with_article(kind.__name__)} cannot be made of this: {error}", found=f"{record!r:.80}") from None
    return event


def _field_parsers(kind: type[Any]) -> tuple[Callable[[dict[str, Any]], Any], ...]:
    """The functions that parse the fields of an event."""
    names = [field.name for field in EVENTS[kind]] if kind in EVENTS else ["entityId", "position", "velocity"]
    return tuple(
        _field_parser(key, name, type_) for key, (name, type_) in zip(names, get_type_hints(kind).items(), strict=True)
    )


def _field_parser(key: str, name: str, kind: Any) -> Callable[[dict[str, Any]], Any]:
    if key == "flags":
        return lambda record: sum(bit for flag, bit in FLAGS.items() if record.get(flag))
    if key == "velocity":
        return lambda record: _floats(Vector, record.get(key, (0.0, 0.0, 0.0)))
    if kind is int:
        limit = 1 << _BITS.get(name, 32) - 1
        return lambda record: _whole(record[key], limit)
    if kind is Pos:
        return lambda record: _floats(Pos, record[key])
    if kind is BlockPosition:
        return lambda record: BlockPosition(*(_whole(number, 1 << 31) for number in record[key]))
    if kind is str:
        return lambda record: _text(record[key])
    if kind == Hand | None:
        return lambda record: None if record[key] is None else Hand[record[key]]
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return lambda record: kind[record[key]]
    return lambda record: {_whole(int(slot), 1 << 31): _item(item) for slot, item in record[key].items()}


_PARSERS: Final = {kind: _field_parsers(kind) for kind in (*EVENTS, Move)}


def _whole(value: object, limit: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -limit <= value < limit:
        raise ValueError(f"{value!r} is not a whole number of {limit.bit_length()} bits")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def _floats(kind: type[Any], values: Any) -> Any:
    numbers = [float(value) for value in values]
    if not all(map(isfinite, numbers)):
        raise ValueError("a number that is not finite")
    return kind(*numbers)


def _item(record: Mapping[str, Any]) -> Tag:
    """An item as NBT; a count of 1 is left out, as the game does."""
    return from_plain(
        {name: value for name, value in record.items() if (name, value) not in (("count", 1), ("id", ""))}
    )
