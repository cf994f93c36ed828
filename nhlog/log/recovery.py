"""Taking lines back from a log: the only way in which it ever becomes shorter (log spec section 10).

The recovery count is raised before anything is cut, under one write lock; whoever reads the log afterwards sees the
count and drops what it knew.  What is cut off is saved beside the log first.
"""

import os
from dataclasses import dataclass
from dataclasses import replace as changed

from nhlog.atomic import create
from nhlog.errors import Damaged, LogRecovered, NhlogError
from nhlog.files import CHUNK
from nhlog.log.file import LogFile, Source
from nhlog.log.grammar import backup_pointer
from nhlog.log.header import (
    IDENTIFICATION_SIZE,
    MAX_HEADER,
    Identification,
    parse_header,
    parse_identification,
)
from nhlog.log.lines import BACKUP_HEAD
from nhlog.log.log import Log
from nhlog.log.reader import MAX_LINE

__all__ = ["Cut", "RecoveryRefused", "carry_out", "plan_recovery", "plan_rewind", "refuse", "write_hint"]

_SANITY = 9  # at least a ninth of the file has to stay


class RecoveryRefused(NhlogError):
    """The rules forbid this cut: too much would be lost."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What is to be done to a log of `size` bytes: everything from `offset` on goes.

    `identification` is line 1 as it stands; `hint` is the offset of the first backup and that of the latest one, which
    it is to point at, or None to leave it alone.
    """

    size: int
    offset: int
    identification: Identification
    hint: tuple[int, int] | None = None

    @property
    def raised(self) -> Identification:
        """Line 1 afterwards: a game that was over goes on."""
        return changed(
            self.identification,
            status="save",
            recovery_count=(self.identification.recovery_count + 1) % (1 << 32),
        )

    @property
    def sane(self) -> bool:
        """Whether no more than eight ninths of the file would go."""
        return self.offset * _SANITY >= self.size

    def kept_in(self, path: str) -> str:
        """The name of the file that takes what is cut off."""
        return f"{path}.cut-{self.raised.recovery_count:08x}"


def refuse(cut: Cut, path: str) -> None:
    """Raise :class:`RecoveryRefused` for a cut that takes more than eight ninths of the file."""
    if not cut.sane:
        raise RecoveryRefused(
            "more than 8/9 of the file would go",
            file=path,
            expected=f"at least {-(-cut.size // _SANITY)} bytes kept",
            found=cut.offset,
        )


def plan_recovery(source: Source) -> Cut | None:
    """The cut after the last newline, or None for a log that ends in one.

    Raises :class:`Damaged` for a log of which nothing could be loaded afterwards.
    """
    with source.reading():
        try:
            header = parse_header(source.pread(MAX_HEADER, 0))
        except NhlogError as error:
            raise error.within(source.name) from None
        size = source.size()
        if source.pread(1, size - 1) == b"\n":
            return None
        offset = _after_last_newline(source, size)
    if offset <= header.length:
        raise Damaged("not even the first save backup is complete", file=source.name, offset=header.length)
    return Cut(size, offset, header.identification)


def plan_rewind(log: Log, line: int) -> Cut | None:
    """The cut after line number `line`, with the hint at the latest backup put right; None where nothing follows it."""
    columns = log.columns
    offset = columns.offsets[line + 1] if line + 1 < len(log) else log.end
    if offset == log.size:
        return None
    backups = [columns.offsets[columns.save_lines[backup]] for backup in columns.backups]
    latest = max((backup for backup in backups if backup < offset), default=None)
    if latest is None:
        raise RecoveryRefused("no save backup would be left", file=log.source.name, offset=offset)
    return Cut(log.size, offset, log.header.identification, (backups[0], latest))


def carry_out(file: LogFile, cut: Cut, *, keep: bool = True) -> str | None:
    """Do it, durably; returns the name of the file that has what was cut off, if it was to be kept.

    Raises :class:`LogRecovered` where the log is no longer the one that the cut was planned for.
    """
    with file.writing():
        line = file.pread(IDENTIFICATION_SIZE, 0)
        if parse_identification(line) != cut.identification or file.size() != cut.size:
            raise LogRecovered("the log changed meanwhile; nothing was done", file=file.name)
        if not line.endswith(b"\n") or len(cut.raised.format()) != IDENTIFICATION_SIZE:
            raise Damaged("line 1 cannot be rewritten in place", file=file.name, offset=0, found=repr(line))
        if file.pread(1, cut.offset - 1) != b"\n":
            raise Damaged("a log is only cut after a newline", file=file.name, offset=cut.offset - 1)
        kept = _save_tail(file, cut) if keep else None
        file.pwrite(cut.raised.format(), 0)
        if cut.hint:
            write_hint(file, *cut.hint)
        file.truncate(cut.offset)
        file.sync()
    return kept


def _save_tail(file: LogFile, cut: Cut) -> str:
    """The name of a new file with what is cut off; another than that of a cut that was never finished."""
    first = name = cut.kept_in(os.path.abspath(file.name))
    tries = 1
    while True:
        try:
            create(name, (file.pread(CHUNK, at) for at in range(cut.offset, cut.size, CHUNK)))
        except FileExistsError:
            tries += 1
            name = f"{first}-{tries}"
        else:
            return name


def write_hint(file: LogFile, first: int, latest: int) -> None:
    """Point the first backup at the latest one, unless it is damaged and has no place for that."""
    if backup_pointer(file.pread(BACKUP_HEAD, first)) is not None:
        file.pwrite(b"%08x" % latest, first + 1)


def _after_last_newline(source: Source, size: int) -> int:
    """The offset after the last newline; 0 where there is none.

    Raises :class:`Damaged` for a last line that is longer than any: it is not what a dying writer leaves.
    """
    end = size
    while end > 0:
        if size - end > MAX_LINE:
            raise Damaged("line too long", file=source.name, offset=end, expected=f"at most {MAX_LINE} bytes")
        start = max(0, end - CHUNK)
        found = source.pread(end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
