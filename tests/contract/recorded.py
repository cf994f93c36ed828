"""The contract of recordings of terminals: whoever records has the file open until the end."""

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import IO, ClassVar

import pytest

from nhlog.screencast.state import TerminalState
from nhlog.testing import ReplayContract

__all__ = ["RecordedTerminal", "styled"]


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
