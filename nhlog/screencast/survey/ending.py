"""What a game told last in a recording: found from its end, in a time that does not depend on its length.

It is kept in the cache: to ask a second time costs nothing.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import msgspec

from nhlog.cache import Index
from nhlog.errors import Unsupported
from nhlog.screencast.events import Events
from nhlog.screencast.games import Status
from nhlog.screencast.snapshots import how_played
from nhlog.screencast.survey.playing import Survey
from nhlog.timeline import Computed
from nhlog.vt import FAILED, EmulatorFailed, Gap, Reading, Stops, Tape

__all__ = ["last_status"]

_TAILS: Final = (1 << 16, 1 << 19)  # bytes at the end in which one looks, more if the first do not tell
_WHOLE: Final = 1 << 22  # bytes before them that are played, too; of more, rows that were not drawn since are not known
_LAYOUT: Final = 5  # of what is kept


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    status: Status | None
    gaps: list[tuple[int, str]]  # where they begin, and what was found


_INDEX: Final = Index("screencast", _LAYOUT, _Kept)


def last_status(events: Events) -> Status | None:
    """What a game's status lines told last in a recording; None if that is not known.

    What cannot be shown at its end is among its faults from then on.
    """
    state, how = events.fingerprint(), how_played(events)
    kept = _INDEX.load(state, how)
    if kept is None:
        try:
            status = next((told for tail in _TAILS if (told := _status_in(events, tail))), None)
        except Unsupported:  # no emulator
            return None
        kept = _Kept(status, [(gap.first, str(gap.fault.found)) for gap in events.gaps])
        _INDEX.store(state, kept, how)
    elif all(first < len(events) for first, _ in kept.gaps):
        events.gaps = [Gap(first, EmulatorFailed(FAILED, found=found)) for first, found in kept.gaps]
    return kept.status


def _status_in(events: Events, tail: int) -> Status | None:
    """What is told in so many bytes at the end."""
    count = len(events)
    offsets = Computed(count, events.offset)
    first = bisect_left(offsets, offsets[-1] - tail)
    skipped = first if offsets[first] > _WHOLE else 0
    tape = Tape(events.size_at(skipped - 1), lambda start, end: events.parts(skipped + start, skipped + end))

    def walk(start: int, end: int, stops: Stops) -> Iterator[tuple[int, Reading]]:
        walked = tape.walk(start - skipped, end - skipped, lambda played, part: stops(skipped + played, part))
        return ((skipped + played, reading) for played, reading in walked)

    survey = Survey(events, walk, first)
    survey.explore_to(count)
    tape.close()
    events.gaps = [replace(gap, first=skipped + gap.first) for gap in tape.gaps]
    games = survey.journal.games
    return games[-1].status if games else None
