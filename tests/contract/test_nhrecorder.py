"""Recordings of nh_recorder keep the contract of recordings."""

from collections.abc import Iterator

from tests.contract.recorded import RecordedTerminal, styled

LAST = b"\0\xff\xff\0\0the end"


def pieces(count: int, first: int = 0, size: int = 1) -> bytes:
    lines = enumerate(styled(count, first, size), first)
    return b"".join(b"\0%s%s" % ((25 * number).to_bytes(4, "little"), line.encode()) for number, line in lines)


class TestNhRecorder(RecordedTerminal):
    ending = ".nh"

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

    def big(self) -> bytes:
        return pieces(45, size=60)

    def is_recorded(self, data: bytes) -> bool:
        return data.startswith(b"\0") and not data.endswith(LAST)
