"""A recording that is being made, under the discipline of logs.

- One process writes: it has a write lock on the whole file for as long as it records.
- An event is one write, at the end of the file: it is whole before the next one, and before anybody is shown it.
- What a refused write left of an event is taken back, and the recording ends with the event before.
- What a recorder that was killed left of an event is cut off by the next one, and kept (see :mod:`nhlog.files.cuts`).

What is compressed can be unpacked up to its last event at any time.  Its end cannot be cut: it is written anew, and as
it was it is kept.
"""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Final

from nhlog.compression import GZIP, MOST_MAGIC, NONE, ZSTD, OpenMember, compressed, compression_of
from nhlog.errors import LockNotObtained, NhlogError, TooShort, Unsupported, Usage
from nhlog.files import (
    CHUNK,
    CannotWrite,
    Fate,
    Stamp,
    claim,
    create_file,
    fate_of,
    first_bytes,
    is_being_written,
    lock_whole,
    open_regular,
    reason,
    refusals,
    release,
    stamp_at,
    stamp_of,
)
from nhlog.files.cuts import cut_open, replace_whole
from nhlog.operations import Operations
from nhlog.screencast import EXIT, Encoder, Events, Header, TimedEvent

__all__ = ["RECORDING", "Recording", "close_locked", "locked", "open_recording_for"]

RECORDING: Final = "NHLOG_RECORDING"
"""The variable in the program's environment that names the recording it is in."""

_ENDINGS: Final = {".gz": GZIP, ".zst": ZSTD}
_ONLY_WHOLE: Final = (".bz2", ".xz")  # nothing of these can be unpacked before a megabyte or so has come
_LEVELS: Final = {GZIP: 1, ZSTD: 3}  # the program waits for it
_APPENDING: Final = os.O_RDWR | os.O_APPEND


