"""The writing side of a log: lines appended one at a time, each under its own write lock (log spec section 8).

Nothing is written unless the log is, byte for byte, the one that the writer has read; what somebody else did meanwhile
drops the input.  A crash at any moment leaves at worst a partial last line, and whoever comes next truncates it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from typing import Self

from nhlog.errors import LogRecovered, NhlogError
from nhlog.files import reason
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_recovery, refuse, write_hint
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

__all__ = ["Durability", "GameIsOver", "InputDropped", "NotWritten", "Writer", "create_log"]

MAX_OFFSET = 0xFFFFFFFF  # what eight hexadecimal digits can point at
FIRST_COUNT = 1
NEW_GAME = "(new game)"
_DONE = b"done"


class InputDropped(NhlogError):
    """Somebody else wrote first: read the log again before anything is tried anew (exit code 6)."""

    exit_code = 6


class GameIsOver(NhlogError):
    """The game has ended; nothing follows its last line."""


class NotWritten(NhlogError):
    """The system refused a write; the log may end in a partial line, which the next writer truncates."""


class Durability(Enum):
    """When to wait for the disk: what a power failure can cost.

    ``NONE``: as NetHack 4 does; the system writes within half a minute or so.  ``SAVES``: after each save line; a power
    failure costs the turn being played; one disk flush a turn.  ``LINES``: after each line; costs nothing that was
    answered; a flush per line, some milliseconds on common disks.
    """

    NONE = "none"
    SAVES = "saves"
    LINES = "lines"


class Writer:
    """Appends to an open log; `log` is to be read to its end, and is again after each call.

    All methods but `close` raise :class:`LockNotObtained`, :class:`~nhlog.errors.LogRecovered` and
    :class:`InputDropped` before anything was written, :class:`GameIsOver`, and :class:`NotWritten`.  As a context
    manager it closes the file.
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
        """Close the log's file; the game goes on where the log ends."""
        self.log.close()

    def append(self, line: Line) -> None:
        """Append a line that is no save."""
        with self._guard():
            self._write(line.format())
            self._sync(Durability.LINES)

    def save(self, save: bytes, state: str) -> None:
        """Append the binary save: a diff against the one before it, or a backup, by the rule of log spec section 8.4.

        `state` is for the header's second line, which goes with a backup.
        """
        diff = self._diff(save)  # before there is a lock: others would wait for it
        with self._guard():
            if diff is None:
                self._backup(save, state)
            else:
                self._write(diff.format())
                self._sync(Durability.LINES, Durability.SAVES)

    def describe(self, state: str) -> None:
        """Rewrite the header's second line, as on leaving a game that goes on."""
        with self._guard():
            self._rewrite(STATE_OFFSET, format_state(state))

    def finish(self, death: str) -> None:
        """End the game: the last line, unless one who died has written it, then the header."""
        if not self._ended:
            self.append(GameOver())
        with self._guard(after_the_end=True):
            self._rewrite(STATUS_OFFSET, _DONE)
            self._rewrite(STATE_OFFSET, format_state(death))
            self._sync(Durability.LINES, Durability.SAVES)

    @contextmanager
    def _guard(self, *, after_the_end: bool = False) -> Iterator[None]:
        """The write lock on a log that is as it was read; what was written is known before the lock is given back."""
        with self._file.writing():
            with _refusals(self._file, self.log.size):
                if self.log.header.finished or not self.log.is_as_known():
                    self._check()
                if self._ended and not after_the_end:
                    raise GameIsOver("the game is over", file=self._file.name)
                self._written.clear()
                yield
            self.log.take_own(self._written)

    @property
    def _ended(self) -> bool:
        """Whether the last line says so, whatever the header does."""
        return self.log.columns.kinds.endswith(b"Q")

    def _check(self) -> None:
        """The update guard of log spec section 8.7, and the seed's rule that a partial line is truncated first.

        For a log that is not as it is known: says why.
        """
        name = self._file.name
        found = parse_identification(self._file.pread(IDENTIFICATION_SIZE, 0))
        expected = self.log.header.identification
        if found.recovery_count != expected.recovery_count:
            raise LogRecovered("the log was recovered or rewound meanwhile", file=name)
        if truncation := plan_recovery(self._file):
            refuse(truncation, name)
            carry_out(self._file, truncation, keep=False)
            raise LogRecovered("the log ended in a partial line, which was cut off", file=name)
        if found.status == _DONE.decode():
            raise GameIsOver("the game is over", file=name)
        if self._file.size() != self.log.size:
            raise InputDropped("somebody else wrote first", file=name)

    def _diff(self, save: bytes) -> Diff | None:
        """The save against the one before it; None where a backup is due."""
        backups, offsets = self._backups, self.log.columns.offsets
        if not backups:
            return None
        old = self.log.save(len(self.log.columns.save_lines) - 1)
        if len(old) < offsets[-1] - backups[-1]:
            return None
        return Diff(Blob.of(compact.encode(old, save, _line_length)))

    def _backup(self, save: bytes, state: str) -> None:
        offset = self.log.size
        if offset > MAX_OFFSET:
            raise NhlogError("the log is too long for another backup", file=self._file.name, offset=offset)
        backups = [*self._backups, offset]
        self._write(Backup(backups[-2] if backups[1:] else 0, Blob.of(save)).format())
        self._rewrite(STATE_OFFSET, format_state(state))
        write_hint(self._file, backups[0], offset)
        self._sync(Durability.LINES, Durability.SAVES)

    @property
    def _backups(self) -> list[int]:
        """Their offsets."""
        columns = self.log.columns
        return [columns.offsets[columns.save_lines[save]] for save in columns.backups]

    def _write(self, line: bytes) -> None:
        self._rewrite(self.log.size, line + b"\n")

    def _rewrite(self, offset: int, data: bytes) -> None:
        self._file.pwrite(data, offset)
        self._written.append((offset, data))

    def _sync(self, *when: Durability) -> None:
        if self._durability in when:
            self._file.sync()


def create_log(path: str, header: Header, save: bytes, durability: Durability = Durability.NONE) -> Writer:
    """A new log with its header and first backup, open for writing.

    Of `header` the state goes with the backup; status and recovery count are a new game's.  Raises
    :class:`~nhlog.log.file.CannotOpen` where there is a file already.
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
    """The system's refusals to write, by name."""
    try:
        yield
    except OSError as error:
        raise NotWritten(reason(error), file=file.name, offset=offset) from None


def _line_length(diff: bytes) -> int:
    return len(Blob.of(diff).text)
