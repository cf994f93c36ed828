"""What an asciicast is in all versions: a header, and events of JSON that lie somewhere in the file."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from nhlog.errors import Damaged, TooShort
from nhlog.formats.asciicast.wire.header import Told
from nhlog.formats.asciicast.wire.lines import LAST
from nhlog.screencast import CLOCK, Events, Header
from nhlog.screencast.events import Found
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

__all__ = ["AsciicastEvents"]

_KEPT_CLOCKS: Final = 1 << 16  # clocks that are set, in one recording


class AsciicastEvents(Events):
    """The events of an asciicast, which begin at `offset`; `size` is used instead of what the header told.

    Raises :class:`TooShort` if there is no whole event yet, :class:`Damaged` if all there is is none.
    """

    def __init__(self, source: UnpackedSource, told: Told, offset: int, size: Size | None) -> None:
        super().__init__(source)
        self.version = told.version
        self.header: Header = replace(told.header, size=size) if size else told.header
        self.end = offset
        for fault in told.faults:
            self._tell(fault)
        self.extend()
        if not self.times:
            raise self._nothing()

    def _forget(self) -> None:
        super()._forget()
        self._clocks: list[int] = []  # the events where it was set, and by how much altogether
        self._shifts: list[int] = []

    def found(self, labelled: Iterable[int]) -> Found | None:
        """What is known of them; None where a clock is set."""
        return None if self._clocks else super().found(labelled)

    def _nothing(self) -> Damaged:
        """Why nothing can be shown: damage, or nothing has come yet."""
        if self.lost:
            return self.faults[-1]
        return TooShort("no event is whole yet", offset=self.end, expected="an event behind the header")

    def _take(self, time: int, code: str, text: str, offset: int, size: int) -> None:
        """Take in an event; `text` is needed of those alone that set the clock."""
        if code == CLOCK and text and len(self._clocks) < _KEPT_CLOCKS:
            self._clocks.append(len(self))
            self._shifts.append((self._shifts[-1] if self._shifts else 0) + int(text))
        self._add(min(time, LAST), code, offset, size)

    def moment(self, number: int) -> int | None:
        """When it happened by the clock of the recorder, which may have been set; None if that is not known."""
        moment, clock = super().moment(number), bisect_right(self._clocks, number)
        return moment + self._shifts[clock - 1] if moment is not None and clock else moment
