"""A Teeworlds map keeps the contract of recordings, as one of a single step."""

from collections.abc import Iterator

from nhlog.formats.datafile.replay import MapState
from nhlog.testing import ReplayContract
from tests.changed import flipped
from tests.corpus import SAMPLES


class TestDatafile(ReplayContract):
    ending = ".map"

    def complete(self) -> bytes:
        return (SAMPLES / "coverage.map").read_bytes()

    def growing(self) -> None:
        return None

    def finished(self, data: bytes) -> bytes:
        raise AssertionError("a map does not grow")

    def rewound(self, data: bytes) -> None:
        return None

    def damaged(self) -> Iterator[bytes]:
        data = self.complete()
        for size in (37, 200, 700, len(data) - 1):
            yield data[:size]
        for at in (8, 12, 16, 20, 24, 40, 48, 200):
            yield flipped(data, at, 0x40)
        head = len(data) - int.from_bytes(data[32:36], "little")
        yield data[:head] + bytes(len(data) - head)

    def says_damage(self, state: MapState) -> bool:
        return bool(state.fault)

    def big(self) -> None:
        return None
