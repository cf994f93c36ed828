"""The handshake's signals: blocked in every thread, taken in one, sent with `sigqueue` (locking spec section 3).

A NetHack 4 process that wants to write asks every holder of a read lock to let go, and fails after two seconds
without an answer; left to itself, the request would kill us.  So whoever opens a log calls `answer_requests` first.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["REQUESTS", "SIGNALS", "answer_requests", "lock_scope"]

_FIRST = getattr(signal, "SIGRTMIN", None)  # macOS has no real-time signals, and so no handshake
SIGNALS = frozenset(range(_FIRST, _FIRST + 5)) if _FIRST else frozenset()
REQUESTS = frozenset(range(_FIRST, _FIRST + 2)) if _FIRST else frozenset()  # "please release your lock"
_RELEASED = _FIRST + 4 if _FIRST else 0  # "I have released"
_SI_QUEUE = -1  # siginfo code of a signal sent by sigqueue; a request sent otherwise is ignored

# Held while this process has a lock on any log: an answer given meanwhile would be a lie.  It belongs to the process,
# as POSIX locks do.
_locked = threading.RLock()
_start = threading.Lock()
_keepers: list[threading.Thread] = []


@contextmanager
def lock_scope() -> Iterator[None]:
    """A scope in which a kernel lock may be held; requests that arrive meanwhile are answered at its end."""
    with _locked:
        yield


def answer_requests() -> None:
    """Block the signals in this thread, and so in those it starts, and answer requests from now on.

    Belongs before the first thread of anybody else.  Does nothing where real-time signals do not exist.
    """
    if not SIGNALS:
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    with _start:
        if not any(keeper.is_alive() for keeper in _keepers):
            keeper = threading.Thread(target=_keep, name="nhlog lock keeper", daemon=True)
            keeper.start()
            _keepers[:] = [keeper]


def _keep() -> None:
    """Answer each request as soon as no lock is held."""
    while True:
        request = signal.sigwaitinfo(SIGNALS)
        if request.si_signo in REQUESTS and request.si_code == _SI_QUEUE:
            with _locked:
                _send(request.si_pid, _RELEASED)


def _send(pid: int, number: int) -> None:
    """Queue a signal without a value; a process that has gone, or that is not ours to signal, waits in vain.

    Nothing is raised for it: whoever may be reached must be answered after that, too.
    """
    import ctypes  # a tenth of the time that `nhlog info` takes, and most processes are never asked

    ctypes.CDLL(None).sigqueue(pid, number, ctypes.c_void_p(0))
