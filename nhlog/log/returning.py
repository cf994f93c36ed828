"""Putting back the lines that were cut off a log, where the log is still what was left of it.

That is so if nothing was written to it since (`nhlog.files.cuts`), or, where that cannot be told, if all that comes
back follows from what is there: each diff from the save before it, and each save's clock from the times.  Whoever
played on since has written other times.  Everything is checked before a byte is written; others see the lines as if
they had been played just now.  The body is then what it was, sound or not; the recovery count stays, as it only rises.
"""

from typing import Final

from nhlog.errors import Damaged, LogRecovered, NhlogError
from nhlog.files import read_whole
from nhlog.files.cuts import CutRefused, is_as_cut
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.log.reading import Moment, as_one, pieces
from nhlog.log.recovery import write_hint
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.header import (
    IDENTIFICATION_SIZE,
    STATE_OFFSET,
    STATUS_OFFSET,
    Identification,
    format_state,
    parse_identification,
)
from nhlog.values import dataclass

__all__ = ["Return", "carry_out_return", "joined", "plan_return"]

MOST: Final = 1 << 27  # bytes of a log that is checked in memory
_DONE: Final = b"done"
_EXPECTED: Final = "header and last line disagree"  # until the header is rewritten


@dataclass(frozen=True, slots=True)
class Return:
    """The planned return of `tail`, which has `lines` lines, to a log of `size` bytes with this line 1.

    `state` is the text for line 2, None to leave it alone; `hint` has the offsets of the first backup and of the latest
    one; `over` is whether the game is over then.  `unsound` says what is wrong with the log then, if anything.
    """

    size: int
    identification: Identification
    tail: bytes
    lines: int
    state: str | None
    hint: tuple[int, int]
    over: bool
    unsound: str


def joined(file: LogFile, kept: str) -> Log:
    """What the log would be with the bytes in the file `kept` at its end.

    Raises :class:`CutRefused` for a log that ends in a partial line, and what opening a log raises.
    """
    tail = read_whole(kept, MOST)

    def read(moment: Moment) -> bytes:
        if moment.size + len(tail) > MOST:
            raise NhlogError("too long to check", file=file.name, expected=f"at most {MOST} bytes")
        return b"".join([moment.head, *pieces(file.pread, len(moment.head), moment.size)])

    data = as_one(file, read)
    if not data.endswith(b"\n"):
        raise CutRefused("the log ends in a partial line; recover it first", file=kept)
    return Log(LogBytes(file.name, data + tail))


def plan_return(file: LogFile, log: Log, kept: str, state: str) -> Return:
    """Plan to make the log in `file` what `log` is; raises :class:`CutRefused` where that is not what was cut.

    `state` is what line 2 is to say then.
    """
    tail = read_whole(kept, MOST)
    size, columns = log.size - len(tail), log.columns
    wrong = next((found for found in _checked(log) if found.offset >= size and found.what != _EXPECTED), None)
    if not is_as_cut(file.name, kept):
        _check_follows(log, tail, kept, wrong)
    lines = tail.count(b"\n")
    return Return(
        size=size,
        identification=log.header.identification,
        tail=tail,
        lines=lines,
        state=state if lines else None,
        hint=(columns.backup_offset(0), columns.backup_offset(-1)),
        over=columns.kinds.endswith(b"Q"),
        unsound="" if wrong is None else wrong.what,
    )


def _check_follows(log: Log, tail: bytes, kept: str, wrong: Finding | None) -> None:
    """Raise :class:`CutRefused` unless the log's last lines, which are `tail`, can only be what was cut off it."""
    size, columns = log.size - len(tail), log.columns
    if not tail.endswith(b"\n"):
        raise CutRefused("it ends in a partial line, and the log was written to since", file=kept)
    if wrong is not None:
        told = f"it does not follow from what is in the log now: {wrong.what}"
        raise CutRefused(told, file=kept, offset=wrong.offset - size)
    if columns.offsets[columns.save_lines[-1]] < size:
        raise CutRefused("it has no save to check it against the log", file=kept)


def _checked(log: Log) -> list[Finding]:
    return [found for found in verify(log) if isinstance(found, Finding)]


def carry_out_return(file: LogFile, planned: Return, written: int) -> None:
    """Append the lines durably, then bring the header up to date; the log is as old again as it was `written`.

    Raises :class:`LogRecovered` if the log has changed since it was planned, :class:`Damaged` if line 1 cannot be
    rewritten in place, :class:`~nhlog.errors.LockNotObtained`, and :class:`OSError` on a failed write.
    """
    with file.writing():
        line = file.pread(IDENTIFICATION_SIZE, 0)
        if parse_identification(line) != planned.identification or file.size() != planned.size:
            raise LogRecovered("the log changed meanwhile; nothing was done", file=file.name)
        if not line.endswith(b"\n"):
            raise Damaged("line 1 cannot be rewritten in place", file=file.name, offset=0, found=repr(line))
        file.pwrite(planned.tail, planned.size)
        file.sync()
        if planned.lines:
            write_hint(file, *planned.hint)
        if planned.state is not None:
            file.pwrite(format_state(planned.state), STATE_OFFSET)
        if planned.over:
            file.pwrite(_DONE, STATUS_OFFSET)
        file.sync()
        file.date(written)
