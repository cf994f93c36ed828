"""Terminal recordings keep the contract of recordings."""

import json
from collections.abc import Iterator

from minicast.replay import CastState
from nhlog.testing import ReplayContract

HEADER = b'{"version": 2, "width": 80, "height": 5, "timestamp": 1700000000, "title": "a session"}\n'


def line(seconds: float, text: str, code: str = "o") -> bytes:
    return json.dumps([seconds, code, text]).encode() + b"\n"


OUTPUT = b"".join(line(number / 4, f"line {number}\r\n\x1b[1m$\x1b[0m ") for number in range(12))


class TestMinicast(ReplayContract):
    ending = ".minicast"
    memory = 2 << 20

    def complete(self) -> bytes:
        return self.finished(HEADER + OUTPUT + line(2.5, "a clock that was put back\n") + line(9, "keys", "i"))

    def growing(self) -> tuple[bytes, bytes]:
        return HEADER + OUTPUT, line(4, "more\r\n") + line(5.5, "and more")

    def finished(self, data: bytes) -> bytes:
        return data + line(10, "0", "x")

    def rewound(self, data: bytes) -> None:
        return None

    def damaged(self) -> Iterator[bytes]:
        for bad in (
            b"{}\n",
            b"[1, 2\n",
            b"[-1, 'o', 'x']\n",
            b"\xff\n",
            b"\n",
            b"[" * 100_000 + b"\n",
            b"1" * (2 << 20),
        ):
            yield HEADER + OUTPUT + bad + OUTPUT
        yield self.complete() + OUTPUT

    def says_damage(self, state: CastState) -> bool:
        return False

    def big(self) -> bytes:
        return HEADER + b"".join(line(number, "x" * 999 + "\n") for number in range(2000))
