"""What a verb reads: whole files, pipes that are followed, and lines as they come, from files or from pipes.

Lines come with pauses and signals between them: a signal is only noted when it arrives, and handed out between two
lines.  Logs are opened by `nhlog.log` alone.
"""

import os
import select
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final

from nhlog.errors import NhlogError, Usage
from nhlog.files import STDIN, create_file
from terminal.followed import Followed

__all__ = [
    "Signals",
    "again_and_again",
    "followed",
    "noted",
    "read_files",
    "read_lines",
    "recordings_in",
]

_BLOCK: Final = 1 << 16  # bytes read at a time
_MOST: Final = 16 << 20  # bytes of a line: several times what fits into a tick


def recordings_in(names: Sequence[str], verb: str) -> list[str] | None:
    """The recordings that are named, and for a folder that is none itself all in it; None for a single recording.

    In a folder those are left out whose format has no operation of the name `verb`.  Raises OSError.
    """
    from nhlog.formats import format_of, is_recording

    found, folders = [], 0
    for name in names:
        if os.path.isdir(name) and not is_recording(name):
            folders += 1
            inside = filter(is_recording, (os.path.join(name, inner) for inner in os.listdir(name)))
            found += sorted(file for file in inside if getattr(format_of(file).load(), verb) is not None)
        else:
            found.append(name)
    return found if folders or len(names) > 1 else None


def read_files(names: Sequence[str], most: int) -> list[bytes]:
    """The bytes of each file, in order; ``-`` is standard input.

    Raises `Usage` if ``-`` is named twice, NhlogError for a file of more than `most` bytes, and OSError.
    """
    if names.count("-") > 1:
        raise Usage("standard input can be read only once")
    return [_read(name, most) for name in names]


def _read(name: str, most: int) -> bytes:
    if name == "-":
        data = sys.stdin.buffer.read(most + 1)
    else:
        with open(name, "rb") as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise NhlogError("file is too large", file=name, expected=f"at most {most} bytes")
    return data


@contextmanager
def followed(name: str, *, from_start: bool = False) -> Iterator[Followed]:
    """The file `name`; for ``-`` one that gets what comes through standard input, as it comes.

    Meanwhile standard input is the terminal.  Raises `Usage` if there is none.  For the address of a relayed game it is
    a file that gets what is sent of it, at once `from_start` or from a late place.
    """
    if "://" in name:
        from terminal.relayed import is_relayed, received

        if is_relayed(name):
            with received(name, from_start=from_start) as found:
                yield found
            return
    if name != "-":
        yield Followed(name)
        return
    pipe = os.dup(0)
    try:
        terminal = os.open(os.ctermid(), os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        os.close(pipe)
        raise Usage("nhlog needs a terminal to show it and to read keys", file=STDIN) from None
    os.dup2(terminal, 0)
    os.close(terminal)
    with tempfile.TemporaryDirectory(prefix="nhlog-") as folder:
        path = os.path.join(folder, STDIN)
        fd = create_file(path)
        pouring = threading.Thread(target=_pour, args=(pipe, fd), daemon=True)
        pouring.start()
        try:
            yield _Poured(path, pouring)
        except NhlogError as error:
            error.file = STDIN if error.file == path else error.file
            raise


class _Poured(Followed):
    """The file into which a thread pours what comes."""

    def __init__(self, path: str, pouring: threading.Thread) -> None:
        super().__init__(path)
        self._pouring = pouring

    def ended(self) -> bool:
        """Whether nothing more can come."""
        return not self._pouring.is_alive()


def _pour(pipe: int, file: int) -> None:
    """Copy what comes into the file, until its end or that of the disk; no signal is for this thread."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        while block := os.read(pipe, _BLOCK):
            while block:
                block = block[os.write(file, block) :]
    except OSError:  # of the disk: what came until then can be seen
        pass
    finally:
        os.close(file)
        os.close(pipe)


class Signals:
    """Signals that arrived and were not taken yet; `wake` is a descriptor that is readable when there are some."""

    def __init__(self, wake: int) -> None:
        self.wake = wake
        self._come: list[int] = []

    def note(self, number: int, _frame: object) -> None:
        """The handler: remember the signal."""
        self._come.append(number)

    def take(self) -> list[int]:
        """The numbers of the signals that arrived since the last call, in order."""
        with suppress(BlockingIOError):
            os.read(self.wake, _BLOCK)
        come, self._come = self._come, []
        return come


@contextmanager
def noted(numbers: Sequence[signal.Signals]) -> Iterator[Signals]:
    """A context in which these signals are collected instead of handled."""
    wake, woken = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signals = Signals(wake)
    before = [signal.signal(number, signals.note) for number in numbers]
    fd = signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    try:
        yield signals
    finally:
        signal.set_wakeup_fd(fd)
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
        os.close(wake)
        os.close(woken)


def read_lines(name: str, signals: Signals, pause: float) -> Iterator[bytes | None]:
    """The lines of a file without their newlines; ``-`` is standard input.  Empty lines are left out.

    Yields None in between, when it is time to look at `signals`: after all lines that came together, and when nothing
    came for `pause` seconds.  Raises NhlogError for a line that is too long, and OSError.
    """
    if name == "-":
        yield from _split(sys.stdin.buffer, name, signals, pause)
        return
    with open(name, "rb") as file:
        yield from _split(file, name, signals, pause)


def again_and_again(act: Callable[[], None], rate: float, signals: Signals) -> Iterator[None]:
    """Call `act` `rate` times a second, without making up for what is late; each step is a time for `signals`."""
    due = time.monotonic()
    while True:
        ready, _, _ = select.select([signals.wake], [], [], max(due - time.monotonic(), 0))
        if not ready:
            act()
            due = max(due + 1 / rate, time.monotonic())
        yield


def _split(file: BinaryIO, name: str, signals: Signals, pause: float) -> Iterator[bytes | None]:
    rest = bytearray()
    for block in _blocks(file, signals, pause):
        searched = len(rest)
        rest += block
        if rest.find(b"\n", searched) >= 0:
            *whole, tail = bytes(rest).split(b"\n")
            rest = bytearray(tail)
            yield from (line for line in whole if line.strip())
        if len(rest) > _MOST:
            raise NhlogError("a line is too long", file=name, expected=f"at most {_MOST} bytes")
        yield None
    if rest.strip():
        yield bytes(rest)


def _blocks(file: BinaryIO, signals: Signals, pause: float) -> Iterator[bytes]:
    """What comes, together; nothing when nothing came, or a signal did."""
    try:
        fd = file.fileno()
    except OSError:  # it is no file of the system's: nothing to wait for
        yield file.read()
        return
    while True:
        ready, _, _ = select.select([fd, signals.wake], [], [], pause)
        block = os.read(fd, _BLOCK) if fd in ready else b""
        if fd in ready and not block:
            return
        yield block
