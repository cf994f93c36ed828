"""The snapshots of long recordings, kept in the cache: who opens such a one again goes anywhere in it at once.

They are those of one version of the emulator, of the file as it was, and of the size and characters it was played with.
"""

from operator import lt
from typing import Final

import msgspec

from nhlog.cache import Index
from nhlog.screencast.events import Events
from nhlog.vt import VERSION, Drawn, Size, Snapshots

__all__ = ["how_played", "keep_drawn", "keep_snapshots", "kept_snapshots"]

_LAYOUT: Final = 4  # of what is kept
_LEAST: Final = 1 << 22  # bytes that were played: fewer are played again as fast as they are looked up


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    keys: list[int]
    states: list[bytes]
    known: int
    size: int
    spent: float


class _Drawn(msgspec.Struct, frozen=True, array_like=True):
    keys: list[int]
    states: list[bytes]
    known: int
    size: int
    sizes: list[Size]


_INDEX: Final = Index("snapshots", _LAYOUT, _Kept)
_DRAWN: Final = Index("drawn", 2, _Drawn)


def how_played(events: Events) -> str:
    """By which emulator, in which size and characters: what is kept of a recording is only true of the same."""
    size = events.header.size
    return f"{VERSION} {size.columns}x{size.rows} {events.header.charset}"


def kept_snapshots(events: Events) -> Snapshots | None:
    """The snapshots of these events, as far as they were played before; None if there are none."""
    if events.source.far and (drawn := _drawn_before(events)):
        return drawn
    if events.limit < _LEAST:
        return None
    kept = _INDEX.load(events.fingerprint(), how_played(events))
    if kept is None or kept.known > len(events) or not _in_order(kept):
        return None
    return Snapshots(kept.keys, kept.states, kept.known, kept.size, kept.spent)


def _in_order(kept: "_Kept | _Drawn") -> bool:
    """Whether there is a state for each place, from the start on, none behind what is known."""
    rising = all(map(lt, kept.keys, kept.keys[1:]))
    return kept.keys[:1] == [0] and rising and kept.keys[-1] <= kept.known and len(kept.keys) == len(kept.states)


def _drawn_before(events: Events) -> Drawn | None:
    """Those of an archived recording, if they are sound: from its start, in order, and all of it was played."""
    kept = _DRAWN.load(events.fingerprint(), _how_drawn(events))
    if kept is None or kept.known != len(events) or not _in_order(kept) or len(kept.sizes) != len(kept.keys):
        return None
    if kept.keys[-1] == kept.known:  # nothing goes on from there, so none is kept
        return None
    return Drawn(kept.keys, kept.states, kept.known, kept.size, sizes=kept.sizes)


def _how_drawn(events: Events) -> str:
    """What is drawn is the same to any emulator."""
    return how_played(events).partition(" ")[2]


def keep_drawn(events: Events, drawn: Drawn) -> None:
    """Keep the snapshots with which a recording is to be played from an archive."""
    kept = _Drawn(drawn.keys, drawn.states, drawn.known, drawn.size, drawn.sizes)
    _DRAWN.store(events.fingerprint(), kept, _how_drawn(events))


def keep_snapshots(events: Events, snapshots: Snapshots, before: int) -> None:
    """Keep them for the next time, if the recording was played much further than the `before` bytes known already."""
    if snapshots.size - before < _LEAST or snapshots.fault is not None or snapshots.gaps:
        return
    known = (snapshots.keys, snapshots.states, snapshots.known, snapshots.size, snapshots.spent)
    _INDEX.store(events.fingerprint(), _Kept(*known), how_played(events))
