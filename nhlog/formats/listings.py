"""The rows of a folder, kept: who lists it again reads only the recordings that changed since.

A row is that of a file in one state.  It is known again by the file's stamp alone (device, inode, size, both times);
where the file was written to so shortly before it was read that the clock of its file system may not tell two writes
apart, by the digest of its head and tail, too.  So a folder of 10,000 games costs 10,000 looks at their status.

Only formats that have `Rows` are asked: theirs follow from the bytes and the name of one file.  Of a terminal's
recording it is also said whether somebody writes it now, which no byte tells: so that is asked again, and such a row is
not kept.  Neither are errors, nor what links lead to.

All rows of a folder are one entry of the cache, as opening 10,000 entries takes as long as reading the games.
"""

import os
import stat
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Final

import msgspec

from nhlog.cache import Cache, Fingerprint, entry_name, fingerprint_of
from nhlog.decoding import msgpack_decoder
from nhlog.emulator.declared import VERSION
from nhlog.errors import Unsupported
from nhlog.files import CannotOpen, Stamp, is_being_written, stamp_of
from nhlog.formats import LOG, format_of, formats
from nhlog.operations import Listing, Rows, Unlisted
from nhlog.values import NamedTuple

__all__ = ["Listings", "Seen", "see", "seen"]


_GRAIN: Final = 2_000_000_000  # nanoseconds between two times of the coarsest file systems
_MOST: Final = 1 << 17  # rows of a folder that are kept
_LAYOUT: Final = 1  # of what is kept; to be raised where a format's row of the same file becomes another one


