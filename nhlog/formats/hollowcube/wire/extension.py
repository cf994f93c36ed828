"""Our extension of the format: a compound named `nhlog` in a recording's metadata, all of it optional.

- `data_versions`: int array, pairs of a tick and the game's data version from that tick on.
- `world_version`: byte array, the world's version if it is too long for the header.
- `dictionary`: byte array, the zstd dictionary that the header names by its ID.
- `moments`: byte array, tick records with absolute numbers (`chunks.decode_ticks`): all events of runs (starts,
  checkpoints, resets and ends) in the first `ticks` ticks of the recording.
- `ticks`: int, the number of ticks that `moments` covers.  If the recording is longer, another program appended to it.
- `session`: int, the recording's tick that was tick 0 of the input that the newest session recorded, if it was not 0.

A value of another type is ignored.  The rest of the metadata belongs to the program that wrote the recording.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any, Final

from nhlog.errors import NhlogError, Unsupported
from nhlog.formats.hollowcube.wire.chunks import Tick, decode_ticks, write_tick
from nhlog.formats.hollowcube.wire.events import RUN_EVENTS, Event
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from nhlog.values import dataclass

__all__ = ["EXTENSION", "MAX_RUN_EVENTS", "Extension", "RunEventTable", "read_extension", "with_extension"]

EXTENSION: Final = "nhlog"
MAX_RUN_EVENTS: Final = 100_000  # in a recording that is read: one a second for a day
_MOST_WRITTEN: Final = 10_000  # ticks in a table that we write: the preamble is read first, and should be short
_DATA_VERSIONS: Final = "data_versions"
_DICTIONARY: Final = "dictionary"
_WORLD_VERSION: Final = "world_version"
_RUN_EVENTS: Final = "moments"
_COVERED_TICKS: Final = "ticks"
_SESSION: Final = "session"


@dataclass(frozen=True, slots=True)
class Extension:
    """The values of the compound, decoded.

    `run_events` are the events of runs in the first `covered_ticks` ticks, which is None if there is no such table.
    `session` is the recording's tick that was tick 0 of the newest session's input.
    """

    data_versions: tuple[tuple[int, int], ...] = ()
    dictionary: bytes = b""
    run_events: tuple[Tick, ...] = field(default=())
    covered_ticks: int | None = None
    world_version: bytes | None = None
    session: int = 0


def read_extension(metadata: Tag) -> Extension:
    """Decode the extension in a recording's metadata; an empty one if there is none."""
    own = metadata.value.get(EXTENSION)
    if own is None or own.kind is not Kind.COMPOUND:
        return Extension()
    versions = _value(own, _DATA_VERSIONS, Kind.INT_ARRAY, ())
    ticks = _value(own, _COVERED_TICKS, Kind.INT, None)
    try:
        run_events = tuple(_decode_run_events(_bytes(own, _RUN_EVENTS)))
    except NhlogError:
        run_events, ticks = (), None
    pairs = tuple(zip(versions[::2], versions[1::2], strict=False))
    world_version = _bytes(own, _WORLD_VERSION) if _WORLD_VERSION in own.value else None
    session = _value(own, _SESSION, Kind.INT, 0)
    return Extension(pairs, _bytes(own, _DICTIONARY), run_events, ticks, world_version, session)


def _decode_run_events(data: bytes) -> Iterator[Tick]:
    count = 0
    for tick in decode_ticks(data):
        count += len(tick.events)
        if count > MAX_RUN_EVENTS:
            raise Unsupported("too many events of runs", expected=MAX_RUN_EVENTS)
        yield tick


def _value(own: Tag, name: str, kind: Kind, absent: Any) -> Any:
    tag = own.value.get(name)
    return tag.value if tag is not None and tag.kind is kind else absent


def _bytes(own: Tag, name: str) -> bytes:
    return bytes(value & 0xFF for value in _value(own, name, Kind.BYTE_ARRAY, ()))


def with_extension(metadata: Tag, extension: Extension) -> Tag:
    """The metadata with its extension replaced by this one; an empty one is left out."""
    values = {name: tag for name, tag in metadata.value.items() if name != EXTENSION}
    own: dict[str, Tag] = {}
    if extension.data_versions:
        own[_DATA_VERSIONS] = Tag(Kind.INT_ARRAY, tuple(number for pair in extension.data_versions for number in pair))
    if extension.dictionary:
        own[_DICTIONARY] = Tag(Kind.BYTE_ARRAY, _signed(extension.dictionary))
    if extension.world_version is not None:
        own[_WORLD_VERSION] = Tag(Kind.BYTE_ARRAY, _signed(extension.world_version))
    if extension.covered_ticks is not None:
        records = b"".join(write_tick(tick.number, tick.events) for tick in extension.run_events)
        own[_RUN_EVENTS] = Tag(Kind.BYTE_ARRAY, _signed(records))
        own[_COVERED_TICKS] = Tag(Kind.INT, extension.covered_ticks)
    if extension.session:
        own[_SESSION] = Tag(Kind.INT, extension.session)
    return Tag(Kind.COMPOUND, {**values, EXTENSION: Tag(Kind.COMPOUND, own)} if own else values)


def _signed(data: bytes) -> tuple[int, ...]:
    return tuple(memoryview(data).cast("b").tolist())


class RunEventTable:
    """Collects the events of runs while a recording is written, so that readers get them without reading chunks.

    `known` are those of earlier ticks, None if they are unknown: then there will be no table, as it covers all ticks.
    """

    def __init__(self, known: Iterable[Tick] | None = ()) -> None:
        self._ticks = None if known is None else list(known)

    def add(self, number: int, events: Sequence[Event]) -> None:
        """Add the events of tick `number`, which is later than all before."""
        chosen = tuple(event for event in events if isinstance(event, RUN_EVENTS))
        if chosen and self._ticks is not None:
            self._ticks.append(Tick(number, number, 0, 0, 0, chosen))
            if len(self._ticks) > _MOST_WRITTEN:
                self._ticks = None

    def add_all(self, ticks: Iterable[Tick]) -> None:
        """Add the events of several ticks."""
        for tick in ticks:
            self.add(tick.number, tick.events)

    def added_to(self, extension: Extension, ticks: int) -> Extension:
        """The extension with this table, of the first `ticks` ticks."""
        if self._ticks is None:
            return replace(extension, run_events=(), covered_ticks=None)
        run_events = tuple(tick for tick in self._ticks if tick.number < ticks)
        return replace(extension, run_events=run_events, covered_ticks=ticks)
