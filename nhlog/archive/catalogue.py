"""The games of an archive, in a few requests however many they are.

The catalogue has a summary of each game.  What was added since it was written has its name in a folder of `news`, where
it is put before the game's index is: the names in both are looked for, and no other.  The catalogue is disposable:
where there is none, the indexes are read, and the next `nhlog archive` writes it anew.
"""

import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

import msgspec

from nhlog.archive.reading import INDEXES, index_name, read_index
from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.errors import Damaged, NhlogError
from nhlog.operations import Listing
from nhlog.remote import NotThere
from nhlog.remote.store import Exists, Store

__all__ = ["announce", "listings", "write_catalogue"]

_NEWS: Final = ".nhlog-new"
_NAME: Final = f"{INDEXES}/catalogue"
_MOST: Final = 1 << 26  # bytes, packed
_MOST_UNPACKED: Final = 1 << 29
_CHECKSUM: Final = 4
_ENDING: Final = index_name("").rpartition("/")[2]

Summaries = dict[str, dict[str, Any]]


def announce(store: Store, name: str) -> None:
    """Note that a game is about to have an index."""
    with suppress(Exists):  # of a run that was interrupted
        store.create(f"{_NEWS}/{name}", b"\n")


def listings(store: Store) -> Iterator[Listing | NhlogError]:
    """A row of each archived game, or why there is none."""
    known = _read(store)
    summaries = known or {}
    for name in sorted({*summaries, *_unknown(store, known)}):
        try:
            yield _listing(store, name, summaries.get(name) or read_index(store, name).summary)
        except NotThere:
            continue  # it was announced, and nothing came of it as yet
        except NhlogError as error:
            yield error.within(f"{store.name}/{name}")


def write_catalogue(store: Store) -> None:
    """Take what is new into the catalogue; where there is none, all that there is."""
    known = _read(store)
    summaries, added = dict(known or {}), []
    for name in _unknown(store, known):
        with suppress(NhlogError):
            summaries[name] = read_index(store, name).summary
            added.append(name)
    if added:
        packed = Compressor(ZSTD, 9)(msgspec.msgpack.encode(summaries))
        store.replace(_NAME, zlib.crc32(packed).to_bytes(_CHECKSUM, "big") + packed)
    written = _read(store) or {}
    for name in store.names(_NEWS):
        if name in written:  # else another run wrote the catalogue meanwhile: the next one takes it in
            with suppress(NotThere):
                store.remove(f"{_NEWS}/{name}")


def _unknown(store: Store, known: Summaries | None) -> Iterable[str]:
    """The names of the games that the catalogue does not have."""
    if known is not None:
        return [name for name in store.names(_NEWS) if name not in known]
    return [name.removesuffix(_ENDING) for name in store.names(INDEXES) if name.endswith(_ENDING)]


def _read(store: Store) -> Summaries | None:
    """The catalogue; None where there is no sound one."""
    try:
        data = store.whole(_NAME, _MOST)
    except (NotThere, Damaged):
        return None
    unpacked = decompress(data[_CHECKSUM:], ZSTD, _MOST_UNPACKED)
    if unpacked.fault is not None or data[:_CHECKSUM] != zlib.crc32(data[_CHECKSUM:]).to_bytes(_CHECKSUM, "big"):
        return None
    with suppress(ValueError):
        return msgspec.msgpack.decode(unpacked.data, type=Summaries)
    return None


def _listing(store: Store, name: str, summary: dict[str, Any]) -> Listing:
    """The row that a summary tells: that of a game, or what all recordings have."""
    from nhlog.formats.nhgame.listing import GameListing

    record = {**summary, "file": f"{store.name}/{name}"}
    try:
        return msgspec.convert(record, GameListing if "role" in summary else Listing)
    except ValueError as error:
        raise NhlogError(f"the summary of the archived game is damaged: {error}") from None
