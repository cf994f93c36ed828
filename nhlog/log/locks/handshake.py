"""The lock levels of one process on its logs, and the handshake that changes them, as one table (locking spec 2 to 5).

A POSIX lock tells nobody that it was taken or that somebody waits for it, and a process that plays has to hear of each
change before another one writes.  So whoever plays keeps a read lock and is asked for it, by signals; these are the
rules of NetHack 4, whose processes may be on the other side.

- A process rests at *none* (no lock) or at *monitor*: a read lock that writers must ask it to release, so that it
  learns of every write.  *Write* is exclusive.  No lock is needed to read bytes.
- A writer asks every holder in turn to release its lock, waits for the answer, takes the lock, and afterwards tells all
  that it asked, the last first, that they may lock again.
- A holder that is asked unlocks and answers at once, unless it is in *write*: then it does so afterwards.
- Of two processes that both want to write, the lower process id goes first: while *seeking* the lock a process yields
  to a lower one and lets a higher one wait.
- Write returns to rest without a gap.

Rejected: spectators in the handshake.  A process that cannot answer (another user's, one that is stopped) breaks the
game of a real NetHack 4: 5 broken writes in 31 s (see `nhlog.log.reading`), so who only reads is never asked.
Rejected, too: `kill` in place of `sigqueue`: NetHack 4 heeds only signals that say which process sent them on
purpose.

A change must keep: an answer follows every question, also in *write*, if later; whoever was asked locks
again without being told after three seconds, as a writer may have died; nothing is computed, packed or read under the
write lock that can be done before it (at most 5 other system calls, and 1 ms of CPU).
"""

from enum import StrEnum

__all__ = ["TABLE", "Action", "Event", "State"]


class State(StrEnum):
    """What this process does with its log."""

    NONE = "none"
    MONITOR = "monitor"
    SEEK = "seek"  # wants the write lock
    WRITE = "write"
    YIELDED = "yielded"  # let go, and waits to be told that it may lock again
    SEEK_YIELDED = "seek, yielded"


class Event(StrEnum):
    """An event that can change the state."""

    ASKED_BY_LOWER = "asked by lower"  # to let go, by a process with a lower id
    ASKED_BY_HIGHER = "asked by higher"
    MAY_LOCK = "may lock"  # all who asked have their lock, or three seconds have passed
    WANT_REST = "want rest"  # with a lock
    WANT_WRITE = "want write"
    GRANTED = "granted"
    REFUSED = "refused"  # the patience for the write lock is over
    DONE = "done"


class Action(StrEnum):
    """What the process does at an event."""

    ANSWER = "answer"  # say that it has let go: it holds nothing
    YIELD = "yield"  # unlock, then answer
    DEFER = "defer"  # answer later
    RELOCK = "relock"  # take the lock of its resting level again; the file may have changed
    LOCK = "lock"  # take the read lock of its resting level
    ASK = "ask"  # ask the holders, one at a time
    RELEASE = "release"  # tell all it asked that they may lock again, the last asked first
    SETTLE = "settle"  # go to the resting level without a gap, then do what was deferred


TABLE: dict[tuple[State, Event], tuple[Action, State]] = {
    (State.NONE, Event.ASKED_BY_LOWER): (Action.ANSWER, State.NONE),
    (State.NONE, Event.ASKED_BY_HIGHER): (Action.ANSWER, State.NONE),
    (State.NONE, Event.WANT_REST): (Action.LOCK, State.MONITOR),
    (State.NONE, Event.WANT_WRITE): (Action.ASK, State.SEEK),
    (State.MONITOR, Event.ASKED_BY_LOWER): (Action.YIELD, State.YIELDED),
    (State.MONITOR, Event.ASKED_BY_HIGHER): (Action.YIELD, State.YIELDED),
    (State.MONITOR, Event.WANT_WRITE): (Action.ASK, State.SEEK),
    (State.SEEK, Event.ASKED_BY_LOWER): (Action.YIELD, State.SEEK_YIELDED),
    (State.SEEK, Event.ASKED_BY_HIGHER): (Action.DEFER, State.SEEK),
    (State.SEEK, Event.GRANTED): (Action.RELEASE, State.WRITE),
    (State.SEEK, Event.REFUSED): (Action.RELEASE, State.MONITOR),
    (State.WRITE, Event.ASKED_BY_LOWER): (Action.DEFER, State.WRITE),
    (State.WRITE, Event.ASKED_BY_HIGHER): (Action.DEFER, State.WRITE),
    (State.WRITE, Event.DONE): (Action.SETTLE, State.MONITOR),
    (State.YIELDED, Event.ASKED_BY_LOWER): (Action.ANSWER, State.YIELDED),
    (State.YIELDED, Event.ASKED_BY_HIGHER): (Action.ANSWER, State.YIELDED),
    (State.YIELDED, Event.MAY_LOCK): (Action.RELOCK, State.MONITOR),
    (State.SEEK_YIELDED, Event.ASKED_BY_LOWER): (Action.ANSWER, State.SEEK_YIELDED),
    (State.SEEK_YIELDED, Event.ASKED_BY_HIGHER): (Action.DEFER, State.SEEK_YIELDED),
    (State.SEEK_YIELDED, Event.REFUSED): (Action.RELEASE, State.YIELDED),
    (State.SEEK_YIELDED, Event.MAY_LOCK): (Action.RELOCK, State.SEEK),
}
