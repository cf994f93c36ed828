"""Splits the stream into its messages as bytes, with a regular expression for speed.

Most readers do not need the bytes: see `reading/stream.py`.

The pattern matches all short messages; the length of others is found by `measure`.  Three outcomes: complete messages,
need more (bytes that are left over), an error.
"""

import re
from collections.abc import Callable
from typing import Final

from nhlog.formats.teehistorian.wire.codec import MOST_CLIENTS, BadMessage
from nhlog.formats.teehistorian.wire.messages import INPUTS
from nhlog.formats.teehistorian.wire.varint import NeedMore, unpack
from nhlog.kernels.teehistorian import LONGEST, MOST_ARGS

__all__ = ["LONGEST", "MOST_ARGS", "Splitter", "length_of", "measure"]

_FINISH: Final = 0x40

_INT: Final = rb"[\x80-\xff]{0,4}+[\x00-\x7f]"
_COUNT: Final = rb"(?:[\x00-\x3f]|[\x80-\xbf][\x80-\xff]{0,3}+[\x00-\x7f])"  # not negative
_CID: Final = rb"(?:[\x00-\x3f]|[\x80-\xbf][\x01\x02])"  # below `MOST_CLIENTS`
_ANY: Final = rb"[\x00-\xff]"
_STRING: Final = rb"[^\x00]{0,4095}+\x00"  # so that no message of such strings is longer than `LONGEST`
_SIZED: Final = b"(?:" + b"|".join(rb"\x%02x" % n + (_ANY + b"{%d}" % n if n else b"") for n in range(64)) + b")"
_ARGS: Final = b"|".join(rb"\x%02x" % n + (b"(?:" + _STRING + b"){%d}" % n if n else b"") for n in range(17))
_SHORT: Final = b"|".join(
    (
        rb"[\x00-\x3f][\x00-\x7f]{2}",  # most movements
        rb"\x44" + _CID + _INT * INPUTS,
        _CID + _INT * 2,
        rb"\x41" + _COUNT,
        rb"\x42" + _CID + _INT * 2,
        rb"[\x43\x47]" + _CID,
        rb"\x45" + _CID + _INT * INPUTS,
        rb"\x46" + _CID + _SIZED,
        rb"\x48" + _CID + _STRING,
        rb"\x49" + _INT * 2 + _STRING + b"(?:" + _ARGS + b")",
        rb"\x4a" + _ANY + b"{16}" + _SIZED,
    )
)
_MESSAGE: Final = re.compile(_SHORT)
_MESSAGES: Final = re.compile(_SHORT + b"|" + _ANY + b"+")  # what is left over is the last one found


class Splitter:
    """Splits a stream, which is fed in pieces of any size, into messages.

    `offset` is that of the next message; the argument is that of the first.  After FINISH (`finished`) there are no
    more messages, and `junk` counts the bytes that follow.  An invalid message sets `error`, and nothing follows.
    """

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        self.finished = False
        self.junk = 0
        self.error: BadMessage | None = None
        self._rest = b""

    @property
    def end(self) -> int:
        """The offset of the end of the bytes fed so far."""
        return self.offset + len(self._rest) + self.junk

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes; returns the messages that are complete now, FINISH included."""
        if self.finished:
            self.junk += len(data)
        if self.finished or self.error:
            return []
        data = self._rest + data
        found: list[bytes] = []
        at = 0
        while at < len(data) and not self.finished:
            messages = _MESSAGES.findall(data, at)
            odd = b"" if _MESSAGE.fullmatch(messages[-1]) else messages.pop()
            found += messages
            at = len(data) - len(odd)
            length = self._odd(odd, at)
            if not length:
                break
            found.append(odd[:length])
            at += length
            self.finished = odd[0] == _FINISH
        self.offset += at
        self._rest = b"" if self.finished else data[at:]
        self.junk = len(data) - at if self.finished else 0
        return found

    def _odd(self, odd: bytes, at: int) -> int:
        """The length of a message that the pattern does not match, 0 if it is incomplete or invalid."""
        try:
            return length_of(odd)
        except BadMessage as error:
            self.error = error
            error.offset = self.offset + at + (error.offset or 0)
            return 0


def length_of(data: bytes) -> int:
    """The length of the message at the beginning of `data`, 0 if it is not whole; raises :class:`BadMessage`."""
    try:
        length = least = measure(data) if data else 0
    except NeedMore:
        length, least = 0, len(data)
    if least > LONGEST:
        raise BadMessage("message too long", offset=0, expected=f"at most {LONGEST} bytes")
    return length


def measure(data: bytes) -> int:
    """The length of the message at the beginning of `data`.

    Raises :class:`NeedMore` if it is incomplete, :class:`BadMessage` if it is invalid.
    """
    number, at = unpack(data, 0)
    if number >= 0:
        return _skip_ints(data, _skip_cid(data, 0), 2)
    if number not in _PARTS or at > 1:  # the world knows them by their first byte
        raise BadMessage("unknown message", offset=0, expected="an id of -11 or more, in one byte", found=number)
    for skip in _PARTS[number]:
        at = skip(data, at)
    return at


def _skip_cid(data: bytes, at: int) -> int:
    cid, end = unpack(data, at)
    if not 0 <= cid < MOST_CLIENTS:
        raise BadMessage("client id out of range", offset=at, expected=f"0 to {MOST_CLIENTS - 1}", found=cid)
    return end


def _skip_ints(data: bytes, at: int, count: int = 1) -> int:
    for _ in range(count):
        _, at = unpack(data, at)
    return at


def _skip_position(data: bytes, at: int) -> int:
    return _skip_ints(data, at, 2)


def _skip_input(data: bytes, at: int) -> int:
    return _skip_ints(data, at, INPUTS)


def _skip_ticks(data: bytes, at: int) -> int:
    dt, end = unpack(data, at)
    if dt < 0:
        raise BadMessage("ticks skipped backwards", offset=at, expected="0 or more", found=dt)
    return end


def _skip_sized(data: bytes, at: int) -> int:
    size, end = unpack(data, at)
    if not 0 <= size <= LONGEST:
        raise BadMessage("impossible size", offset=at, expected=f"0 to {LONGEST}", found=size)
    if len(data) < end + size:
        raise NeedMore
    return end + size


def _skip_uuid(data: bytes, at: int) -> int:
    return at + 16


def _skip_string(data: bytes, at: int) -> int:
    end = data.find(b"\0", at)
    if end < 0:
        raise NeedMore
    return end + 1


def _skip_args(data: bytes, at: int) -> int:
    count, end = unpack(data, at)
    if not 0 <= count <= MOST_ARGS:
        raise BadMessage("impossible number of arguments", offset=at, expected=f"0 to {MOST_ARGS}", found=count)
    for _ in range(count):
        end = _skip_string(data, end)
    return end


_PARTS: Final[dict[int, tuple[Callable[[bytes, int], int], ...]]] = {
    -1: (),
    -2: (_skip_ticks,),
    -3: (_skip_cid, _skip_position),
    -4: (_skip_cid,),
    -5: (_skip_cid, _skip_input),
    -6: (_skip_cid, _skip_input),
    -7: (_skip_cid, _skip_sized),
    -8: (_skip_cid,),
    -9: (_skip_cid, _skip_string),
    -10: (_skip_ints, _skip_ints, _skip_string, _skip_args),
    -11: (_skip_uuid, _skip_sized),
}
