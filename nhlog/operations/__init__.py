"""The interface of a format: a `Format` says how its files are recognised, its `Operations` what can be done with them.

Each format has a module `operations` that ends in ``OPERATIONS = Operations(...)``.  An operation has the name of the
command that calls it, and is None if the format does not offer it; its Protocol says how it is called.  What a format
can be asked for besides it declares itself: see :mod:`nhlog.operations.options`.  docs/extending.md has a full example.

All operations take the path of a file, a folder, an address, or ``-`` for standard input, and raise
:class:`~nhlog.errors.NhlogError`.  Offsets and sizes are bytes, times UTC microseconds since 1970, durations
microseconds.  A *record* is a plain mapping that can be written as JSON; its keys are in docs/json.md.

Must not import a format, nor `session` or `terminal`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from importlib import import_module
from typing import Any, Final, Protocol

from nhlog.errors import Damaged, NhlogError, TooShort, Unsupported, in_short
from nhlog.guard import foreign, guarded
from nhlog.operations.options import chosen, option
from nhlog.replay import Replay, Status
from nhlog.timeline import Position
from nhlog.values import dataclass

__all__ = [
    "GUESSED",
    "Agree",
    "FileInfo",
    "Format",
    "Listing",
    "Operations",
    "Part",
    "Record",
    "Recording",
    "Rows",
    "Tell",
    "Unlisted",
    "as_record",
    "fault_records",
]

Record = dict[str, Any]
"""What a verb prints as one object of `--json`."""

Agree = Callable[[Record], bool]
"""Called with a record of what would be lost; returns whether to continue."""

Tell = Callable[[str], None]
"""Called with a remark for the user who started the operation."""


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
    """One record with ``error``: the first of these faults, and how many more there are; none without faults."""
    found = [*faults]
    if found:
        yield {"kind": "error", "error": in_short(found[0].message, len(found))}


class FileInfo(Protocol):
    """A recording's description: a frozen dataclass of the format, whose fields are the keys of the JSON record.

    `format` is the format's name, `health` is ``sound`` or says what is wrong.
    """

    @property
    def format(self) -> str:
        """The format's name."""
        ...

    @property
    def health(self) -> str:
        """``sound``, or a description of what is wrong."""
        ...


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
    """A file that looks like a recording but cannot be read: `fault` says why."""

    fault: str


class Recording(Protocol):
    """A recording that is being made from lines of JSON, as `dump` prints them."""

    @property
    def duration(self) -> int:
        """The time recorded so far."""
        ...

    @property
    def size(self) -> int:
        """The bytes recorded so far."""
        ...

    def line(self, text: bytes) -> None:
        """Record a line; raises :class:`~nhlog.errors.Usage` for a line that makes no sense."""

    def poll(self) -> None:
        """Do what is due; must be called at least once a second."""

    def save(self) -> None:
        """Save what was recorded so far; called when the user asks for it."""

    def end(self) -> Iterable[Record]:
        """Finish it; a record for each file that was made."""
        ...

    def leave(self) -> None:
        """Close it, however it ended, and keep what can be kept; after :meth:`end` it does nothing."""


class Open(Protocol):
    """Opens a recording (path), standing at its first step."""

    def __call__(self, path: str, /) -> Replay[Any]: ...


class Describe(Protocol):
    """Describes a recording (path)."""

    def __call__(self, path: str, /) -> FileInfo: ...


class Summarise(Protocol):
    """Summarises a recording (path) for a list."""

    def __call__(self, path: str, /) -> Listing: ...


class Dump(Protocol):
    """The content of a recording (path), record by record, or bytes; a record with ``error`` reports damage."""

    def __call__(self, path: str, /) -> Iterator[Record] | bytes: ...


class TellState(Protocol):
    """The state of an open replay, as a record."""

    def __call__(self, replay: Any, /) -> Record: ...


class Verify(Protocol):
    """Findings (``offset what expected found fault``) as they are made, then a record with ``sound`` and counts."""

    def __call__(self, path: str, /) -> Iterator[Record]: ...


class TellEvents(Protocol):
    """What happened in steps `first` to `last` of an open replay, both included, in order.

    Each record has ``kind``, ``step``, ``time`` and ``text``, and whatever else the format adds.
    """

    def __call__(self, replay: Any, first: int, last: int, /) -> Iterator[Record]: ...


