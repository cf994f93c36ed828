"""ALiS 1, asciinema's live stream: asciicast's events as binary messages, for a WebSocket that carries one in each.

After `MAGIC` comes what begins a terminal, then events, and `END`.  A number is an unsigned LEB128, a text its size and
its UTF-8, which is whole in each message: a character is never cut between two.
"""

from collections.abc import Mapping
from typing import Final

from nhlog.errors import Damaged, TooShort
from nhlog.formats.asciicast.wire.lines import is_number
from nhlog.formats.asciicast.wire.text import Joined, whole_characters
from nhlog.formats.leb128 import write_leb128
from nhlog.screencast import EXIT, INPUT, MARKER, OUTPUT, RESIZE, TimedEvent, parse_resize
from nhlog.values import NamedTuple
from nhlog.vt import Size

__all__ = ["END", "MAGIC", "AlisEncoder", "Begin", "Event", "decode_message", "encode_message", "theme_of"]

MAGIC: Final = b"ALiS\x01"
"""The first message of all."""

END: Final = b"\x04"
"""The last message: nothing follows, or another beginning."""

_MOST_TEXT: Final = 1 << 24  # bytes; a screen has some thousands
_BEGIN: Final = 0x01
_CODES: Final = (OUTPUT, INPUT, RESIZE, MARKER, EXIT)  # which are the first bytes of their messages, too
_LARGEST: Final = 1 << 53  # that a player's numbers hold exactly
_MOST_DIGITS: Final = 10  # bytes of a number: as many as those of 64 bits have
_COLOURS: Final = {0: 0, 8: 10, 16: 18}  # of a theme, by its first byte: a palette, and before it two more
_RGB: Final = 3  # bytes


class Begin(NamedTuple):
    """What a new terminal of a size is fed to show what there is after event `last`, at a time since the start.

    `theme` is the foreground, the background and 8 or 16 colours, three bytes each; empty for the player's own.
    """

    last: int
    time: int
    size: Size
    screen: bytes
    theme: bytes = b""


class Event(NamedTuple):
    """An event, so long after the one before it, or after the beginning; its data is that of a `TimedEvent`."""

    number: int
    elapsed: int
    code: str
    data: bytes


def encode_message(value: Begin | Event) -> bytes:
    """The message of a value; raises ValueError for an event that cannot be said."""
    if isinstance(value, Begin):
        head = b"".join(map(write_leb128, (value.last, value.time, *value.size)))
        colours = len(value.theme) // _RGB
        return bytes((_BEGIN,)) + head + bytes((max(colours - 2, 0),)) + value.theme + _text(value.screen)
    return (
        value.code.encode() + write_leb128(value.number) + write_leb128(value.elapsed) + _said(value.code, value.data)
    )


def _said(code: str, data: bytes) -> bytes:
    if code == RESIZE and (size := parse_resize(data)):
        return b"".join(map(write_leb128, size))
    if code == EXIT and is_number(data.decode(errors="replace")):
        return write_leb128(max(int(data), 0))
    if code in (OUTPUT, INPUT, MARKER):
        return _text(data)
    raise ValueError(code)


def _text(data: bytes) -> bytes:
    return write_leb128(len(data)) + data


def decode_message(message: bytes) -> Begin | Event | None:
    """The value of a message behind `MAGIC`; None for the end of the stream.

    Raises :class:`TooShort` if it is not whole, :class:`Damaged` if no rest can make it so.  What follows is ignored.
    """
    reader = _Reader(message)
    kind = reader.byte()
    if kind == END[0]:
        return None
    if kind == _BEGIN:
        last, time, size = reader.number(), reader.number(), reader.size()
        theme = reader.theme()
        return Begin(last, time, size, reader.text(), theme)
    code = chr(kind)
    if code not in _CODES:
        raise Damaged("not a message of a live stream", offset=0, found=f"0x{kind:02x}")
    number, elapsed = reader.number(), reader.number()
    if code == RESIZE:
        return Event(number, elapsed, code, b"%dx%d" % reader.size())
    if code == EXIT:
        return Event(number, elapsed, code, b"%d" % reader.number())
    return Event(number, elapsed, code, reader.text())


class _Reader:
    """Takes one value after the other off a message."""

    def __init__(self, message: bytes) -> None:
        self._message = message
        self._at = 0

    def _take(self, size: int) -> bytes:
        taken = self._message[self._at : self._at + size]
        if len(taken) < size:
            raise TooShort("the message is cut short", offset=len(self._message), expected=f"{size} bytes")
        self._at += size
        return taken

    def byte(self) -> int:
        return self._take(1)[0]

    def number(self) -> int:
        value, begun = 0, self._at
        for place in range(_MOST_DIGITS):
            byte = self.byte()
            value |= (byte & 0x7F) << 7 * place
            if byte < 0x80:
                if value < _LARGEST:
                    return value
                break
        raise Damaged("a number that is too large", offset=begun, expected=f"less than {_LARGEST}")

    def size(self) -> Size:
        begun = self._at
        size = Size(self.number(), self.number())
        if 0 in size:
            raise Damaged("not a terminal size", offset=begun, found="{}x{}".format(*size))
        return size.clamped()

    def theme(self) -> bytes:
        kind = self.byte()
        if kind not in _COLOURS:
            raise Damaged("not a theme", offset=self._at - 1, expected="0, 8 or 16 colours", found=kind)
        return self._take(_COLOURS[kind] * _RGB)

    def text(self) -> bytes:
        begun = self._at
        size = self.number()
        if size > _MOST_TEXT:
            raise Damaged("a text that is too long", offset=begun, expected=f"at most {_MOST_TEXT} bytes", found=size)
        return self._take(size)


def theme_of(theme: Mapping[str, str]) -> bytes:
    """The colours of an asciicast's theme."""
    if not theme:
        return b""
    return bytes.fromhex(f"{theme['fg']}{theme['bg']}{theme['palette']}".replace("#", "").replace(":", ""))


class AlisEncoder:
    """Makes the messages of one stream, which are the same for all who watch it.

    It goes on from a `screen`: what a terminal is fed to show what there is after event `last`, at that `time`.  A
    character that is cut between two pieces of output, or by the end of a screen, comes whole with the second one.  The
    time of a beginning is that of the last event: players put their clocks right by the next one.
    """

    def __init__(self, last: int, time: int, screen: bytes, theme: Mapping[str, str]) -> None:
        self._last, self._time, self._theme = last, time, theme_of(theme)
        self._texts = {OUTPUT: Joined(), INPUT: Joined()}
        self._texts[OUTPUT].add(screen)

    def begin(self, size: Size, screen: bytes) -> bytes:
        """What is sent to whoever comes before the next event, a screen as it is now."""
        text = screen[: whole_characters(screen)].decode(errors="replace").encode()
        return encode_message(Begin(self._last, self._time, size.clamped(), text, self._theme))

    def event(self, event: TimedEvent) -> bytes:
        """The message of an event; empty if it cannot be said, or is held back until more of it comes."""
        time, code, data = event
        joined = self._texts.get(code)
        text = joined.add(data) if joined else data.decode(errors="replace")
        if data and not text:
            return b""
        try:
            message = encode_message(Event(self._last + 1, max(time - self._time, 0), code, text.encode()))
        except ValueError:
            return b""
        self._last += 1
        self._time = max(time, self._time)
        return message
