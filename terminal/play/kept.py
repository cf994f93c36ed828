"""Input that waits for the log's lock: what a player typed is not lost because somebody else keeps the log."""

import signal
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from nhlog.log.locks.freeing import Freeing
from nhlog.log.locks.holders import Holder, may_end

__all__ = ["KeptInput"]


class KeptInput:
    """What is to be done as soon as the lock can be had: `acts` in their order, then `keys`, typed meanwhile.

    `identity` is the device and inode of the log's file.  `freeing` ends the process in the way, if the system says
    which it is, a signal at each press of the key with the label `key`; `since` is when it was first looked at.
    """

    def __init__(self, identity: tuple[int, int], key: str = "Ctrl-F") -> None:
        self._identity = identity
        self._key = key
        self.acts: deque[Callable[[], object]] = deque()
        self.clear()

    def __bool__(self) -> bool:
        return bool(self.acts)

    def clear(self) -> None:
        """Forget all of it."""
        self.acts.clear()
        self.keys: deque[str] = deque()
        self.since: float | None = None
        self.freeing: Freeing | None = None
        self._offered: signal.Signals | None = None

    def add(self, key: str) -> None:
        """Keep a key."""
        self.keys.append(key)
        self._offered = None

    def release(self, do: Callable[[Callable[[], object]], None], press: Callable[[str], None]) -> None:
        """Do what waits: `do` an act, `press` a key; what has to wait again stays, with all that comes after it."""
        acts = [*self.acts]
        self.acts.clear()
        for number, act in enumerate(acts):
            do(act)
            if self.acts:
                self.acts.extend(acts[number + 1 :])
                return
        keys = [*self.keys]
        self.clear()
        for key in keys:
            press(key)

    # who is in the way

    def blame(self, holders: Sequence[Holder]) -> None:
        """Note one of these as the process in the way: the one that was named before, if it is among them."""
        if self.freeing is None or self.freeing.holder not in holders:
            self.freeing = Freeing(holders[0], self._identity) if holders else None
            self._offered = None

    def free(self, now: float) -> None:
        """Offer to send the process in the way its next signal; or send it, if it is what was offered."""
        freeing = self.freeing
        if freeing is None or freeing.waits(now):
            return
        step = freeing.step if may_end(freeing.holder) else None
        if step is None or step is not self._offered:
            self._offered = step
            return
        self._offered = None
        with suppress(PermissionError):  # it changed its user just now: the message says who can end it
            freeing.send(step, now)

    def words(self, now: float) -> str:
        """The message about the process in the way at time `now`, in seconds; empty if nobody can say which it is."""
        if self.freeing is None:
            return ""
        self.since = now if self.since is None else self.since
        if self._offered is not None:
            return f"{self._key} again sends {self._offered.name} to {self.freeing.holder.who}"
        count = 1 + len(self.keys)
        kept = f"{count} key{'s' if count > 1 else ''} kept, Esc drops"
        parts = (self.freeing.holder.stuck(now - self.since), _way_out(self.freeing, now, self._key), kept)
        return "; ".join(filter(None, parts))


def _way_out(freeing: Freeing, now: float, key: str) -> str:
    """How the process gets out of the way: by what was sent to it, by the key, or by others; empty if nothing helps."""
    if freeing.sent is not None and freeing.waits(now):
        return f"{freeing.sent.name} is sent"
    if freeing.step is None:
        return ""
    user = freeing.holder.user_name
    return f"{key} frees it" if may_end(freeing.holder) else f"{user}{'' if user == 'root' else ' or root'} can end it"
