"""JSON lines to ticks: those that `nhlog dump --json` prints, or that a game writes as it goes.

A line is an object with `events`, and with `tick` where ticks without events are left out; before the first one,
``header`` and ``metadata`` say what the recording is.  What is not about ticks is passed over.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol
from uuid import UUID

from nhlog.errors import Usage
from nhlog.formats.hollowcube.state import Scene
from nhlog.formats.hollowcube.wire.events import Event
from nhlog.formats.hollowcube.wire.nbt import from_json
from nhlog.formats.hollowcube.writing.chunker import TICKS_A_SECOND
from nhlog.formats.hollowcube.writing.event_records import Move, event_of
from nhlog.formats.hollowcube.writing.facts import Facts

__all__ = ["Feed", "Sink"]

_MOST_SKIPPED: Final = TICKS_A_SECOND * 3600 * 24 * 7  # a week without an event is a mistake
_NOTHING: Final = tuple(Scene().snapshot())


class Sink(Protocol):
    """What ticks go into: a recorder, or a ring."""

    @property
    def ticks(self) -> int:
        """How many there were."""

    def tick(self, events: Sequence[Event | Move]) -> None:
        """One tick."""

    def skip(self, count: int) -> None:
        """Ticks without events."""


class Feed:
    """Gives lines to the sink that `begin` makes when the first tick comes, of what was said until then."""

    def __init__(self, begin: Callable[[Facts], Sink], facts: Facts) -> None:
        self._begin, self._facts = begin, facts
        self._sink: Sink | None = None
        self._base: int | None = None  # the sink's tick that is the source's tick 0
        self._whole = False  # whether the source has told of its beginning
        self._until = 0
        self._opening: tuple[Event | Move, ...] = ()

    def line(self, text: bytes) -> str | None:
        """Take in a line; gives the name of a file that it asks to be saved.

        Raises :class:`Usage` for what is no such line, and for ticks that run backwards.
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
        elif self._sink is None:
            self._say(kind, record)
        return None

    def end(self) -> Sink:
        """No more lines come: the sink, with the ticks at the end in which nothing happened."""
        sink = self._started(0)
        behind = (self._base or 0) + self._until - sink.ticks
        if behind > 0:
            sink.skip(min(behind, _MOST_SKIPPED))
        return sink

    def _say(self, kind: str, record: dict[str, Any]) -> None:
        """What comes before the ticks."""
        try:
            if kind == "header":
                self._facts = _said(self._facts, record)
                self._whole, self._until = True, int(record.get("tick_count", 0))
            elif kind == "metadata":
                self._facts = replace(self._facts, metadata=from_json(record["nbt"]))
            elif kind == "snapshot" and record.get("chunk") == 0:
                opening = tuple(event_of(event) for event in record["events"])
                self._opening = () if opening == _NOTHING else opening
        except (KeyError, TypeError, ValueError) as error:
            raise Usage(f"no {kind}: {error}", found=f"{record!r:.80}") from None

    def _tick(self, record: dict[str, Any]) -> None:
        events, number = record.get("events"), record.get("tick")
        if not isinstance(events, list) or not isinstance(number, int | None):
            raise Usage("no tick", expected='{"tick": number, "events": [...]}', found=f"{record!r:.80}")
        heard = (*self._opening, *(event_of(event) for event in events))
        sink = self._started(number or 0)
        if number is not None:
            ahead = (self._base or 0) + number - sink.ticks
            if not 0 <= ahead <= _MOST_SKIPPED:
                raise Usage(
                    "a tick out of its place", expected=f"{sink.ticks - (self._base or 0)} or later", found=number
                )
            sink.skip(ahead)
        sink.tick(heard)
        self._opening = ()

    def _started(self, first: int) -> Sink:
        if self._sink is None:
            self._sink = self._begin(self._facts)
            self._base = self._sink.ticks - (0 if self._whole else first)
        return self._sink


def _said(facts: Facts, record: dict[str, Any]) -> Facts:
    """The facts of a header; what it does not say stays."""
    version = record.get("data_version")
    return replace(
        facts,
        world_id=UUID(record["world_id"]),
        world_version=bytes.fromhex(record["world_version"]),
        timestamp=int(record["timestamp"]),
        data_version=facts.data_version if version is None else int(version),
    )
