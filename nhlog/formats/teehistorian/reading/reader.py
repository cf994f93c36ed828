"""A recording read from its beginning to its end in one go, in constant memory, at one of three depths.

`skim` counts, `positions` knows where the tees are, `records` knows all.  All that comes before a damage is given; then
it is raised.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, compress

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.teehistorian.reading.counter import Skimmer, moving
from nhlog.formats.teehistorian.reading.source import pieces
from nhlog.formats.teehistorian.reading.world import Told, World
from nhlog.formats.teehistorian.wire.codec import BadMessage
from nhlog.formats.teehistorian.wire.header import Header, parse_header
from nhlog.formats.teehistorian.wire.messages import Record
from nhlog.formats.teehistorian.wire.split import Splitter

__all__ = ["Cut", "Reading", "Skim", "positions", "read", "records", "skim"]


class Cut(Damaged):
    """The recording ends without its last message, or within one."""

    def __init__(self, end: int, tick: int) -> None:
        super().__init__(f"cut at byte {end}, tick {tick}")
        self.end = end
        self.tick = tick


class Reading:
    """A recording being read: its `header`, and its messages in batches.

    `offset` is where the batch begins that was given last.
    """

    def __init__(self, path: str) -> None:
        self.name = "standard input" if path == "-" else path
        self._fault: NhlogError | None = None
        self._pieces = self._taken(path)
        data, header = b"", None
        while piece := next(self._pieces, b""):
            data += piece
            header = self._parse(data)
            if header is not None:
                break
        if header is None:
            self._parse(data or b"\0")
            raise self._fault or Cut(len(data), 0).within(self.name)
        self.header: Header = header
        self.splitter = Splitter(len(header.raw))
        self.offset = len(header.raw)
        self._first = data[len(header.raw) :]

    def _taken(self, path: str) -> Iterator[bytes]:
        """The pieces, up to where their packing breaks."""
        try:
            yield from pieces(path)
        except Damaged as error:
            self._fault = error

    def _parse(self, data: bytes) -> Header | None:
        try:
            return parse_header(data)
        except NhlogError as error:
            raise error.within(self.name) from None

    def batches(self) -> Iterator[list[bytes]]:
        """The messages; ends where nothing more can be read."""
        splitter = self.splitter
        for piece in _chained(self._first, self._pieces):
            self.offset = splitter.offset
            messages = splitter.feed(piece)
            if messages:
                yield messages
            if splitter.error:
                return

    def check(self, tick: int) -> None:
        """Raise what ended the reading before FINISH, if something did; `tick` is the last one."""
        error = self.splitter.error or self._fault
        if error is None and not self.splitter.finished:
            error = Cut(self.splitter.end, tick)
        if error is not None:
            raise error.within(self.name)

    def misfit(self, error: BadMessage, messages: list[bytes]) -> BadMessage:
        """The error that :meth:`World.play` raised at one of these messages, the last batch, with its place."""
        error.offset = self.offset + sum(map(len, messages[: error.offset]))
        return error.within(self.name)


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def read(path: str) -> Reading:
    """The recording in `path`, its header read; raises :class:`NhlogError` where there is none."""
    return Reading(path)


def records(reading: Reading, world: World) -> Iterator[Record]:
    """What happened, in order; `world` then knows what it adds up to."""
    for messages in reading.batches():
        offsets = list(accumulate(map(len, messages), initial=reading.offset))
        every: list[Told] = []
        error = _played(world, messages, every)
        for tick, index, message in every:
            yield tuple.__new__(Record, (tick, offsets[index], message))  # in half the time
        if error:
            raise reading.misfit(error, messages)
    reading.check(world.tick)


def positions(reading: Reading, world: World) -> Iterator[Told]:
    """Ticks and player records alone: inputs and all else are passed over."""
    for messages in reading.batches():
        chosen = moving(messages)
        every: list[Told] = []
        error = _played(world, list(compress(messages, chosen)), every)
        yield from every
        if error:
            error.offset = list(compress(range(len(messages)), chosen))[error.offset or 0]
            raise reading.misfit(error, messages)
    reading.check(world.tick)


def _played(world: World, messages: list[bytes], every: list[Told]) -> BadMessage | None:
    try:
        world.play(messages, every=every)
    except BadMessage as error:
        return error
    return None


@dataclass(slots=True)
class Skim:
    """What a recording counts: messages by kind, its last tick, its bytes, and why it ended early if it did."""

    counts: Counter[str] = field(default_factory=Counter)
    tick: int = 0
    size: int = 0
    junk: int = 0
    error: Damaged | None = None


def skim(reading: Reading) -> Skim:
    """The counts of a recording; does not raise for damage."""
    skimmer = Skimmer()
    for messages in reading.batches():
        skimmer.take(messages)
    found = Skim(skimmer.counts, skimmer.tick, reading.splitter.end, reading.splitter.junk)
    try:
        reading.check(skimmer.tick)
    except Damaged as error:
        found.error = error
    return found
