"""Hollow Cube recordings: written, compacted, replayed; and a day of one, which is opened by its preamble alone."""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nhlog.formats.hollowcube.recording import Move
from scripts.measures import Row, measurement, rate, repeated, timed

TICKS = 20_000
DAY = 25 * 3600 * 20  # ticks
SEEKS = 300


def walk(ticks: int) -> Iterator[list[Move]]:
    """Somebody who moves and looks around in every tick."""
    from nhlog.formats.hollowcube.wire.primitives import Pos, Vector

    chance = random.Random(1)
    x = z = 0.0
    for tick in range(ticks):
        x, z = x + chance.uniform(-0.3, 0.3), z + chance.uniform(0, 0.3)
        place = Pos(x, 64.0 + tick % 12 * 0.1, z, tick % 360, chance.uniform(-90, 90))
        yield [Move(0, place, Vector(0.0, -0.0784, 0.1))]


def day(path: Path) -> None:
    """A recording of 25 hours: one chunk, again and again."""
    from nhlog.compression import ZSTD, Compressor
    from nhlog.formats.hollowcube.recording import Facts
    from nhlog.formats.hollowcube.wire.extension import Extension, with_extension
    from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS
    from nhlog.formats.hollowcube.wire.index import Entry
    from nhlog.formats.hollowcube.wire.preamble import build_preamble
    from nhlog.formats.hollowcube.writing.chunker import Chunker

    chunker = Chunker(Facts().layout)
    for events in walk(CHUNK_TICKS):
        _, chunk = chunker.tick(events)
    frame = Compressor(ZSTD, 3)(chunk.raw)
    header, metadata = Facts().beginning()
    metadata = with_extension(metadata, Extension(covered_ticks=DAY))

    def preamble(base: int) -> bytes:
        starts = range(0, DAY, CHUNK_TICKS)
        places = range(base, base + len(starts) * len(frame), len(frame))
        entries = [
            Entry(start, CHUNK_TICKS, chunk.flags, place, len(frame), len(chunk.raw))
            for start, place in zip(starts, places, strict=True)
        ]
        return build_preamble(header, metadata, entries)

    path.write_bytes(preamble(len(preamble(0))) + frame * (DAY // CHUNK_TICKS))


@measurement
def cubes() -> Iterator[Row]:
    """Ticks a second recorded, compacted and replayed; seeks in a day, and the bytes that they read."""
    from nhlog.formats.hollowcube.operations import compact, info, open_replay
    from nhlog.formats.hollowcube.recording import Recorder

    ticks = list(walk(TICKS))
    with TemporaryDirectory() as folder:
        run, packed, long = f"{folder}/run", f"{folder}/run.replay", Path(folder, "day.replay")
        made = iter(range(10))

        def record() -> None:
            recorder = Recorder(f"{run}{next(made)}")
            for events in ticks:
                recorder.tick(events)
            recorder.finish()

        yield rate("record a walk", "ticks", TICKS, record, "rounded, chunks of 5 s, synced to the disk")
        yield rate("compact it", "ticks", TICKS, lambda: compact(f"{run}0", packed, force=True), "level 19, read back")
        replay = open_replay(packed)

        def play() -> None:
            for step in range(TICKS):
                replay.seek(step)
                assert replay.state.step == step

        yield rate("replay it", "ticks", TICKS, play)
        replay.close()
        day(long)
        yield repeated("info of 25 hours", lambda: info(str(long)))
        replay, pread, sizes = open_replay(str(long)), os.pread, []

        def counted(fd: int, size: int, offset: int) -> bytes:
            data = pread(fd, size, offset)
            sizes.append(len(data))
            return data

        chance = random.Random(2)
        os.pread = counted
        try:
            times = [timed(lambda: (replay.seek(chance.randrange(DAY)), replay.state)) for _ in range(SEEKS)]
        finally:
            os.pread = pread
        note = f"{sum(sizes) / SEEKS:,.0f} bytes in {len(sizes) / SEEKS:.2f} reads".replace(",", " ")
        yield Row("seek in 25 hours", sorted(times), note)
        replay.close()
