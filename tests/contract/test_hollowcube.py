"""A Hollow Cube recording keeps the contract of recordings; a growing one is a folder of segments."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.hollowcube.state import RecordingState
from nhlog.formats.hollowcube.wire.chunks import frame_tick, write_tick
from nhlog.formats.hollowcube.wire.events import AbsoluteMove, DeltaMove, RunStart, SetBlock, SpawnEntity
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector
from nhlog.testing import ReplayContract
from tests.changed import flipped
from tests.formats.hollowcube.made import EVERY_KIND, PARCEL, Made, Raw, parcel, put, walk

STILL = Vector(0.0, 0.0, 0.0)


class TestTextLayout(ReplayContract):
    ending = ".replay"
    layout = Layout.TEXT
    memory = 8 << 20

    def made(self, ticks: object = EVERY_KIND, **changes: object) -> Made:
        return Made(ticks, layout=self.layout, **changes)

    def complete(self) -> bytes:
        return self.made().data()

    def growing(self) -> tuple[bytes, bytes]:
        whole = self.made().files(finished=False)
        part = self.made(EVERY_KIND[:10]).files(finished=False)
        old = PARCEL + parcel(part)
        return old, parcel({name: data for name, data in whole.items() if part.get(name) != data})

    def finished(self, data: bytes) -> bytes:
        return data + parcel({"finished": b""})

    def rewound(self, data: bytes) -> None:
        return None

    def other(self) -> bytes:
        return PARCEL + parcel(self.made(walk(20)).files())

    def put(self, path: Path, data: bytes) -> None:
        self.__dict__.setdefault("written", {})[path] = data, put(path, data)

    def empty(self, path: Path) -> None:
        for file in path.iterdir():
            file.write_bytes(b"")

    def append(self, path: Path, data: bytes) -> None:
        before, at = self.__dict__["written"][path]
        self.__dict__["written"][path] = before + data, put(path, before + data, at)

    def damaged(self) -> Iterator[bytes]:
        sound = self.complete()
        first = len(sound) - sum(len(self.made().pack(chunk.raw)) for chunk in self.made().chunks())
        for offset in range(first + 6, len(sound), 23):  # a case: zstd has bits that mean nothing, not there
            yield flipped(sound, offset, 0x10)
        for size in range(first - 20, len(sound), 31):  # a case: some in each chunk
            yield sound[:size]
        chunks = list(self.made().chunks())
        for raw in (frame_tick(5, 1, b"\x0f"), frame_tick(5, 9, b"\x0e"), b"\xff" * 12, write_tick(-3, (RunStart(),))):
            yield self.made().data([chunks[0], replace(chunks[1], raw=raw), *chunks[2:]])
        yield self.made().data([chunks[0], *chunks[2:]])
        yield self.made().data([Raw(3, 2, b""), *chunks[1:]])
        files = self.made(segment=2).files()
        yield PARCEL + parcel({name: data for name, data in files.items() if name != "segment-000.dat"})
        yield PARCEL + parcel(files | {"segment-001.dat": files["segment-001.dat"][:9]})

    def says_damage(self, state: RecordingState) -> bool:
        return bool(state.fault)

    def big(self) -> bytes:
        crowd = [SpawnEntity(number, 5, Pos(number, 64.0, 0.0, 0.0, 0.0)) for number in range(1, 150)]
        blocks = [SetBlock(BlockPosition(number, 63, 0), number) for number in range(300)]
        step = [DeltaMove(number, Pos(0.5, 0.0, 0.0, 0.0, 0.0), STILL) for number in range(2)]
        start = AbsoluteMove(0, Pos(0.0, 64.0, 0.0, 0.0, 0.0), STILL)
        return self.made([[start, *crowd, *blocks], *[step] * 450], size=100).data()

    # of this format

    def test_a_recording_without_ticks_has_one_step_at_which_there_is_nothing(self, opened) -> None:
        replay = opened(PARCEL + parcel(self.made(()).files(finished=False)))
        assert (replay.timeline.last, replay.step, list(replay.events(0, 9))) == (0, 0, [])
        assert replay.state.fault == ""
        assert list(replay.state.entities) == [0]

    def test_a_missing_segment_costs_its_own_ticks_only(self, opened) -> None:
        ticks = walk(40)
        files = self.made(ticks, segment=2).files()
        replay = opened(PARCEL + parcel({name: data for name, data in files.items() if name != "segment-001.dat"}))
        faults = []
        for step in range(40):
            replay.seek(step)
            faults.append(bool(replay.state.fault))
            if not faults[-1]:
                assert replay.state.player.position.x == step * 0.25
        assert faults == [10 <= step < 20 for step in range(40)]

    def test_a_recording_that_was_replaced_is_read_again(self, opened, tmp_path: Path) -> None:
        path = tmp_path / "replaced.replay"
        put(path, self.made(walk(40)).data())
        replay = opened(path)
        replay.seek(39)
        put(tmp_path / "new", self.made(walk(20, step=1.0)).data())
        (tmp_path / "new").rename(path)
        assert replay.refresh().value == "rewound"
        assert (replay.step, replay.state.player.position.x) == (19, 19.0)


class TestGameLayout(TestTextLayout):
    layout = Layout.GAME


@pytest.mark.parametrize("layout", list(Layout))
def test_both_layouts_tell_the_same(layout: Layout, tmp_path: Path) -> None:
    put(tmp_path / "a.replay", Made(EVERY_KIND, layout).data())
    put(tmp_path / "b.replay", Made(EVERY_KIND, Layout.TEXT, snapshots=False, size=4).data())
    one, other = open_recording(str(tmp_path / "a.replay")), open_recording(str(tmp_path / "b.replay"))
    assert list(one.events(1, 99)) == list(other.events(1, 99))
    for step in range(len(EVERY_KIND)):
        one.seek(step)
        other.seek(step)
        assert one.state == other.state
