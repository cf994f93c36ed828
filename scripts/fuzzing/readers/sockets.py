"""What comes through sockets and pipes from pages, processes and players' terminals: it is a message, or refused.

The kind of a case is its first line.  What the web server believes ends the process that said it if it is none; a
page's message that is none is passed over.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from scripts.fuzzing.mutants.change import bend_bytes, bend_json, json_bytes, rarely
from scripts.fuzzing.rules import Begin, Broken, refused
from terminal.hosting.messages import Called, receive_said, receive_terminal, receive_told
from terminal.web.processes.viewer import Input
from terminal.web.processes.wire import LONGEST, Inbox, Kind, packed, size_class
from terminal.web.recordings import Recordings
from terminal.web.viewers import ForServer

__all__ = ["act", "mutant"]

_ROW: Final = {
    "id": "a",
    "file": "/srv/a.nhgame",
    "inode": [1, 2],
    "player": "ann",
    "size": "3 MB",
    "turn": 5,
    "started": 7,
}
_VALUES: Final[Mapping[str, Any]] = {
    "page": {"key": "a", "seek": "50%", "step": 3, "click": [1, 2], "search": "a", "back": True, "size": "80x24"},
    "rows": {"put": [_ROW, _ROW | {"id": "b", "inode": [1, 2]}], "gone": ["a"], "ready": True},
    "told": {"size": [80, 24], "mail": "ann writes: a word"},
    "end": {"why": "the program ended", "code": 0, "text": True},
}


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A message of each kind, bent as a value or as bytes."""
    kind = chance.choice((*_VALUES, "inbox"))
    if kind == "inbox":
        data = b"".join(
            packed(chance.choice(list(Kind)), chance.choice((0, 2, 255)), *[b"part"] * chance.choice((0, 1, 3)))
            for _ in range(chance.choice((1, 5)))
        )
    else:
        value = _VALUES[kind]
        for _ in range(chance.choice((0, 1, 2, 4))):
            value = bend_json(chance, value)
        data = json_bytes(chance, value)
    for _ in range(chance.choice((0, 0, 1, 3))):
        data = bend_bytes(chance, data)
    return {"case.message": kind.encode() + b"\n" + data}


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Give it to whom such a message is for."""
    name, _, data = case.read_bytes().partition(b"\n")
    kind = name.decode(errors="replace")
    begin(f"{kind}: read")
    _READERS.get(kind, _inbox)(data, chance)


def _page(data: bytes, chance: Random) -> None:
    with suppress(ValueError, RecursionError):  # as `Viewer.take`
        size_class(msgspec.json.decode(data, type=ForServer).size)
    with suppress(ValueError, RecursionError):  # as the process that shows the recording
        msgspec.json.decode(data, type=Input)


def _rows(data: bytes, chance: Random) -> None:
    recordings = Recordings()
    recordings.begin()
    for _ in range(2):
        with suppress(ValueError):
            for row in recordings.take(data).put:
                recordings.file(row.id)


def _inbox(data: bytes, chance: Random) -> None:
    inbox, at, found = Inbox(), 0, []
    with suppress(ValueError):
        while at < len(data):
            size = chance.choice((1, 5, 1000))
            found += inbox.feed(data[at : at + size])
            at += size
    if any(sum(map(len, message.parts)) > LONGEST for message in found):
        raise Broken("a message that is too long")


def _told(data: bytes, chance: Random) -> None:
    with _pair() as (here, there), refused():
        if rarely(chance, 2):
            files = [there.fileno()] * chance.choice((0, 1, 2, 2, 2))
            socket.send_fds(there, [data[:4096]], files)
            lent = receive_terminal(here)
            os.close(lent.keyboard)
            os.close(lent.screen)
        else:
            there.send(data[:4096])
            with suppress(EOFError):
                receive_told(here)


def _end(data: bytes, chance: Random) -> None:
    with _pair() as (here, there), refused():
        there.send(data[:4096])
        said = receive_said(here)
        if not isinstance(said, Called | None) and not isinstance(said.why, str):
            raise Broken("an end without words")


_READERS: Final[Mapping[str, Callable[[bytes, Random], None]]] = {
    "page": _page,
    "rows": _rows,
    "inbox": _inbox,
    "told": _told,
    "end": _end,
}


@contextmanager
def _pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with closing(here), closing(there):
        yield here, there
