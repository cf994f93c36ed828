"""A part of what is done at the terminal, done by a process that takes its memory with it when it ends.

A player of a program was in the lobby before, and will be there again.  As one process for both, it kept what the lobby
took for as long as the game lasted.  There was little to free: of 14 MB 1.5 were data, the rest objects that others
have, too.  Python counts references in them, so whatever was used once is a copy.  So the process behind the one in
front (`front`) uses little: it has a child show the list (`apart`), and plays the program when that has ended.  The
next child shows the next list.

- Others know the parent alone: who is in front, `nhlog who`, who kicks.  It passes signals on.
- A child that ends without an answer has said its exit code to who is in front, or was killed.  So the parent says
  nothing then: if nothing was said, who is in front gives the terminal back.
- A child whose parent is killed is sent SIGHUP.  It gives the terminal back and says the exit code of that to who is in
  front: 129, as if somebody had hung up.

Rejected: a list and a game in turns, each forked from the service (`nhlog.forked`).  For a moment nobody would be there
who could be kicked or banned, and who is in front would have to be told of each.  A parent that reads no configuration
itself: 2.5 MB less, but the child would have to be asked for all that a game needs.
"""

import os
import pickle
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

from terminal.screen.tty import front, waiting

__all__ = ["apart"]

T = TypeVar("T")

_LARGEST: Final = 1 << 16  # bytes of an answer, which fits into the socket


def apart(do: Callable[[], T | None]) -> T | None:
    """What `do` returns in a process of its own, if there can be one.

    Where that is None, or `do` raises something, it is that process which goes on with it, and this one ends.  There
    has to be a process in front.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, waiting.PASSED_ON)
        try:
            pid = os.fork()
        except OSError:  # the system has no room for another one
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            return do()
        if pid:
            theirs.close()
            with _passing_on(pid):
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
                os.waitpid(pid, 0)
            answer: T = _answer(ours)
            return answer
        ours.close()
        front.end_with(theirs)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        done = do()
        if done is not None:
            theirs.send(pickle.dumps(done))
            os._exit(0)
        return None


def _answer(ours: socket.socket) -> Any:
    """What the process sent that has ended; this one ends if that was nothing."""
    with suppress(BlockingIOError):  # others may have its side yet
        if answer := ours.recv(_LARGEST, socket.MSG_DONTWAIT):
            return pickle.loads(answer)
    os._exit(1)


@contextmanager
def _passing_on(child: int) -> Iterator[None]:
    """A context in which the child gets the signals that we get."""
    process = os.pidfd_open(child)

    def pass_on(number: int, _: object) -> None:
        with suppress(ProcessLookupError):  # it has ended
            signal.pidfd_send_signal(process, number)

    heeded = [number for number in waiting.PASSED_ON if signal.getsignal(number) is not signal.SIG_IGN]
    before = [signal.signal(number, pass_on) for number in heeded]
    try:
        yield
    finally:
        for number, handler in zip(heeded, before, strict=True):
            signal.signal(number, handler)
        os.close(process)
