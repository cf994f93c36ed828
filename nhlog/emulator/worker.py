"""The process that emulates terminals for another one: ``python -m nhlog.emulator.worker``.

What a program wrote, and what anybody made of it since, goes through a library in C, and some of it ends the process
that it runs in.  So it runs in this one, which has nothing else: no file but the socket to its user, which is its
standard input; nothing of what its user knows; so much memory and no more; few calls of the system, where its kernel
can take the others from it; and so much of the processor for each command.  Who sends it something may lose it, and
nobody else does.

It ends when its user has closed the socket, or is gone.  (PR_SET_PDEATHSIG would be no better: it tells of the end of
the *thread* that started it.  RLIMIT_CPU counts all that a process ever did, and one of a game's host may go on for
days.)
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from nhlog.confined.calls import keep_few_calls
from nhlog.confined.limits import limit
from nhlog.emulator.emulated import Emulated
from nhlog.emulator.library import library
from nhlog.emulator.wire import ANSWER, COMMAND, SIZE, Command, Outcome
from nhlog.errors import Unsupported

__all__ = ["main", "prepare"]

MEMORY: Final = 1 << 29  # bytes: the largest screen and all lines that it keeps take a tenth
_PATIENCE: Final = 10.0  # seconds of the processor for one command: the slowest output that we know takes a quarter
_RECEIVED: Final = 1 << 16  # bytes taken from the socket at a time: of more, the pages are new to the process each time
_TOGETHER: Final = 1 << 16  # bytes of answers that are sent at once
_CHANNEL: Final = 0
_REHEARSED: Final = "a\u0301\x1b[1;31m漢\x1b[?1049h\x1b]0;a\x07\x1b[2J".encode()

Answer = tuple[Outcome, bytes]
_DONE: Final = Outcome.DONE, b""


class _Terminals:
    """All that there are, by their numbers, and what failed of each since that was told."""

    def __init__(self) -> None:
        self._all: dict[int, Emulated] = {}
        self._failed: dict[int, str] = {}
        self._spent: dict[int, int] = {}
        self._clock = time.process_time_ns()
        self._lacking: Unsupported | None = None
        try:
            library()
        except Unsupported as error:
            self._lacking = error

    def spend(self, number: int) -> int:
        """Count what was done since the last time as done for a terminal: nanoseconds of the processor, all in all."""
        before, self._clock = self._clock, time.process_time_ns()
        spent = self._spent.get(number, 0) + self._clock - before
        if number in self._all:
            self._spent[number] = spent
        else:
            self._spent.pop(number, None)
        return spent

    def do(self, command: int, number: int, body: bytes) -> Answer | None:
        """Do what is wanted; returns what is answered."""
        try:
            if command <= Command.FREE:
                if number not in self._failed:
                    self._change(command, number, body)
                return None
            if (lacking := self._lacking) is not None:
                told = (lacking.what, str(lacking.expected), str(lacking.found))
                return Outcome.UNSUPPORTED, "\0".join(told).encode()
            if (failed := self._failed.pop(number, None)) is not None:
                return Outcome.FAILED, failed.encode()
            return self._answer(command, number, body)
        except Exception as error:  # whatever it is: its user hears of it, and may go on with others
            why = "not enough memory" if isinstance(error, MemoryError) else str(error) or repr(error)
            if command <= Command.FREE:
                self._failed[number] = why
                return None
            return Outcome.FAILED, why.encode()

    def _change(self, command: int, number: int, body: bytes) -> None:
        if command == Command.FEED:
            self._all[number].feed(body)
        elif command == Command.NEW:
            self._put(number, Emulated(*SIZE.unpack(body)))
        elif command == Command.RESIZE:
            self._all[number].resize(*SIZE.unpack(body))
        elif number in self._all:
            self._all.pop(number).close()

    def _put(self, number: int, made: Emulated) -> None:
        if number in self._all:
            self._all[number].close()
        self._all[number] = made

    def _answer(self, command: int, number: int, body: bytes) -> Answer:
        if command == Command.SPENT:
            return _DONE
        if command == Command.RESTORE:
            self._put(number, Emulated.restored(body))
            return _DONE
        terminal = self._all[number]
        if command == Command.LOOK:
            return Outcome.DONE, terminal.look()
        if command == Command.TEXTS:
            return Outcome.DONE, terminal.texts(body[1:].decode(), afresh=bool(body[0]))
        if command == Command.SNAPSHOT:
            snapshot = terminal.snapshot()
            return (Outcome.NOTHING, b"") if snapshot is None else (Outcome.DONE, snapshot)
        if command == Command.SIZE_OF:
            return Outcome.DONE, SIZE.pack(*terminal.size)
        if command == Command.STATE:
            return Outcome.DONE, terminal.state()
        return Outcome.DONE, terminal.unfinished


class _Channel:
    """The socket: answers go together, as long as there is more to do before one waits."""

    def __init__(self) -> None:
        self._answers: list[bytes] = []
        self._size = 0

    def answer(self, *pieces: bytes) -> None:
        """Send an answer, sooner or later."""
        self._answers += pieces
        self._size += sum(map(len, pieces))
        if self._size >= _TOGETHER:
            self._flush()

    def commands(self) -> Iterator[tuple[int, int, bytes]]:
        """What comes, until nobody is there any more."""
        data, at = b"", 0
        while True:
            while len(data) - at < COMMAND.size:
                more = self._read()
                if not more:
                    return
                data, at = data[at:] + more, 0
            command, number, size = COMMAND.unpack_from(data, at)
            at += COMMAND.size
            if len(data) - at < size:
                pieces, lacking = [data[at:]], size - (len(data) - at)
                while lacking > 0:
                    more = self._read()
                    if not more:
                        return
                    pieces.append(more)
                    lacking -= len(more)
                data, at = b"".join(pieces), 0
            yield command, number, data[at : at + size]
            at += size

    def _read(self) -> bytes:
        self._flush()
        return os.read(_CHANNEL, _RECEIVED)

    def _flush(self) -> None:
        left, self._answers, self._size = memoryview(b"".join(self._answers)), [], 0
        while left:
            left = left[os.write(_CHANNEL, left) :]


def _serve(terminals: _Terminals) -> None:
    """Do what comes, until nobody is there any more."""
    channel = _Channel()
    for command, number, body in channel.commands():
        signal.setitimer(signal.ITIMER_PROF, _PATIENCE)  # which ends the process
        answer = terminals.do(command, number, body)
        spent = terminals.spend(number)
        if answer is not None:
            outcome, told = answer
            channel.answer(ANSWER.pack(outcome, spent, len(told)), told)


def _rehearse(terminals: _Terminals) -> None:
    """Do everything once: what is looked up then, in files too, need not be later, when there are none."""
    commands = (
        (Command.NEW, SIZE.pack(20, 4)),
        (Command.FEED, _REHEARSED),
        (Command.TEXTS, b"\1"),
        *((command, b"") for command in (Command.LOOK, Command.SNAPSHOT, Command.STATE)),
        (Command.FREE, b""),
    )
    for command, body in commands:
        terminals.do(command, 0, body)


def prepare() -> None:
    """Have what is looked up once: for a process from which many of these are forked."""
    _rehearse(_Terminals())


def main() -> None:
    """Confine this process, and serve."""
    os.closerange(1, os.sysconf("SC_OPEN_MAX"))
    limit(MEMORY)
    terminals = _Terminals()
    _rehearse(terminals)
    keep_few_calls()
    with suppress(BrokenPipeError, ConnectionResetError):
        _serve(terminals)
    os._exit(0)


if __name__ == "__main__":
    main()
