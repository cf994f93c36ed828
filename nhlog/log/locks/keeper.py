"""The one owner of this process's locks: runs the table of the handshake, and is the only receiver of its signals.

The five signals are blocked in every thread and received here with `sigtimedwait`, so no other code is ever interrupted
by them.  Locks and signals belong to the process, and so does the keeper: it changes the lock of one log at a time, and
at most one log is monitored.
"""

import atexit
import errno
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nhlog.errors import LockNotObtained, NhlogError
from nhlog.files.processes import lock_in_the_way
from nhlog.log.locks import signals
from nhlog.log.locks.handshake import TABLE, Action, Event, State
from nhlog.log.locks.holders import find_holder, listens

__all__ = ["KEEPER", "Keeper"]

PATIENCE = 2.0  # seconds to obtain a lock
RELOCK_PATIENCE = 3.0  # seconds since the last signal, after which we lock again without leave
_LOOK_AGAIN = 0.001  # seconds after which a holder that has not answered is looked for: it may have died, or only read
_RETRY = 0.0005  # seconds between attempts where nobody can be asked
_FAREWELL = 0.05
"""Seconds for which we answer after our lock is gone, before the process may end.

A writer asks within microseconds of seeing a lock (`F_GETLK`, then `sigqueue`: locking spec 4, step 5).  It asks later
only where it loses the processor just between the two: by some 3 ms for each process that waits for the same one, so
this covers a dozen of them.  Who asks later still gets no answer, and NetHack 4 gives that write up after two seconds
(7.1); ours looks again after a millisecond (`_LOOK_AGAIN`).  Longer would make the end of every game wait for what
happens only where the processor is lost within a certain microsecond.  Spectators have no lock, and no farewell.
"""


