"""Sequential reading of a .butter or .echoreplay file: all frames in order, with their bones.

Only what the next frame needs is held in memory.  Faults are collected in `faults`, and reading continues behind them
where possible.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import tee
from typing import Final, Protocol

from nhlog.errors import Damaged, in_short
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.reading.source import ECHOREPLAY
from nhlog.formats.butter.reading.textfile import TextFile
from nhlog.formats.butter.wire import bones
from nhlog.formats.butter.wire.echoreplay.lines import parse_line, read_lines
from nhlog.formats.butter.wire.echoreplay.parse import Parser
from nhlog.formats.butter.wire.header import Header, Roster
from nhlog.formats.butter.wire.values import Frame

__all__ = ["ButterStream", "EchoreplayStream", "Faults", "FrameStream", "open_stream"]

_MOST_FAULTS: Final = 100


class Faults:
    """The first faults that were found (`first`, at most 100), and the number of all of them (`count`)."""

    def __init__(self) -> None:
        self.first: list[Damaged] = []
        self.count = 0

    def add(self, fault: Damaged) -> None:
        """Add a fault."""
        if len(self.first) < _MOST_FAULTS:
            self.first.append(fault)
        self.count += 1

    def summary(self) -> str | None:
        """The text of the first fault and the number of further ones; None if there is none."""
        return in_short(self.first[0], self.count) if self.count else None


class FrameStream(Protocol):
    """A recording that is read once from its start."""

    @property
    def header(self) -> Header:
        """The header; its table of players is complete when the last frame has been read."""
        ...

    @property
    def roster(self) -> Roster:
        """The table of players so far."""
        ...

    @property
    def faults(self) -> Faults:
        """The faults so far."""
        ...

    def frames(self) -> Iterator[Frame]:
        """The frames that can be read, with their bones expanded."""
        ...

    def close(self) -> None:
        """Close the file."""


class EchoreplayStream:
    """An .echoreplay file; raises :class:`Damaged` if it has no frame."""

    def __init__(self, path: str) -> None:
        self._text = TextFile(path)
        self._parser = Parser()
        self.faults = Faults()
        try:
            self._header = self._first()
        except BaseException:
            self.close()
            raise

    def _first(self) -> Header:
        """The header made of the first frame; raises the first fault if there is no frame."""
        fault: Damaged | None = None
        for line in read_lines(self._text.blocks()):
            if isinstance(line, Damaged):
                fault = fault or line
                continue
            try:
                if parse_line(Parser(), line) is not None:
                    return self._parser.header(line.text.split(b"\t")[1])
            except Damaged as error:
                fault = fault or error
        raise (fault or Damaged("the file has no frame", expected="a frame")).within(self._text.path)

    @property
    def header(self) -> Header:
        """A header made of the first frame, with the players so far."""
        return replace(self._header, people=tuple(self.roster.people))

    @property
    def roster(self) -> Roster:
        """The table of players so far."""
        return self._parser.roster

    def frames(self) -> Iterator[Frame]:
        """The frames of the lines that can be read."""
        for line in read_lines(self._text.blocks()):
            try:
                if isinstance(line, Damaged):
                    raise line
                frame = parse_line(self._parser, line)
            except Damaged as fault:
                if isinstance(line, Damaged) or line.ended or not self._text.cut_off:  # else the next fault tells it
                    self.faults.add(fault.within(self._text.path))
                continue
            if frame is not None:
                yield frame

    def close(self) -> None:
        """Close the file."""
        self._text.close()


class ButterStream:
    """A .butter file, read by the corrected decoder."""

    def __init__(self, path: str) -> None:
        self.reader = ButterFile(path)
        self.header = self.reader.header
        self.roster = Roster(self.header.people)
        self.faults = Faults()

    def frames(self) -> Iterator[Frame]:
        """The readable frames of all chunks."""
        ahead, behind = tee(self._pairs())
        for limbs, (_, frame) in zip(bones.corrected_bones(ahead), behind, strict=True):
            yield frame if frame.bones is None else frame._replace(bones=limbs)

    def _pairs(self) -> Iterator[tuple[bool, Frame]]:
        for chunk in self.reader.chunks():
            yield from zip(chunk.keys, chunk.frames, strict=True)
            if chunk.fault is not None:
                self.faults.add(chunk.fault)

    def close(self) -> None:
        """Close the file."""
        self.reader.close()


@contextmanager
def open_stream(path: str) -> Iterator[EchoreplayStream | ButterStream]:
    """Open a file to read its frames in order; closes it afterwards.  Raises :class:`~nhlog.errors.NhlogError`."""
    stream = EchoreplayStream(path) if path.endswith(ECHOREPLAY) else ButterStream(path)
    try:
        yield stream
    finally:
        stream.close()
