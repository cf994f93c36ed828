"""Asciicasts keep the contract of recordings: versions 2 and 3, plain and compressed, and 1, which nobody writes on."""

import json
from collections.abc import Iterator

from tests.contract.recorded import Compressed, RecordedTerminal, styled

START = 1_700_000_000
LAST = b'"\\u001b[Hthe end\\r\\n"'


def texts(count: int, first: int = 0, size: int = 1) -> Iterator[str]:
    """Styled lines, in pieces that are cut inside of sequences."""
    for line in styled(count, first, size):
        yield line[:14]
        yield line[14:]


class Asciicast(RecordedTerminal):
    def header(self, start: int = START) -> bytes:
        raise NotImplementedError

    def line(self, number: int, code: str, text: str) -> bytes:
        raise NotImplementedError

    def events(self, count: int, first: int = 0, size: int = 1) -> bytes:
        pieces = enumerate(texts(count, first, size), 2 * first)
        return b"".join(self.line(number, "o", text) for number, text in pieces)

    def last(self) -> bytes:
        return self.line(99, "o", "\x1b[Hthe end\r\n")

    def complete(self) -> bytes:
        others = (("r", "40x7"), ("m", ""), ("m", "there"), ("i", "k"), ("z", "?"), ("o", ""), ("x", "0"))
        first = b"".join(self.line(0, code, text) for code, text in others)
        return self.header() + first + self.events(9) + self.last()

    def growing(self) -> tuple[bytes, bytes]:
        return self.header() + self.events(5), self.events(2, 5)

    def finished(self, data: bytes) -> bytes:
        return data + self.last()

    def rewound(self, data: bytes) -> bytes:
        return self.header(START + 1) + self.events(3)

    def other(self) -> bytes:
        return self.header(START - 7) + self.line(0, "o", "another one") + self.events(9)

    def damaged(self) -> Iterator[bytes]:
        some, more = self.header() + self.events(5), self.events(5, 5)
        for bad in (
            b"\0" * 4096,
            b"\xff" * 700,
            b"[1, 2]",
            b'{"a": 1}',
            self.header(),
            b'[9e99, "o", ""]',
            b"[" * 9999,
        ):
            yield some + bad + b"\n" + more
        yield some + more[3:]
        yield some + b"\xff" * 20 + b"\n"

    def big(self) -> bytes:
        return self.header() + self.events(40, size=60)

    def is_recorded(self, data: bytes) -> bool:
        return data.startswith(self.header()) and not data.endswith(self.last())


class TestAsciicast2(Asciicast):
    ending = ".cast"

    def header(self, start: int = START) -> bytes:
        return b'{"version": 2, "width": 80, "height": 24, "timestamp": %d, "title": "a game"}\n' % start

    def line(self, number: int, code: str, text: str) -> bytes:
        """Some come a second late, and those after them early."""
        return json.dumps([number / 4 + (number % 5 == 3), code, text], ensure_ascii=False).encode() + b"\n"


class TestAsciicast3(Asciicast):
    ending = ".cast"

    def header(self, start: int = START) -> bytes:
        return b'{"version": 3, "term": {"cols": 80, "rows": 24}, "timestamp": %d}\n# remark\n' % start

    def line(self, number: int, code: str, text: str) -> bytes:
        return json.dumps([0.25, code, text]).encode() + b"\n"


class TestCompressedAsciicast(Compressed, TestAsciicast2):
    ending = ".cast.gz"


class TestAsciicast1(Asciicast):
    ending = ".cast"

    def header(self, start: int = START) -> bytes:
        return b'{"version": 1, "width": 80, "height": 24, "timestamp": %d, "stdout": [\n[0, ""]' % start

    def line(self, number: int, code: str, text: str) -> bytes:
        return b",\n" + json.dumps([0.25, text if code == "o" else ""]).encode()

    def last(self) -> bytes:
        return super().last() + b"]}"

    def damaged(self) -> Iterator[bytes]:
        some, more = self.header() + self.events(5), self.events(5, 5)
        for bad in (b"\0" * 4096, b", [1, 2]", b', {"a": [1]}', b', [9e99, ""]', b"]" * 9):
            yield some + bad + more
        yield some + more[4:]
