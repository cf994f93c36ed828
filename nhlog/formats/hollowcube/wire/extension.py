"""What we keep in a recording's metadata, in a compound named `nhlog`, all of it optional.

- `data_versions`: int array, pairs of a tick and the game's data version from that tick on.
- `world_version`: byte array, the world's version where the header has no room for all of it.
- `dictionary`: byte array, the zstd dictionary that the header names by its ID.
- `moments`: byte array, tick records with absolute numbers (`chunks.decode_ticks`): every event of a run - its start,
  checkpoints, resets and end - in the first `ticks` ticks of the recording.
- `ticks`: int, how many ticks `moments` is about.  A recording that is longer was appended to by someone else.

What is not as it should be counts as absent.  The rest of the metadata is its writer's.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from nhlog.errors import NhlogError, Unsupported
from nhlog.formats.hollowcube.wire.chunks import Tick, decode_ticks, write_tick
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag

__all__ = ["ANNEX", "MAX_MOMENTS", "Annex", "read_annex", "with_annex"]

ANNEX: Final = "nhlog"
MAX_MOMENTS: Final = 100_000  # events of runs in a recording: one a second for a day
_DATA_VERSIONS: Final = "data_versions"
_DICTIONARY: Final = "dictionary"
_WORLD_VERSION: Final = "world_version"
_MOMENTS: Final = "moments"
_TICKS: Final = "ticks"


@dataclass(frozen=True, slots=True)
class Annex:
    """Those values; `ticks` is None where there is no table of moments."""

    data_versions: tuple[tuple[int, int], ...] = ()
    dictionary: bytes = b""
    moments: tuple[Tick, ...] = field(default=())
    ticks: int | None = None
    world_version: bytes | None = None


def read_annex(metadata: Tag) -> Annex:
    """What the metadata has of it."""
    own = metadata.value.get(ANNEX)
    if own is None or own.kind is not Kind.COMPOUND:
        return Annex()
    versions = _of(own, _DATA_VERSIONS, Kind.INT_ARRAY, ())
    ticks = _of(own, _TICKS, Kind.INT, None)
    try:
        moments = tuple(_moments(_bytes(own, _MOMENTS)))
    except NhlogError:
        moments, ticks = (), None
    pairs = tuple(zip(versions[::2], versions[1::2], strict=False))
    world_version = _bytes(own, _WORLD_VERSION) if _WORLD_VERSION in own.value else None
    return Annex(pairs, _bytes(own, _DICTIONARY), moments, ticks, world_version)


def _moments(data: bytes) -> Iterator[Tick]:
    count = 0
    for tick in decode_ticks(data):
        count += len(tick.events)
        if count > MAX_MOMENTS:
            raise Unsupported("too many moments", expected=MAX_MOMENTS)
        yield tick


def _of(own: Tag, name: str, kind: Kind, absent: Any) -> Any:
    tag = own.value.get(name)
    return tag.value if tag is not None and tag.kind is kind else absent


def _bytes(own: Tag, name: str) -> bytes:
    return bytes(value & 0xFF for value in _of(own, name, Kind.BYTE_ARRAY, ()))


def with_annex(metadata: Tag, annex: Annex) -> Tag:
    """The metadata with this annex in place of any it had; an empty one is left out."""
    values = {name: tag for name, tag in metadata.value.items() if name != ANNEX}
    own: dict[str, Tag] = {}
    if annex.data_versions:
        own[_DATA_VERSIONS] = Tag(Kind.INT_ARRAY, tuple(number for pair in annex.data_versions for number in pair))
    if annex.dictionary:
        own[_DICTIONARY] = Tag(Kind.BYTE_ARRAY, _signed(annex.dictionary))
    if annex.world_version is not None:
        own[_WORLD_VERSION] = Tag(Kind.BYTE_ARRAY, _signed(annex.world_version))
    if annex.ticks is not None:
        records = b"".join(write_tick(tick.number, tick.events) for tick in annex.moments)
        own[_MOMENTS] = Tag(Kind.BYTE_ARRAY, _signed(records))
        own[_TICKS] = Tag(Kind.INT, annex.ticks)
    return Tag(Kind.COMPOUND, {**values, ANNEX: Tag(Kind.COMPOUND, own)} if own else values)


def _signed(data: bytes) -> tuple[int, ...]:
    return tuple(memoryview(data).cast("b").tolist())