class _Row(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The row of a file in this state, read at the time `seen`: a `value` of its format's class."""

    state: Fingerprint
    seen: int
    format: str
    value: msgspec.Raw


class _Rows(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The rows of a folder by the names of the files; this version of the emulator read those of terminals."""

    emulator: str
    rows: dict[str, _Row]


_CACHE: Final = Cache("rows", _LAYOUT, _Rows)


class Seen(NamedTuple):
    """The row of a file, and the state that it is true of, seen at that time; None where it is not to be kept."""

    listing: Listing
    state: Fingerprint | None
    at: int


def see(path: str) -> Seen:
    """Read the row of a recording; raises :class:`NhlogError` and :class:`OSError` as its format does."""
    form, now = format_of(path), time.time_ns()
    kind = form.rows
    state = _state(path, form.id) if kind and _stamp(path) else None
    listing: Listing = form.operation("listing", path, {})(path)
    if kind is None or state is None or _stamp(path) != _stamp_in(state) or not _lasts(kind, listing, path):
        return Seen(listing, None, now)
    return Seen(listing, state, now)


def seen(path: str, listing: Listing, modified: int) -> Seen:
    """The row of a recording that others read after it was last written to: at that time, in nanoseconds since 1970."""
    form = format_of(path)
    kind = form.rows
    state = _state(path, form.id) if kind and _stamp(path) else None
    if kind is None or state is None or state.modified != modified or not _lasts(kind, listing, path):
        return Seen(listing, None, 0)
    return Seen(listing, state, state.changed)  # which has it compared when it is used for the first time


def _lasts(kind: Rows, listing: Listing, path: str) -> bool:
    """Whether a row stays true while its file does: a terminal's without a game may only lack an emulator."""
    if not kind.of_terminals:
        return not isinstance(listing, Unlisted)
    return (bool(getattr(listing, "game", None)) or _emulates()) and not _is_written(kind, path)


class Listings:
    """The rows that are kept of the recordings in some folders: those asked for, and those put in, until `store`."""

    def __init__(self) -> None:
        self._folders: dict[str, _Folder] = {}

    def known(self, path: str) -> Listing | None:
        """The row that is kept of the file in the state that it is in now; None if none is."""
        stamp = _stamp(path)
        return None if stamp is None else self._folder(path).known(path, stamp)

    def read(self, path: str) -> Listing:
        """The row of a recording, which is read, and kept for the next time; raises as :func:`see`."""
        seen = see(path)
        self.keep(path, seen)
        return seen.listing

    def keep(self, path: str, seen: Seen) -> None:
        """Keep a row for the next time, where it is one that can be kept."""
        if seen.state is not None:
            with suppress(UnicodeEncodeError):  # a text from a file may hold what is no character
                value = msgspec.Raw(msgspec.msgpack.encode(seen.listing))
                self._folder(path).put(path, _Row(seen.state, seen.at, format_of(path).id, value))

    def store(self) -> None:
        """Store what came new."""
        for folder in self._folders.values():
            folder.store()

    def _folder(self, path: str) -> "_Folder":
        name = path.rpartition("/")[0]
        if name not in self._folders:
            self._folders[name] = _Folder(name or os.path.dirname(path) or os.curdir)
        return self._folders[name]


class _Folder:
    """The rows that are kept of one folder."""

    def __init__(self, path: str) -> None:
        stamp = stamp_of(path)
        self._path = path
        self._name = None if stamp is None else entry_name(stamp.identity)
        kept = None if self._name is None else _CACHE.load(self._name)
        self._rows = kept.rows if kept is not None and kept.emulator == VERSION else {}
        self._news = False

    def known(self, path: str, stamp: Stamp) -> Listing | None:
        row = self._rows.get(path.rpartition("/")[2])
        kind = None if row is None else _rows_of(row.format)
        if row is None or kind is None or _stamp_in(row.state) != stamp:
            return None
        if row.seen - stamp.changed < _GRAIN:
            now = time.time_ns()
            if _state(path, row.format) != row.state:
                return None
            row.seen, self._news = now, True
        if _is_written(kind, path):
            return None
        try:
            listing = _decoder(row.format).decode(row.value)
        except ValueError:
            return None
        return listing if listing.file == path else replace(listing, file=path)

    def put(self, path: str, row: _Row) -> None:
        self._rows[path.rpartition("/")[2]] = row
        self._news = True

    def store(self) -> None:
        if self._news and self._name is not None:
            with suppress(OSError):
                there = islice((name for name in os.listdir(self._path) if name in self._rows), _MOST)
                _CACHE.store(self._name, _Rows(VERSION, {name: self._rows[name] for name in there}))
                self._news = False


@cache
def _rows_of(name: str) -> Rows | None:
    """The rows of the format with this id; None if it is not installed, or has none that are kept."""
    return next((one.rows for one in formats(name) if one.id == name), None)


@cache
def _decoder(name: str) -> msgspec.msgpack.Decoder[Listing]:
    """What reads the rows of the format with this id, which has some."""
    kind = _rows_of(name)
    assert kind is not None
    return msgpack_decoder(getattr(import_module(kind.module), kind.name))


def _emulates() -> bool:
    """Whether there is an emulator; without one a terminal's row tells of no game, which is not to be kept."""
    from nhlog.vt import USUAL_SIZE, Terminal

    try:
        Terminal(USUAL_SIZE).grid()
    except Unsupported:
        return False
    return True


def _stamp(path: str) -> Stamp | None:
    """The stamp of a file; None for a link or what is no file, of which no row is kept."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return Stamp.of(status) if stat.S_ISREG(status.st_mode) else None


def _state(path: str, form: str) -> Fingerprint | None:
    """The fingerprint of a file of the format with this id; a log is opened where all logs are."""
    if form != LOG.id:
        return fingerprint_of(path)
    from nhlog.log.file import open_log_file

    return fingerprint_of(path, open_log_file)


def _stamp_in(state: Fingerprint) -> Stamp:
    return Stamp(state.device, state.inode, state.size, state.modified, state.changed)


def _is_written(kind: Rows, path: str) -> bool:
    """Whether somebody writes a recording of which only that tells whether it goes on."""
    try:
        return kind.of_terminals and is_being_written(path)
    except CannotOpen:
        return True
