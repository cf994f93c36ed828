"""Twenty-five hours: what costs by the preamble, by the chunk, and never by the length."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.compression import ZSTD, Compressor
from nhlog.formats.hollowcube.operations import info, listing, open_replay
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Move
from nhlog.formats.hollowcube.wire.events import PLAYER
from nhlog.formats.hollowcube.wire.extension import Extension, with_extension
from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.preamble import build_preamble
from nhlog.formats.hollowcube.wire.primitives import Pos
from nhlog.formats.hollowcube.writing.chunker import Chunker
from nhlog.formats.hollowcube.writing.facts import Facts
from tests.corpus import ROOT
from tests.doses import dose, seeded
from tests.processes import Child

TICKS = 25 * 3600 * 20
CHUNKS = TICKS // CHUNK_TICKS
MEMORY = 100 << 20


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of 1.8 million ticks: one chunk of a walk, again and again."""
    path = tmp_path_factory.mktemp("long") / "day.replay"
    chunker = Chunker(Facts().layout)
    for tick in range(CHUNK_TICKS - 1):
        chunker.tick([Move(PLAYER, Pos(tick * 0.2, 64.0, 0.0, 0.0, 0.0))] if tick % 20 == 0 else [])
    chunk = chunker.tick([])[1]
    frame = Compressor(ZSTD, 3)(chunk.raw)
    header, metadata = Facts(timestamp=1_795_187_205_278).beginning()
    metadata = with_extension(metadata, Extension(covered_ticks=TICKS))

    def entries(base: int) -> list[Entry]:
        return [
            Entry(
                number * CHUNK_TICKS, CHUNK_TICKS, chunk.flags, base + number * len(frame), len(frame), len(chunk.raw)
            )
            for number in range(CHUNKS)
        ]

    preamble = build_preamble(header, metadata, entries(0))
    preamble = build_preamble(header, metadata, entries(len(preamble)))
    assert len(preamble) > 256 << 10, "more than the first read"
    path.write_bytes(preamble + frame * CHUNKS)
    return path


class Counted:
    """How often was read, and how many bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reads: list[int] = []
        self._pread = os.pread
        monkeypatch.setattr(os, "pread", self)

    def __call__(self, fd: int, size: int, offset: int) -> bytes:
        data = self._pread(fd, size, offset)
        self.reads.append(len(data))
        return data


def test_info_reads_the_preamble_and_little_more(day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Counted(monkeypatch)
    found = info(str(day))
    assert (found.ticks, found.duration) == (TICKS, 25 * 3600 * 1_000_000)
    assert sum(read.reads) < 1 << 20
    read.reads.clear()
    listing(str(day))
    assert sum(read.reads) < 1 << 20


def test_a_seek_reads_the_preamble_once_and_two_chunks_at_most(day: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Counted(monkeypatch)
    chance = seeded(3)
    with closing(open_replay(str(day))) as replay:
        assert len(read.reads) <= 2 + 1, "256 KiB, the rest, and the first chunk"
        for _ in range(dose("hollowcube.seeks")):
            read.reads.clear()
            replay.seek(chance.randrange(TICKS))
            assert replay.state.player.position.y == 64.0
            assert len(read.reads) <= 2


RECORDING = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.formats.hollowcube.recording import Recorder, Triggers
from nhlog.formats.hollowcube.operations import CompactOptions, compact, open_replay
from nhlog.formats.hollowcube.wire.primitives import Pos
from nhlog.formats.hollowcube.recording import Move

def record():
    recorder = Recorder(path, triggers=Triggers(segment_busy_ticks=1500))
    for chunk in range({CHUNKS}):
        recorder.tick([Move(0, Pos(chunk * 0.1, 64.0, chunk % 13, chunk % 360, 0.0))])
        recorder.skip({CHUNK_TICKS - 1})
    recorder.finish()

def pack():
    compact(path, path + ".replay", CompactOptions(level=3))

def play():
    replay = open_replay(path + ".replay")
    for step in [*range(0, {TICKS}, 10_007), *range(500_000, 510_000), *range(510_000, 505_000, -1)]:
        replay.seek(step)
        replay.state

for act in (record, pack, play):
    child = os.fork()
    if not child:
        act()
        with open("/proc/self/status") as status:  # getrusage tells of our parent's memory as well
            say(next(line.split()[1] for line in status if line.startswith("VmHWM:")))
        os._exit(0)
    os.waitpid(child, 0)
"""


def test_recording_compacting_and_playing_take_little_memory(tmp_path: Path) -> None:
    with Child(RECORDING, str(tmp_path / "day")) as child:
        peaks = [int(child.hear()) << 10 for _ in ("record", "compact", "play")]
    assert max(peaks) < MEMORY
    with closing(open_reader(str(tmp_path / "day.replay"))) as reader:
        assert (reader.preamble.ticks, reader.faults) == (TICKS, ())
