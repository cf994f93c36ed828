"""Writing to a log: lines are appended one at a time, each under its own write lock (log spec section 8).

Nothing is written unless the log is, byte for byte, the one that the writer has read; if another process wrote in the
meantime, the input is dropped.  A crash leaves at worst a partial last line, which the next writer truncates.

What makes it hard: several processes may play one game, each can die at any step, and others read without a lock.  So

- what is to be written is made before the lock is taken (a save is compared and packed then), and the log is compared
  with what was read under the lock: what another process wrote in between makes the input void, not the log;
- a line is one call of the system behind the end, so a death leaves a beginning of it and nothing else;
- the pointer to the latest backup and line 2 are rewritten behind the lines that they speak of: old ones are true, too;
- a writer that fails leaves what it wrote.  To cut it off would show readers a shorter log under the same recovery
  count; the next writer cuts, by the rules of a recovery (`recovery`).

The input is dropped, not written behind what is new: it was typed by somebody who saw another state of the game.
Rejected: the steps of `_guard` as a stack of scopes: 33 us of CPU a line, and 28 without.

A change must keep what `nhlog.log.reading` asks of writers; `tests/sharing/test_crash_points.py` dies at each step.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Self

from nhlog.errors import Damaged, LogRecovered, NhlogError
from nhlog.files import reason
from nhlog.log import Durability
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, recovery, refuse, write_hint
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.header import (
    IDENTIFICATION_SIZE,
    STATE_OFFSET,
    STATUS_OFFSET,
    Header,
    Identification,
    format_state,
    parse_identification,
)
from nhlog.log.wire.lines import Backup, Diff, GameOver, Line
from nhlog.mdiff import compact

__all__ = ["GameIsOver", "InputDropped", "NotWritten", "Writer", "create_log"]

MAX_OFFSET = 0xFFFFFFFF  # what eight hexadecimal digits can point at
FIRST_COUNT = 1
NEW_GAME = "(new game)"
_DONE = b"done"


class InputDropped(NhlogError):
    """Another process wrote first: read the log again before you retry (exit code 6)."""

    exit_code = 6


class GameIsOver(NhlogError):
    """The game has ended; nothing may be appended to its log."""


class NotWritten(NhlogError):
    """A write failed; the log may end in a partial line, which the next writer truncates."""


class Writer:
    """Appends to an open log; `log` must have been read to its end, and is up to date after each call.

    All methods but `close` raise :class:`LockNotObtained`, :class:`~nhlog.errors.LogRecovered` and
    :class:`InputDropped` before anything was written, :class:`GameIsOver`, and :class:`NotWritten`.  The constructor
    raises :class:`~nhlog.errors.NhlogError` for a log that is not open for writing.  As a context manager it closes the
    file.
    """

    def __init__(self, log: Log, durability: Durability = Durability.NONE) -> None:
        if not (isinstance(log.source, LogFile) and log.source.writable):
            raise NhlogError("not open for writing", file=log.source.name)
        self.log = log
        self._file = log.source
        self._durability = durability
        self._written: list[tuple[int, bytes]] = []  # since we have the write lock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the log's file; the game can be continued later."""
        self.log.close()

    def append(self, line: Line) -> None:
        """Append a line that is not a save."""
        self.extend(line.format())

    def extend(self, lines: bytes) -> None:
        """Append formatted lines that are no saves, with a newline between them; others see all of them at once."""
        with self._guard():
            self._write(lines)
            self._sync(Durability.LINES)

    def save(self, save: bytes, state: str) -> None:
        """Append a binary save, as a diff from the previous one or as a backup (log spec section 8.4).

        `state` is for the header's second line, which is rewritten together with a backup.
        """
        self._add(self._diff(save) or Blob.of(save), state)

    def back_up(self, save: bytes, state: str) -> None:
        """Append a binary save as a backup, where too much has happened since the one before it for a diff.

        After a thousand keys of NetHack it took 4.6 ms to make, five times as long, for 0.9 kB in place of 1.4.
        """
        self._add(Blob.of(save), state)

    def _add(self, made: Diff | Blob, state: str) -> None:
        """Append a save that was made before there is a lock: others would wait for it."""
        columns = self.log.columns  # and so are these, of lines that may have to be looked at
        known = (columns.backup_offset(0), columns.backup_offset(-1)) if columns.backups else None
        with self._guard():
            if isinstance(made, Blob):
                self._backup(made, state, known)
            else:
                self._write(made.format())
                self._sync(Durability.LINES, Durability.SAVES)

    def mend(self) -> None:
        """Cut off a partial last line, which a crashed writer left, unless another process is quicker."""
        with suppress(InputDropped, LogRecovered), self._guard(after_the_end=True):
            pass

    def describe(self, state: str) -> None:
        """Rewrite the header's second line, as when leaving an unfinished game."""
        with self._guard():
            self._rewrite(STATE_OFFSET, format_state(state))

    def adopt(self, version: str) -> None:
        """Write the engine version into line 1: from now on the log has that version."""
        with self._guard():
            self._rewrite(0, replace(self.log.header.identification, version=version).format())

    def finish(self, death: str) -> None:
        """End the game: append the last line, unless the log has it already, and rewrite the header."""
        if not self._ended:
            self.append(GameOver())
        with self._guard(after_the_end=True):
            self._rewrite(STATUS_OFFSET, _DONE)
            self._rewrite(STATE_OFFSET, format_state(death))
            self._sync(Durability.LINES, Durability.SAVES)

    @contextmanager
    def _guard(self, *, after_the_end: bool = False) -> Iterator[None]:
        """A context with the write lock on a log that is as it was read; afterwards `log` has what was written."""
        while True:
            with self._file.writing():
                if self._is_as_known():
                    with _refusals(self._file, self.log.size):
                        self._cut_off_part_of_a_line()
                        if self._ended and not after_the_end:
                            raise GameIsOver("the game is over", file=self._file.name)
                        self._written.clear()
                        yield
                    break
            self._look_again()  # without the lock: a writer who died left a part of a line
        self.log.take_own(self._written)

    def _is_as_known(self) -> bool:
        """Whether the log is as it was read; raises the error that explains why nothing may be written."""
        if not self.log.header.finished and self.log.is_as_known():
            return True
        self._check()
        return False

    def _check(self) -> None:
        """Raise the error that explains why nothing may be written (log spec section 8.7), if line 1 has one."""
        found = parse_identification(self._file.pread(IDENTIFICATION_SIZE, 0))
        if found.recovery_count != self.log.header.identification.recovery_count:
            raise LogRecovered("the log was recovered or rewound meanwhile", file=self._file.name)
        if found.status == _DONE.decode():
            raise GameIsOver("the game is over", file=self._file.name)

    def _look_again(self) -> None:
        """Read what was added; raises the error that explains why nothing may be written if that are lines."""
        columns, end, before = self.log.columns, self.log.end, (self.log.header, self.log.size)
        self.log.refresh()
        if self.log.columns is not columns:
            raise LogRecovered("the log was recovered or rewound meanwhile", file=self._file.name)
        if self.log.end != end or (self.log.header, self.log.size) == before:
            raise InputDropped("somebody else wrote first", file=self._file.name)

    def _cut_off_part_of_a_line(self) -> None:
        """Cut off what a crashed writer left of a line, if it did, by the rules of a recovery."""
        log = self.log
        if log.size == log.end:
            return
        truncation = recovery(self._file.name, log.header, log.size, log.end)
        refuse(truncation, self._file.name)
        carry_out(self._file, truncation, keep=False)
        log.take_cut(truncation.raised.format())

    @property
    def _ended(self) -> bool:
        """Whether the last line ends the game, whatever the header says."""
        return self.log.columns.kinds.endswith(b"Q")

    def _diff(self, save: bytes) -> Diff | None:
        """The save against the one before it; None where a backup is due: also where that one is lost."""
        columns = self.log.columns
        if not columns.backups:
            return None
        try:
            old = self.log.save(len(columns.save_lines) - 1)
        except Damaged:
            return None
        if len(old) < columns.offsets[-1] - columns.backup_offset(-1):
            return None
        return Diff(Blob.of(compact.encode(old, save, _line_length)))

    def _backup(self, save: Blob, state: str, known: tuple[int, int] | None) -> None:
        """Write a backup; `known` are the offsets of the first and the latest one before it, if there is one."""
        offset = self.log.size
        if offset > MAX_OFFSET:
            raise NhlogError("the log is too long for another backup", file=self._file.name, offset=offset)
        first, latest = known or (offset, 0)
        self._write(Backup(latest, save).format())
        self._rewrite(STATE_OFFSET, format_state(state))
        write_hint(self._file, first, offset)
        self._sync(Durability.LINES, Durability.SAVES)

    def _write(self, line: bytes) -> None:
        self._rewrite(self.log.size, line + b"\n")

    def _rewrite(self, offset: int, data: bytes) -> None:
        self._file.pwrite(data, offset)
        self._written.append((offset, data))

    def _sync(self, *when: Durability) -> None:
        if self._durability in when:
            self._file.sync()


def create_log(path: str, header: Header, save: bytes, durability: Durability = Durability.NONE) -> Writer:
    """Create a log with its header and first backup, open for writing.

    `header.state` is written together with the backup; status and recovery count are those of a new game.  Raises
    :class:`~nhlog.log.file.CannotOpen` if the file exists or cannot be created, and the errors of :class:`Writer`.
    """
    fresh = Identification("save", FIRST_COUNT, header.identification.version)
    file = LogFile.create(path)
    try:
        with file.writing(), _refusals(file, 0):
            file.pwrite(replace(header, identification=fresh, state=NEW_GAME).format(), 0)
        writer = Writer(Log(file), durability)
        writer.save(save, header.state)
    except BaseException:
        file.close()
        raise
    return writer


@contextmanager
def _refusals(file: LogFile, offset: int) -> Iterator[None]:
    """Turn a failure to write into :class:`NotWritten`."""
    try:
        yield
    except OSError as error:
        raise NotWritten(reason(error), file=file.name, offset=offset) from None


def _line_length(diff: bytes) -> int:
    return len(Blob.of(diff).text)
