"""Parsing of the stored frames of a chunk (spec 3 and 5): bytes in, values out; differences are not added up.

What a frame leaves out is an empty tuple or None.  A frame is returned whole or not at all: an invalid one raises
:class:`Damaged` with its offset in the chunk.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from struct import Struct, error
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.bones import bones_end
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.stored import EARLY_PAUSE, Incomplete, Layout, Numbers, StoredFrame, layouts
from nhlog.formats.butter.wire.teams import TeamReader, read_teams
from nhlog.values import NamedTuple

__all__ = ["MOST_FRAME", "MOST_PLAYERS", "TIMES", "Place", "find_layout", "guess_layout", "read_frames"]

Chunk = Callable[[], Iterable[bytes]]
"""A chunk that can be read several times: each call gives its decompressed pieces from the start."""

_KEY: Final = b"\xfc\xfe"
_OTHER: Final = b"\xfe\xfe"
_MOST_FRAMES: Final = 1 << 16  # in a chunk: the interval is 16 bits
MOST_PLAYERS: Final = 1 << 16  # in all frames of a chunk together: decoded, they take some 80 MB
MOST_FRAME: Final = 1 << 18  # bytes: more than three teams of 255 and the bones of 127 players take
_MOST_TEXT: Final = 1024  # bytes after which the reference takes a string for complete
TIMES: Final = range(-62_135_596_800_000, 253_402_300_800_000)  # ms that a date of the reference can be

_NEEDED: Final = {1: 0xFF, 2: 0x6C, 3: 0x1B}  # sections without which the reference reads no keyframe, by version

_KEY_HEAD: Final = Struct("<qfB")
_HEAD: Final = Struct("<HfB")
_PAUSE: Final = Struct("<BBee")
_SHORT_PAUSE: Final = Struct("<Bee")
_SCORE: Final = Struct("<BBBee")
_THROW: Final = Struct("<13e")
_POSE: Final = Struct("<eeeI")
_DISC: Final = Struct("<eeeIeee")
_PAYLOAD: Final = Struct("<BBBee")
_RULES: Final = Struct("<q")


_PAUSE_STATES: Final = 6
_BY_CHANCE: Final = 2  # frames that can be read in a layout that is not theirs
_MOST_CHANGED: Final = 1 << 56  # no date, in whatever unit, is later


def find_layout(chunk: Chunk, header: Header) -> Layout | None:
    """The layout of the file, found from one of its chunks; None if the chunk can be read in no layout.

    The version number does not determine it (spec 5), so each is tried: the first in which all frames can be read and
    are plausible is taken, else the first in which they can be read.
    """
    readable = None
    for layout in layouts(header):
        try:
            odd = sum(not _plausible(frame) for frame in read_frames(chunk(), layout))
        except Damaged:
            continue
        if not odd:
            return layout
        readable = readable or layout
    return readable


def guess_layout(chunk: Chunk, header: Header) -> Layout:
    """The layout for a broken chunk: the likeliest, unless another one reads more frames than chance explains."""
    likeliest, *others = layouts(header)
    readable = _readable(chunk, likeliest) + _BY_CHANCE
    return next((layout for layout in others if _readable(chunk, layout) > readable), likeliest)


def _readable(chunk: Chunk, layout: Layout) -> int:
    count = 0
    with suppress(Damaged):
        for frame in read_frames(chunk(), layout):
            if not _plausible(frame):
                break
            count += 1
    return count


def _plausible(frame: StoredFrame) -> bool:
    """Whether its pause and rules are plausible: in a wrong layout, the date takes in the first letter of the name."""
    changed, name = frame.rules or (0, "")
    paused = frame.pause[1] if frame.pause else 0
    return paused < _PAUSE_STATES and name.isprintable() and 0 <= changed < _MOST_CHANGED


class Place(NamedTuple):
    """A place in a chunk: the offset of a frame, how many frames are before it, and how many players in all of them."""

    offset: int = 0
    frames: int = 0
    players: int = 0


_START: Final = Place()


def read_frames(
    pieces: Iterable[bytes], layout: Layout, teams: TeamReader | None = None, begun: Place = _START
) -> Iterator[StoredFrame]:
    """Parse the frames of a chunk that comes in `pieces`, its teams with `teams` (`read_teams` if None).

    Those before the place `begun` are passed over.  Raises :class:`Damaged` with the offset in the chunk for the first
    frame that is invalid or one too many, and what `pieces` raises.
    """
    reader = teams or read_teams
    sections = _sections if layout.version == 3 else _old_sections
    # what is there of the chunk, from its byte `start` on, and how much of it was read
    data, start, at = b"", begun.offset, 0
    missing: Damaged | None = None
    _, frames, players = begun
    for piece in _behind(pieces, begun.offset):
        data, start, at = data[at:] + piece, start + at, 0
        missing = None
        while at < len(data) and missing is None:
            try:
                frame, end = _frame(data, at, start, layout, sections, reader)
            except (error, IndexError):
                missing = Incomplete("a frame is cut off", expected="more bytes", found=len(data) - at)
            except Incomplete as fault:
                missing = fault
            except Damaged as fault:
                fault.offset = start + at
                raise
            else:
                frames += 1
                players += sum([len(team.players) for team in frame.teams])
                if frames > _MOST_FRAMES or players > MOST_PLAYERS:
                    raise Damaged("more frames or players than a chunk can hold", offset=start + at)
                yield frame
                at = end
        if len(data) - at > MOST_FRAME:
            break
    if missing is not None:
        missing.offset = start + at
        raise missing


def _behind(pieces: Iterable[bytes], offset: int) -> Iterator[bytes]:
    """What comes behind so many bytes."""
    for piece in pieces:
        if len(piece) > offset:
            yield piece[offset:] if offset else piece
        offset = max(offset - len(piece), 0)


def _frame(
    data: bytes, at: int, start: int, layout: Layout, sections: Any, reader: TeamReader
) -> tuple[StoredFrame, int]:
    """The frame at `at` (byte `start` + `at` of its chunk), and the offset of its end in `data`."""
    offset, mark = start + at, data[at : at + 2]
    if mark == _OTHER:
        time, clock, bits = _HEAD.unpack_from(data, at + 2)
        at += 9
    elif mark == _KEY:
        time, clock, bits = _KEY_HEAD.unpack_from(data, at + 2)
        at += 15
        if time not in TIMES:
            raise Damaged("a date out of range", expected=f"{TIMES.start} to {TIMES.stop - 1} ms", found=time)
    elif mark in (_KEY[:1], _OTHER[:1]):
        raise Incomplete("a frame is cut off", expected="more bytes", found=1)
    else:
        raise Damaged("not the beginning of a frame", expected="FCFE or FEFE", found=mark.hex().upper())
    needed = _NEEDED[layout.version]
    if mark == _KEY and bits & needed != needed:
        raise Damaged("an incomplete keyframe", expected=f"{needed:08b}", found=f"{bits:08b}")
    found, at = sections(data, at, bits, layout)
    teams, at = reader(data, at, layout)
    end = bones_end(data, at)
    bones = data[at:end] if data[at] & 1 else None
    return StoredFrame._make((offset, mark == _KEY, time, clock, *found, teams, bones)), end


def _sections(data: bytes, at: int, bits: int, layout: Layout) -> tuple[Numbers, int]:
    """The optional sections of a frame of version 3, from status to rules, and the offset of their end."""
    status = inputs = rules = None
    points: Numbers = ()
    pause: Numbers = ()
    score = throw = vr = disc = payload = ()
    if bits & 1:
        form = _points(layout.arena, layout.combat)
        status, *numbers, inputs = form.unpack_from(data, at)
        points = tuple(numbers)
        at += form.size
    if bits & 2:
        pause, at = _pause(data, at, layout.pause)
    if bits & 4:
        score = _SCORE.unpack_from(data, at)
        at += 7
    if bits & 8:
        throw = _THROW.unpack_from(data, at)
        at += 26
    if bits & 16:
        vr = _POSE.unpack_from(data, at)
        at += 10
    if bits & 32:
        disc = _DISC.unpack_from(data, at)
        at += 16
    if bits & 64:
        payload = _PAYLOAD.unpack_from(data, at)
        at += 7
    if bits & 128:
        rules, at = _rules(data, at)
    return (status, points, inputs, pause, score, throw, vr, disc, payload, rules), at


def _old_sections(data: bytes, at: int, bits: int, layout: Layout) -> tuple[Numbers, int]:
    """The optional sections of a frame of versions 1 and 2, from status to disc, and the offset of their end."""
    status = inputs = None
    points: Numbers = ()
    pause: Numbers = ()
    score = throw = vr = disc = ()
    if bits & 1:
        status = data[at]
        at += 1
    if bits & 2:
        points = (data[at], data[at + 1])
        at += 2
    if bits & 4:
        pause, at = _pause(data, at, layout.pause)
    if bits & 8:
        inputs = data[at]
        at += 1
    if bits & 16:
        score = _SCORE.unpack_from(data, at)
        at += 7
    if bits & 32:
        throw = _THROW.unpack_from(data, at)
        at += 26
    if bits & 64:
        vr = _POSE.unpack_from(data, at)
        at += 10
    if bits & 128:
        disc = _DISC.unpack_from(data, at)
        at += 16
    return (status, points, inputs, pause, score, throw, vr, disc, (), None), at


@cache
def _points(arena: bool, combat: bool) -> Struct:
    return Struct("<BBBB" if arena else "<BeeB" if combat else "<BB")


def _pause(data: bytes, at: int, size: int) -> tuple[Numbers, int]:
    """Flags, state and two timers of a pause, and the offset of its end."""
    if size == EARLY_PAUSE:
        flags, paused, unpaused = _SHORT_PAUSE.unpack_from(data, at)
        return (flags, flags >> 6, paused, unpaused), at + size
    return _PAUSE.unpack_from(data, at), at + size


def _rules(data: bytes, at: int) -> tuple[tuple[int, str], int]:
    (changed,) = _RULES.unpack_from(data, at)
    at += 8
    end = data.find(0, at, at + _MOST_TEXT)
    if end < 0:
        if len(data) - at < _MOST_TEXT:
            raise Incomplete("a string without an end")
        name, at = data[at : at + _MOST_TEXT], at + _MOST_TEXT
    else:
        name, at = data[at:end], end + 1
    return (changed, name.decode("ascii", "replace").replace("\ufffd", "?")), at
