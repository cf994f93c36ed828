"""The machines that run: for each game that is played here one, which stands at a past.

A machine goes on only; another past of the same game, as after a rewind, is come to by a new one, which is given all
keys since the beginning.  That takes a second for 40,000 of them, so none are kept waiting along the way.
"""

import os
import threading
import weakref
from contextlib import suppress
from typing import Final

from nhlog.confined.worker import Ended
from nhlog.engines.nethack.machine.machine import Build, Machine, build
from nhlog.engines.nethack.past import Past
from nhlog.errors import NhlogError

__all__ = ["Fallen", "Machines"]

MOST: Final = 2
"""How many there are at a time: one game, and another one that it is compared with.  Each takes 25 MB."""


class Fallen(NhlogError):
    """NetHack fell over a key, each time it was tried."""


class Machines:
    """All machines of this process."""

    def __init__(self) -> None:
        self._running: list[tuple[Past, Machine]] = []  # the one that was used last at the end
        self._lock = threading.Lock()
        self._build: Build | None = None
        _everybody.add(self)

    @property
    def build(self) -> Build:
        """NetHack as it is installed; raises :class:`~nhlog.errors.Unsupported` where it is not."""
        if self._build is None:
            self._build = build()
        return self._build

    def seen(self, past: Past) -> bytes:
        """What is seen after this past (see `machine.wire`).

        Raises :class:`Fallen`, :class:`~nhlog.errors.Unsupported` where NetHack is not installed or plays otherwise,
        and other :class:`NhlogError`.
        """
        with self._lock:
            with suppress(Ended):  # somebody killed it; or it was the game, which the second try tells
                return self._come_to(past)
            self._end()  # whoever killed one may have killed the other
            try:
                return self._come_to(past)
            except Ended as error:
                why = "it took too long" if error.too_slow else f"signal {error.by}"
                raise Fallen(f"NetHack ended over key {past.count}: {why}") from None

    def _come_to(self, past: Past) -> bytes:
        ways = [(keys, at) for at, (before, _) in enumerate(self._running) if (keys := past.since(before)) is not None]
        if ways:
            keys, at = min(ways, key=lambda way: len(way[0]))
            _, machine = self._running.pop(at)
        else:
            while len(self._running) >= MOST:
                self._running.pop(0)[1].end()
            keys, start = past.keys, past.start
            machine = Machine(self.build.package, start.second, start.seeds, start.options)
        try:
            seen = machine.press(keys) if keys else machine.seen
        except BaseException:
            machine.end()
            raise
        self._running.append((past, machine))
        return seen

    def end(self) -> None:
        """End all of them; they begin again when they are needed."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        while self._running:
            self._running.pop()[1].end()

    def disown(self) -> None:
        """Forget them, as a process that was forked has to."""
        self._lock = threading.Lock()
        for _, machine in self._running:
            machine.disown()
        self._running.clear()


_everybody: Final[weakref.WeakSet[Machines]] = weakref.WeakSet()  # whose machines a forked process must not use


def _forked() -> None:
    for machines in list(_everybody):
        with suppress(NhlogError):
            machines.disown()


os.register_at_fork(after_in_child=_forked)
