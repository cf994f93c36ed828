"""Reading of a recording once from start to end, in constant memory, with as much decoding as needed.

:func:`count_messages` only counts, :func:`read_records` yields positions or everything, up to any damage, then raises
an error.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from nhlog.compression import MOST_MAGIC, EndsEarly
from nhlog.errors import Damaged, NhlogError, TooShort
from nhlog.formats.teehistorian.reading.stream import ALL, Stream
from nhlog.formats.teehistorian.reading.world import OnMessage, World
from nhlog.formats.teehistorian.wire.header import Header, parse_header
from nhlog.formats.teehistorian.wire.messages import TimedMessage
from nhlog.unpacked import pieces

__all__ = [
    "Incomplete",
    "MessageCounts",
    "Reader",
    "count_messages",
    "find_header",
    "header_too_short",
    "read_records",
]

_PIECE: Final = 1 << 16  # bytes whose messages are in memory together


class Incomplete(Damaged):
    """The recording ends without its last message (FINISH) or inside a message: it may still be growing."""

    def __init__(self, end: int, tick: int) -> None:
        super().__init__(f"cut at byte {end}, tick {tick}")
        self.end = end
        self.tick = tick


def find_header(data: bytes) -> Header | None:
    """The header at the beginning of a recording; None if `data` is too short to tell.

    Raises as :func:`parse_header`.
    """
    return parse_header(data) if len(data) >= MOST_MAGIC else None  # a few bytes may be those of compressed data


def header_too_short(data: bytes) -> TooShort:
    """The error of a recording of which there is no more than this."""
    return TooShort("the header is cut short" if data else "empty file", offset=len(data), expected="a JSON object")


class Reader:
    """The recording in `path` (or on standard input for ``-``): its `header`, and the bytes of its messages.

    `stream` applies the messages to a world (see :class:`World` for `on_message`).  Raises :class:`NhlogError` if there
    is no header: `Unsupported` for another kind of file, :class:`TooShort` if the file ends inside it.
    """

    def __init__(self, path: str, on_message: OnMessage | None = None) -> None:
        self.name = "standard input" if path == "-" else path
        self._fault: NhlogError | None = None
        self._pieces = self._until_fault(path)
        data, header = b"", None
        while piece := next(self._pieces, b""):
            data += piece
            header = self._parse(data)
            if header is not None:
                break
        if header is None:
            raise self._fault or header_too_short(data).within(self.name)
        self.header: Header = header
        self.stream = Stream(World(on_message), len(header.raw))
        self._first = data[len(header.raw) :]

    @property
    def world(self) -> World:
        """The world after the messages that the stream applied."""
        return self.stream.world

    def _until_fault(self, path: str) -> Iterator[bytes]:
        """The uncompressed bytes, up to any damage of the compressed data."""
        try:
            yield from pieces(path)
        except Damaged as error:
            self._fault = error

    def _parse(self, data: bytes) -> Header | None:
        try:
            return find_header(data)
        except NhlogError as error:
            raise error.within(self.name) from None

    def pieces(self) -> Iterator[bytes]:
        """The uncompressed bytes behind the header, up to where something is wrong (see `check`)."""
        for piece in chain([self._first], self._pieces):
            for at in range(0, len(piece), _PIECE):
                if self.stream.error:
                    return
                yield piece[at : at + _PIECE]

    def check(self) -> None:
        """Raise the error that ended the reading before FINISH, if any."""
        stream = self.stream
        error = stream.error or self._fault
        if not stream.finished and (error is None or isinstance(error, EndsEarly)):
            error = Incomplete(stream.end, stream.world.tick)
        if error is not None:
            raise error.within(self.name)

    def flaws(self) -> Iterator[Damaged]:
        """The faults that do not prevent reading."""
        return flaws_of(self.header, self.stream, self.name)


def flaws_of(header: Header, stream: Stream, name: str) -> Iterator[Damaged]:
    """The faults that do not prevent reading: an invalid text in the header, bytes after FINISH."""
    if header.fault is not None:
        yield header.fault.within(name)
    if junk := stream.junk:
        found = f"{junk} bytes"
        yield Damaged("bytes after FINISH", file=name, offset=stream.offset, expected="nothing", found=found)


def read_records(reader: Reader, depth: int = ALL) -> Iterator[TimedMessage]:
    """Every message in order, with `POSITIONS` only player records; the reader's world is kept up to date.

    Raises :class:`BadMessage`, :class:`Incomplete` or another :class:`Damaged` after the last complete message.
    """
    stream = reader.stream
    for piece in reader.pieces():
        stream.feed(piece)
        yield from stream.records(depth)
    reader.check()


@dataclass(slots=True)
class MessageCounts:
    """The numbers of messages by kind, the last tick, sizes in bytes, and the error that ended the reading.

    `size` is that of the uncompressed bytes, `junk` that of those after FINISH.
    """

    counts: Counter[str] = field(default_factory=Counter)
    tick: int = 0
    size: int = 0
    junk: int = 0
    error: Damaged | None = None


def count_messages(reader: Reader) -> MessageCounts:
    """Count the messages of a recording; does not raise for damage."""
    stream = reader.stream
    for piece in reader.pieces():
        stream.feed(piece)
        stream.count()
    found = MessageCounts(stream.world.counts, stream.world.tick, stream.end, stream.junk)
    try:
        reader.check()
    except Damaged as error:
        found.error = error
    return found
