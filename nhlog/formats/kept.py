"""What was cut off recordings and kept beside them: listed, and put back where it fits (names: `nhlog.files.cuts`).

Logs and folders have rules of their own; any other recording is replaced by what is left of it with the rest behind, or
by the whole of what it was, byte for byte.  Where nothing was written to it since it was cut, that is so whether or not
the result is sound: a recording that was repaired was not sound before.  Where that cannot be told, as of one that
belongs to another user, only an end that makes it sound comes back.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import CHUNK, CannotOpen, File, as_ours, atomic, is_being_written, read_pieces, refusals
from nhlog.files.cuts import CutRefused, cut_of, date, is_as_cut, kept_of
from nhlog.formats import format_of, operation
from nhlog.operations import Record
from nhlog.values import dataclass

__all__ = ["Kept", "kept_in", "put_back"]

_AT_ONCE: Final = 60_000_000_000  # nanoseconds after it was kept in which a long tail was cut off at last


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A file with what was cut off a recording.

    `file` is its path, `recording` the recording's and `format` the name of its format; `number` is in the file's name,
    `size` its bytes, `changed` when it was made, in UTC microseconds since 1970.  `fits` is whether it can be put back,
    `why` why not.  Where it fits `turn` is the last turn of a game afterwards, `lines` the number of lines that come
    back; None for other recordings.  `unsound` is what is known to be wrong with the recording then, empty for nothing.
    """

    file: str
    recording: str
    format: str
    number: int
    size: int
    changed: int
    fits: bool
    why: str
    turn: int | None = None
    lines: int | None = None
    unsound: str = ""


def kept_in(path: str) -> Iterator[Kept]:
    """What was kept of all recordings in a folder, of one recording, or the one file that keeps something.

    Raises :class:`CannotOpen` for a path that does not exist.
    """
    if os.path.isdir(path):
        names = sorted(os.path.join(path, name) for name in os.listdir(path))
        yield from map(_kept, filter(_is_kept, (*kept_of(path), *names)))  # it may be a recording itself
    elif _is_kept(path):
        yield _kept(path)
    else:
        found = kept_of(path)
        if not found and not os.path.lexists(path):
            raise CannotOpen("no such file or directory", file=path)
        yield from map(_kept, filter(_is_kept, found))


def put_back(kept: Kept) -> str:
    """Put back what a file keeps, and remove the file; returns what is wrong with the recording then, if anything.

    Raises :class:`CutRefused` before anything is done, and :class:`NhlogError` also for what the recording's format or
    the system refuses.
    """
    _check_owner(kept)
    back = _rules(kept)
    unsound = _replace(kept) if back is None else back(kept.recording, kept.file).get("unsound", "")
    with refusals(kept.file):
        os.unlink(kept.file)
    return unsound


def _replace(kept: Kept) -> str:
    """Replace the recording by what it was; returns what is wrong with that, if anything."""
    _check_unwritten_since(kept)
    as_cut, found = is_as_cut(kept.recording, kept.file), [""]

    def finish(draft: str) -> None:
        wrong = _fault(kept, draft)
        if wrong is not None:
            if not as_cut:
                raise CutRefused(f"it would not be sound with it: {wrong.what}", file=kept.file, offset=wrong.offset)
            found[0] = wrong.what
        atomic.keep_status(draft, os.stat(kept.recording))
        date(draft, os.lstat(kept.file).st_mtime_ns)

    with refusals(kept.recording):
        atomic.replace(os.path.realpath(kept.recording), _parts(kept), finish)
    return found[0]


def _is_kept(path: str) -> bool:
    """Whether a file keeps what was cut off a recording; neither a link nor a pipe does."""
    try:
        return cut_of(path) is not None and stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _kept(path: str) -> Kept:
    recording, number = cut_of(path) or ("", 0)
    status = os.lstat(path)
    kept = Kept(
        file=path,
        recording=recording,
        format=format_of(recording).name,
        number=number,
        size=status.st_size,
        changed=status.st_ctime_ns // 1000,  # of a recording that was kept whole, the time of writing is its own
        fits=True,
        why="",
    )
    try:
        return replace(kept, **_tried(kept))
    except (NhlogError, OSError) as error:
        return replace(kept, fits=False, why=as_ours(error).message)


def _tried(kept: Kept) -> Record:
    """Where a game ends when it is put back, as far as that can be told; raises where it cannot be."""
    _check_owner(kept)
    back = _rules(kept)
    if back is None:
        _check_unwritten_since(kept)
        return {}
    record = back(kept.recording, kept.file, dry_run=True)
    return {name: record[name] for name in ("turn", "lines", "unsound") if name in record}


def _rules(kept: Kept) -> Callable[..., Record] | None:
    """How the recording's format puts back; None where it has no rules of its own, or the whole recording was kept."""
    return None if _is_whole(kept) else format_of(kept.recording).load().put_back


def _check_owner(kept: Kept) -> None:
    """What somebody else laid beside a recording was not cut off it."""
    try:
        owner = os.stat(kept.recording).st_uid
    except FileNotFoundError:
        raise CutRefused("the recording is gone", file=kept.recording) from None
    if os.lstat(kept.file).st_uid not in (owner, os.geteuid(), 0):
        raise CutRefused("it belongs to another user than the recording", file=kept.file)


def _check_unwritten_since(kept: Kept) -> None:
    if [*kept_of(kept.recording)][-1:] != [os.path.abspath(kept.file)]:
        raise CutRefused("the recording was cut again since then", file=kept.file)
    if is_being_written(kept.recording):
        raise CutRefused("the recording is being written", file=kept.file)
    if is_as_cut(kept.recording, kept.file):
        return
    latest = 0 if _is_whole(kept) else os.lstat(kept.file).st_ctime_ns + _AT_ONCE
    if os.stat(kept.recording).st_mtime_ns > latest:
        raise CutRefused("the recording was written to since then", file=kept.file)


def _parts(kept: Kept) -> Iterable[bytes]:
    """The recording as it was: what is left and the rest, or the whole of what was kept."""
    return chain(() if _is_whole(kept) else _left(kept), read_pieces(kept.file))


def _is_whole(kept: Kept) -> bool:
    whole = format_of(kept.recording).load().kept_whole
    return whole is not None and whole(kept.recording)


def _left(kept: Kept) -> Iterator[bytes]:
    """What is left of the recording, without what the cut ended it with."""
    ending = format_of(kept.recording).load().cut_ending
    end = ending() if ending else b""
    with File(kept.recording) as file:
        size = file.size()
        if file.pread(len(end), size - len(end)) == end:
            size -= len(end)
        for offset in range(0, size, CHUNK):
            yield file.pread(min(CHUNK, size - offset), offset)


def _fault(kept: Kept, draft: str) -> NhlogError | None:
    """What the format finds wrong with what the recording would be; None for nothing."""
    wrong: Record = {}
    try:
        for record in operation(kept.recording, "verify")(draft):
            if record.get("fault") and not wrong:
                wrong = record
            if record.get("sound"):
                return None
    except NhlogError as error:
        return error
    return NhlogError(wrong.get("what", "no record is whole"), offset=wrong.get("offset"))
