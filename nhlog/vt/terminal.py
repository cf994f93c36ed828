"""One terminal: bytes in, a grid out, and a snapshot of all its state from which another one goes on alike.

It is emulated in another process (`process`), where what is fed to it may do its worst.  When that process ends,
another one takes its place and is fed again what this terminal was fed since its last snapshot: so nobody notices that
it was killed.  Where it falls over the same bytes again, they are :class:`EmulatorFailed`.

Which bytes those are is known because what is fed again is fed piece by piece; the first time, many pieces are on their
way at once.  Whoever sends SIGKILL says nothing of the bytes: it has to come to one place again and again before they
are to blame (the system itself sends it where memory is short).

All terminals of a process share the one that emulates, and what is sent for several is on its way together: the first
time that it falls, it may have been over another one's bytes.  So what others had sent is done with before a terminal
tries again, and a process that ended while its thread waited for another one counts for nothing.

To be used by one thread at a time; other threads may use other terminals meanwhile.
"""

import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Self, TypeVar

from nhlog.emulator.wire import SIZE, Command
from nhlog.errors import Damaged
from nhlog.vt.grid import Grid
from nhlog.vt.process import Answer, Ended, Process, Refused, shared
from nhlog.vt.rows import Garbled, Reading, Rows, Texts
from nhlog.vt.size import Size

__all__ = ["FAILED", "EmulatorFailed", "Part", "Terminal"]

FAILED: Final = "the terminal emulator failed"
Part = bytes | Size
"""What was written, or the size that the terminal has from there on."""

_AT_ONCE: Final = 1 << 15  # bytes of a command, for each of which the process that emulates has patience by itself
_MOST_KEPT: Final = 1 << 20  # bytes that are fed again at the most: hundredths of a second
_MOST_PIECES: Final = 1 << 12
_MOST_UNFINISHED: Final = 1 << 24  # bytes that are kept where no snapshot is possible
_FALLS: Final = 2  # deaths of the process by what it does: the second time the bytes are to blame,
_KILLS: Final = 8  # and by others
T = TypeVar("T")


class EmulatorFailed(Damaged):
    """The emulator falls over these bytes."""


