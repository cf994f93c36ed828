"""Input that waits for the log's lock: what a player typed is not lost because somebody else keeps the log."""

from collections import deque
from collections.abc import Callable

from nhlog.log.locks.holders import Holder

__all__ = ["KeptInput"]


class KeptInput:
    """What is to be done as soon as the lock can be had: `acts` in their order, then `keys`, typed meanwhile.

    `holder` is the process that was in the way, if the system told, and `since` when that was first looked at.
    """

    def __init__(self) -> None:
        self.acts: deque[Callable[[], object]] = deque()
        self.keys: deque[str] = deque()
        self.holder: Holder | None = None
        self.since: float | None = None

    def __bool__(self) -> bool:
        return bool(self.acts)

    def clear(self) -> None:
        """Forget all of it."""
        self.acts.clear()
        self.keys.clear()
        self.since = None

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

    def words(self, now: float) -> str:
        """What the player is told at time `now`, in seconds, while it waits."""
        self.since = now if self.since is None else self.since
        waited = now - self.since
        told = self.holder.stuck(waited) if self.holder else f"waiting {waited:.0f} s for the lock"
        count = 1 + len(self.keys)
        return f"{told}; {count} key{'s' if count > 1 else ''} kept, Esc drops {'them' if count > 1 else 'it'}"
