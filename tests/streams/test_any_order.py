"""Whatever becomes of a file, in any order: its viewer raises errors of ours alone, and comes to see what is there."""

import os
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import NhlogError
from nhlog.replay import Change, Replay
from terminal.replay.open import open_viewed
from tests.corpus import SAMPLES
from tests.doses import dose, seeded
from tests.streams.writers import STREAMS, Stream


def delve() -> Stream:
    """A game that an engine plays."""
    data = (SAMPLES / "delve.nhgame").read_bytes()
    return Stream(".nhgame", data[:9000], data[:7000], (60, 5000, 7000))


class File:
    """The file, and how much of which recording is in it."""

    def __init__(self, path: Path, stream: Stream, chance: random.Random) -> None:
        self.path, self._stream, self._chance = path, stream, chance
        self._data, self._size = stream.data, stream.cuts[1]
        path.write_bytes(self._data[: self._size])

    def append(self) -> None:
        more = self._chance.randrange(1, 400)
        with self.path.open("ab") as file:
            file.write(self._data[self._size : self._size + more])
        self._size = min(len(self._data), self._size + more)

    def truncate(self) -> None:
        self._size = self._chance.randrange(self._size + 1)
        self.path.touch()
        os.truncate(self.path, self._size)

    def begin_anew(self) -> None:
        self._choose()
        self.path.write_bytes(self._data[: self._size])

    def shorten(self) -> None:
        self._size = self._chance.randrange(30)
        self.path.write_bytes(self._data[: self._size])

    def replace(self) -> None:
        self._choose()
        self.put(self._data[: self._size])

    def delete(self) -> None:
        self.path.unlink(missing_ok=True)
        self._size = 0

    def damage(self) -> None:
        if self.path.exists():
            with self.path.open("r+b") as file:
                file.seek(self._chance.randrange(max(1, self.path.stat().st_size)))
                file.write(self._chance.randbytes(5))

    def put(self, data: bytes) -> None:
        draft = self.path.with_name("draft")
        draft.write_bytes(data)
        draft.replace(self.path)

    def act(self) -> None:
        """Anything; mostly it grows."""
        others = (self.truncate, self.begin_anew, self.shorten, self.replace, self.delete, self.damage)
        self._chance.choice([*[self.append] * len(others), *others])()

    def _choose(self) -> None:
        self._data = self._chance.choice([self._stream.data, self._stream.other])
        self._size = self._chance.randrange(len(self._data))


class Viewer:
    """What the client does with a replay: it looks again and again, and opens the file that gets the name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replaced = False
        self.replay: Replay[Any] = open_viewed(str(path))

    def refresh(self) -> None:
        change = None
        with suppress(NhlogError):
            change = self.replay.refresh()
        self._replaced = change is Change.REPLACED or (self._replaced and change in (None, Change.NOTHING))
        if self._replaced:
            with suppress(NhlogError):
                successor = open_viewed(str(self._path))
                self.replay.close()
                self.replay, self._replaced = successor, False

    def look(self) -> None:
        with suppress(NhlogError):
            last = self.replay.timeline.last
            for step in (0, last // 2, last):
                self.replay.seek(step)
                assert self.replay.state is not None
                assert self.replay.info.title
                list(self.replay.events(max(0, step - 3), step))


@pytest.mark.parametrize("seed", range(dose("streams.seeds")))
@pytest.mark.parametrize("name", [*STREAMS, "delve"])
def test_a_viewer_bears_it_and_comes_to_see_what_is_there(name: str, seed: int, tmp_path: Path) -> None:
    stream = STREAMS[name]() if name in STREAMS else delve()
    file = File(tmp_path / f"live{stream.ending}", stream, seeded(seed))
    viewer = Viewer(file.path)
    for _ in range(dose("streams.acts")):
        file.act()
        viewer.refresh()
        viewer.look()
    file.put(stream.data)
    for _ in range(3):
        viewer.refresh()
    shown = viewer.replay.timeline.last
    viewer.replay.close()
    fresh = open_viewed(str(file.path))
    assert shown == fresh.timeline.last
    fresh.close()
