"""Reading of a recording once from start to end, in constant memory, with as much decoding as needed.

:func:`count_messages` only counts, :func:`read_positions` decodes positions, :func:`read_records` everything.
The last two yield everything before damage, then raise an error.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, chain, compress

from nhlog.compression import MOST_MAGIC, EndsEarly
from nhlog.errors import Damaged, NhlogError, TooShort
from nhlog.formats.teehistorian.reading.counter import MessageCounter, player_record_mask
from nhlog.formats.teehistorian.reading.world import Applied, World
from nhlog.formats.teehistorian.wire.codec import BadMessage
from nhlog.formats.teehistorian.wire.header import Header, parse_header
from nhlog.formats.teehistorian.wire.messages import TimedMessage
from nhlog.formats.teehistorian.wire.split import Splitter
from nhlog.unpacked import pieces

__all__ = [
    "Incomplete",
    "MessageCounts",
    "Reader",
    "count_messages",
    "find_header",
    "header_too_short",
    "read_positions",
    "read_records",
]


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
    """The recording in `path` (or on standard input for ``-``): its `header`, and its messages in batches.

    `offset` is that of the latest batch in the uncompressed bytes.  Raises :class:`NhlogError` if there is no header:
    `Unsupported` for another kind of file, :class:`TooShort` if the file ends inside it.
    """

    def __init__(self, path: str) -> None:
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
        self.splitter = Splitter(len(header.raw))
        self.offset = len(header.raw)
        self._first = data[len(header.raw) :]

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

    def batches(self) -> Iterator[list[bytes]]:
        """The messages as bytes, in batches; ends where nothing more can be read (see :meth:`check`)."""
        splitter = self.splitter
        for piece in chain([self._first] if self._first else [], self._pieces):
            self.offset = splitter.offset
            messages = splitter.feed(piece)
            if messages:
                yield messages
            if splitter.error:
                return

    def check(self, tick: int) -> None:
        """Raise the error that ended the reading before FINISH, if any; `tick` is the last one that was reached."""
        error = self.splitter.error or self._fault
        if not self.splitter.finished and (error is None or isinstance(error, EndsEarly)):
            error = Incomplete(self.splitter.end, tick)
        if error is not None:
            raise error.within(self.name)

    def flaws(self) -> Iterator[Damaged]:
        """The faults that do not prevent reading: an invalid text in the header, bytes after FINISH."""
        if self.header.fault is not None:
            yield self.header.fault.within(self.name)
        if junk := self.splitter.junk:
            offset = self.splitter.offset
            found = f"{junk} bytes"
            yield Damaged("bytes after FINISH", file=self.name, offset=offset, expected="nothing", found=found)

    def locate(self, error: BadMessage, messages: list[bytes]) -> BadMessage:
        """Set the offset in the recording of an error that :meth:`World.apply` raised for the latest batch."""
        error.offset = self.offset + sum(map(len, messages[: error.offset]))
        return error.within(self.name)


def read_records(reader: Reader, world: World) -> Iterator[TimedMessage]:
    """Every message in order; `world` is kept up to date.

    Raises :class:`BadMessage`, :class:`Incomplete` or another :class:`Damaged` after the last complete message.
    """
    for messages in reader.batches():
        offsets = list(accumulate(map(len, messages), initial=reader.offset))
        applied: list[Applied] = []
        error = _apply(world, messages, applied)
        for tick, index, message in applied:
            yield tuple.__new__(TimedMessage, (tick, offsets[index], message))  # in half the time
        if error:
            raise reader.locate(error, messages)
    reader.check(world.tick)


def read_positions(reader: Reader, world: World) -> Iterator[Applied]:
    """Ticks and player records only; inputs and all others are skipped.  Raises as :func:`read_records` does."""
    for messages in reader.batches():
        chosen = player_record_mask(messages)
        applied: list[Applied] = []
        error = _apply(world, list(compress(messages, chosen)), applied)
        yield from applied
        if error:
            error.offset = list(compress(range(len(messages)), chosen))[error.offset or 0]
            raise reader.locate(error, messages)
    reader.check(world.tick)


def _apply(world: World, messages: list[bytes], applied: list[Applied]) -> BadMessage | None:
    try:
        world.apply(messages, applied=applied)
    except BadMessage as error:
        return error
    return None


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
    counter = MessageCounter()
    for messages in reader.batches():
        counter.take(messages)
    found = MessageCounts(counter.counts, counter.tick, reader.splitter.end, reader.splitter.junk)
    try:
        reader.check(counter.tick)
    except Damaged as error:
        found.error = error
    return found
