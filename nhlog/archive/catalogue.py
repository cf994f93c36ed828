"""The list of an archive's games, in two requests for any number of games.

The folder of the catalogue has two kinds of objects: rows, each object those of many games, and news, each the name of
a game that may have no row yet.  No object in it is ever replaced, so that runs at the same time
cannot undo each other's work:

- A game is among the news before its index is there, so each game has a row or is among the news.
- To merge is to read all rows, to create an object with these and those of the news, and only then to remove the very
  objects that were read and the news that have a row.  Whatever is removed stands in an object that was created before;
  that one, too, goes only after all of its rows stand in another.  So no row is ever lost, whoever merges when, and
  wherever one is killed: at worst there are rows twice, until the next merge.
- If an object is gone that was listed, it was merged meanwhile: list again.

The catalogue is disposable: where there is none, or a damaged one, the indexes are read, and the next `nhlog archive`
makes it anew.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from secrets import token_hex
from typing import Any, Final

import msgspec

from nhlog.archive.flight import in_flight, requests
from nhlog.archive.reading import INDEXES, index_name, read_index
from nhlog.archive.wire import pack_checked, unpack_checked, unpack_row
from nhlog.decoding import converted
from nhlog.errors import Damaged, NhlogError
from nhlog.operations import Listing
from nhlog.remote import NotThere
from nhlog.remote.store import Exists, Store
from nhlog.values import NamedTuple

__all__ = ["CATALOGUE", "announce", "listings", "write_catalogue"]

CATALOGUE: Final = ".nhlog-catalogue"
_ROWS: Final = f"{CATALOGUE}/rows-"
_NEWS: Final = f"{CATALOGUE}/new-"
_ATTEMPTS: Final = 8  # to read what others merge at the same time; then the indexes are read
_MOST: Final = 1 << 26  # bytes of an object, packed
_MOST_UNPACKED: Final = 1 << 29
_MOST_FOR_EACH: Final = 1000  # bytes of it for each that it is unpacked from: of many copies of one game 250 are
_ENDING: Final = index_name("").rpartition("/")[2]

Rows = dict[str, msgspec.Raw]  # each row is unpacked when it is told: of small ones Python makes much


class _Catalogue(NamedTuple):
    """What was read: the objects with rows, all rows in them, the news, and the games that have no row."""

    objects: Sequence[str]
    rows: Rows
    news: Sequence[str]
    missing: Sequence[str]


def announce(store: Store, name: str) -> None:
    """Note that a game is about to have an index."""
    with suppress(Exists):  # of a run that was interrupted
        store.create(_NEWS + name, b"\n")


def listings(store: Store) -> Iterator[Listing | NhlogError]:
    """A row of each archived game, or why there is none; raises :class:`NotThere` for no such bucket or folder."""
    found = _read(store)
    if not (found.rows or found.missing):
        store.check()
    for name in sorted({*found.rows, *found.missing}):
        try:
            row = found.rows.get(name)
            yield _listing(store, name, read_index(store, name).summary if row is None else unpack_row(row))
        except NotThere:
            continue  # it was announced, and nothing came of it as yet
        except NhlogError as error:
            yield error.within(f"{store.name}/{name}")


def write_catalogue(store: Store) -> None:
    """Merge all rows, and those of the news, into one object."""
    found = _read(store)
    rows = dict(found.rows)
    with requests() as pool:
        made = in_flight(pool, (partial(_row, store, name) for name in found.missing))
        for name, row_of in zip(found.missing, made, strict=True):
            row = row_of()
            if row is None:
                announce(store, name)
            else:
                rows[name] = row
        done = [_NEWS + name for name in found.news if name in rows]
        if len(rows) > len(found.rows) or len(found.objects) > 1:
            store.create(_ROWS + token_hex(8), pack_checked(rows))
            done += found.objects
        for removed in in_flight(pool, (partial(_remove, store, name) for name in done)):
            removed()


def _row(store: Store, name: str) -> msgspec.Raw | None:
    """The row of a game; None if its index cannot be read now."""
    try:
        return msgspec.Raw(msgspec.msgpack.encode(read_index(store, name).summary))
    except NhlogError:
        return None


def _remove(store: Store, name: str) -> None:
    with suppress(NotThere):  # another one did it
        store.remove(name)


def _read(store: Store) -> _Catalogue:
    names: list[str] = []
    objects: list[str] = []
    found: list[Rows | None] = []
    for _ in range(_ATTEMPTS):
        names = [f"{CATALOGUE}/{name}" for name in store.names(CATALOGUE)]
        objects = [name for name in names if name.startswith(_ROWS)]
        with suppress(NotThere):
            found = [_rows(store, name) for name in objects]
            break
    rows = {name: row for part in found for name, row in (part or {}).items()}
    news = [name.removeprefix(_NEWS) for name in names if name.startswith(_NEWS)]
    known = news if found and None not in found else [*news, *_indexed(store)]
    return _Catalogue(objects, rows, news, [name for name in dict.fromkeys(known) if name not in rows])


def _indexed(store: Store) -> list[str]:
    """The names of all games that have an index."""
    return [name.removesuffix(_ENDING) for name in store.names(INDEXES) if name.endswith(_ENDING)]


def _rows(store: Store, name: str) -> Rows | None:
    """The rows in an object; None if it is damaged.  Raises :class:`NotThere`."""
    with suppress(Damaged):
        return unpack_checked(store.whole(name, _MOST), Rows, _MOST_UNPACKED, _MOST_FOR_EACH)
    return None


def _listing(store: Store, name: str, summary: dict[str, Any]) -> Listing:
    """The row that a summary tells: that of a game, or what all recordings have."""
    from nhlog.listed import GameListing

    record = {**summary, "file": f"{store.name}/{name}"}
    try:
        return converted(record, GameListing if "role" in summary else Listing)
    except ValueError as error:
        raise NhlogError(f"the summary of the archived game is damaged: {error}") from None
