"""The summary of a recording, from its preamble and the sizes of its files."""

from nhlog.files import Stamp
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE
from nhlog.formats.hollowcube.reading.summary import FORMAT, people_of, size_of, start_of, status_of, title_of
from nhlog.formats.hollowcube.wire.header import TICK
from nhlog.operations import Listing
from nhlog.values import dataclass

__all__ = ["RecordingListing", "listing_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingListing(Listing):
    """The summary of a recording; `ticks` is its length in ticks."""

    duration: int
    ticks: int


def listing_of(reader: Reader) -> RecordingListing:
    """Summarise a recording, in a time that does not depend on its length."""
    path = reader.source.path
    return RecordingListing(
        file=path,
        format=FORMAT,
        title=title_of(reader),
        people=people_of(reader),
        start=start_of(reader),
        duration=reader.ticks * TICK,
        changed=_changed(reader),
        size=size_of(reader),
        status=status_of(reader),
        ticks=reader.ticks,
    )


def _changed(reader: Reader) -> int | None:
    """The time of the last modification, in microseconds since 1970; None at an address."""
    names = (PREAMBLE, FINISHED, *(part.name for part in reader.parts[-1:])) if reader.source.folder else ("",)
    stamps = map(reader.source.stamp, names)
    return max((stamp.modified // 1000 for stamp in stamps if isinstance(stamp, Stamp)), default=None)