class TellFaults(Protocol):
    """The damage found so far in an open replay: records with ``error``."""

    def __call__(self, replay: Any, /) -> Iterator[Record]: ...


class Count(Protocol):
    """Statistics: one record per player, or records of several kinds, each with its ``kind``, kind by kind.

    A record with ``error`` reports damage.
    """

    def __call__(self, path: str, /) -> Iterator[Record]: ...


class Compare(Protocol):
    """The differences between two recordings."""

    def __call__(self, old: str, new: str, /) -> Iterator[Record]: ...


class Convert(Protocol):
    """Writes a recording (source) to the file `target`, which is only replaced with `force`; a record of the result.

    As `convert` in another form, or an excerpt of it (see :class:`Part`); as `compact` as small as possible.
    """

    def __call__(self, source: str, target: str, /, *, force: bool = False) -> Record: ...


class BeginRecording(Protocol):
    """Begins a recording (path), or continues one that is not finished; `tell` is called with remarks."""

    def __call__(self, path: str, tell: Tell, /, *, force: bool = False) -> Recording: ...


class FindEvents(Protocol):
    """Finds the events in a recording (path) of a terminal: :class:`nhlog.screencast.Events`."""

    def __call__(self, path: str, /) -> Any: ...


class MakeEncoder(Protocol):
    """Makes the :class:`nhlog.screencast.Encoder` of a recording with such a header.

    The path is that of the file to be written; its name may select the version of the format.  With `after`, the events
    of an existing recording of this format, the encoder makes what has to be appended to it, and times count from its
    end.  With `exact` the result can be converted back to the source, byte for byte.
    """

    def __call__(self, path: str, header: Any, /, *, after: Any = None, exact: bool = False) -> Any: ...


class Recover(Protocol):
    """Repairs in place what a crash left incomplete (path).

    The record has ``recovered``, the ``offset`` of the cut (None if there is nothing to repair) and ``lost_bytes``.
    With `keep` what is cut off is kept in a file beside it, named in ``kept_in`` (see :mod:`nhlog.files.cuts`).
    """

    def __call__(self, path: str, /, *, dry_run: bool = False, keep: bool = True) -> Record: ...


class Rescue(Protocol):
    """Writes what can be read of a damaged recording (source) to the file `target`, replaced only with `force`."""

    def __call__(self, source: str, target: str, /, *, dry_run: bool = False, force: bool = False) -> Record: ...


class Rewind(Protocol):
    """Rewinds a recording (path): cuts off everything after the position.

    `agree` is called with the record of what would be lost, and nothing is done unless it returns True; a `dry_run`
    does not call it.  The record has ``rewound``, the ``offset`` of the cut (None if there is nothing after the
    position), the ``size`` of the file before the cut, the new last ``turn``, ``tick`` or ``frame``, and what is lost:
    ``lost_time``, ``lost_bytes`` and other counts with similar names.
    """

    def __call__(
        self, path: str, position: Position, agree: Agree, /, *, dry_run: bool = False, keep: bool = True
    ) -> Record: ...


class PutBack(Protocol):
    """Puts back what was cut off a recording (path, path of what was kept), if it fits.

    The record has the ``size`` of the recording afterwards, where it ends then, and in ``unsound`` what is wrong with
    it then, if anything.  Raises :class:`~nhlog.files.cuts.CutRefused`, with the reason, before anything is done.
    """

    def __call__(self, path: str, kept: str, /, *, dry_run: bool = False) -> Record: ...


class CutEnding(Protocol):
    """The bytes that a cut writes at the new end of a recording."""

    def __call__(self) -> bytes: ...


class KeptWhole(Protocol):
    """Whether a cut keeps the whole recording (path) as it was, not only the part that it cut off."""

    def __call__(self, path: str, /) -> bool: ...


class GetMetadata(Protocol):
    """A value of a recording's metadata (path, key); all of the metadata without a key.

    The record has the plain ``value``, and whatever else ``--json`` prints of it in its place.
    """

    def __call__(self, path: str, key: str = "", /) -> Record: ...