class Recording:
    """The open file `fd`, locked by this process, into which `encoder` puts events; `packing` is how it is compressed.

    Raises :class:`CannotWrite`, then and later: a failure is final, and takes back what was written of the event.
    """

    def __init__(
        self, path: str, fd: int, encoder: Encoder, packing: str = NONE, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self.name = path
        self._fd, self._encoder, self._clock = fd, encoder, clock
        self._member = None if packing == NONE else OpenMember(packing, _LEVELS[packing])
        self._failure: NhlogError | None = None
        self._began = clock()
        self.size = stamp_at(fd).size
        self._write(encoder.begin())

    @property
    def duration(self) -> int:
        """Microseconds since it was begun or gone on with."""
        return (self._clock() - self._began) // 1000

    @property
    def loss(self) -> Mapping[str, int]:
        """What could not be recorded as it was, counted, by its name."""
        return self._encoder.loss

    def add(self, code: str, data: bytes) -> None:
        """Add an event that happens now."""
        self._write(self._encoder.event(TimedEvent((self._clock() - self._began) // 1000, code, data)))

    def finish(self, status: int | None) -> None:
        """Add what was held back until now, and how the program ended, if somebody can say."""
        self._write(self._encoder.end())
        if status is not None:
            self.add(EXIT, b"%d" % status)
        if self._member is not None:
            member, self._member = self._member, None
            self._write(member.end())

    def close(self) -> None:
        """Close the file, and let others have it; may be called again."""
        if self._fd >= 0:
            close_locked(self._fd)
            self._fd = -1

    def _write(self, data: bytes) -> None:
        if self._failure is not None:
            raise self._failure
        if not data:
            return
        packed = data if self._member is None else self._member.add(data)
        written = 0
        try:
            while written < len(packed):
                written += os.write(self._fd, packed[written:] if written else packed)
        except OSError as error:
            with suppress(OSError):  # then the next recorder cuts it off
                os.ftruncate(self._fd, self.size)
            self._failure = CannotWrite(reason(error), file=self.name)
            raise self._failure from None
        self.size += written


def open_recording_for(
    path: str, form: Operations, header: Header, *, append: bool = False, force: bool = False
) -> Recording:
    """Begin the recording `path`, or go on with it if it is to `append`; `force` begins it anew.

    Raises :class:`LockNotObtained` if somebody records there,
    :class:`Usage` if the file exists and neither is wanted, and :class:`CannotWrite`.
    """
    packing, find, make = _packing_named(path), form.find, form.encoder
    if find is None or make is None:
        raise Unsupported("programs can be recorded as asciicast or ttyrec only", file=path)
    encoder = make(path, header)
    with refusals(path):
        try:
            fd = create_file(path, flags=_APPENDING)
        except FileExistsError:
            fd = -1
    if fd >= 0:
        return _begun(path, locked(path, fd), encoder, packing)
    if is_being_written(path):
        raise LockNotObtained("another recorder is recording here", file=path)
    if append:
        return _continued(path, find, encoder, lambda events: make(path, header, after=events))
    if not force:
        raise Usage("the file exists: --append continues it, --force replaces it", file=path)
    fd = locked(path, open_regular(path, _APPENDING))
    with refusals(path):
        os.ftruncate(fd, 0)
    return Recording(path, fd, encoder, packing)


def _packing_named(path: str) -> str:
    """How a recording of this name is compressed."""
    if path.endswith(_ONLY_WHOLE):
        raise Unsupported(
            "with this compression nobody could watch live", file=path, expected=".zst or .gz, or none of these"
        )
    return next((kind for ending, kind in _ENDINGS.items() if path.endswith(ending)), NONE)


def _begun(path: str, fd: int, encoder: Encoder, packing: str) -> Recording:
    try:
        return Recording(path, fd, encoder, packing)
    except BaseException:
        os.unlink(path)
        close_locked(fd)
        raise


def locked(path: str, fd: int, stamp: Stamp | None = None) -> int:
    """The open file, which from now on only this process writes; it is closed if that cannot be.

    With `stamp` it has to be as it was then; it may have got another name.
    """
    try:
        lock_whole(fd, path)
        if fate_of(path, fd) is not Fate.KEPT or (stamp and stamp[:-1] != stamp_at(fd)[:-1]):
            raise LockNotObtained("another program has written to it meanwhile", file=path)
    except BaseException:
        os.close(fd)
        raise
    claim(stamp_at(fd).identity)
    return fd


def close_locked(fd: int) -> None:
    """Close a file that was :func:`locked`, and let others write it."""
    release(stamp_at(fd).identity)
    os.close(fd)


def _continued(
    path: str, find: Callable[[str], Events], encoder: Encoder, after: Callable[[Events], Encoder]
) -> Recording:
    """Go on with a recording by the encoder that fits `after` it; `encoder` is for one in which nothing is whole yet.

    It is read before it is locked: a descriptor that is closed would take the lock with it.
    """
    while True:
        stamp, packing, end = stamp_of(path), compression_of(first_bytes(path, MOST_MAGIC)), 0
        try:
            events = find(path)
        except TooShort:
            packing = _packing_named(path)
            break
        with closing(events):
            if packing not in (NONE, *_LEVELS):
                raise Unsupported(f"a file compressed with {packing} cannot be continued", file=path)
            if stamp and events.source.packed and (events.waiting or not events.source.complete):
                _mend(path, events, stamp, packing)
                continue
            encoder = after(events)
            end = stamp.size if stamp and events.source.packed else events.end
            break
    fd = locked(path, open_regular(path, _APPENDING), stamp)
    try:
        cut_open(fd, path, end)
        return Recording(path, fd, encoder, packing)
    except BaseException:
        close_locked(fd)
        raise


def _mend(path: str, events: Events, stamp: Stamp, packing: str) -> None:
    """Write a compressed recording anew, up to its last whole event; meanwhile the one that it was is locked."""
    parts = (events.source.pread(min(CHUNK, events.end - at), at) for at in range(0, events.end, CHUNK))
    held: list[int] = []
    try:
        replace_whole(
            path,
            compressed(parts, packing, _LEVELS[packing]),
            stamp,
            check=lambda: held.append(locked(path, open_regular(path, _APPENDING), stamp)),
        )
    finally:
        for fd in held:
            close_locked(fd)
