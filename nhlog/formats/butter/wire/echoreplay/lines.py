"""Reading and writing of the lines of an .echoreplay file (spec 10).

A line is ``yyyy/MM/dd HH:mm:ss.fff`` TAB session TAB bones CR LF, the last column only if there are bones.  A line that
cannot be read gives a fault with its number, and the lines around it are read all the same.  No line may be longer than
`MOST_LINE`.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.echoreplay.format import bones_record, frame_record
from nhlog.formats.butter.wire.echoreplay.parse import Parser
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.rotations import axes_or_zeros
from nhlog.formats.butter.wire.values import Frame
from nhlog.values import NamedTuple

__all__ = [
    "LEAST_SESSION",
    "MOST_LINE",
    "Line",
    "Moment",
    "format_lines",
    "parse_line",
    "read_lines",
    "split_line",
]

MOST_LINE: Final = 1 << 22  # bytes; a frame with the bones of fifteen players has 50,000
LEAST_SESSION: Final = 300  # characters; what is shorter says that there is no session
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TIME: Final = re.compile(rb"(\d{4})/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?")


class Line(NamedTuple):
    """A line without its newline; `number` counts from 1, `offset` is its start in the text.

    `ended` is whether there was a newline: the last one may be half a line.
    """

    number: int
    offset: int
    text: bytes
    ended: bool = True

    def fault(self, what: str, expected: object = None, found: object = None) -> Damaged:
        """An error in this line."""
        return Damaged(f"line {self.number}: {what}", offset=self.offset, expected=expected, found=found)


def read_lines(blocks: Iterable[bytes], number: int = 1, offset: int = 0) -> Iterator[Line | Damaged]:
    """Split a text that comes in `blocks` into lines; the first block begins with line `number` at `offset`.

    A fault takes the place of a line that is too long, and of the part of a broken file that cannot be read: what there
    is of a line before that comes first.
    """
    rest = b""
    skipped = False
    fault: Damaged | None = None
    try:
        for block in blocks:
            *whole, rest = (rest + block).split(b"\n")
            for piece in whole:
                if not skipped:
                    yield _line(number, offset, piece)
                skipped = False
                number += 1
                offset += len(piece) + 1
            if len(rest) > MOST_LINE:
                if not skipped:
                    yield _line(number, offset, rest)
                skipped = True
                offset += len(rest)
                rest = b""
    except Damaged as error:
        fault = error
    if rest and not skipped:
        yield _line(number, offset, rest, ended=False)
    if fault is not None:
        yield fault


def _line(number: int, offset: int, text: bytes, *, ended: bool = True) -> Line | Damaged:
    """The line, or a fault if it is too long."""
    if len(text) > MOST_LINE:
        return Line(number, offset, b"").fault("too long", f"at most {MOST_LINE} bytes", "more")
    return Line(number, offset, text.rstrip(b"\r"), ended)


class Moment(NamedTuple):
    """What the interface said at a `time`, in ms since 1970: the JSON of the session, and of bones if there are any."""

    time: int
    session: bytes
    bones: bytes | None


def parse_line(parser: Parser, line: Line) -> Frame | None:
    """The frame of a line, None if there was no session at that time; raises :class:`Damaged` if it is invalid."""
    moment = split_line(line)
    try:
        return None if moment is None else parser.frame(*moment)
    except Damaged as fault:
        raise line.fault(fault.what, fault.expected, fault.found) from None


def split_line(line: Line) -> Moment | None:
    """The parts of a line, None if there was no session at that time; raises :class:`Damaged` if it is no line."""
    columns = line.text.split(b"\t")
    if not line.text or (len(columns) in (2, 3) and len(columns[1]) <= LEAST_SESSION):
        return None
    if len(columns) not in (2, 3):
        raise line.fault("not a frame", "2 or 3 columns", len(columns))
    try:
        time = _milliseconds(columns[0])
    except Damaged as fault:
        raise line.fault(fault.what, fault.expected, fault.found) from None
    return Moment(time, columns[1], columns[2] if len(columns) == 3 else None)


def _milliseconds(text: bytes) -> int:
    """A time stamp in milliseconds since 1970."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise Damaged("not a time", expected="yyyy/MM/dd HH:mm:ss.fff", found=repr(text[:24]))
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    try:
        whole = datetime(year, month, day, hour, minute, second, tzinfo=UTC) - _EPOCH
    except ValueError as error:
        raise Damaged(f"not a time: {error}", found=repr(text)) from None
    return (whole.days * 86_400 + whole.seconds) * 1000 + int((found[7] or b"").ljust(3, b"0")[:3])


def format_lines(header: Header, frames: Iterable[Frame]) -> Iterator[bytes]:
    """The line of each frame, whose bones must be decoded; raises :class:`Damaged` for a year outside 1 to 9999."""
    encode = msgspec.json.Encoder().encode
    for frame in frames:
        columns = [_stamp(frame.time), encode(frame_record(header, frame, axes_or_zeros))]
        if frame.bones is not None:
            assert not isinstance(frame.bones, bytes)
            columns.append(encode(bones_record(frame.bones)))
        yield b"\t".join(columns) + b"\r\n"


def _stamp(time: int) -> bytes:
    try:
        moment = _EPOCH + timedelta(milliseconds=time)
    except OverflowError:
        raise Damaged("a time outside the calendar", found=f"{time} ms") from None
    return f"{moment:%Y/%m/%d %H:%M:%S}.{time % 1000:03}".encode()
