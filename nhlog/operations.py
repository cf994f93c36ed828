"""The interface of a format: a `Format` says how its files are recognised, its `Operations` what can be done with them.

Each format has a module `operations` that ends in ``OPERATIONS = Operations(...)``.  An operation has the name of the
command that calls it, and is None if the format does not offer it.  See docs/extending.md for a full example.

All operations take the path of a file, a folder, an address, or ``-`` for standard input, and raise
:class:`~nhlog.errors.NhlogError`.  Offsets and sizes are bytes, times UTC microseconds since 1970, durations
microseconds.  A *record* is a plain mapping that can be written as JSON; its keys are in docs/json.md.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from importlib import import_module
from typing import Any, Final, Protocol

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.guard import foreign, guarded
from nhlog.replay import Replay, Status
from nhlog.values import dataclass

__all__ = [
    "GUESSED",
    "Agree",
    "FileInfo",
    "Format",
    "Listing",
    "Operations",
    "Record",
    "Recording",
    "Tell",
    "Unlisted",
    "as_record",
    "fault_records",
]

Record = dict[str, Any]
"""What a verb prints as one object of `--json`."""

Agree = Callable[[Record], bool]
"""Asked with what would be lost; whether to go on."""

Tell = Callable[[str], None]
"""Told a remark for whoever started what goes on."""


def as_record(value: Any) -> Record:
    """A dataclass as a record: plain values, with the fields in order."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    """What JSON can hold, of the same meaning."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value):
        return as_record(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    import msgspec  # for what hardly any description holds: sets, bytes

    return msgspec.to_builtins(value)


def fault_records(faults: Iterable[NhlogError]) -> Iterator[Record]:
    """One record with ``error`` that tells of these faults, the first and how many more; none if there are none."""
    found = [*faults]
    if found:
        more = f", and {len(found) - 1} more" if found[1:] else ""
        yield {"kind": "error", "error": found[0].message + more}


class FileInfo(Protocol):
    """A recording's description: a frozen dataclass of the format, whose fields are the keys of the JSON record.

    `format` is the format's name, `health` is ``sound`` or says what is wrong.
    """

    @property
    def format(self) -> str:
        """The format's name."""

    @property
    def health(self) -> str:
        """``sound``, or a description of what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A summary of a recording for a list; formats add fields in a subclass.

    `file` is the path as given, `changed` the time of the last write; `start`, `duration` and `changed` are None if
    unknown.
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


class Recording(Protocol):
    """A recording that is being made of lines of JSON, as `dump` gives them."""

    @property
    def duration(self) -> int:
        """The time recorded so far."""

    @property
    def size(self) -> int:
        """The bytes recorded so far."""

    def line(self, text: bytes) -> None:
        """Record what a line says; raises :class:`~nhlog.errors.Usage` for one that makes no sense."""

    def poll(self) -> None:
        """Do what is due; to be called once a second at least."""

    def save(self) -> None:
        """Make sure of what was recorded so far: somebody asked for it."""

    def end(self) -> Iterable[Record]:
        """Finish it; a record for each file that was made."""

    def leave(self) -> None:
        """Close it, however it ended, and keep what can be kept; after :meth:`end` it does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    """The operations on recordings of one format."""

    open: Callable[..., Replay[Any]]
    """Open a recording (path), standing at its first step; options by keyword."""
    info: Callable[[str], FileInfo]
    """Describe a recording (path)."""
    listing: Callable[[str], Listing]
    """Summarise a recording (path), in a time that does not depend on its length where the format permits."""
    glance: Callable[[str], Listing] | None = None
    """The same (path) from the first bytes alone, as far as they tell: for lists of thousands."""
    dump: Callable[..., Iterator[Record] | bytes] | None = None
    """The content of a recording (path), record by record; a record with ``error`` reports damage."""
    state: Callable[[Any], Record] | None = None
    """The state of an open replay, as a record."""
    verify: Callable[[str], Iterator[Record]] | None = None
    """Findings (``offset what expected found fault``) as they are made, then a record with ``sound`` and counts."""
    events: Callable[[str], Iterator[Record]] | None = None
    """What happened (``time``, ``text`` and more); where there is none the replay's own events are listed.

    A record with ``error`` tells of damage, here and in `stats`.
    """
    stats: Callable[..., Iterator[Record]] | None = None
    """Statistics: one record per player, or records of several kinds, each with its ``kind``, kind by kind."""
    diff: Callable[[str, str], Iterator[Record]] | None = None
    """The differences between two recordings."""
    convert: Callable[..., Record] | None = None
    """Write a recording (source, target) in another form, or an excerpt of it; options by keyword."""
    record: Callable[..., Recording] | None = None
    """Begin a recording (path, `tell`), or continue one that is not finished; options by keyword."""
    find: Callable[..., Any] | None = None
    """Find the events in a recording (path) of a terminal; they are :class:`nhlog.screencast.Events`."""
    encoder: Callable[..., Any] | None = None
    """Make the :class:`nhlog.screencast.Encoder` of such a recording (path, header); options by keyword.

    The path is that of the file to be written, whose name may say which version of the format it is.

    With `after`, the events of a recording of this format, it makes what is to be appended to that, times counted from
    its end.  With `exact` what is made can be made again into what the events are from, byte for byte.
    """
    compact: Callable[..., Record] | None = None
    """Write a recording (source, target) as small as possible."""
    recover: Callable[..., Record] | None = None
    """Repair in place what a crash left incomplete (path, `dry_run`, `keep`).

    The record has ``recovered``, the ``offset`` of the cut (None if there is nothing to repair) and ``lost_bytes``.
    With `keep` what is cut off is in a file beside it, whose name is ``kept_in`` (see :mod:`nhlog.files.cuts`).
    """
    rewind: Callable[..., Record] | None = None
    """Take a recording back (path, position, `agree`, `dry_run`, `keep`): what comes after the position is cut off.

    `agree` is called with the record of what would be lost, and nothing is done unless it returns True; it is not asked
    in a `dry_run`.  The record has ``rewound``, the ``offset`` of the cut (None if nothing is behind the position), the
    ``size`` of the file before it, the new last ``turn``, ``tick`` or ``frame``, and what is lost: ``lost_time``,
    ``lost_bytes`` and other counts named alike.
    """
    put_back: Callable[..., Record] | None = None
    """Put back what was cut off a recording (path, path of what was kept, `dry_run`), if it fits.

    Formats whose files may not simply be appended to have one.  The record has the ``size`` of the file afterwards, and
    where it ends then.  Raises :class:`~nhlog.files.cuts.CutRefused`, with the reason, before anything is done.
    """
    cut_ending: Callable[[], bytes] | None = None
    """What a cut leaves at the end of a recording in place of what it cut off, where that is not nothing."""
    kept_whole: Callable[[str], bool] | None = None
    """Whether a cut keeps the whole of a recording (path) as it was, and not its rest; where absent it never does."""
    get_metadata: Callable[..., Any] | None = None
    """A value of a recording's metadata (path, key); all of the metadata without a key."""
    set_metadata: Callable[[str, str, Any], None] | None = None
    """Set one value of the metadata (path, key, value)."""
    merge_metadata: Callable[[str, Any], None] | None = None
    """Set several values of the metadata at once (path, values by key)."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of recording.

    `id` is a stable short name that selects views and text output; `name` is shown to people.  Files are recognised by
    the `endings` of their names, else by their first bytes, `magic`, or a pattern of them; a folder by one of the files
    `inside` it.
    `operations` is the name of the module that has ``OPERATIONS``, imported on first use.
    """

    id: str
    name: str
    operations: str
    endings: tuple[str, ...]
    magic: tuple[bytes | re.Pattern[bytes], ...] = ()
    inside: tuple[str, ...] = ()

    @property
    def reader(self) -> str:
        """What the code is called that reads such recordings."""
        return f"{self.name} reader"

    def load(self) -> Operations:
        """What can be done with such recordings; no operation raises anything but NhlogError and OSError."""
        return _loaded(self)

    def tells(self, head: bytes) -> int:
        """How many bytes of `head` say that it is of this format; a file that grows may have less than its magic."""
        return max((_alike(head, magic) for magic in self.magic), default=0)


GUESSED: Final = 2  # bytes that a pattern says: more than one, as of most bytes it takes many values


def _alike(head: bytes, magic: bytes | re.Pattern[bytes]) -> int:
    if isinstance(magic, bytes):
        return min(len(head), len(magic)) if head.startswith(magic) or magic.startswith(head) else 0
    return GUESSED if magic.match(head) else 0


@cache
def _loaded(kind: Format) -> Operations:
    with foreign(kind.reader):
        operations: Operations = import_module(kind.operations).OPERATIONS
    known = {field.name: getattr(operations, field.name) for field in fields(operations)}
    made = {name: guarded(call, kind.reader, partial(_amend, kind)) for name, call in known.items() if call is not None}
    return replace(operations, **made)


def _amend(kind: Format, error: NhlogError, file: str) -> None:
    """Have the error of a file that is none of its format say what it is instead."""
    if error.offset != 0 or not isinstance(error, Damaged | Unsupported) or not kind.magic:
        return
    from nhlog.files.kinds import EMPTY, head_of, kind_of_bytes, with_article

    head = head_of(file)
    real = None if kind.tells(head) else kind_of_bytes(head, file)
    if real not in (None, EMPTY):
        error.what = f"{real}, not {with_article(kind.name)}"
        error.offset = error.expected = error.found = None
