"""Writes asciicast 2 and 3, as the strictest reader wants it.

An event is a line.  What cannot be said in it is left out, or replaced, and counted.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from nhlog.formats.asciicast.wire.header import format_header
from nhlog.formats.asciicast.wire.lines import LAST, is_number
from nhlog.formats.asciicast.wire.text import Joined
from nhlog.screencast import BYTES, COMMENT, EXIT, INPUT, OUTPUT, RESIZE, Header, TimedEvent, parse_size_told
from nhlog.values import NamedTuple
from nhlog.vt import Size

__all__ = ["WRITTEN", "AsciicastEncoder", "Seam"]

WRITTEN: Final = (2, 3)
"""The versions that are written."""

_SECOND: Final = 1_000_000
_ILL: Final = "ill-formed bytes"
_TOO_LARGE: Final = "sizes larger than a terminal can be"


class Seam(NamedTuple):
    """Where a recording ends that is written on: its last event's time, its size then, if it has a last newline."""

    time: int
    size: Size
    whole: bool


class AsciicastEncoder:
    """Makes an asciicast (see :class:`nhlog.screencast.Encoder`): a new one, or behind the `seam` of one.

    Times count from the seam.  Where it is `exact` every piece of output becomes an event, with its bytes before it if
    they are not just its characters, and times begin with the fraction of the second that the start has.
    """

    def __init__(self, header: Header, version: int = 2, *, seam: Seam | None = None, exact: bool = False) -> None:
        self._header, self._version, self._seam, self._exact = header, version, seam, exact
        self._first = seam.time if seam else (header.start or 0) % _SECOND if exact else 0
        self._last = seam.time if seam else 0
        self._texts = {OUTPUT: Joined(), INPUT: Joined()}
        self._left_out: dict[str, int] = {}

    def begin(self) -> bytes:
        """The header; at a seam the size, where it is another one."""
        if self._seam is None:
            return format_header(self._header, self._version)
        size = self._header.size.clamped()
        other = size != self._seam.size
        line = self._line(self._first, RESIZE, f"{size.columns}x{size.rows}") if other else b""
        return line if self._seam.whole else b"\n" + line

    def event(self, event: TimedEvent) -> bytes:
        """The lines of an event."""
        time, code, data = event
        time += self._first
        joined = self._texts.get(code)
        if joined is not None:
            return self._text(time, code, joined, data)
        text = self._said(code, data)
        if text is None:
            self._lose(f"events of code {code}")
            return b""
        if code == COMMENT:
            return b"".join(b"# %s\n" % line.encode() for line in text.splitlines() or [""])
        return self._line(time, code, text)

    def _text(self, time: int, code: str, joined: Joined, data: bytes) -> bytes:
        text = joined.add(data)
        if not self._exact:
            return self._line(time, code, text) if text or not data else b""
        really = self._line(time, BYTES, data.hex()) if text.encode() != data else b""
        return really + self._line(time, code, text)

    def _said(self, code: str, data: bytes) -> str | None:
        """The data of another event; None if it cannot be said."""
        text = data.decode(errors="replace")
        if code == COMMENT:
            return text if self._version == 3 else None  # which alone has such lines
        if code == RESIZE and (told := parse_size_told(data)):
            size = told.clamped()
            if size != told:
                self._lose(_TOO_LARGE)
            return f"{size.columns}x{size.rows}"
        named = code.isascii() and code.isprintable() and not set(code) & {'"', "\\"} and code
        fits = code != RESIZE and (code != EXIT or is_number(text))
        return text if named and fits else None

    def _lose(self, what: str) -> None:
        self._left_out[what] = self._left_out.get(what, 0) + 1

    def _line(self, time: int, code: str, text: str) -> bytes:
        time = max(min(time, LAST), self._last)
        shown = time - self._last if self._version == 3 else time
        self._last = time
        return b'[%d.%06d, "%s", %s]\n' % (*divmod(shown, _SECOND), code.encode(), msgspec.json.encode(text))

    def end(self) -> bytes:
        """What was held back of a character; where it is `exact`, its bytes are there."""
        if self._exact:
            return b""
        rest = [(code, joined.end()) for code, joined in self._texts.items()]
        return b"".join(self._line(self._last, code, text) for code, text in rest if text)

    @property
    def loss(self) -> Mapping[str, int]:
        """What was replaced or left out: bytes, and events by their code."""
        ill = sum(joined.ill for joined in self._texts.values())
        return {**({_ILL: ill} if ill else {}), **self._left_out}
