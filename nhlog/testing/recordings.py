"""The samples that the contract of recordings is run on, which a derived class supplies for its format.

A class supplies recordings as bytes; the contract writes them to files, opens these, and checks them.
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
"""Opens a recording, given as bytes or as the path of a file."""


def portrait(replay: Replay[Any]) -> dict[str, Any]:
    """The description, timeline and events of a replay, as values that can be compared."""
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
    """A hash of a replay's description, timeline, events and all states, to be compared between processes."""
    return hashlib.sha256(repr((portrait(replay), states(replay))).encode()).hexdigest()


class Recordings:
    """Sample recordings of one format, as bytes; a derived class supplies them."""

    ending: ClassVar[str]
    """The ending of the names of such files."""

    opener: ClassVar[tuple[str, str]] = ("nhlog.formats", "open_recording")
    """The names of the module and the function that open them."""

    def open(self, path: Path) -> Replay[Any]:
        """Open the recording in a file."""
        module, function = self.opener
        replay: Replay[Any] = getattr(import_module(module), function)(str(path))
        return replay

    memory: ClassVar[int] = 24 << 20
    """The memory in bytes that visiting all steps of a big recording may take beyond its file."""

    def complete(self) -> bytes:
        """A small finished recording, with as many kinds of content as possible."""
        raise NotImplementedError

    def growing(self) -> tuple[bytes, bytes] | None:
        """A recording that is still being written: its bytes when it is opened, and those that are appended then.

        None if recordings of this format do not grow.
        """
        raise NotImplementedError

    def finished(self, data: bytes) -> bytes:
        """The recording `data` after it was finished."""
        raise NotImplementedError

    def rewound(self, data: bytes) -> bytes | None:
        """The recording `data` after it was rewound; None if the format does not support that."""
        raise NotImplementedError

    def other(self) -> bytes:
        """A recording of another game; override it if :meth:`complete` begins like :meth:`growing`."""
        return self.complete()

    def damaged(self) -> Iterator[bytes]:
        """Recordings that violate the format's rules after their header."""
        raise NotImplementedError

    def says_damage(self, state: Any) -> bool:
        """Whether the state reports that it could not be rebuilt."""
        raise NotImplementedError

    def big(self) -> bytes | None:
        """A recording whose states together take many times `memory`; None for formats with only one state."""
        raise NotImplementedError

    def empty(self, path: Path) -> None:
        """Take all bytes from the recording at `path`, as a writer may that begins anew."""
        self.put(path, b"")

    def put(self, path: Path, data: bytes) -> None:
        """Write `data` as the recording at `path`; to be overridden if recordings are folders."""
        path.write_bytes(data)

    def append(self, path: Path, data: bytes) -> None:
        """Append `data` to the recording at `path`."""
        with open(path, "ab") as file:
            file.write(data)

    def move(self, path: Path, other: Path) -> None:
        """Move the recording at `path`, while whoever writes it goes on."""
        path.rename(other)

    # what the tests use

    def _grows(self) -> tuple[bytes, bytes]:
        grows = self.growing()
        if grows is None:
            pytest.skip("such recordings do not grow")
        return grows

    def _some(self) -> list[bytes]:
        """A complete recording and, if the format has them, one that grows."""
        return [self.complete(), *(self.growing() or ())[:1]]

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        """The name of a file for one recording."""
        return tmp_path / f"recording{self.ending}"

    @pytest.fixture
    def opened(self, tmp_path: Path) -> Iterator[Opener]:
        """A function that opens recordings, each in a file of its own; they are closed at the end."""
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
