"""The table of moments that writers keep: every event of a run, so that a reader knows them without the chunks.

It is about all ticks of a recording or there is none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from nhlog.formats.hollowcube.wire.chunks import Tick
from nhlog.formats.hollowcube.wire.events import RUN_EVENTS, Event
from nhlog.formats.hollowcube.wire.extension import Annex

__all__ = ["Moments"]

_MOST: Final = 10_000  # of one recording: a table is for looking at, and the preamble is read first


class Moments:
    """Gathers them; `known` are those of before, None where they are not known, and then there is no table."""

    def __init__(self, known: Iterable[Tick] | None = ()) -> None:
        self._ticks = None if known is None else list(known)

    def add(self, number: int, events: Sequence[Event]) -> None:
        """The events of a tick, later than all before."""
        chosen = tuple(event for event in events if isinstance(event, RUN_EVENTS))
        if chosen and self._ticks is not None:
            self._ticks.append(Tick(number, number, 0, 0, 0, chosen))
            if len(self._ticks) > _MOST:
                self._ticks = None

    def add_all(self, ticks: Iterable[Tick]) -> None:
        """The events of many."""
        for tick in ticks:
            self.add(tick.number, tick.events)

    def annex(self, annex: Annex, ticks: int) -> Annex:
        """The annex with this table, of the first `ticks` ticks."""
        if self._ticks is None:
            return replace(annex, moments=(), ticks=None)
        moments = tuple(tick for tick in self._ticks if tick.number < ticks)
        return replace(annex, moments=moments, ticks=ticks)