class SetMetadata(Protocol):
    """Sets one value of the metadata (path, key, value)."""

    def __call__(self, path: str, key: str, value: Any, /) -> None: ...


class MergeMetadata(Protocol):
    """Sets several values of the metadata at once (path, values by key)."""

    def __call__(self, path: str, values: Any, /) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The options of what writes a part of a recording."""

    first: str | None = option(None, "Where the part starts.", "POSITION")
    last: str | None = option(None, "Where the part ends.", "POSITION")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    """The operations on recordings of one format.

    Each may have options of the format's own besides, of which callers know nothing (see `options`).
    """

    open: Open
    info: Describe
    listing: Summarise
    """In a time that does not depend on the recording's length, where the format permits."""
    glance: Summarise | None = None
    """From its first bytes only, and as much as these hold: for lists of thousands."""
    dump: Dump | None = None
    state: TellState | None = None
    verify: Verify | None = None
    events: TellEvents | None = None
    """Without it, the events of the replay are listed, of kind ``event``."""
    faults: TellFaults | None = None
    """Without it, what the info of the replay says."""
    stats: Count | None = None
    diff: Compare | None = None
    convert: Convert | None = None
    record: BeginRecording | None = None
    find: FindEvents | None = None
    encoder: MakeEncoder | None = None
    compact: Convert | None = None
    recover: Recover | None = None
    rescue: Rescue | None = None
    rewind: Rewind | None = None
    put_back: PutBack | None = None
    """Needed only if appending the bytes to the file is not enough, and the recording was not kept whole."""
    cut_ending: CutEnding | None = None
    """Without it, a cut writes nothing."""
    kept_whole: KeptWhole | None = None
    """Without it, never."""
    get_metadata: GetMetadata | None = None
    set_metadata: SetMetadata | None = None
    merge_metadata: MergeMetadata | None = None


_VERBS: Final = {"rescue": "recover -o", "get_metadata": "meta", "set_metadata": "meta", "merge_metadata": "meta"}
"""The verbs of operations that are called otherwise."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The class of a format's listings, for rows that follow from the bytes and the name of one file: they are kept.

    Those of a terminal's recording follow from what its game drew, too, which an emulator reads, and from whether
    somebody writes it.
    """

    module: str
    name: str
    of_terminals: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of recording.

    `id` is a stable short name that selects views and text output; `name` is shown to people.  Files are recognised by
    the `endings` of their names, else by `magic`: their first bytes, or a pattern that matches these.  Folders are
    recognised by a file `inside`.  `operations` is the name of the module with ``OPERATIONS``, imported on first use.
    `rows` says that what `nhlog ls` reads of such a recording is kept; without it each list reads it again.
    """

    id: str
    name: str
    operations: str
    endings: tuple[str, ...]
    magic: tuple[bytes | re.Pattern[bytes], ...] = ()
    inside: tuple[str, ...] = ()
    rows: Rows | None = None

    @property
    def reader(self) -> str:
        """The name of the code that reads such recordings, for messages."""
        return f"{self.name} reader"

    def load(self) -> Operations:
        """The operations of this format; they raise nothing but NhlogError and OSError."""
        return _loaded(self)

    def operation(self, name: str, file: str, options: Mapping[str, object]) -> Any:
        """An operation of this format, as :func:`nhlog.formats.operation` returns it."""
        found = getattr(self.load(), name)
        if found is None:
            from nhlog.files.kinds import with_article

            verb = _VERBS.get(name, name)
            raise Unsupported(f"there is no `nhlog {verb}` for {with_article(self.name)}", file=file)
        return chosen(found, options, self.name, file)

    def tells(self, head: bytes) -> int:
        """How many bytes of `head` match this format; a growing file may have fewer than all bytes of `magic`."""
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
    from nhlog.files.kinds import EMPTY, ends_early, head_of, kind_of_bytes, with_article

    head = head_of(file)
    early = ends_early(head)
    if early and isinstance(error, TooShort):
        error.what = early
        error.offset = error.expected = error.found = None
        return
    real = None if kind.tells(head) else kind_of_bytes(head, file)
    if real not in (None, EMPTY):
        error.what = f"{real}, not {with_article(kind.name)}"
        error.offset = error.expected = error.found = None
