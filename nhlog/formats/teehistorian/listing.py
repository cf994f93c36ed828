"""The summary of a recording, kept in the cache, as reading a whole recording takes seconds."""

from typing import Final

import msgspec

from nhlog.cache import Index, fingerprint
from nhlog.files import open_file
from nhlog.formats.teehistorian import FORMAT
from nhlog.operations import Listing
from nhlog.replay import Status
from nhlog.values import dataclass

__all__ = ["TeehistorianListing", "list_recording"]

MOST_NAMES: Final = 64  # people in one line


@dataclass(frozen=True, slots=True, kw_only=True)
class TeehistorianListing(Listing):
    """The summary of a recording; `title` is the map's name, `finishes` the number of race times from the server."""

    server: str
    finishes: int


class _Known(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What is kept of a file: the result of one pass over it."""

    title: str
    server: str
    people: tuple[str, ...]
    finishes: int
    start: int | None
    duration: int
    status: Status


_INDEX: Final = Index("teehistorian", 3, _Known)


def list_recording(path: str) -> TeehistorianListing:
    """Summarise a recording, from the cache if the file has not changed.

    Raises :class:`CannotOpen`, and another :class:`NhlogError` if it has no header.
    """
    with open_file(path) as file:
        stamp, state = file.stamp(), fingerprint(file)
    known = _INDEX.load(state)
    if known is None:
        known = _summarised(path)
        _INDEX.store(state, known)
    return TeehistorianListing(
        file=path,
        format=FORMAT.name,
        title=known.title,
        server=known.server,
        people=known.people,
        finishes=known.finishes,
        start=known.start,
        duration=known.duration,
        changed=stamp.modified // 1000,
        size=stamp.size,
        status=known.status,
    )


def _summarised(path: str) -> _Known:
    from nhlog.formats.teehistorian.reading.events import TICK  # what is in the cache needs neither
    from nhlog.formats.teehistorian.reading.summary import summarise

    summary = summarise(path)
    header, names = summary.header, dict.fromkeys(stay.player.called for stay in summary.attendance.stays)
    return _Known(
        title=header.text("map_name"),
        server=header.text("server_name"),
        people=tuple(names)[:MOST_NAMES],
        finishes=len(summary.attendance.finishes),
        start=header.start,
        duration=summary.world.tick * TICK,
        status=summary.status,
    )
