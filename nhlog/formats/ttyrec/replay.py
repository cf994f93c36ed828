"""A ttyrec as a replay: one step per frame, the state at a step is the terminal after that frame.

The size of the terminal and the characters that its bytes mean are not in the file: they are given, or guessed from the
first output.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from nhlog.errors import NhlogError, Usage
from nhlog.files import Fate, is_being_written
from nhlog.formats.ttyrec import FORMAT, ID
from nhlog.formats.ttyrec.index import Index
from nhlog.formats.ttyrec.state import TerminalState
from nhlog.formats.ttyrec.wire.frames import INPUT, OUTPUT
from nhlog.formats.ttyrec.wire.guess import CHARSETS, UTF_8, guess_charset, guess_size
from nhlog.replay import Change, Event, Info, Status
from nhlog.timeline import Axis, Computed, Timeline
from nhlog.unpacked import UnpackedSource
from nhlog.vt import MOST_COLUMNS, MOST_ROWS, Size, Tape

__all__ = ["TtyrecReplay", "open_replay", "parse_size", "status_of", "terminal_of", "words_of"]

_SAMPLE: Final = 1 << 18  # bytes of output that size and characters are guessed from
_LONGEST: Final = 120  # characters of an event's text
_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*.)|[\x00-\x1f\x7f-\x9f]"
)


class TtyrecReplay:
    """An open ttyrec, standing at one of its frames (see :class:`nhlog.replay.Replay`).

    `size` and `charset` are used instead of what is guessed.  Raises :class:`NhlogError` if there is no whole frame.
    """

    def __init__(self, path: str, size: Size | None = None, charset: str | None = None) -> None:
        self._given = size, charset
        self._path = path
        self._step = 0
        self._open()

    def _open(self) -> None:
        """Read the whole file, which is then the replay's; what was known stays if there is no frame."""
        source = UnpackedSource(self._path)
        try:
            self._read(Index(source))
        except BaseException as error:
            source.close()
            if isinstance(error, NhlogError):
                raise error.within(source.name) from None
            raise

    def _read(self, index: Index) -> None:
        size, charset = self._guess(index)
        self._tape = Tape(size, self._part)
        self.index, self.size, self.charset = index, size, charset
        self.source, self._fate = index.source, index.source.fate
        self._update()
        self._step = min(self._step, self.timeline.last)

    def _guess(self, index: Index) -> tuple[Size, str]:
        size, charset = self._given
        guessed = terminal_of(index)
        return size or guessed[0], charset or guessed[1]

    def _part(self, number: int) -> bytes:
        if self.index.channel(number) != OUTPUT:
            return b""
        data = self.index.data(number)
        return data if self.charset == UTF_8 else data.decode(self.charset, "replace").encode()

    def _update(self) -> None:
        self.timeline: Timeline = _timeline(self.index)
        self.info: Info = self._info()

    def _info(self) -> Info:
        index, status = self.index, status_of(self.index, self._path)
        live = status is Status.LIVE
        waiting = f"waiting for the rest of a frame at offset {index.end}" if live and index.waiting else ""
        fault = index.fault
        return Info(
            id=ID,
            format=FORMAT,
            title=f"a terminal of {self.size.columns} by {self.size.rows}",
            people=(),
            start=index.start,
            duration=index.times[-1],
            status=status,
            metadata={
                "columns": self.size.columns,
                "rows": self.size.rows,
                "charset": self.charset,
                "frames": len(index),
            },
            note=self.source.fate_told or (fault.what if fault else waiting),
        )

    @property
    def step(self) -> int:
        """The frame at which the replay stands."""
        return self._step

    @property
    def state(self) -> TerminalState:
        """The terminal after it."""
        grid = self._tape.grid(self._step + 1)
        key, score = (_latest(steps, self._step) for steps in (self.index.keys, self.index.scores))
        return TerminalState(
            step=self._step,
            grid=grid,
            key=None if key is None else self.index.data(key),
            score=None if score is None else int.from_bytes(self.index.data(score)[:4], "little", signed=True),
            fault=self._tape.fault.what if self._tape.fault and self._tape.reach <= self._step else "",
        )

    def seek(self, step: int) -> None:
        """Go to frame `step`, clamped to the timeline."""
        self._step = min(max(step, 0), self.timeline.last)

    def refresh(self) -> Change:
        """Read what was appended to the file, and return what changed; a file that was written anew is read again."""
        if not self.source.catch_up() or self.source.size() < self.index.limit:
            old, tape = self.source, self._tape
            self._open()
            old.close()
            tape.close()
            return Change.REWOUND
        before, grown = self.info.status, self.source.size() > self.index.limit
        if grown:
            self._extend()
        status = status_of(self.index, self._path)
        if not grown and status is before:
            return self._look_at_name()
        self._update()
        return Change.FINISHED if status is Status.FINISHED is not before else Change.GREW

    def _extend(self) -> None:
        """Take in what was added; it may tell more of the terminal."""
        index = self.index
        if index.settled:
            index.extend()
        else:
            index = Index(self.source)
        if self._guess(index) == (self.size, self.charset) and index.head == self.index.head:
            self.index = index
        else:
            self._tape.close()
            self._read(index)

    def _look_at_name(self) -> Change:
        """What became of the file's name since the last look, each told once."""
        before, self._fate = self._fate, self.source.fate
        if self._fate is before:
            return Change.NOTHING
        self._update()
        return Change.REPLACED if self._fate is Fate.REPLACED else Change.GREW

    def events(self, first: int, last: int) -> Iterator[Event]:
        """What was written, as words without the sequences, what was typed, and scores."""
        for number in range(max(first, 0), min(last, self.timeline.last) + 1):
            data = self._part(number) if self.index.channel(number) == OUTPUT else self.index.data(number)
            if words := words_of(data, self.index.channel(number)):
                yield Event(number, words, repr(data[:_LONGEST]))

    def close(self) -> None:
        """Close the file; may be called again."""
        self.source.close()
        self._tape.close()


