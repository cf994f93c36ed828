"""Reading a log without a lock: what is read is the log as it was at one moment.

Whoever only reads a log takes no lock on it, writes nothing and sends no signal.  A read lock of a process that cannot
answer for it (another user's, one that is stopped, one that is being killed) breaks a real NetHack 4 game: measured
with two watchers that locked each look, 5 broken writes in 31 s.  No lock is needed, because of what writers do:

- **Who changes a log has the write lock**, from before its first step to after its last.  `F_GETLK` tells a reader
  whether somebody has it, and takes nothing.
- **A log only grows.**  An *append* (a line, a save, what is put back) writes behind the end: bytes that a reader found
  once stay what they are.  The system makes a file longer after its new bytes are there, so no reader finds others.
- **Every cut raises the recovery count in line 1 before it shortens the file**, under one write lock (log spec 10.1):
  *recovery* and *rewind*, of ours and of NetHack 4.  The count never falls.
- **Few bytes are rewritten in place**: line 1 (count, status, version), the 78 of line 2, and the eight digits of the
  first backup's pointer, with a *save*, at the *finish*, on leaving, and by the three above.

So what a reader may find between two steps of a writer is this:

========================================  ==================================================================
the writer is                             what may be found
========================================  ==================================================================
in an append                              a line without its newline.  NetHack 4 writes a line in pieces, and a write
                                          that crosses a page of the file can be seen half way
behind the line of a save                 the new lines with the old line 2, or the old pointer: both may be older than
                                          the lines, and say so (log spec 3 and 6.12)
in a rewrite in place                     some of the old bytes and some of the new ones: of line 1, of line 2, of the
                                          pointer, which everybody tests before use
between the raised count and the cut      **the raised count with the lines that are about to go**
between `Q` and the finished header       all lines, and the header of a game that goes on
dead                                      any of these, for good; the next writer mends it, and raises the count
========================================  ==================================================================

Two rules follow, and all who read keep to them:

1. `settled`: a header is believed if **nobody wrote** while it stood there: header and size were the same before and
   after the question whether somebody has the write lock, and nobody had.  Then nothing in it is half of something,
   whoever raised its count has made the cut, and a last line without a newline is one whose writer died.
2. `KnownHeader` and `as_one`: bytes are believed if line 1 **still** has the count of such a header **after** they
   were read.  Then no cut had begun, so they were part of the log when its header was read, and still are.

The order matters.  Line 1 and the size, the same before and after, without the question, are not enough: a reader may
come between the raised count and the cut, read on while the file is cut and grows again to its old size, and find the
same both times.  The question alone is not enough either: a writer may come and go between two looks.

A look at a log whose header is known so costs one `fstat`, one `pread` of what is new, and one of the header: 5 us of
CPU where nothing is new, to which a read lock would add 1.3.  Where the system cannot tell of locks (not Linux) the
first rule trusts the size alone.

A change of a writer must keep: the count is written before the cut, by one call; lines are appended by one call each,
or such that none is complete before all of its bytes are right; nothing of the body but the pointer is ever rewritten.
A writer that fails half way through a line leaves it; it must not cut it off without raising the count.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol, TypeVar

from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.files import CHUNK
from nhlog.log.locks.holders import Holder
from nhlog.log.wire.header import (
    IDENTIFICATION_SIZE,
    MAX_HEADER,
    SUMMARY_OFFSET,
    Header,
    parse_header,
    parse_identification,
)
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.values import NamedTuple

__all__ = [
    "LOOK_AGAIN",
    "PATIENCE",
    "KnownHeader",
    "Moment",
    "Source",
    "as_one",
    "busy",
    "patiently",
    "pieces",
    "settled",
    "stands",
]

PATIENCE: Final = 2.0  # seconds for which a reader looks for a moment at which nobody writes
LOOK_AGAIN: Final = 0.0002  # seconds: a line is written in less

T = TypeVar("T")


class Source(Protocol):
    """Where a log's bytes come from; sizes and offsets are in bytes.  Nothing here takes a lock."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def identity(self) -> tuple[int, int] | None:
        """Device and inode, or None for bytes that are no file."""
        ...

    @property
    def written(self) -> bool:
        """Whether another process has the write lock now."""
        ...

    def writer(self) -> Holder | None:
        """The process that has it."""
        ...

    def size(self) -> int:
        """The length now."""
        ...

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end."""
        ...

    def close(self) -> None:
        """Let go of it."""


class Moment(NamedTuple):
    """A log at a moment at which nobody wrote: how it begins, with its header, and its size."""

    head: bytes
    size: int

    @property
    def identification(self) -> bytes:
        """Line 1, with the recovery count."""
        return self.head[:IDENTIFICATION_SIZE]


def settled(source: Source) -> Moment:
    """The log at a moment at which nobody wrote; raises :class:`LockNotObtained` where there is none for long."""
    deadline = time.monotonic() + PATIENCE
    while True:
        size, head = source.size(), source.pread(MAX_HEADER, 0)
        rewritten = head[: head.find(b"\n", SUMMARY_OFFSET) + 1 + BACKUP_HEAD]  # all that ever is, in place
        if not source.written and source.pread(len(rewritten), 0) == rewritten and source.size() == size:
            return Moment(head, size)
        if time.monotonic() > deadline:
            raise busy(source)
        time.sleep(LOOK_AGAIN)


class KnownHeader:
    """The header of a log as it was read last: bytes are believed only if the file still has its line 1.

    There is none until one is taken.  `header` is parsed again only if its bytes changed.
    """

    header: Header

    def __init__(self, source: Source) -> None:
        self._source = source
        self._bytes = b""

    def take(self, data: bytes) -> None:
        """Take in the header at the start of `data`."""
        self.header = parse_header(data)
        self._bytes = data[: self.header.length]

    def take_own(self, writes: Iterable[tuple[int, bytes]]) -> None:
        """Take in what this process wrote to its fields, as (offset, bytes)."""
        data = bytearray(self._bytes)
        for offset, written in writes:
            data[offset : offset + len(written)] = written
        if data != self._bytes:
            self.take(bytes(data))

    def look_again(self) -> bool:
        """Take it in if it changed, and return whether it did; raises :class:`LogRecovered` for another count."""
        if self._source.pread(len(self._bytes), 0) == self._bytes:
            return False
        with self.placed():
            self.take(self._believed())
        return True

    def read(self, size: int, offset: int) -> bytes:
        """Bytes of the log: if line 1 still has its count after they were read, they are of the log that was opened.

        Raises :class:`LogRecovered`.
        """
        with self.placed():
            data = self._source.pread(size, offset)
            if not self.has_line_1():
                self._believed()
        return data

    def has_line_1(self) -> bool:
        """Whether the file still has exactly this line 1."""
        return self._source.pread(IDENTIFICATION_SIZE, 0) == self._bytes[:IDENTIFICATION_SIZE]

    def _believed(self) -> bytes:
        """How a log begins whose header changed; raises :class:`LogRecovered` where its recovery count was raised."""
        data = settled(self._source).head
        found = parse_identification(data).recovery_count
        expected = self.header.identification.recovery_count
        if found != expected:
            raise LogRecovered(
                "the log was recovered or rewound meanwhile",
                file=self._source.name,
                expected=f"recovery count {expected}",
                found=found,
            )
        return data

    @contextmanager
    def placed(self) -> Iterator[None]:
        """Errors from inside name the log."""
        try:
            yield
        except NhlogError as error:
            raise error.within(self._source.name) from None


def patiently(source: Source, read: Callable[[], None]) -> None:
    """Read, and again where the log was cut meanwhile; raises :class:`LockNotObtained` if that does not end."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            read()
            return
        except LogRecovered:
            if time.monotonic() > deadline:
                raise busy(source) from None


