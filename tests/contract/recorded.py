"""The contract of recordings of terminals: whoever records has the file open until the end."""

import zlib
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import IO, ClassVar

import pytest

from nhlog.screencast.state import TerminalState
from nhlog.testing import ReplayContract
from tests.flushed import flushed

__all__ = ["Compressed", "RecordedTerminal", "packed", "styled"]


def styled(count: int, first: int = 0, size: int = 1) -> list[str]:
    """Lines in colours, with wide characters."""
    return [f"\x1b[{31 + n % 7}mline {n} \x1b[1m漢é\x1b[0m{'.' * size}\r\n" for n in range(first, first + count)]


class RecordedTerminal(ReplayContract):
    memory = 6 << 20
    open_files: ClassVar[dict[Path, IO[bytes]]] = {}

    @pytest.fixture(autouse=True)
    def writers(self) -> Iterator[None]:
        yield
        while self.open_files:
            self.open_files.popitem()[1].close()

    @abstractmethod
    def is_recorded(self, data: bytes) -> bool:
        """Whether somebody still records what has come so far."""

    def says_damage(self, state: TerminalState) -> bool:
        return bool(state.fault)

    def move(self, path: Path, other: Path) -> None:
        super().move(path, other)
        if path in self.open_files:
            self.open_files[other] = self.open_files.pop(path)

    def put(self, path: Path, data: bytes) -> None:
        if path in self.open_files:
            self.open_files.pop(path).close()
        path.write_bytes(data)
        if self.is_recorded(data):
            self.open_files[path] = path.open("ab")


def packed(data: bytes) -> bytes:
    """The bytes as gzip has them, without the time."""
    return zlib.compress(data, wbits=31)


class Compressed(RecordedTerminal):
    """The same recordings, packed by gzip; before the class that makes them among the bases of one."""

    def complete(self) -> bytes:
        return packed(super().complete())

    def growing(self) -> tuple[bytes, bytes]:
        some, more, _ = flushed("gzip", super().growing())
        return some, more

    def finished(self, data: bytes) -> bytes:
        return b"".join(flushed("gzip", super().growing()))

    def rewound(self, data: bytes) -> None:
        return None

    def other(self) -> bytes:
        return packed(super().other())

    def damaged(self) -> Iterator[bytes]:
        return map(packed, super().damaged())

    def big(self) -> bytes:
        return packed(super().big())

    def put(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