def words_of(data: bytes, channel: int) -> str:
    """What a frame holds, in words on one line; empty if there is nothing to say."""
    if channel == INPUT:
        return f"typed {data[:_LONGEST]!r}"
    if channel != OUTPUT:
        return f"score {int.from_bytes(data[:4], 'little', signed=True)}"
    text = _SEQUENCE.sub(" ", data[: 64 * _LONGEST].decode(errors="replace"))
    words = " ".join("".join(char if char.isprintable() else "\ufffd" for char in text).split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def terminal_of(index: Index) -> tuple[Size, str]:
    """What the first output tells of the terminal: its size, and the characters that its bytes mean."""
    sample = index.sample(_SAMPLE)
    return guess_size(sample), guess_charset(sample)


def status_of(index: Index, path: str) -> Status:
    """A file says nothing of its end, but what it is packed in does; else it has ended when nobody writes it."""
    source = index.source
    if index.fault is not None:
        return Status.DAMAGED
    if source.complete or not source.grows:
        return Status.DAMAGED if index.waiting else Status.FINISHED
    live = source.packed or index.waiting or source.fate is not Fate.KEPT or is_being_written(path)
    return Status.LIVE if live else Status.FINISHED


def parse_size(text: str) -> Size:
    """A size as a person gives it, ``COLUMNSxROWS``; raises :class:`Usage`."""
    found = re.fullmatch(r"(\d{1,4})x(\d{1,4})", text)
    size = Size(int(found[1]), int(found[2])) if found else None
    if size is None or size != size.clamped():
        raise Usage("no size of a terminal", expected=f"COLUMNSxROWS, 1x1 to {MOST_COLUMNS}x{MOST_ROWS}", found=text)
    return size


def open_replay(path: str, size: str | None = None, charset: str | None = None) -> TtyrecReplay:
    """Open the recording in `path` at its first frame; size and characters are guessed unless they are given."""
    if charset is not None and charset not in CHARSETS:
        raise Usage("no such charset", expected=" ".join(CHARSETS), found=charset)
    return TtyrecReplay(path, parse_size(size) if size else None, charset)


def _latest(steps: Sequence[int], step: int) -> int | None:
    found = bisect_right(steps, step) - 1
    return steps[found] if found >= 0 else None


def _timeline(index: Index) -> Timeline:
    steps = range(len(index))
    times = index.times[:]  # they grow
    offsets = Computed(len(index), index.offset)
    axes = {"frame": Axis(steps), "time": Axis(times), "offset": Axis(offsets)}
    return Timeline("frame", axes, index.start, steps, (0,))
