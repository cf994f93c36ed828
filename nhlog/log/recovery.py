"""Truncating a log, the only way in which it ever becomes shorter (log spec section 10).

The header is rewritten before the file is truncated, under one write lock; every later reader sees the raised recovery
count and drops what it knew.  The removed bytes are saved in a file beside the log first.

What makes it hard: others have read the lines that go, without a lock, and may be reading now; the process that cuts
may die between two steps; and the cut may be a mistake.  So the order is fixed:

1. What goes is kept beside the log, and synced, before there is a lock.  If that fails (a full disk), nothing is cut.
2. Under the lock: is it still the log that the cut was planned for?
3. The header with the raised count, by one call.  From here on nobody believes what they read under the old one.
4. The pointer to the latest backup, where that one goes, and then the cut.  Who dies before it leaves a longer log
   with a raised count, which readers take as it is, and a rewind has not happened.

With the cut first, readers would see lines come and go under one count.  Nor does the count fall when what was cut is
put back: a reader who slept meanwhile would take other lines for those that it knew.  A recovery never removes more
than eight ninths (log spec section 10): a log so broken is somebody's to look at.

A change must keep this order, and one write lock around all but the first step.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace as changed

from nhlog.errors import Damaged, LogRecovered, NhlogError
from nhlog.files import CHUNK, cuts
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.reading import Moment, Source, as_one, pieces
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import (
    IDENTIFICATION_SIZE,
    Header,
    Identification,
    format_state,
    parse_header,
    parse_identification,
)
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.log.wire.reader import MAX_LINE
from nhlog.values import dataclass

__all__ = [
    "RecoveryRefused",
    "Truncation",
    "carry_out",
    "plan_recovery",
    "plan_rewind",
    "recovery",
    "refuse",
    "write_hint",
]

_SANITY = 9  # at least a ninth of the file has to stay


class RecoveryRefused(NhlogError):
    """The rules forbid this truncation: too much would be lost."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """A planned truncation of a log of `size` bytes: everything from `offset` on is removed.

    `identification` is the current line 1; `state` is the text for line 2, None to leave it alone.  `hint` has the
    offsets of the first backup and of the latest one, which the first is to point at, or None to leave the pointer
    alone.
    """

    size: int
    offset: int
    identification: Identification
    state: str | None = None
    hint: tuple[int, int] | None = None

    @property
    def raised(self) -> Identification:
        """Line 1 after the truncation, with a raised recovery count; a finished game becomes unfinished."""
        return changed(
            self.identification,
            status="save",
            recovery_count=(self.identification.recovery_count + 1) % (1 << 32),
        )

    @property
    def header(self) -> bytes:
        """How the file begins after the truncation: line 1, and line 2 where that is rewritten."""
        return self.raised.format() + (b"" if self.state is None else format_state(self.state))

    @property
    def sane(self) -> bool:
        """Whether no more than eight ninths of the file are removed."""
        return self.offset * _SANITY >= self.size


def refuse(truncation: Truncation, path: str) -> None:
    """Raise :class:`RecoveryRefused` if more than eight ninths of the file would be removed."""
    if not truncation.sane:
        raise RecoveryRefused(
            "more than 8/9 of the file would be removed",
            file=path,
            expected=f"at least {-(-truncation.size // _SANITY)} bytes kept",
            found=truncation.offset,
        )


def plan_recovery(source: Source) -> Truncation | None:
    """Plan the removal of a partial last line; None for a log that ends in a newline.

    Raises :class:`Damaged` if nothing could be loaded afterwards, and what `parse_header` raises.
    """

    def plan(moment: Moment) -> Truncation | None:
        header = parse_header(moment.head)
        if source.pread(1, moment.size - 1) == b"\n":
            return None
        return recovery(source.name, header, moment.size, _after_last_newline(source, moment.size))

    try:
        return as_one(source, plan)
    except NhlogError as error:
        raise error.within(source.name) from None


def recovery(path: str, header: Header, size: int, offset: int) -> Truncation:
    """The removal of what follows the last newline, which is before `offset`.

    Raises :class:`Damaged` if nothing could be loaded afterwards.
    """
    if offset <= header.length:
        raise Damaged("not even the first save backup is complete", file=path, offset=header.length)
    return Truncation(size, offset, header.identification)


def plan_rewind(log: Log, line: int, state: str | None = None) -> Truncation | None:
    """Plan the removal of everything after line number `line`, with a correct pointer to the latest backup.

    `state` is the text for line 2 of the header, about the save that is the latest then.  Returns None if nothing
    follows the line; raises :class:`RecoveryRefused` if no backup would be left.
    """
    columns = log.columns
    offset = columns.after(line)
    if offset == log.size:
        return None
    latest = columns.backup_at(columns.save_at(line))
    if latest < 0:
        raise RecoveryRefused("no save backup would be left", file=log.source.name, offset=offset)
    hint = (columns.backup_offset(0), columns.backup_offset(latest))
    return Truncation(log.size, offset, log.header.identification, state, hint)


def carry_out(file: LogFile, truncation: Truncation, *, keep: bool = True) -> str | None:
    """Carry out a truncation durably; returns the name of the file with the removed bytes, None without `keep`.

    The bytes are kept before there is a lock: nobody waits for that, and what was written meanwhile prevents the cut.
    Raises :class:`LogRecovered` if the log has changed since the truncation was planned, :class:`Damaged` if it cannot
    be truncated by the rules, :class:`~nhlog.errors.LockNotObtained`, and :class:`OSError` on a failed write.
    """
    before = file.status() if keep else None
    with ExitStack() as undone:
        kept = _save_tail(file, truncation, before.st_mtime_ns) if before else None
        if kept:
            undone.callback(os.unlink, kept)
        with file.writing():
            now = file.status()
            _check(file, truncation, now.st_size)
            undone.pop_all()  # from here on it may be all that is left of them
            file.pwrite(truncation.header, 0)
            if truncation.hint:
                write_hint(file, *truncation.hint)
            file.truncate(truncation.offset)
            file.sync()
            file.date_as_cut(before or now)
    return kept


def _check(file: LogFile, truncation: Truncation, size: int) -> None:
    """Raise the error that explains why a log of this size cannot be truncated so."""
    line = file.pread(IDENTIFICATION_SIZE, 0)
    if parse_identification(line) != truncation.identification or size != truncation.size:
        raise LogRecovered("the log changed meanwhile; nothing was done", file=file.name)
    if not line.endswith(b"\n") or len(truncation.raised.format()) != IDENTIFICATION_SIZE:
        raise Damaged("line 1 cannot be rewritten in place", file=file.name, offset=0, found=repr(line))
    if file.pread(1, truncation.offset - 1) != b"\n":
        raise Damaged("a log can only be cut after a newline", file=file.name, offset=truncation.offset - 1)


def _save_tail(file: LogFile, truncation: Truncation, written: int) -> str:
    """Write the removed bytes to a new file and return its name; differs from that of an unfinished truncation."""

    def parts() -> Iterator[bytes]:
        return pieces(file.pread, truncation.offset, truncation.size)

    return cuts.keep(file.name, parts, truncation.raised.recovery_count, written=written)


def write_hint(file: LogFile, first: int, latest: int) -> None:
    """Set the first backup's pointer to the latest one, unless that line is damaged."""
    if backup_pointer(file.pread(BACKUP_HEAD, first)) is not None:
        file.pwrite(b"%08x" % latest, first + 1)


def _after_last_newline(source: Source, size: int) -> int:
    """The offset after the last newline; 0 if there is none.

    Raises :class:`Damaged` for a partial line longer than `MAX_LINE`, which no crashed writer leaves.
    """
    end, first = size, max(0, size - MAX_LINE - 1)  # where the newline before the longest line is
    while end > first:
        start = max(first, end - CHUNK)
        found = source.pread(end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    if first:
        raise Damaged("line too long", file=source.name, offset=first, expected=f"at most {MAX_LINE} bytes")
    return 0