class Terminal:
    """A terminal of a size, which is clamped to what one can have.

    Its methods raise :class:`Unsupported` without an emulator, and :class:`EmulatorFailed`.
    """

    def __init__(self, size: Size) -> None:
        self._begin(size.clamped())

    def _begin(self, base: Size | bytes) -> None:
        self._base: Size | bytes = base  # what it began as, or its last snapshot,
        self._since: list[Part] = []  # and what it was fed since
        self._kept = 0  # bytes of it
        self._process: Process | None = None
        self._number = 0
        self._free: weakref.finalize[..., Terminal] | None = None
        self._rows = Rows()
        self._reading: Reading | None = None  # the one that was told last what the rows say
        self._spent: float | None = None  # the seconds it took; None where it was fed since that was told

    @classmethod
    def restored(cls, snapshot: bytes) -> Self:
        """The terminal of which this is a snapshot."""
        terminal = cls.__new__(cls)
        terminal._begin(snapshot)
        return terminal

    def start(self) -> None:
        """Have it emulated now, not when it is first needed; raises :class:`EmulatorFailed` for a bad snapshot."""
        self._do(lambda process: None)

    def feed(self, output: bytes) -> None:
        """What a program wrote, which may begin and end anywhere, in sequences and characters too."""
        self._change(output)

    def resize(self, size: Size) -> None:
        """Give it another size, clamped to what it can have; the lines of the main screen are wrapped anew."""
        self._change(size.clamped())

    def _change(self, part: Part) -> None:
        self._since.append(part)
        self._kept += len(part)
        process, self._spent = self._process, None
        if process is not None and process.is_there:
            with suppress(Ended), process.lock:  # who looks will notice
                _send(process, self._number, part)
        self._keep_little()

    def _keep_little(self) -> None:
        """Take a snapshot where much would have to be fed again."""
        much = self._kept > _MOST_KEPT or len(self._since) > _MOST_PIECES
        if much and self.snapshot() is None and self._kept > _MOST_UNFINISHED:
            self._base, self._since, self._kept = self.size, [], 0  # a sequence without an end: nothing is shown of it

    def snapshot(self) -> bytes | None:
        """All of its state; None in the middle of a sequence that is too long to be kept."""
        found = self._ask(Command.SNAPSHOT)
        if found is not None:
            self._base, self._since, self._kept = found, [], 0
        return found

    def grid(self) -> Grid:
        """What it shows now."""
        return self._do(lambda process: self._rows.look(_answer(process.ask(Command.LOOK, self._number))))

    def read(self, reading: Reading) -> None:
        """Bring up to date what the rows say."""

        def asked(process: Process) -> Texts:
            return Texts.told(_answer(process.answer(self._order(process, reading))))

        reading.take(self._do(asked))

    def feed_reading(self, pieces: Sequence[bytes], reading: Reading) -> list[Texts]:
        """Feed all of these, and get what is to be told to `reading` after each, which has to take in all.

        Where that fails it stands anywhere among them.
        """

        def fed(process: Process) -> list[Texts]:
            ordered = []
            for piece in pieces:
                _send(process, self._number, piece)
                ordered.append(self._order(process, reading))
            return [Texts.told(_answer(process.answer(one))) for one in ordered]

        found = self._do(fed)
        self._since += pieces
        self._kept += sum(map(len, pieces))
        self._keep_little()
        return found

    def _order(self, process: Process, reading: Reading) -> Answer:
        afresh, self._reading = self._reading is not reading, reading
        return process.order(Command.TEXTS, self._number, bytes([afresh]) + reading.word.encode("ascii"))

    @property
    def size(self) -> Size:
        """Its size, which programs may change, too."""
        return self._do(lambda process: _size(process.ask(Command.SIZE_OF, self._number)))

    @property
    def unfinished(self) -> bytes:
        """What was fed of a sequence or a character that has not ended."""
        return self._ask(Command.UNFINISHED) or b""

    @property
    def state(self) -> bytes:
        """The sequences that make a new terminal such a one, with what is on its screen, but without its title."""
        return self._ask(Command.STATE) or b""

    @property
    def spent(self) -> float:
        """The seconds of the processor that emulating it has taken so far, as it was moved the last time and since."""
        if self._spent is None:
            self._ask(Command.SPENT)
        return self._spent or 0.0

    @property
    def fed(self) -> tuple[Size | bytes, list[Part]]:
        """A size with which it began, or its last snapshot, and all that it was fed since."""
        return self._base, self._since

    def close(self) -> None:
        """Free it; may be called again."""
        if self._free is not None:
            self._free()
        self._free, self._process = None, None

    def _ask(self, command: Command) -> bytes | None:
        return self._do(lambda process: process.ask(command, self._number))

    def _do(self, what: Callable[[Process], T]) -> T:
        """Do something where this terminal is; if what emulates it ends meanwhile, once more elsewhere."""
        falls, kills = 0, 0
        while True:
            process = self._process if self._process is not None and self._process.is_there else _shared()
            with process.lock:
                if not process.is_there or (falls + kills and not process.settles()):
                    continue  # over what others had sent
                try:
                    if process is not self._process:
                        self._move(process, carefully=falls + kills > 0)
                    done = what(process)
                    self._spent = process.spent
                    return done
                except Refused as error:
                    raise EmulatorFailed(FAILED, found=str(error)) from None
                except Garbled:
                    process.end()
                    ended = process.broken()
                except Ended as error:
                    ended = error
            falls, kills = falls + ended.by_itself, kills + (not ended.by_itself)
            if falls >= _FALLS or kills >= _KILLS:
                raise EmulatorFailed(FAILED, found=_told(ended)) from None

    def _move(self, process: Process, *, carefully: bool) -> None:
        """Have it emulated in another process, as it was."""
        number = process.number()
        self._rows, self._reading = Rows(), None
        if isinstance(self._base, Size):
            process.send(Command.NEW, number, SIZE.pack(*self._base))
        else:
            process.ask(Command.RESTORE, number, self._base)
        for part in self._since:
            _send(process, number, part)
            if carefully:
                process.ask(Command.SPENT, number)
        self.close()
        self._process, self._number = process, number
        self._free = weakref.finalize(self, process.leave, number)
        self._free.atexit = False


def _shared() -> Process:
    try:
        return shared()
    except Ended as ended:  # not over what it was fed
        raise EmulatorFailed(FAILED, found=_told(ended)) from None


def _send(process: Process, number: int, part: Part) -> None:
    if isinstance(part, Size):
        process.send(Command.RESIZE, number, SIZE.pack(*part))
        return
    for start in range(0, len(part), _AT_ONCE):
        process.send(Command.FEED, number, part[start : start + _AT_ONCE])


def _answer(told: bytes | None) -> bytes:
    if told is None:
        raise Garbled
    return told


def _size(told: bytes | None) -> Size:
    if told is None or len(told) != SIZE.size:
        raise Garbled
    return Size(*SIZE.unpack(told)).clamped()


def _told(ended: Ended) -> str:
    if ended.too_slow:
        return "output that takes too long to emulate"
    return f"signal {ended.by}" if ended.by else "the end of its process"
