"""What goes between the server and its processes: a length, a kind, a class of size, and parts; no I/O.

A process is trusted no more than the recording it reads: a message that is too long ends it.
"""

import struct
from collections.abc import Iterator
from enum import IntEnum, unique
from typing import Final

from nhlog.values import NamedTuple

__all__ = ["ALL", "RECEIVED", "SIZES", "Inbox", "Kind", "Message", "packed", "size_class", "size_name"]

SIZES: Final = ((80, 24), (120, 40), (200, 60))
"""The sizes of pictures: a crowd shares each."""
ALL: Final = 255  # in place of a class: a message for all of them
RECEIVED: Final = 1 << 16  # bytes taken from the server at a time
LONGEST: Final = 8 << 20  # bytes of a message: a picture of the largest size with a style for each cell has 1 MB

_HEAD: Final = struct.Struct("!IBB")
assert _HEAD.size == 6
_PART: Final = struct.Struct("!I")


@unique
class Kind(IntEnum):
    """What a message is.

    From a process: WHOLE is a whole picture for viewers who are new or missed something, UPDATE the difference for the
    others, RESET a whole picture for all; BACK says that the viewer is where the others are, ENDED why there is nothing
    more to see; ROWS are the files in the folders, ANSWER is the answer to a question, PICTURE an ID and the picture of
    that game.  To a process: WANTED is a class of which a viewer needs the whole picture, WATCHED the classes that have
    viewers (a byte each), INPUT what a page sent, QUESTION what the server asks.
    """

    WHOLE = 1
    UPDATE = 2
    RESET = 3
    BACK = 4
    ENDED = 5
    ROWS = 6
    ANSWER = 7
    PICTURE = 8
    WANTED = 20
    WATCHED = 21
    INPUT = 22
    QUESTION = 23


class Message(NamedTuple):
    """A message: `size` is an index into `SIZES`, or `ALL`; each part is a message to a page."""

    kind: Kind
    size: int
    parts: tuple[bytes, ...]


def packed(kind: Kind, size: int = ALL, *parts: bytes) -> bytes:
    """A message as bytes."""
    body = b"".join(_PART.pack(len(part)) + part for part in parts)
    return _HEAD.pack(len(body), kind, size) + body


class Inbox:
    """Received bytes, and the messages in them; raises :class:`ValueError` for bytes that are not a message."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are whole with these bytes."""
        self._data += data
        while len(self._data) >= _HEAD.size:
            length, kind, size = _HEAD.unpack_from(self._data)
            if length > LONGEST:
                raise ValueError(length)
            end = _HEAD.size + length
            if end > len(self._data):
                return
            parts = tuple(_parts(bytes(self._data[_HEAD.size : end])))
            del self._data[:end]
            yield Message(Kind(kind), size, parts)


def _parts(body: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(body):
        if at + _PART.size > len(body):
            raise ValueError(at)
        (length,) = _PART.unpack_from(body, at)
        at += _PART.size + length
        if at > len(body):
            raise ValueError(at)
        yield body[at - length : at]


def size_class(text: str) -> int:
    """The class of a size as the page names it; the smallest for anything else."""
    return _NAMES.index(text) if text in _NAMES else 0


def size_name(least: tuple[int, int]) -> str:
    """The smallest size with room for this many columns and rows; the largest for what is as large as one likes."""
    fitting = (size for size in SIZES if least != (0, 0) and all(map(int.__le__, least, size)))
    return "{}x{}".format(*next(fitting, SIZES[-1]))


_NAMES: Final = tuple(f"{width}x{height}" for width, height in SIZES)
