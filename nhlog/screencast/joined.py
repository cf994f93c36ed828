"""Several recordings of terminals as one, in order of time, as a game that was left and gone on with becomes several.

Where one ends and the next begins the terminal is a new one, of the next one's size.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nhlog.change import Change
from nhlog.errors import Damaged, Usage
from nhlog.screencast.events import OUTPUT, RESIZE, Events
from nhlog.vt import Part

__all__ = ["Joined"]

_NEW_TERMINAL = b"\x1bc"
_SEAM = 2  # events: the new terminal, and its size


class Joined(Events):
    """The events of several recordings, the earliest first; those without a date keep their place.

    Times are those of the dates, where they are known.  Only the last one may grow.
    """

    def __init__(self, parts: Sequence[Events]) -> None:
        if not parts:
            raise Usage("nothing to join")
        self._all = sorted(parts, key=lambda events: events.header.start or 0)
        super().__init__(self._all[-1].source)
        self.header = replace(self._all[0].header, more={})
        self._starts: list[int] = []  # the number of the first event of each
        for number in range(len(self._all)):
            self._join(number)

    def _join(self, number: int) -> None:
        events, begun = self._all[number], self.times[-1] if self.times else 0
        if self.header.start is not None and events.header.start is not None:
            begun = max(begun, events.header.start - self.header.start)
        if number:
            self._add(begun, OUTPUT, 0, 0)
            self._add(begun, RESIZE, 0, 0)
        self._starts.append(len(self))
        self._begun = begun
        self._extend()

    def _extend(self) -> None:
        """Take in what the last one has, from where it was left."""
        events = self._all[len(self._starts) - 1]
        for number in range(len(self) - self._starts[-1], len(events)):
            self._add(self._begun + events.times[number], events.code(number), 0, 0)
        self.end, self.limit = events.end, events.limit

    def _place(self, number: int) -> tuple[int, int]:
        """The recording that an event is of, and its number there; below 0 for what was put before that."""
        part = bisect_right(self._starts, number) - 1
        following = part + 1
        if following < len(self._starts) and number >= self._starts[following] - _SEAM:
            part = following
        return part, number - self._starts[part]

    @property
    def all_faults(self) -> list[Damaged]:
        """What is wrong in any of them."""
        return [*(fault for events in self._all for fault in events.all_faults), *self.unshown]

    def data(self, number: int) -> bytes:
        """What is in an event."""
        part, local = self._place(number)
        if local >= 0:
            return self._all[part].data(local)
        size = self._all[part].header.size
        return _NEW_TERMINAL if local == -_SEAM else b"%dx%d" % size

    def really(self, number: int) -> bytes | None:
        """The bytes of an event that are not what its data would become."""
        part, local = self._place(number)
        return self._all[part].really(local) if local >= 0 else None

    def parts(self, first: int, last: int) -> Iterator[Part]:
        """What the terminal is fed for each of the events from one up to another one."""
        number = first
        while number < last:
            part, local = self._place(number)
            if local < 0:
                yield _NEW_TERMINAL if local == -_SEAM else self._all[part].header.size
                number += 1
                continue
            events = self._all[part]
            until = min(last - self._starts[part], len(events))
            yield from events.parts(local, until)
            number = self._starts[part] + until

    def offset(self, number: int) -> int:
        """Where an event begins, if all the files stood one behind the other."""
        part, local = self._place(number)
        return sum(events.limit for events in self._all[:part]) + (self._all[part].offset(local) if local >= 0 else 0)

    def moment(self, number: int) -> int | None:
        """When it happened, microseconds since 1970."""
        part, local = self._place(number)
        return self._all[part].moment(max(local, 0))

    def fingerprint(self) -> None:
        """None: no single file tells what is in all of them."""

    def extend(self) -> None:
        """Nothing but `look` is needed."""

    def look(self) -> Change:
        """Take in what was appended to the last one."""
        change = self._all[-1].look()
        if change is Change.GREW:
            self._extend()
        return change

    def close(self) -> None:
        """Close the files."""
        for events in self._all:
            events.close()
