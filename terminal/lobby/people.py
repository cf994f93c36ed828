"""Who is on the recordings of a list, as the system's table of locks tells: one look at it for thousands of them.

Who plays a log or watches it rests in a lock, or has a mark on it; a recorder has the write lock for as long as it
records, and who watches its recording has a mark on that.
"""

import os
from collections.abc import Mapping

from nhlog.files import Identity
from nhlog.files.processes import Locks, all_locks
from nhlog.log.locks.holders import Role, holders_in, role_of
from nhlog.values import dataclass

__all__ = ["NOBODY", "People", "are_written", "crowd", "locked", "people_on", "people_recorded"]

NOBODY = Locks({}, {}, set())


@dataclass(frozen=True, slots=True)
class People:
    """The number of processes on a game: those that play it, or may play it for all that can be known, and others."""

    players: int
    watchers: int


def locked(files: Mapping[Identity, str]) -> dict[str, Locks]:
    """The locks on those of the files, given by device and inode, that have some."""
    return {files[identity]: locks for identity, locks in all_locks().items() if identity in files}


def crowd(locks: Locks) -> int:
    """How many processes have these locks."""
    return len({*locks.content, *locks.marks})


def are_written(locks: Locks) -> bool:
    """Whether one of these locks belongs to a writer."""
    return any(locks.content.values())


def people_on(file: str, locks: Locks) -> People:
    """Who these locks on a log belong to; raises :class:`OSError` if it is gone."""
    status = os.stat(file)
    roles = [role_of(holder, status) for holder in holders_in(locks)]
    watching = roles.count(Role.WATCHES)
    return People(len(roles) - watching, watching)


def people_recorded(locks: Locks) -> People:
    """Who these locks on another recording belong to: its recorder, and who watches, in one or several places."""
    recorders = [pid for kind in (locks.content, locks.marks) for pid, exclusive in kind.items() if exclusive]
    return People(len({*recorders}), crowd(locks) - len({*recorders}))
