"""The handshake's five signals: blocked in every thread, received with `sigtimedwait`, sent with `sigqueue`.

Requests and permissions have one signal number for receivers with a lower process id than the sender's and another for
higher ones (locking spec section 3).  A request that was not queued is ignored, as in NetHack 4, so `kill` has no
effect.
"""

import os
import signal
import threading
from collections.abc import Callable
from enum import Enum
from functools import cache

from nhlog.values import dataclass

__all__ = ["REQUESTS", "SIGNALS", "Meaning", "Received", "answer", "ask", "block", "load", "release", "take", "wake"]

_FIRST = int(getattr(signal, "SIGRTMIN", 0))  # macOS has no real-time signals, and so no handshake


class Meaning(Enum):
    """The meaning of a signal, by its distance from the first."""

    LET_GO = (0, 1)  # "please release your lock": to a lower process, to a higher one
    MAY_LOCK = (2, 3)  # "you may lock again", likewise
    ANSWER = (4, 4)  # "I have released"


SIGNALS = frozenset(range(_FIRST, _FIRST + 5)) if _FIRST else frozenset()
REQUESTS = frozenset(range(_FIRST, _FIRST + 2)) if _FIRST else frozenset()
_WAKE = _FIRST + 5  # from one thread of this process to the keeper
_SI_QUEUE = -1  # siginfo code of a signal sent by sigqueue
_blocking = threading.local()  # where the signals are blocked already
_MEANINGS = {_FIRST + distance: meaning for meaning in Meaning for distance in meaning.value}


@dataclass(frozen=True, slots=True)
class Received:
    """A received signal and its sender."""

    meaning: Meaning
    pid: int

    @property
    def from_lower(self) -> bool:
        """Whether the sender has the lower process id, and so goes first."""
        return self.pid < os.getpid()


def block() -> None:
    """Block the signals in this thread, and so in all threads that it starts; once, as a list of logs asks for each."""
    if SIGNALS and not getattr(_blocking, "here", False):
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS | {_WAKE})
        _blocking.here = True


def take(patience: float | None) -> Received | None:
    """Wait for the next signal; None after `patience` seconds without one, or for one without meaning."""
    waited = SIGNALS | {_WAKE}
    came = signal.sigwaitinfo(waited) if patience is None else signal.sigtimedwait(waited, patience)
    meaning = _MEANINGS.get(came.si_signo) if came else None
    if came is None or meaning is None:
        return None
    if meaning is Meaning.LET_GO and came.si_code != _SI_QUEUE:
        return None
    return Received(meaning, came.si_pid)


def wake(thread: threading.Thread) -> None:
    """Interrupt a thread that waits in :func:`take`."""
    if thread.ident is not None:
        signal.pthread_kill(thread.ident, _WAKE)


def ask(pid: int) -> bool:
    """Ask a process to release its lock; False if it is gone or another user's."""
    return _send(pid, Meaning.LET_GO)


def release(pid: int) -> None:
    """Tell a process that it may lock again."""
    _send(pid, Meaning.MAY_LOCK)


def answer(pid: int) -> None:
    """Tell a process that we have released our lock."""
    _send(pid, Meaning.ANSWER)


def _send(pid: int, meaning: Meaning) -> bool:
    """Queue a signal; False for a process that is gone or that we may not signal, which is not an error."""
    to_lower, to_higher = meaning.value
    number = _FIRST + (to_lower if pid < os.getpid() else to_higher)
    return bool(_sigqueue()(pid, number, None) == 0)


def load() -> None:
    """Load what sending takes, so that the first answer is as quick as the others."""
    if SIGNALS:
        _sigqueue()


@cache
def _sigqueue() -> Callable[[int, int, None], int]:
    """The C library's `sigqueue`, which Python lacks; loaded on first use."""
    import ctypes  # a tenth of the time that `nhlog info` takes, and most processes send nothing

    function = ctypes.CDLL(None).sigqueue
    function.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_void_p)  # the value goes as a pointer, and is not used
    return function
