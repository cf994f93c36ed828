"""A teehistorian recording keeps the contract of recordings."""

from collections.abc import Iterator

from nhlog.formats.teehistorian.state import GameState
from nhlog.formats.teehistorian.wire.codec import encode
from nhlog.formats.teehistorian.wire.messages import Finish, PlayerDiff
from nhlog.testing import ReplayContract
from tests.formats.teehistorian.builders import HEADER, every_kind, played


class TestTeehistorian(ReplayContract):
    ending = ".teehistorian"
    memory = 3 << 20

    def complete(self) -> bytes:
        return every_kind()

    def growing(self) -> tuple[bytes, bytes]:
        server = played(8, 2)
        size = len(server.data)
        server.tick += 1
        server.place(0, 1, 2)
        server.input(0, *range(10))
        server.command(1, 128, b"kill")
        server.tick += 3
        server.gone(1)
        server.drop(1, b"bye")
        server.tick += 1
        server.place(0, 3, 4)
        return bytes(server.data[:size]), bytes(server.data[size:])

    def finished(self, data: bytes) -> bytes:
        return data + encode(Finish())

    def rewound(self, data: bytes) -> None:
        return None

    def damaged(self) -> Iterator[bytes]:
        data = bytes(played(12, 3).data)
        for bad in (b"\x7f", b"\x41\x40", b"\x42\x40", b"\x46\x01\x40", b"\x4a" + bytes(16) + b"\xff\xff\xff\xff\x0f"):
            yield data + bad + data[-40:]
        yield data + encode(PlayerDiff(17, 1, 1)) + data[-40:]
        yield data + encode(Finish()) + b"junk"
        yield HEADER + b"\x44\x03" + bytes(10)

    def says_damage(self, state: GameState) -> bool:
        return False

    def big(self) -> bytes:
        return bytes(played(1200, 40).data)