def as_one(source: Source, read: Callable[[Moment], T]) -> T:
    """What `read` makes of the log as it was at one moment; it is called again where the log was cut meanwhile.

    It is to read nothing behind the moment's size.  Raises what `read` raises of such a log, and
    :class:`LockNotObtained` where the log is written or cut again and again.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        moment = settled(source)
        try:
            found = read(moment)
        except NhlogError:
            if stands(source, moment):
                raise
        else:
            if stands(source, moment):
                return found
        if time.monotonic() > deadline:
            raise busy(source)


def pieces(read: Callable[[int, int], bytes], start: int, end: int) -> Iterator[bytes]:
    """The bytes between two offsets, a chunk at a time, by a function of size and offset."""
    for at in range(start, end, CHUNK):
        yield read(min(CHUNK, end - at), at)


def stands(source: Source, moment: Moment) -> bool:
    """Whether the log was not cut since `moment`: what was read up to now was part of it then, and still is."""
    line, count = source.pread(IDENTIFICATION_SIZE, 0), _count(moment.identification)
    return line == moment.identification or (count is not None and _count(line) == count)


def _count(line: bytes) -> int | None:
    """The recovery count in line 1; None for what is none, or half of two."""
    try:
        return parse_identification(line).recovery_count
    except NhlogError:
        return None


def busy(source: Source) -> LockNotObtained:
    """The error for a log that others write, or cut, without end."""
    writer = source.writer()
    trouble = f", {writer.trouble}" if writer else ""
    return LockNotObtained(
        f"busy: it is being written or rewound, for {PATIENCE:g} s{trouble}", file=source.name, found=writer
    )
