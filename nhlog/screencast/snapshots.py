"""The snapshots of long recordings, kept in the cache: who opens such a one again goes anywhere in it at once.

They are those of one version of the emulator, of the file as it was, and of the size and characters it was played with.
"""

from typing import Final

import msgspec

from nhlog.cache import Cache, Fingerprint, entry_name
from nhlog.screencast.events import Events
from nhlog.vt import VERSION, Size, Snapshots

__all__ = ["keep_snapshots", "kept_snapshots"]

_LAYOUT: Final = 1  # of what is kept
_LEAST: Final = 1 << 22  # bytes that were played: fewer are played again as fast as they are looked up


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    fingerprint: Fingerprint
    emulator: str
    screen: Size
    charset: str
    keys: list[int]
    states: list[bytes]
    known: int
    size: int
    spent: float


_CACHE: Final = Cache("snapshots", _LAYOUT, _Kept)


def kept_snapshots(events: Events) -> Snapshots | None:
    """The snapshots of these events, as far as they were played before; None if there are none."""
    if events.limit < _LEAST:
        return None
    found = events.fingerprint()
    kept = _CACHE.load(entry_name(found.identity)) if found else None
    wanted = (found, VERSION, events.header.size, events.header.charset)
    if kept is None or (kept.fingerprint, kept.emulator, kept.screen, kept.charset) != wanted:
        return None
    return Snapshots(kept.keys, kept.states, kept.known, kept.size, kept.spent)


def keep_snapshots(events: Events, snapshots: Snapshots, before: int) -> None:
    """Keep them for the next time, if the recording was played much further than the `before` bytes known already."""
    if snapshots.size - before < _LEAST or snapshots.fault is not None:
        return
    found, header = events.fingerprint(), events.header
    if found is not None:
        known = (snapshots.keys, snapshots.states, snapshots.known, snapshots.size, snapshots.spent)
        _CACHE.store(entry_name(found.identity), _Kept(found, VERSION, header.size, header.charset, *known))
