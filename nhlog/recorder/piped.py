"""A program without a terminal: what it writes goes through the recording to where it would have gone without one.

So runs whatever has none: `ssh host command`, scp and rsync behind a forced command, cron, the right side of a pipe.

- What it reads is none of our business: it has the recorder's own standard input, whatever that is.
- What it writes, and its errors, are two pipes.  Every byte goes on unchanged, each on its own way, and no byte before
  it is in the recording.  The program waits where nobody reads, and has SIGPIPE where nobody can any more, as without
  us; the one does not wait for the other.
- Recorded is what a terminal would have shown: both in the order in which they came, and a carriage return before each
  newline, which no bytes are lost by.
- It is over when the program is, and nobody has its pipes any more: what it left behind may still write.

Rejected: a pseudo-terminal all the same, as script has it.  No copy of a file survives one: it changes newlines,
echoes, takes bytes for signals and for the end, and has one output for two.  Rejected, too: output that does not block
(the flag is of the open file, which others have as well); at most as many bytes are written at a time as a pipe takes
that takes any.
"""

import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from nhlog.errors import BY_SIGNAL
from nhlog.recorder.exchange import ENDING, LAST_WORDS, MOST, Recorded, Signals
from nhlog.recorder.program import become, exit_status, find_program
from nhlog.screencast import OUTPUT

__all__ = ["Piped"]

_OUTPUT, _ERRORS = 1, 2  # standard descriptors
_AT_ONCE: Final = select.PIPE_BUF
_THOUSAND: Final = 1000  # milliseconds


class Piped:
    """A running program whose output goes through `recording`; raises :class:`CannotRun`.

    `signals` are to be those of `ENDING` and SIGCHLD.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], recording: Recorded, signals: Signals
    ) -> None:
        found = find_program(command[0], environment)
        self._recording, self._signals = recording, signals
        self._status: int | None = None
        self._code: int | None = None  # what ended the recorder before the program ended
        self._deadline: float | None = None
        self._ways: dict[int, int] = {}  # from where we read to where we write
        self._waiting: dict[int, bytes] = {}  # what is to be written, by where it came from
        ends: dict[int, int] = {}
        try:
            for standard in (_OUTPUT, _ERRORS):
                read, ends[standard] = os.pipe()
                self._ways[read] = standard
            self._pid = os.fork()
            if not self._pid:
                become(found, command, environment, lambda: _take_files(ends))
        except BaseException:
            self._close()
            raise
        finally:
            for end in ends.values():
                os.close(end)

    def run(self) -> int:
        """Pass on until the program has ended, or something else ends it; returns the exit code for that.

        Raises :class:`~nhlog.files.CannotWrite` after the program was told that it is over.
        """
        try:
            while (self._ways or self._ended() is None) and self._goes_on():
                pass
            self._recording.finish(self._ended())
        except BaseException:
            self._tell(signal.SIGHUP)
            raise
        finally:
            self._close()
        return self._code if self._code is not None else self._status or 0

    def _ended(self) -> int | None:
        """How the program ended; None while it runs."""
        if self._status is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            self._status = exit_status(status) if pid else None
        return self._status

    def _goes_on(self) -> bool:
        """Do what there is to do next; False if the program has ended, or its time after a signal is over."""
        if self._deadline is None:
            return self._turn(None)
        left = self._deadline - time.monotonic()
        if left <= 0:
            return False
        if self._ended() is not None:  # what it left behind is not waited for
            return self._turn(0)
        self._turn(left * _THOUSAND)
        return True

    def _turn(self, patience: float | None) -> bool:
        """Wait so many milliseconds until there is something to do, and do it; False if there was nothing."""
        poll = select.poll()
        poll.register(self._signals.wake, select.POLLIN)
        for read, write in self._ways.items():
            if read in self._waiting:
                poll.register(write, select.POLLOUT)
            else:
                poll.register(read, select.POLLIN)
        ready = {fd for fd, _ in poll.poll(patience)}
        if self._signals.wake in ready:
            self._obey()
        for read, write in [*self._ways.items()]:
            if read in ready and read not in self._waiting:
                self._take(read)
            elif write in ready and read in self._waiting:
                self._pass_on(read, write)
        return bool(ready)

    def _take(self, read: int) -> None:
        """Record what the program wrote; it is passed on then."""
        data = os.read(read, MOST)
        if not data:
            self._end(read)
            return
        self._recording.add(OUTPUT, data.replace(b"\n", b"\r\n"))
        self._waiting[read] = data

    def _pass_on(self, read: int, write: int) -> None:
        data = self._waiting[read]
        try:
            written = os.write(write, data[:_AT_ONCE])
        except BlockingIOError:  # somebody else has made it so
            return
        except OSError:  # nobody reads it any more
            self._end(read)
            return
        if written < len(data):
            self._waiting[read] = data[written:]
        else:
            del self._waiting[read]

    def _end(self, read: int) -> None:
        os.close(read)
        del self._ways[read]
        self._waiting.pop(read, None)

    def _obey(self) -> None:
        """Pass a signal of ours on to the program; after the second one nobody waits for it."""
        for number in self._signals.take():
            if number in ENDING:
                self._tell(number)
                now = time.monotonic()
                self._deadline = now + LAST_WORDS if self._code is None else now
                self._code = BY_SIGNAL + number

    def _tell(self, number: int) -> None:
        if self._ended() is None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, number)

    def _close(self) -> None:
        for read in [*self._ways]:
            self._end(read)


def _take_files(ends: Mapping[int, int]) -> None:
    """Have the pipes as standard descriptors; none of them is one yet, as these are open."""
    for standard, end in ends.items():
        os.dup2(end, standard)
