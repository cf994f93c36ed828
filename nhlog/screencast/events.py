"""The events of a recorded terminal: what a program wrote, what was typed, sizes, markers; each with its time.

Times are microseconds since the start of the recording.  The codes are those of asciicast.
"""

import re
from abc import ABC, abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from nhlog.change import Change
from nhlog.errors import Damaged, NhlogError
from nhlog.files import STDIN, Fate, is_being_written
from nhlog.replay import Status
from nhlog.unpacked import UnpackedSource
from nhlog.values import NamedTuple, dataclass
from nhlog.vt import EmulatorFailed, Gap, Part, Size

if TYPE_CHECKING:
    from nhlog.cache import Fingerprint

__all__ = [
    "BYTES",
    "CLOCK",
    "COMMENT",
    "EXIT",
    "INPUT",
    "MARKER",
    "OUTPUT",
    "RESIZE",
    "SCORE",
    "Encoder",
    "Events",
    "Header",
    "TimedEvent",
    "opened",
    "parse_resize",
    "parse_size_told",
    "status_of",
]

OUTPUT, INPUT, RESIZE, MARKER, EXIT = "o", "i", "r", "m", "x"
SCORE: Final = "score"
"""NLE's score, a number in decimal; the codes that a file has beyond these are kept as they stand."""

CLOCK: Final = "clock"
"""The clock was set: by so many microseconds, a number in decimal, it is not the start and the event's time from here
on; each adds to those before."""
COMMENT: Final = "#"
"""A line of text that is no event, and stands before the next one."""
BYTES: Final = "bytes"
"""What the next event really was, in hexadecimal digits: its text has other characters for bytes that are none, and
characters that were cut stand where they ended; or it is a size that was told in another way than it would be."""

