"""Getting a process out of the way that keeps others from writing: by signals, the mildest first.

A signal goes to exactly the process that was found, even if its id was given to another since.
"""

import math
import signal
from typing import Final

from nhlog.log.locks.holders import Holder, end, holders_of

__all__ = ["GRACE", "Freeing", "is_in_the_way"]

GRACE: Final = 2.0  # seconds that a process gets to do what a signal asks
_STEPS: Final = (signal.SIGCONT, signal.SIGHUP, signal.SIGTERM, signal.SIGKILL)


def is_in_the_way(holder: Holder, identity: tuple[int, int]) -> bool:
    """Whether it still holds its lock on the file with this device and inode, and does not release it when asked."""
    known = holder.pid, holder.started, holder.exclusive
    held = any(known == (other.pid, other.started, other.exclusive) for other in holders_of(identity))
    return held and (holder.exclusive or not holder.answers)


class Freeing:
    """What can still be sent to the process `holder` until it is out of the way; `sent` is what was sent last."""

    def __init__(self, holder: Holder, identity: tuple[int, int]) -> None:
        self.holder = holder
        self.sent: signal.Signals | None = None
        self._identity = identity
        self._left: tuple[signal.Signals, ...] = _STEPS
        self._until = -math.inf  # when the time for what was sent is over

    @property
    def step(self) -> signal.Signals | None:
        """The signal that is next; None if the process is out of the way, or nothing is left."""
        possible = (number for number in self._left if number is not signal.SIGCONT or self.holder.stopped)
        return next(possible, None) if is_in_the_way(self.holder, self._identity) else None

    def send(self, number: signal.Signals, now: float) -> None:
        """Send this signal at the time `now`, in seconds; raises :class:`PermissionError` where we may not."""
        end(self.holder, number)
        self.sent = number
        self._left = self._left[self._left.index(number) + 1 :]
        self._until = now + GRACE

    def waits(self, now: float) -> bool:
        """Whether the process still has time to do what the last signal asks."""
        return now < self._until and is_in_the_way(self.holder, self._identity)
