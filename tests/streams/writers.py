"""Recordings as their writers leave them on the disk, piece by piece, and a process that writes them."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from nhlog.formats import open_recording
from tests.builders import played as game
from tests.contract.test_butter import lines
from tests.contract.test_butter import played as session
from tests.flushed import flushed
from tests.formats.butter.made import session_file
from tests.formats.teehistorian.builders import header
from tests.formats.teehistorian.builders import played as tees

__all__ = ["STREAMS", "Stream", "Writer", "shown"]


@dataclass(frozen=True)
class Stream:
    """A recording that is being written: `data` is all of it, `other` the one that takes its name in the end.

    It is cut at `cuts`: inside the header, and inside two records.
    """

    ending: str
    data: bytes
    other: bytes
    cuts: tuple[int, int, int]

    def put(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)


def _inside(data: bytes, *records: bytes) -> tuple[int, int, int]:
    """Cuts inside the header and inside these records."""
    first, second = (data.index(record) + len(record) // 2 for record in records)
    return 20, first, second


def _log() -> Stream:
    data = bytes(game(12).data)
    found = data.split(b"\n")
    return Stream(".nhgame", data, bytes(game(30).data), (60, data.index(found[-20]) + 2, data.index(found[-5]) + 2))


def _tees(kind: str, ending: str) -> Stream:
    data, other = tees(200, 3).data, tees(50, 2, header(map_name="other")).data
    head = data.index(b"\0") + 1
    parts = [bytes(part) for part in (data[: head + 900], data[head + 900 : head + 1801], data[head + 1801 :])]
    *packed, _ = flushed(kind, parts)
    sizes = [len(packed[0]), len(packed[0]) + len(packed[1])]
    return Stream(ending, b"".join(packed), flushed(kind, [bytes(other)])[0], (9, sizes[0], sizes[1]))


def _echoreplay() -> Stream:
    found = lines(session_file(session()))
    data = b"".join(found)
    cuts = (10, len(found[0]) + len(found[1]) // 2, len(data) - len(found[-1]) // 2)
    return Stream(".echoreplay", data, b"".join(found[5:]), cuts)


def _butter() -> Stream:
    data = session_file(session())
    first = data.index(b"".join(session()[0]))
    second = first + sum(map(len, session()[0]))
    return Stream(".butter", data, session_file(session()[1:]), (20, second + 9, len(data) - 5))


STREAMS: Final = {
    "butter": _butter,
    "log": _log,
    "teehistorian": lambda: _tees(lambda parts: parts, ".teehistorian"),
    "gzip": lambda: _tees("gzip", ".teehistorian.gz"),
    "zstd": lambda: _tees("zstd", ".teehistorian.zst"),
    "xz": lambda: _tees("xz", ".teehistorian.xz"),
    "echoreplay": _echoreplay,
}


def shown(path: Path) -> str:
    """What the client's transport line tells of a recording as it is now, at its end."""
    replay = open_recording(str(path))
    try:
        last = replay.timeline.last
        value = replay.timeline.axes[replay.timeline.unit].values[last]
        return f" {value}/{value} "
    finally:
        replay.close()


_CODE: Final = """
import os, sys
for line in sys.stdin:
    verb, path, *rest = line.rstrip("\\n").split("\\t")
    if verb == "append":
        with open(path, "ab", buffering=0) as file:
            file.write(bytes.fromhex(rest[0]))
    else:
        os.replace(rest[0], path)
    print("done", flush=True)
"""


class Writer:
    """Another process that writes a recording, and can be killed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._child = subprocess.Popen(
            [sys.executable, "-c", _CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def append(self, data: bytes) -> None:
        self._do("append", str(self.path), data.hex())

    def replace(self, data: bytes) -> None:
        """Another recording gets the name, as a whole."""
        draft = self.path.with_name("draft")
        draft.write_bytes(data)
        self._do("replace", str(self.path), str(draft))

    def _do(self, *words: str) -> None:
        assert self._child.stdin
        assert self._child.stdout
        print(*words, sep="\t", file=self._child.stdin, flush=True)
        assert self._child.stdout.readline() == "done\n"

    def kill(self) -> None:
        self._child.kill()
        self._child.communicate()
