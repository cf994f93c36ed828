"""What a format can do, typed: a `Format` says how its files are known, its `Operations` what can be done with them.

Each format has a module `operations` that ends in ``OPERATIONS = Operations(...)``; an operation is named as the verb
of the command line that calls it, and None where the format has none.  See docs/extending.md for one whole.

All operations take the path of a file, a folder, an address, or ``-`` for standard input, and raise
:class:`~nhlog.errors.NhlogError`.  Offsets and sizes are bytes, moments UTC microseconds since 1970, spans
microseconds.  A *record* is a plain mapping, ready for JSON; its keys are in docs/json.md.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import import_module
from typing import Any, Protocol

import msgspec

from nhlog.errors import NhlogError
from nhlog.guard import foreign, guarded
from nhlog.replay import Replay, Status

__all__ = ["FileInfo", "Format", "Listing", "Operations", "Record", "Unlisted", "as_record", "fault_records"]

Record = dict[str, Any]


def as_record(value: object) -> Record:
    """A dataclass as plain values, ready for JSON, its fields in their order."""
    record: Record = msgspec.to_builtins(value)
    return record


def fault_records(faults: Iterable[NhlogError]) -> Iterator[Record]:
    """One record with ``error`` that tells of these faults, the first and how many more; none if there are none."""
    found = [*faults]
    if found:
        more = f", and {len(found) - 1} more" if found[1:] else ""
        yield {"kind": "error", "error": found[0].message + more}


class FileInfo(Protocol):
    """What a recording says of itself: a frozen dataclass of the format's own, whose fields are the keys of the JSON.

    `format` is the format's name, `health` is ``sound`` or says what is wrong.
    """

    @property
    def format(self) -> str:
        """The format's name."""

    @property
    def health(self) -> str:
        """``sound``, or what is wrong in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A recording in one line; formats add fields of their own in a subclass.

    `file` is the path as it was given, `changed` when it was last written; `start`, `duration` and `changed` are None
    where they are not known.
    """

    file: str
    format: str
    title: str
    people: tuple[str, ...] = ()
    start: int | None
    duration: int | None
    changed: int | None
    size: int
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlisted(Listing):
    """A file that looks like a recording and cannot be listed: `fault` says why; nothing else is known of it."""

    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    """What can be done with the recordings of one format."""

    open: Callable[..., Replay[Any]]
    """Open it, standing at its first step; options by keyword."""
    info: Callable[[str], FileInfo]
    """What it says of itself."""
    listing: Callable[[str], Listing]
    """The same in one line; costs as little for a long recording as for a short one, where the format permits it."""
    dump: Callable[..., Iterator[Record] | bytes] | None = None
    """What it holds, record by record; a record with ``error`` tells of damage."""
    state: Callable[[Any], Record] | None = None
    """The state where a replay stands, as a record."""
    verify: Callable[[str], Iterator[Record]] | None = None
    """Findings (``offset what expected found fault``) as they are made, at last a record with ``sound`` and counts."""
    events: Callable[[str], Iterator[Record]] | None = None
    """What happened (``time``, ``text`` and more); where there is none the replay's own events are listed.

    A record with ``error`` tells of damage, here and in `stats`.
    """
    stats: Callable[..., Iterator[Record]] | None = None
    """What the players did, counted: a record for each."""
    diff: Callable[[str, str], Iterator[Record]] | None = None
    """How two recordings differ."""
    convert: Callable[..., Record] | None = None
    """Write it (source, target) in another form, or an excerpt of it; options by keyword."""
    compact: Callable[..., Record] | None = None
    """Write it (source, target) as small as it gets."""
    recover: Callable[..., Record] | None = None
    """Repair what a crash left incomplete."""
    get_metadata: Callable[..., Any] | None = None
    """A value of the recording's metadata (path, key), all of it without a key."""
    set_metadata: Callable[[str, str, Any], None] | None = None
    """Change a value of it (path, key, value)."""
    merge_metadata: Callable[[str, Any], None] | None = None
    """Change several at once (path, values by key)."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of recording.

    `id` is a stable short name, by which views and texts are found; `name` is what people read.  Files are known by
    the `endings` of their names, else by the first bytes, `magic`; a folder by one of the files `inside` it.
    `operations` is the name of the module that has ``OPERATIONS``, imported when it is first needed.
    """

    id: str
    name: str
    operations: str
    endings: tuple[str, ...]
    magic: tuple[bytes, ...] = ()
    inside: tuple[str, ...] = ()

    @property
    def reader(self) -> str:
        """What the code is called that reads such recordings."""
        return f"{self.name} reader"

    def load(self) -> Operations:
        """What can be done with such recordings; no operation raises anything but NhlogError and OSError."""
        with foreign(self.reader):
            return _guarded(import_module(self.operations).OPERATIONS, self.reader)


@cache
def _guarded(operations: Operations, code: str) -> Operations:
    known = {field.name: getattr(operations, field.name) for field in fields(operations)}
    return replace(operations, **{name: guarded(call, code) for name, call in known.items() if call is not None})
