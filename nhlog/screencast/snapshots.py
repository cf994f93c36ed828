"""The snapshots of long recordings, kept in the cache: who opens such a one again goes anywhere in it at once.

They are those of one version of the emulator, of the file as it was, and of the size and characters it was played with.
"""

from typing import Final

import msgspec

from nhlog.cache import Cache, Fingerprint, entry_name
from nhlog.screencast.events import Events
from nhlog.vt import VERSION, Size, Snapshots

__all__ = ["Played", "keep_snapshots", "kept_snapshots", "played"]

_LAYOUT: Final = 2  # of what is kept
_LEAST: Final = 1 << 22  # bytes that were played: fewer are played again as fast as they are looked up


class Played(msgspec.Struct, frozen=True, array_like=True):
    """What was played, and how: what is kept of a recording is only true of the same."""

    fingerprint: Fingerprint
    emulator: str
    screen: Size
    charset: str

    @property
    def name(self) -> str:
        """That of an entry in the cache."""
        return entry_name(self.fingerprint.identity)


def played(events: Events) -> Played | None:
    """How these events are played; None if nothing can be kept of them."""
    found, header = events.fingerprint(), events.header
    return None if found is None else Played(found, VERSION, header.size, header.charset)


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    played: Played
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
    wanted = played(events)
    kept = _CACHE.load(wanted.name) if wanted else None
    if kept is None or kept.played != wanted:
        return None
    return Snapshots(kept.keys, kept.states, kept.known, kept.size, kept.spent)


def keep_snapshots(events: Events, snapshots: Snapshots, before: int) -> None:
    """Keep them for the next time, if the recording was played much further than the `before` bytes known already."""
    if snapshots.size - before < _LEAST or snapshots.fault is not None:
        return
    found = played(events)
    if found is not None:
        known = (snapshots.keys, snapshots.states, snapshots.known, snapshots.size, snapshots.spent)
        _CACHE.store(found.name, _Kept(found, *known))