class Keeper:
    """The locks of this process.  All methods may be called from any thread; `name` is the log's name in errors."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Reset to the initial state, without locks and without a thread."""
        self._scope = threading.RLock()  # of the thread that is in a writing scope
        self._scoped = False
        self._changed = threading.Condition()  # guards what follows
        self.state = State.NONE
        self._monitored = -1  # descriptor of the log that rests in a read lock
        self._notify: Callable[[], None] = _nothing
        self._asked: list[int] = []  # processes asked to let go, in order
        self._unanswered = 0
        self._askers = 0  # that made us let go and have not said yet that we may lock again
        self._relocking = False  # the keeper waits for the system to give our lock back
        self._deferred: list[signals.Received] = []
        self._heard = 0.0  # when the last signal came
        self._thread: threading.Thread | None = None
        self._ending = False  # the thread has nothing more to do

    def start(self) -> None:
        """Block the signals in this thread, and so in those it starts, and receive them from now on.

        Done by whoever is about to hold a lock; other threads must have been started with the signals blocked.  Does
        nothing without real-time signals.
        """
        if self._thread is not None and self._thread.is_alive():
            return
        signals.block()
        with self._changed:
            if signals.SIGNALS and (self._thread is None or not self._thread.is_alive()):
                self._thread = threading.Thread(target=self._keep, name="nhlog lock keeper", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Let go of the lock held at rest, and end the keeper's thread; done when the interpreter exits.

        An interpreter that is finalized stops each other thread where that next wants to run: also one that has just
        got `_changed`. Whoever then left a scope that was still open (a generator that is collected last) would wait
        for ever, and have the write lock: seen once in some hundred exits on a busy machine.
        """
        if self._monitored >= 0 and not self._scoped:
            self.leave(self._monitored)
        with self._changed:
            thread = None if self._relocking else self._thread  # where it waits for the system it holds nothing
            self._ending = True
        if thread is not None:
            signals.wake(thread)
            thread.join(PATIENCE)  # it may wait for the system just now, for the sake of a scope that seeks a lock

    def monitor(self, fd: int, name: str, notify: Callable[[], None]) -> None:
        """Hold a read lock on `fd` at rest; the keeper calls `notify` after every write by another process.

        Raises :class:`NhlogError` if another log is monitored already, and :class:`LockNotObtained`.
        """
        signals.load()
        self.start()
        with self._scope:
            if self._monitored >= 0:
                raise NhlogError("this process monitors a log already", file=name)
            with self._changed:
                try:
                    self._lock_for_rest(fd, name)
                    self._monitored, self._notify = fd, notify
                    self._do(Event.WANT_REST)
                except BaseException:
                    self._rest_without(fd)
                    raise

    def move(self, fd: int, other: int) -> None:
        """Move the lock held at rest to another descriptor of the same log; both have to stay open."""
        with self._scope, self._changed:
            if self._monitored == fd:
                self._monitored = other

    def close(self, fd: int, other: int) -> None:
        """Close a descriptor, and rest by another one of the same log.

        Closing costs the lock held at rest, which is taken again as after a writer: one may have come between.
        """
        with self._scope, self._changed:
            self._changed.wait_for(lambda: not self._relocking, PATIENCE)
            os.close(fd)
            if self._monitored != fd:
                return
            self._monitored = other
            if self.state == State.MONITOR and self._thread:
                self.state = State.YIELDED
                signals.wake(self._thread)
                self._changed.wait_for(lambda: not self._yielded, PATIENCE)

    def leave(self, fd: int) -> None:
        """Stop holding a lock on `fd` at rest.

        Returns after a moment in which a writer that has just seen the lock still gets its answer: NetHack 4 gives its
        write up without one, so the process must not end, nor stop, before.
        """
        with self._scope:
            with self._changed:
                if self._monitored != fd:
                    return
                self._rest_without(fd)
            time.sleep(_FAREWELL)  # the keeper answers meanwhile

    def _rest_without(self, fd: int) -> None:
        self._monitored, self._notify = -1, _nothing
        self.state, self._askers = State.NONE, 0
        fcntl.lockf(fd, fcntl.LOCK_UN)

    @contextmanager
    def writing(self, fd: int, name: str) -> Iterator[None]:
        """A context with the write lock on `fd`; raises :class:`LockNotObtained`, naming the process in the way."""
        self.start()
        with self._alone(fd):
            self._seek(fd, name)
            yield

    # What scopes do, in the thread of the caller.

    @contextmanager
    def _alone(self, fd: int) -> Iterator[None]:
        """Allow one scope at a time; however it ends, also by an interrupt while waiting, the lock returns to rest."""
        with self._scope:
            if self._scoped:
                raise RuntimeError("a lock scope inside that of another log")
            self._scoped = True
            try:
                yield
            finally:
                self._scoped = False
                self._settle(fd)

    def _wait_for_rest(self, fd: int, name: str) -> None:
        """Wait until a lock that was released for others is held again; if the asker died, this takes three seconds."""

        def at_rest() -> bool:
            return self.state in (State.NONE, State.MONITOR) and not self._relocking

        if self._changed.wait_for(at_rest, PATIENCE):
            return
        if find_holder(fd, for_writing=False) or not self._changed.wait_for(at_rest, RELOCK_PATIENCE):
            raise _not_obtained("read", fd, name)

    def _lock_for_rest(self, fd: int, name: str) -> None:
        """Take the read lock of rest, for which nobody is asked, because no writer holds its lock for long."""
        deadline = time.monotonic() + PATIENCE
        self._wait_for_rest(fd, name)
        while not _try(fd, fcntl.LOCK_SH, name):
            if time.monotonic() > deadline:
                raise _not_obtained("read", fd, name)
            self._changed.wait(_RETRY)

    def _seek(self, fd: int, name: str) -> None:
        """Ask one holder after the other to release its lock until the write lock is obtained."""
        deadline = time.monotonic() + PATIENCE
        with self._changed:
            self._wait_for_rest(fd, name)
            self._do(Event.WANT_WRITE)
            while not self._seek_once(fd, name):
                if time.monotonic() > deadline:
                    raise _not_obtained("write", fd, name)
            self._do(Event.GRANTED)

    def _seek_once(self, fd: int, name: str) -> bool:
        """Wait for the process asked last, try the lock, ask the next holder.

        A process that died or released its lock without an answer is no longer a holder, so the holder is looked up
        again.
        """
        answered = self._changed.wait_for(lambda: self.state == State.SEEK and not self._unanswered, _LOOK_AGAIN)
        if self.state != State.SEEK:
            return False
        holder = None if answered else lock_in_the_way(fd, for_writing=True)
        if holder and holder.pid == self._asked[-1]:
            return False
        self._unanswered = 0
        if _try(fd, fcntl.LOCK_EX, name):
            return True
        holder = lock_in_the_way(fd, for_writing=True)
        if holder and listens(holder.pid) and signals.ask(holder.pid):
            self._asked.append(holder.pid)
            self._unanswered = 1
        else:
            self._changed.wait(_RETRY)
        return False

    def _settle(self, fd: int) -> None:
        """Return to the rest level without a gap, then handle the requests that were deferred."""
        with self._changed:
            if self.state in (State.SEEK, State.WRITE):
                fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB if fd == self._monitored else fcntl.LOCK_UN)
            if self.state == State.WRITE:
                self._do(Event.DONE)
            elif self.state in (State.SEEK, State.SEEK_YIELDED):
                self._do(Event.REFUSED)
            deferred, self._deferred = self._deferred, []
            for received in deferred:
                self._take(received)
            if self.state == State.YIELDED and self._thread:
                signals.wake(self._thread)  # what it would wait for may have come already
            self._changed.notify_all()

    # What signals do, in the keeper's thread; in `_settle`'s for those put off.

    def _keep(self) -> None:
        while not self._ending:
            received = signals.take(self._lock_again_in())
            with self._changed:
                if received:
                    self._take(received)
                if self._yielded and (not self._askers or self._lock_again_in() == 0):
                    self._relock()
                self._changed.notify_all()

    @property
    def _yielded(self) -> bool:
        return self.state in (State.YIELDED, State.SEEK_YIELDED)

    def _lock_again_in(self) -> float | None:
        """Seconds until the lock is taken again without permission; None if it was not released for others."""
        return max(0.0, self._heard + RELOCK_PATIENCE - time.monotonic()) if self._yielded else None

    def _take(self, received: signals.Received) -> None:
        self._heard = time.monotonic()
        match received.meaning:
            case signals.Meaning.LET_GO:
                self._do(Event.ASKED_BY_LOWER if received.from_lower else Event.ASKED_BY_HIGHER, received)
            case signals.Meaning.MAY_LOCK if any(earlier.pid == received.pid for earlier in self._deferred):
                self._deferred.append(received)  # it belongs to a request that was put off
            case signals.Meaning.MAY_LOCK:
                self._askers = max(0, self._askers - 1)
            case signals.Meaning.ANSWER:
                self._unanswered = max(0, self._unanswered - 1)

    def _relock(self) -> None:
        """Take the lock of the rest level again, waiting for writers, and notify that the file may have changed."""
        fd, notify = self._monitored, self._notify
        self._askers, self._relocking = 0, True
        self._changed.release()  # a writer may keep us waiting; scopes have their own patience
        try:
            locked = fd < 0 or _wait_for_lock(fd)
        finally:
            self._changed.acquire()
            self._relocking = False
        if self._yielded and locked:
            self._do(Event.MAY_LOCK)
            notify()
        elif locked and fd >= 0:
            fcntl.lockf(fd, fcntl.LOCK_UN)  # it was left while we waited

    def _do(self, event: Event, received: signals.Received | None = None) -> None:
        """Carry out one row of the table."""
        action, state = TABLE[self.state, event]
        self.state = State.NONE if state == State.MONITOR and self._monitored < 0 else state
        match action, received:
            case Action.YIELD, signals.Received(pid=pid):
                if self._monitored >= 0:
                    fcntl.lockf(self._monitored, fcntl.LOCK_UN)
                self._askers += 1
                signals.answer(pid)
            case Action.ANSWER, signals.Received(pid=pid):
                self._askers += self._yielded
                signals.answer(pid)
            case Action.DEFER, signals.Received():
                self._deferred.append(received)
            case Action.RELEASE, _:
                self._unanswered = 0
                for asked in reversed(self._asked):
                    signals.release(asked)
                self._asked.clear()


def _nothing() -> None:
    """Ignore notifications."""


def _wait_for_lock(fd: int) -> bool:
    """Take a read lock, waiting as long as needed; False if the file was closed meanwhile, or on a system error."""
    try:
        fcntl.lockf(fd, fcntl.LOCK_SH)
    except OSError:
        return False
    return True


def _try(fd: int, kind: int, name: str) -> bool:
    try:
        fcntl.lockf(fd, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EINTR):
            return False
        reason = (error.strerror or str(error)).lower()
        raise LockNotObtained(f"this file cannot be locked: {reason}", file=name) from None
    return True


def _not_obtained(level: str, fd: int, name: str) -> LockNotObtained:
    holder = find_holder(fd, for_writing=level == "write")
    trouble = f", {holder.trouble}" if holder else ""
    return LockNotObtained(f"no {level} lock after {PATIENCE:g} s{trouble}", file=name, found=holder)


KEEPER = Keeper()

# A child process has none of its parent's locks, nor its keeper's thread.
os.register_at_fork(after_in_child=KEEPER.forget)
atexit.register(KEEPER.end)
