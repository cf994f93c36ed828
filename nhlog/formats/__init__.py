"""The registry of formats: recognises recordings by name and content, and opens them.

The log's own is `LOG`; all others come by entry points of the group `nhlog.formats`, each a
:class:`~nhlog.operations.Format`, those that are included with nhlog among them (see pyproject.toml).  Must not import
`session` or `terminal`.
"""

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache, partial
from typing import Any, Final

from nhlog import compression, plugins
from nhlog.errors import NhlogError, TooShort, Unsupported, Usage
from nhlog.files import as_ours, is_being_written, stamp_of
from nhlog.guard import foreign
from nhlog.operations import GUESSED, Format, Listing, Rows, Unlisted
from nhlog.replay import Replay, Status

__all__ = [
    "LOG",
    "UNKNOWN",
    "Format",
    "check_ending",
    "format_of",
    "format_to_record",
    "formats",
    "is_recording",
    "open_recording",
    "operation",
    "reading",
    "unlisted",
]

LOG: Final = Format(
    "nhgame",
    "NetHack 4 log",
    "nhlog.formats.nhgame.operations",
    (".nhgame",),
    (b"NHGAME ",),
    rows=Rows("nhlog.listed", "GameListing"),
)

UNKNOWN: Final = Format("unknown", "file of unknown kind", "nhlog.formats.unknown", ())
"""What is none of them: each operation on it says what it is instead."""


def formats(path: str = "") -> Iterator[Format]:
    """All formats: the log, then those that are installed, by their ids; each is loaded when it is its turn.

    Those whose id stands in `path` come before the others, so that a name with the usual ending loads one format.
    """
    yield LOG
    for name in sorted(plugins.plugins(plugins.FORMATS), key=lambda name: (name not in path, name)):
        if (found := _installed(name)) is not None:
            yield found


@cache
def _installed(name: str) -> Format | None:
    """The format of this entry point; one that cannot be loaded is left out, with a warning."""
    try:
        found: Format = plugins.load(plugins.FORMATS, name)
    except plugins.PluginFailed as error:
        warnings.warn(str(error), RuntimeWarning, stacklevel=3)
        return None
    return found


def format_of(path: str) -> Format:
    """The format of the recording `path`: a file, a folder, an address, or ``-`` for standard input.

    The ending of its name decides, else the format that matches most of the first bytes, uncompressed or as they are.
    An empty folder is one to record into.  Other files are `UNKNOWN`.
    """
    known = _by_ending(path)
    if os.path.isdir(path):
        names = _names(path)
        empty = not names and known in (None, *(kind for kind in formats() if kind.inside))  # somebody begins to record
        fitting = (kind for kind in formats() if kind.inside and (empty or names & set(kind.inside)))
        return next(fitting, known or UNKNOWN)
    if known is not None:
        return known
    from nhlog.files.kinds import HEAD, head_of  # which those that have a known ending do not need

    packed = head_of(path)
    if not packed and path == "-":
        return LOG  # what cannot be looked at before it is read
    head = compression.decompress(packed, compression.compression_of(packed), HEAD).data
    return _by_magic(head or packed) or UNKNOWN


def _by_magic(head: bytes) -> Format | None:
    kind = max(formats(), key=lambda kind: kind.tells(head))  # of several the first
    told = kind.tells(head)
    if told == GUESSED:
        from nhlog.files.kinds import signed

        return None if signed(head) else kind
    return kind if told else None


def _names(folder: str) -> set[str]:
    """The names in a folder without those of drafts, which nothing is in yet; none if it cannot be read."""
    from nhlog.files.atomic import DRAFT  # which who opens a file does not need

    try:
        return {name for name in os.listdir(folder) if not name.startswith(DRAFT)}
    except OSError:
        return set()


def _by_ending(path: str) -> Format | None:
    return next((kind for kind in formats(os.path.basename(path)) if path.endswith(kind.endings)), None)


def is_recording(path: str) -> bool:
    """Whether `path` has the ending of a format, or is a folder with a file of one."""
    if _by_ending(path) is not None:
        return True
    return any(os.path.exists(os.path.join(path, name)) for kind in formats() for name in kind.inside)


def open_recording(path: str, **options: object) -> Replay[Any]:
    """Open the recording in `path` at its first step; `options` are those of its format.

    Raises :class:`~nhlog.errors.NhlogError`, for example `Unsupported` if it is no recording.
    """
    replay: Replay[Any] = operation(path, "open", **options)(path)
    return replay


def format_to_record(path: str) -> Format:
    """The format in which a new recording `path` is made: that of its ending, else one that records into a folder."""
    known = _by_ending(path) or next((kind for kind in formats() if kind.inside), None)
    if known is None:
        raise Unsupported("no installed format records into a folder", file=path)
    return known


def check_ending(path: str, *kinds: Format) -> None:
    """Check that the name of a file to be written fits what it will be: a recording of one of these formats.

    Raises :class:`Usage` for another format's ending, or one that no format has; a name without an ending fits all.
    """
    endings = [ending for kind in kinds for ending in kind.endings if ending.startswith(".")]
    name = os.path.basename(path)
    if "." in name and not name.endswith(tuple(endings)):
        from nhlog.files.kinds import with_article

        other = _by_ending(name)
        what = "nhlog writes no such file" if other is None else f"this is the name of {with_article(other.name)}"
        raise Usage(what, file=path, expected=" ".join(ending for ending in endings if ending.count(".") == 1))


def operation(path: str, name: str, /, **options: object) -> Any:
    """The operation of this name (see :class:`~nhlog.operations.Operations`) of the recording's format.

    It has the `options` that are given, those of the format; texts are parsed as on the command line.  Raises
    :class:`Unsupported` if the format does not have the operation, :class:`Usage` if it has no such option.
    """
    return format_of(path).operation(name, path, options)


def reading(path: str) -> AbstractContextManager[None]:
    """A context for code that uses a recording's replay, view or texts.

    Raises :class:`~nhlog.guard.ForeignFault` in place of any error that is neither an NhlogError nor an OSError.
    """
    return foreign(format_of(path).reader, path)


def unlisted(path: str, error: NhlogError | OSError) -> Listing:
    """The listing of a file whose listing failed with `error`.

    One that has only begun is live, while somebody writes it: its program may take its time before it says anything.
    """
    stamp = stamp_of(path)
    begun = isinstance(error, TooShort) and is_being_written(path)
    kind: Callable[..., Listing] = Listing if begun else partial(Unlisted, fault=as_ours(error).what)
    return kind(
        file=path,
        format=format_of(path).name,
        title="",
        start=None,
        duration=None,
        changed=stamp.modified // 1000 if stamp else None,
        size=stamp.size if stamp else 0,
        status=Status.LIVE if begun else Status.UNREADABLE,
    )
