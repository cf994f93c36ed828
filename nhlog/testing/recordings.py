"""The recordings that the contract of recordings is run on: what a derived class has to say of its format.

A class gives recordings as bytes; the contract writes them to files, opens these, and looks.
"""

import hashlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest

from nhlog.replay import Replay

__all__ = ["Opener", "Recordings", "digest", "portrait", "states"]

Opener = Callable[[bytes | Path], Replay[Any]]
"""Opens a recording: the bytes of one, or the file of one that was written already."""


def portrait(replay: Replay[Any]) -> dict[str, Any]:
    """All that a replay tells without being moved, in values that can be compared."""
    timeline = replay.timeline
    return {
        "info": replay.info,
        "unit": timeline.unit,
        "start": timeline.start,
        "axes": {name: (list(axis.values), axis.first) for name, axis in timeline.axes.items()},
        "stops": list(timeline.stops),
        "keyframes": list(timeline.keyframes),
        "markers": list(timeline.markers),
        "events": list(replay.events(0, timeline.last)),
    }


def states(replay: Replay[Any]) -> list[Any]:
    """The state at each step, in order."""
    found = []
    for step in range(replay.timeline.last + 1):
        replay.seek(step)
        found.append(replay.state)
    return found


def digest(replay: Replay[Any]) -> str:
    """A hash of all that a replay tells at all of its steps, to be compared between processes."""
    return hashlib.sha256(repr((portrait(replay), states(replay))).encode()).hexdigest()


class Recordings:
    """Recordings of one format, as bytes: a derived class says how they look, and how they are opened."""

    ending: ClassVar[str]
    """What the names of such files end in."""

    opener: ClassVar[tuple[str, str]] = ("nhlog.formats", "open_recording")
    """The module and the function that open them."""

    def open(self, path: Path) -> Replay[Any]:
        """The recording in the file."""
        module, function = self.opener
        replay: Replay[Any] = getattr(import_module(module), function)(str(path))
        return replay

    memory: ClassVar[int] = 24 << 20
    """Bytes that going through a big recording may take beyond its file."""

    def complete(self) -> bytes:
        """A small recording that is finished, with as many kinds of things in it as there are."""
        raise NotImplementedError

    def growing(self) -> tuple[bytes, bytes] | None:
        """A recording that is still being written: what is there when it is opened, and what is appended then.

        None where such recordings do not grow.
        """
        raise NotImplementedError

    def finished(self, data: bytes) -> bytes:
        """That recording when its end has come."""
        raise NotImplementedError

    def rewound(self, data: bytes) -> bytes | None:
        """That recording after some of its end was taken back; None where the format cannot do so."""
        raise NotImplementedError

    def damaged(self) -> Iterator[bytes]:
        """Recordings that break the format's rules behind their header."""
        raise NotImplementedError

    def says_damage(self, state: Any) -> bool:
        """Whether the state tells that it could not be rebuilt."""
        raise NotImplementedError

    def big(self) -> bytes | None:
        """A recording whose states, all together, take many times `memory`; None where there is only one state."""
        raise NotImplementedError

    def put(self, path: Path, data: bytes) -> None:
        """Make `data` the recording at `path`; a format whose recordings are folders says how."""
        path.write_bytes(data)

    def append(self, path: Path, data: bytes) -> None:
        """Let that recording grow."""
        with open(path, "ab") as file:
            file.write(data)

    # what the tests use

    def _grows(self) -> tuple[bytes, bytes]:
        grows = self.growing()
        if grows is None:
            pytest.skip("such recordings do not grow")
        return grows

    def _some(self) -> list[bytes]:
        """A complete recording and, where there are such, one that grows."""
        return [self.complete(), *(self.growing() or ())[:1]]

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        """The name of a file for one recording."""
        return tmp_path / f"recording{self.ending}"

    @pytest.fixture
    def opened(self, tmp_path: Path) -> Iterator[Opener]:
        """Opens recordings, each in a file of its own, and closes them at the end."""
        replays: list[Replay[Any]] = []

        def open_it(data: bytes | Path) -> Replay[Any]:
            path = data if isinstance(data, Path) else tmp_path / f"{len(replays)}{self.ending}"
            if not isinstance(data, Path):
                self.put(path, data)
            replays.append(self.open(path))
            return replays[-1]

        yield open_it
        for replay in replays:
            replay.close()
