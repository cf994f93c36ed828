"""Recordings of nh_recorder keep the contract of recordings."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from nhlog.screencast.state import TerminalState
from nhlog.testing import ReplayContract

LAST = b"\0\xff\xff\0\0the end"


def pieces(count: int, first: int = 0, size: int = 1) -> bytes:
    return b"".join(
        b"\0%s\x1b[%dmline %d \x1b[1m%s\x1b[0m%s\r\n"
        % ((25 * n).to_bytes(4, "little"), 31 + n % 7, n, "漢é".encode(), b"." * size)
        for n in range(first, first + count)
    )


class TestNhRecorder(ReplayContract):
    ending = ".nh"
    memory = 6 << 20

    @pytest.fixture(autouse=True)
    def writers(self) -> Iterator[None]:
        self.open_files: dict[Path, IO[bytes]] = {}
        yield
        for file in self.open_files.values():
            file.close()

    def complete(self) -> bytes:
        return b"\x1b%G\x1b[8;7;40t" + pieces(12) + LAST

    def growing(self) -> tuple[bytes, bytes]:
        return pieces(5), pieces(3, 5)

    def finished(self, data: bytes) -> bytes:
        return data + LAST

    def rewound(self, data: bytes) -> bytes:
        return pieces(1, size=9) + pieces(2, 1)

    def other(self) -> bytes:
        return b"another one" + pieces(9)

    def damaged(self) -> Iterator[bytes]:
        for time in (b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\x80\x80\x80\x10"):
            yield pieces(9) + b"\0" + time + pieces(9, 9)

    def says_damage(self, state: TerminalState) -> bool:
        return bool(state.fault)

    def big(self) -> bytes:
        return pieces(45, size=60)

    def put(self, path: Path, data: bytes) -> None:
        """Whoever records has the file open until the end."""
        if path in self.open_files:
            self.open_files.pop(path).close()
        path.write_bytes(data)
        if data.startswith(b"\0") and not data.endswith(LAST):
            self.open_files[path] = path.open("ab")
