"""The outline of a .butter file, kept in the user's cache, so that a long session is opened again at once.

It counts for the leading chunks whose places and bytes are what they were, and as far as they were sound: what is wrong
with a chunk is found anew each time.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import msgspec

from nhlog.cache import Fingerprint, Index, fingerprint
from nhlog.files import Source
from nhlog.formats.butter.reading.chunk_table import Extent
from nhlog.formats.butter.reading.events import SessionEvent
from nhlog.formats.butter.reading.outline import Outline
from nhlog.formats.butter.wire.correct import Lift
from nhlog.formats.butter.wire.decode import BLANK, NEW_PLAYER
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.stored import Layout, layouts
from nhlog.formats.butter.wire.values import Frame, Person, Score
from nhlog.values import NamedTuple

__all__ = ["Known", "are_known", "load_outline", "store_outline"]

LEAST: Final = 1000  # frames; fewer are outlined as fast as they are looked up
_MOST: Final = 2_000_000  # frames, 18 hours of 30 a second: a longer session takes too much memory besides


class _Last(NamedTuple):
    """What the events of the next frame depend on; the players of each team by their rows and numbers."""

    time: int
    status: str | None
    paused: str
    score: Score | None
    teams: tuple[tuple[tuple[int, int], ...], ...]


class _Kept(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An outline, as :class:`Outline` has it, and what its chunks were; `pause` tells the layout of the frames."""

    people: tuple[Person, ...]
    pause: int
    extents: list[tuple[int, int]]
    bones: bool
    firsts: list[int]
    times: memoryview
    clocks: memoryview
    keys: list[int]
    events: list[SessionEvent]
    lifts: dict[int, tuple[Lift, ...]]
    lasts: list[_Last | None]


_INDEX: Final = Index("butter", 1, _Kept)


class Known(NamedTuple):
    """The outline of the first chunks of a file, and the layout of its frames."""

    outline: Outline
    layout: Layout


def are_known(extents: Sequence[Extent], file: Source, header: Header) -> bool:
    """Whether a file is as it was when all of these chunks were read.

    Raises :class:`NhlogError` on a read error.
    """
    kept = _INDEX.load(fingerprint(file), _how(header))
    return kept is not None and kept.extents == [extent[:2] for extent in extents]


def load_outline(file: Source, header: Header, extents: Sequence[Extent]) -> Known | None:
    """What is known of a file with this header and these chunks; None if it is nothing.

    Raises :class:`NhlogError` on a read error.
    """
    found = _INDEX.load_grown(file, header.end, _how(header))
    if found is None or header.people[: len(found.value.people)] != found.value.people:
        return None
    kept = found.value
    pairs = zip(kept.extents, extents, strict=False)
    chunks = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1][:2] and pair[0][1] <= found.end, pairs))
    layout = next((layout for layout in layouts(header) if layout.pause == kept.pause), None)
    if not chunks or layout is None or not _fits(kept):
        return None
    outline = Outline()
    outline.bones = kept.bones
    outline.firsts = kept.firsts
    outline.times.frombytes(kept.times)
    outline.clocks.frombytes(kept.clocks)
    outline.keys, outline.events, outline.lifts = kept.keys, kept.events, kept.lifts
    outline.lasts = [None if last is None else _frame(last, header) for last in kept.lasts]
    return Known(outline.before(chunks), layout)


def store_outline(file: Source, state: Fingerprint, header: Header, extents: Sequence[Extent], known: Known) -> None:
    """Keep an outline, if it is worth it; `state` is the fingerprint of the file from before its chunks were read.

    Raises :class:`NhlogError` on a read error.
    """
    outline = known.outline
    if outline.faults:
        outline = outline.before(min(outline.faults))
    if not LEAST <= len(outline.times) <= _MOST:
        return
    kept = _Kept(
        people=header.people,
        pause=known.layout.pause,
        extents=[extent[:2] for extent in extents[: outline.chunks]],
        bones=outline.bones,
        firsts=outline.firsts,
        times=memoryview(outline.times).cast("B"),
        clocks=memoryview(outline.clocks).cast("B"),
        keys=outline.keys,
        events=outline.events,
        lifts=outline.lifts,
        lasts=[None if last is None else _last(last) for last in outline.lasts],
    )
    _INDEX.store_growing(file, state, kept, header.end, _how(header))


def _fits(kept: _Kept) -> bool:
    """Whether the columns of an outline belong together."""
    frames, chunks = kept.firsts[-1] if kept.firsts else 0, len(kept.extents)
    return len(kept.times) == len(kept.clocks) == 8 * frames and len(kept.firsts) - 1 == len(kept.lasts) == chunks


def _how(header: Header) -> str:
    """What of the header the frames depend on, but for its players."""
    return f"{header.version} {header.compression} {header.map_name}"


def _last(frame: Frame) -> _Last:
    teams = tuple(tuple((player.who.row, player.playerid) for player in team.players) for team in frame.teams)
    return _Last(frame.time, frame.status, frame.pause.paused_state, frame.last_score, teams)


def _frame(last: _Last, header: Header) -> Frame:
    """A frame that has what is kept of one."""
    teams = [
        team._replace(players=tuple(NEW_PLAYER._replace(who=header.person(row), playerid=at) for row, at in players))
        for team, players in zip(BLANK.teams, last.teams, strict=True)
    ]
    return BLANK._replace(
        time=last.time,
        status=last.status,
        pause=BLANK.pause._replace(paused_state=last.paused),
        last_score=last.score,
        teams=(teams[0], teams[1], teams[2]),
    )
