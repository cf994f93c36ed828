"""The talk beside a recording: what those who watch say to one another, in a file beside it, ``FILE.talk``.

A line is a JSON object, with the time in UTC milliseconds since 1970::

    {"time": 1764300000000, "name": "ann", "text": "look behind you!"}
    {"time": 1764300060000, "removes": 57}

The second one removes the line at the offset 57: what was said stays in the file, and is shown no more.  So a file
only grows (`nhlog.beside.file` says who may write it), the offset of a line is its number, and the talk of a game that
is over is a track beside its recording: each line has its moment.

Where the recording is copied to another place, an archive or by a relay, the lines go with it that were not removed
(`carried`), and lie beside it there, where they can only be read.

What is said is cleaned when it is written, and a line that is not clean is none when it is read: no control characters,
no marks that turn the direction of writing, no more than `MOST_TEXT` characters.
"""

import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from nhlog.beside.file import MOST_BYTES, TALK, FileAfar, FileBeside, NotTaken, plain
from nhlog.decoding import json_decoder
from nhlog.errors import Usage
from nhlog.files import atomic
from nhlog.values import dataclass

__all__ = [
    "MOST_TEXT",
    "Said",
    "Talk",
    "bring",
    "carried",
    "close_talk",
    "open_talk",
    "remove",
    "renew",
    "say",
    "talk_file",
]

MOST_TEXT: Final = 200  # characters of a line
MOST_NAME: Final = 40
_MOST_LINES: Final = 5000  # that are remembered: of what we write more do not fit into the file
_LATEST: Final = 1 << 48  # milliseconds since 1970: far beyond any time that can be meant
_MILLISECOND: Final = 1000  # in microseconds, which all times of recordings are in

_SPAN: Final = 10_000  # milliseconds in which
_OF_ONE: Final = 5  # lines of one name are taken,
_OF_ALL: Final = 30  # and of all together
_TAIL: Final = 1 << 15  # bytes at the end of the file: more than these lines have


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody said, in the line at this `offset`; `time` is in UTC microseconds since 1970."""

    offset: int
    time: int
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class _Line(msgspec.Struct, frozen=True):
    time: int
    name: str = ""
    text: str = ""
    removes: int | None = None


def talk_file(recording: str) -> str:
    """The file of the talk beside a recording."""
    return _beside(recording).path


def say(recording: str, name: str, text: str) -> None:
    """Say something beside a recording; raises :class:`Usage` for a text that says nothing.

    Raises :class:`~nhlog.beside.file.NotTaken`, also where too much was said just now.
    """
    name, words = plain(name, MOST_NAME) or "somebody", plain(text, MOST_TEXT)
    if not words:
        raise Usage("there is nothing to say")
    now, file = time.time_ns() // 1_000_000, _beside(recording)
    lately = Counter(line.name for line in _lines(file.tail(_TAIL)) if abs(now - line.time) < _SPAN)
    if lately[name] >= _OF_ONE or lately.total() >= _OF_ALL:
        raise NotTaken("too much was said just now: wait for some seconds", file=recording)
    file.append(msgspec.json.encode({"time": now, "name": name, "text": words}) + b"\n")


def remove(recording: str, offset: int) -> Said:
    """Remove the line at this offset, and return it; raises :class:`Usage` if nothing is said there.

    Raises :class:`~nhlog.beside.file.NotTaken` where this user may not write.
    """
    talk = Talk(recording)
    talk.look()
    found = next((said for said in talk.said if said.offset == offset), None)
    if found is None:
        raise Usage("nothing is said there", file=talk_file(recording), found=str(offset))
    line = {"time": time.time_ns() // 1_000_000, "removes": offset}
    _beside(recording).append(msgspec.json.encode(line) + b"\n", forced=True)
    return found


def open_talk(recording: str, *, takes: bool, watched: bool) -> None:
    """Have the file say whether its player lets others talk; make it if somebody is there who could.

    Nothing of it raises anything.
    """
    _beside(recording).tend(takes=takes, watched=watched)


def close_talk(recording: str) -> None:
    """Have nothing more be said beside a recording that is over."""
    open_talk(recording, takes=False, watched=False)


def carried(recording: str, most: int = MOST_BYTES) -> bytes:
    """What was said beside a recording and not removed, as lines for a copy of it elsewhere.

    The latest of it where that is more than so many bytes.
    """
    talk = Talk(recording)
    talk.look()
    kept, size = list[bytes](), 0
    for said in reversed(talk.said):
        line = msgspec.json.encode({"time": said.time // _MILLISECOND, "name": said.name, "text": said.text}) + b"\n"
        size += len(line)
        if size > most:
            break
        kept.append(line)
    return b"".join(reversed(kept))


def bring(recording: str, lines: bytes) -> None:
    """Write what was carried with a recording beside it, where nothing more is said; what lies there already stays."""
    if lines:
        _beside(recording).make(lines)


def renew(recording: str, lines: bytes) -> None:
    """Have these lines, which were carried, beside a copy, in place of those before; raises :class:`OSError`."""
    atomic.replace(talk_file(recording), [lines])


class Talk:
    """The talk beside a recording, as it grows; nothing of it raises anything."""

    def __init__(self, recording: str) -> None:
        self._file = FileAfar(recording) if "://" in recording else _beside(recording)

        self.said: tuple[Said, ...] = ()
        """What was said, and not removed, in the order in which it was written."""

        self.news: tuple[Said, ...] = ()
        """What of it the last look found."""

    def look(self) -> bool:
        """Read what is new; returns whether there is anything."""
        lines, self.news = self._file.news(), ()
        if not lines and not (self._file.is_other and self.said):
            return False
        said = {} if self._file.is_other else {one.offset: one for one in self.said}
        for offset, data in lines:
            line = _parsed(data)
            if line is not None and line.removes is not None:
                said.pop(line.removes, None)
            elif line is not None:
                said[offset] = Said(offset, line.time * _MILLISECOND, line.name, line.text)
        self.said = (*said.values(),)[-_MOST_LINES:]
        self.news = tuple(one for one in self.said if one.offset >= lines[0][0])
        return True

    def until(self, moment: int) -> tuple[Said, ...]:
        """What was said until this moment, in UTC microseconds since 1970."""
        return tuple(said for said in self.said if said.time <= moment)


def _beside(recording: str) -> FileBeside:
    return FileBeside(recording, TALK, "talk")


def _lines(data: bytes) -> Iterator[_Line]:
    """The lines in these bytes, which begin anywhere in one."""
    return (line for line in map(_parsed, data.split(b"\n")) if line is not None)


def _parsed(data: bytes) -> _Line | None:
    """The line; None for what none of us wrote."""
    try:
        line = json_decoder(_Line).decode(data)
    except (ValueError, RecursionError):
        return None
    if not 0 <= line.time < _LATEST:
        return None
    clean = plain(line.name, MOST_NAME) == line.name and plain(line.text, MOST_TEXT) == line.text
    return line if line.removes is not None or (clean and line.name and line.text) else None