_MOST_FAULTS: Final = 1 << 10  # that are remembered
_SPAN: Final = 1 << 18  # bytes of events that are read at a time
_MOST_CODES: Final = 255  # different ones
_SIZE: Final = re.compile(rb"0*([1-9]\d{0,4})x0*([1-9]\d{0,4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The header of a recording: `size` is the terminal's at the beginning, `start` is in microseconds since 1970.

    `charset` is the encoding of the file's bytes; it and the size may be guessed.  `idle_limit` is the longest pause,
    in microseconds, that players should show; `theme` has the colours in asciicast's form; `more` has all other values
    of the file's header, unchanged.
    """

    size: Size
    start: int | None = None
    charset: str = "utf-8"
    title: str = ""
    command: str = ""
    idle_limit: int | None = None
    environment: Mapping[str, str | None] = field(default_factory=dict)
    theme: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


class TimedEvent(NamedTuple):
    """An event; `data` is what was written or typed, ``COLUMNSxROWS``, a label, an exit status or a score."""

    time: int
    code: str
    data: bytes


class Found(NamedTuple):
    """All that is known of the events of a file in which nothing is wrong; columns have a value for each event.

    `codes` are places in `names`; `labels` is what some events have in them.
    """

    version: int | None
    header: Header
    names: list[str]
    codes: bytes
    times: "array[int]"
    offsets: "array[int]"
    sizes: "array[int]"
    numbers: tuple[int, int, int, int]
    labels: Mapping[int, bytes]


class Events(ABC):
    """The events of a recording, as far as they have come, in one growing file; a format finds them.

    `faults` is what is wrong in the file, of which `lost` bytes belong to no event; `gaps` are the events that no
    emulator shows, as far as they were played.  `end` is where the last whole event
    ends, `limit` the size of the file when it was looked at.  `header` may change as the file grows: what is shown then
    changes from the beginning.  `version` is that of the format, as its encoder takes it; `origin` is the time from
    which those in the file count at its end, if that is another one than the start.
    """

    header: Header
    version: int | None = None

    def __init__(self, source: UnpackedSource) -> None:
        self.source = source
        self._forget()

    def _forget(self) -> None:
        """Know of no events."""
        self.faults: list[Damaged] = []
        self.gaps: list[Gap] = []
        self.lost = self.end = self.limit = self.origin = 0
        self.backwards = 0  # times that come before the one before them
        self.redone = 0  # times that the last event became another one, with more in it
        self.times = array("q")  # they never fall
        self._codes = bytearray()  # of each event: a place in
        self._names: list[str] = []
        self._offsets, self._sizes = array("Q"), array("I")  # where what is in each of them lies
        self._labels: Mapping[int, bytes] = {}  # what is in some of them, of a file that is far

    def __len__(self) -> int:
        return len(self.times)

    def _add(self, time: int, code: str, offset: int, size: int) -> None:
        """Take in an event and where it lies; one whose time is before that of the one before it comes with it."""
        self._codes.append(self._named(code))
        if self.times and time < self.times[-1]:
            self.backwards += 1
            time = self.times[-1]
        self.times.append(time)
        self._offsets.append(offset)
        self._sizes.append(size)

    def _named(self, code: str) -> int:
        """The place of a code in the names of those that there are."""
        if code not in self._names:
            if len(self._names) == _MOST_CODES:
                return _MOST_CODES - 1
            self._names.append(code)
        return self._names.index(code)

    def _add_all(
        self, times: Sequence[int], codes: Sequence[str], offsets: Sequence[int], sizes: Sequence[int]
    ) -> None:
        """Take in many events whose times do not fall."""
        places = {code: self._named(code) for code in dict.fromkeys(codes)}
        self._codes += bytes(map(places.__getitem__, codes))
        self.times.extend(times)
        self._offsets.extend(offsets)
        self._sizes.extend(sizes)

    def _tell(self, fault: Damaged) -> None:
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(fault.within(self.source.name))

    def code(self, number: int) -> str:
        """What kind of event it is."""
        return self._names[self._codes[number]]

    def numbers(self, code: str) -> Iterator[int]:
        """The events of a kind, in order."""
        if code in self._names:
            kind, at = bytes((self._names.index(code),)), -1
            while (at := self._codes.find(kind, at + 1)) >= 0:
                yield at

    def latest(self, code: str, number: int) -> int | None:
        """The last event of a kind up to one; None if there is none."""
        if code not in self._names:
            return None
        found = self._codes.rfind(self._names.index(code), 0, number + 1)
        return found if found >= 0 else None

    def size_at(self, number: int) -> Size:
        """The size of the terminal after an event, -1 for before them all."""
        resized = self.latest(RESIZE, number)
        size = None if resized is None else parse_resize(self.data(resized))
        return size or self.header.size

    def found(self, labelled: Iterable[int]) -> Found | None:
        """What is known of them, for :meth:`recall`; None if that is not all there is, or something is wrong."""
        if self.all_faults:
            return None
        numbers = self.end, self.limit, self.origin, self.backwards
        labels = {number: self.data(number) for number in labelled}
        columns = bytes(self._codes), self.times, self._offsets, self._sizes
        return Found(self.version, self.header, self._names, *columns, numbers, labels)

    def recall(self, found: Found) -> None:
        """Know what was found before, in the same file."""
        self.version, self.header, self._labels = found.version, found.header, found.labels
        self._names, self._codes, self.times = found.names, bytearray(found.codes), found.times
        self._offsets, self._sizes = found.offsets, found.sizes
        self.end, self.limit, self.origin, self.backwards = found.numbers

    @property
    def all_faults(self) -> list[Damaged]:
        """What is wrong in the events, and in what they are packed in, and what cannot be shown of them."""
        return [*self.faults, *([self.source.fault] if self.source.fault else []), *self.unshown]

    @property
    def unshown(self) -> list[Damaged]:
        """What no emulator shows, as far as it was played."""
        return [self._placed(gap) for gap in self.gaps]

    def _placed(self, gap: Gap) -> Damaged:
        offset = self.offset(gap.first)
        return EmulatorFailed(gap.fault.what, file=self.source.name, offset=offset, found=gap.fault.found)

    @property
    def waiting(self) -> int:
        """The bytes at the end that are no whole event yet."""
        return self.limit - self.end

    @property
    def fault(self) -> Damaged | None:
        """The first of them."""
        return next(iter(self.all_faults), None)

    @property
    def appendable(self) -> bool:
        """Whether what stands behind an event may simply be cut off, or put behind it."""
        return True

    @property
    def ended(self) -> bool:
        """Whether the last event is the program's end; more may be appended all the same."""
        return bool(self.times) and self.code(len(self) - 1) == EXIT and not self.waiting

    def parts(self, first: int, last: int) -> Iterator[Part]:
        """What the terminal is fed for each of the events from `first` up to, not with, `last`: UTF-8, or a size."""
        codes, names, data_of = self._codes, self._names, self._data
        for number, piece in self._pieces(first, last):
            code = names[codes[number]]
            if code == OUTPUT:
                yield data_of(code, piece)
            elif code == RESIZE:
                yield parse_resize(data_of(code, piece)) or b""
            else:
                yield b""

    def _pieces(self, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        """What lies in the file for some events, each with its number; many are read at once."""
        offsets, sizes = self._offsets, self._sizes
        while first < last:
            start, end = offsets[first], offsets[last - 1] + sizes[last - 1]
            window = self.source.pread(max(sizes[first], min(_SPAN, end - start)), start)
            until = bisect_right(offsets, start + len(window), first + 1, last)
            while until > first + 1 and offsets[until - 1] + sizes[until - 1] > start + len(window):
                until -= 1
            places = zip(offsets[first:until], sizes[first:until], strict=True)
            yield from enumerate([window[at - start : at - start + size] for at, size in places], first)
            first = until

    def data(self, number: int) -> bytes:
        """What is in an event: UTF-8 of text formats, else as it stands in the file."""
        if number in self._labels:
            return self._labels[number]
        return self._data(self.code(number), self.source.pread(self._sizes[number], self._offsets[number]))

    def _data(self, code: str, piece: bytes) -> bytes:
        """What is in an event, of what lies in the file."""
        return piece

    def really(self, number: int) -> bytes | None:
        """The bytes of an event that an encoder of the same format would not make of its data; None if it would."""
        return None

    def comments(self) -> Iterator[tuple[int, bytes]]:
        """What the file says that is no event, in lines, each with the event before which it stands."""
        return iter(())

    def offset(self, number: int) -> int:
        """Where an event begins in the unpacked file."""
        return self._offsets[number]

    def moment(self, number: int) -> int | None:
        """When it happened, microseconds since 1970; None if that is not known."""
        return None if self.header.start is None else self.header.start + self.times[number]

    @abstractmethod
    def extend(self) -> None:
        """Find what was added to the source, up to its size now, which becomes the `limit`."""

    def look(self) -> Change:
        """Take in what was appended: NOTHING, GREW, or REWOUND if it was written anew: it is to be opened again."""
        if not self.source.catch_up() or self.source.size() < self.limit:
            return Change.REWOUND
        if self.source.size() == self.limit:
            return Change.NOTHING
        self.extend()
        return Change.GREW

    def fingerprint(self) -> "Fingerprint | None":
        """That of the file, for what is kept about these events; None if they are not all that is in it.

        Nor are they known by it if they come from other files, too.
        """
        source = self.source
        if source.name == STDIN or source.fate is not Fate.KEPT or self.limit != source.size():
            return None
        from nhlog.cache import fingerprint_of  # who records a program keeps nothing about it

        return fingerprint_of(source.name)

    def close(self) -> None:
        """Close the file; may be called again."""
        self.source.close()


class Encoder(Protocol):
    """Makes a file of events: the bytes to append, one event after the other."""

    def begin(self) -> bytes:
        """What stands before the events."""
        ...

    def event(self, event: TimedEvent) -> bytes:
        """An event; empty for what is held back until more of it comes, as parts of characters are.

        The times must not fall.
        """
        ...

    def end(self) -> bytes:
        """The bytes that end the recording: those that were held back until now."""
        ...

    @property
    def loss(self) -> Mapping[str, int]:
        """What could not be written as it was, counted, by its name."""
        ...


def parse_size_told(data: bytes) -> Size | None:
    """The size that a resize tells, which may be larger than a terminal can be; None if it tells none."""
    found = _SIZE.fullmatch(data)
    return Size(int(found[1]), int(found[2])) if found else None


def parse_resize(data: bytes) -> Size | None:
    """The size that a terminal has after a resize; None if that tells none."""
    told = parse_size_told(data)
    return told.clamped() if told else None


E = TypeVar("E", bound=Events)


def opened(path: str, make: Callable[[UnpackedSource], E]) -> E:
    """The events that `make` finds in a file; raises what it raises, with the file's name, and :class:`CannotOpen`."""
    source = UnpackedSource(path)
    try:
        return make(source)
    except BaseException as error:
        source.close()
        if isinstance(error, NhlogError):
            raise error.within(source.name) from None
        raise


def status_of(events: Events) -> Status:
    """Few files say that they end, but what they are packed in does; else it has ended when nobody writes it."""
    source = events.source
    if events.fault is not None:
        return Status.DAMAGED
    if source.complete or not source.grows:
        return Status.DAMAGED if events.waiting else Status.FINISHED
    if events.ended:
        return Status.FINISHED
    place = source.place
    live = source.packed or events.waiting or place is None or is_being_written(place)
    return Status.LIVE if live else Status.FINISHED
