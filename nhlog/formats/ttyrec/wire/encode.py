"""Writes ttyrec, and with channels ttyrec2 and 3: a frame for each event that has one.

What a file of that kind cannot say is left out, and counted.
"""

from collections.abc import Mapping
from typing import Final

from nhlog.formats.ttyrec.wire.frames import CODES, DAY, LAST, MAX_FRAME, format_frame
from nhlog.screencast import BYTES, CLOCK, INPUT, OUTPUT, RESIZE, SCORE, Header, TimedEvent, parse_size_told
from nhlog.screencast.guess import format_told
from nhlog.vt import Size

__all__ = ["VERSIONS", "TtyrecEncoder"]

VERSIONS: Final = (1, 2, 3)
"""The kinds of ttyrec: 2 has what was typed, too, 3 also the score."""

_MOST: Final = 1 << 13  # bytes of a frame: dgamelaunch shows no longer ones
_NO_DATE: Final = DAY  # the start of what does not say when it was: a frame at 0 would look like damage


class TtyrecEncoder:
    """Makes a ttyrec (see :class:`nhlog.screencast.Encoder`), of `version` 1, 2 or 3.

    If it is `sized` the first frame tells the size of the terminal, as termrec does it; so does one at each resize.
    Long output is split into frames that all players show, unless it is to be `exact`.
    """

    def __init__(self, header: Header, version: int = 1, *, sized: bool = True, exact: bool = False) -> None:
        self._header, self._sized = header, sized
        self._most = MAX_FRAME if exact else _MOST
        self._codes = CODES[:version]
        self._numbered = version > 1
        self._now = header.start if header.start is not None and header.start > 0 else _NO_DATE
        self._really: bytes | None = None  # what the next event was
        self._told = False  # whether a size was
        self._left_out: dict[str, int] = {}

    def begin(self) -> bytes:
        """A frame with the size, or nothing."""
        return self._frame(0, OUTPUT, self._resize(self._header.size.clamped())) if self._sized else b""

    def event(self, event: TimedEvent) -> bytes:
        """The frames of an event."""
        time, code, data = event
        if code == CLOCK and _is_number(data):
            self._now += int(data)
            return b""
        if code == BYTES:
            self._really = _bytes(data)
            return b""
        if code == RESIZE and (size := parse_size_told(data)):
            code, data = OUTPUT, self._resize(size)
        if code in (OUTPUT, INPUT):
            data, self._really = data if self._really is None else self._really, None
        if code not in self._codes or (code == SCORE and not _is_number(data)):
            name = f"events of code {code}"
            self._left_out[name] = self._left_out.get(name, 0) + 1
            return b""
        return self._frame(time, code, data)

    def _resize(self, size: Size) -> bytes:
        first, self._told = not self._told, True
        return format_told(size, first=first)

    def _frame(self, time: int, code: str, data: bytes) -> bytes:
        if code == SCORE:
            data = (int(data) & 0xFFFFFFFF).to_bytes(4, "little")
        channel = CODES.index(code) if self._numbered else None
        now = min(max(self._now + time, 0), LAST)
        pieces = [data[at : at + self._most] for at in range(0, len(data), self._most)] or [b""]
        return b"".join(format_frame(now, piece, channel) for piece in pieces)

    def end(self) -> bytes:
        """Nothing: nothing is held back."""
        return b""

    @property
    def loss(self) -> Mapping[str, int]:
        """The events that were left out, by their code."""
        return self._left_out


def _is_number(data: bytes) -> bool:
    return len(data) < 20 and data.removeprefix(b"-").isdigit()


def _bytes(data: bytes) -> bytes | None:
    """The bytes of hexadecimal digits; None if these are others."""
    try:
        return bytes.fromhex(data.decode())
    except ValueError:
        return None
