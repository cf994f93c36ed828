"""How the saves of a log begin, one after the other: their first bytes, of which those of the next follow by its diff.

The head of a save is the same whichever was asked for before.  It is empty where it cannot be computed.

The problem: lists and markers need of each save where the hero is and how healthy, which stands in its first 6 kB.  To
find the line of a save, to decode it, to make the head and to read the hero from it were 25 µs of the processor, again
and again for saves in which none of that changes, as in nine of ten.  Now a kernel goes through all lines of a stretch,
in 5 µs a save, and stops where one of the bytes changes that somebody watches.

Rejected: to watch while a log is first read, when each diff is decoded anyway.  For that no more than 36 bytes of a
save are made, in a third of the time, and most who open a log want no markers.
"""

from nhlog.log.columns import Columns, pass_over

__all__ = ["Heads"]


class Heads:
    """Stands at save `number` of a log, which begins with `head`, its first `size` bytes; at first before all saves."""

    def __init__(self, columns: Columns, size: int) -> None:
        self._columns = columns
        self._size = size
        self._stretch = -1  # whose lines are here
        self._lines = b""
        self._at = 0  # in these: behind the line of the save
        self.stand(-1, b"")

    def stand(self, number: int, head: bytes) -> None:
        """Stand at a save whose head somebody else has."""
        self.number, self.head = number, head
        self._stretch = -1

    def come_to(self, number: int) -> None:
        """Come to a later save."""
        while self.number < number:
            self.go_on(number, [])

    def go_on(self, until: int, watched: list[int]) -> None:
        """Come to save `until`, or to an earlier one: all before that have the bytes that this one has.

        That is meant of the ranges whose starts and ends are `watched`.
        """
        self._find_line(self.number + 1)
        most = until - self.number
        self._at, passed, self.head = pass_over(self._lines, self._at, self.head, self._size, most, watched)
        self.number += passed

    def _find_line(self, save: int) -> None:
        """Have the lines in which the next save is; those before it in its stretch were passed, or are passed now."""
        columns, stretches = self._columns, self._columns.stretches
        line = columns.save_lines[save]
        stretch = stretches.number(line)
        if stretch != self._stretch:
            has_earlier = save > 0 and columns.save_lines[save - 1] >= stretches.firsts[stretch]
            self._at = columns.offsets[line] - stretches.starts[stretch] if has_earlier else 0
        elif self._at < len(self._lines):
            return
        self._stretch, self._lines = stretch, stretches.read(stretch)
