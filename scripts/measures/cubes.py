"""Hollow Cube recordings: written, compacted, replayed; an hour of one, opened and opened again; and days of one.

One day is opened by its preamble alone; of the other, in which next to nothing happens, few chunks have a snapshot.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nhlog.formats.hollowcube.recording import Move
from scripts.measures import REPEATS, Row, measurement, rate, repeated, timed

TICKS = 20_000
HOUR = 3600 * 20  # ticks
DAY = 25 * HOUR
RUN = 2400  # ticks
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


def hour(path: Path) -> None:
    """A recording of an hour, as the game writes it: runs and blocks, items, and three others who walk, too."""
    from nhlog.formats.hollowcube.operations import CompactOptions, compact
    from nhlog.formats.hollowcube.recording import Facts, Recorder
    from nhlog.formats.hollowcube.wire.enums import End, Pose
    from nhlog.formats.hollowcube.wire.events import (
        ChangeHeldSlot,
        CheckpointReached,
        ClearGhostBlocks,
        EntityState,
        Event,
        RunEnd,
        RunStart,
        SetBlock,
        SetItem,
        SpawnEntity,
    )
    from nhlog.formats.hollowcube.wire.header import Layout
    from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
    from nhlog.formats.hollowcube.wire.primitives import BlockPosition

    def happenings(tick: int, here: Move) -> Iterator[Event | Move]:
        x, _, z, *_ = here.position
        if not tick:
            yield from (SpawnEntity(number, 72, here.position) for number in (1, 2, 3))
        yield here
        for number in (1, 2, 3):
            place = here.position._replace(x=x + number, yaw=tick * number % 360)
            yield Move(number, place, here.velocity)
        if tick % 20 == 3:
            yield SetBlock(BlockPosition(int(x), 63, int(z)), tick % 1000)
        if tick % 30 == 0:
            yield EntityState(0, Pose.STANDING, tick % 2)
        if tick % 50 == 7:
            yield ChangeHeldSlot(0, tick // 50 % 9)
        if tick % 90 == 7:
            stone = {"id": Tag(Kind.STRING, "minecraft:stone"), "count": Tag(Kind.INT, tick % 64 + 1)}
            yield SetItem(0, {tick // 90 % 9: Tag(Kind.COMPOUND, stone)})
        match tick % RUN:
            case 0:
                yield RunStart()
                yield ClearGhostBlocks()
            case last if last == RUN - 1:
                yield RunEnd(End.FINISH, last * 50)
            case reached if reached % 400 == 0:
                yield CheckpointReached(f"checkpoint {reached // 400}", reached * 50)

    recorder = Recorder(f"{path}.folder", Facts(layout=Layout.GAME))
    for tick, (here,) in enumerate(walk(HOUR)):
        recorder.tick([*happenings(tick, here)])
    recorder.finish()
    compact(f"{path}.folder", str(path), CompactOptions(level=3))


def idle_day(path: Path) -> None:
    """A recording of 25 hours in the game's layout, which flags each chunk; but only once an hour somebody moves."""
    from nhlog.compression import ZSTD, Compressor
    from nhlog.formats.hollowcube.recording import Facts
    from nhlog.formats.hollowcube.wire.chunks import ChunkBuilder
    from nhlog.formats.hollowcube.wire.events import AbsoluteMove, write_event
    from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS, Layout
    from nhlog.formats.hollowcube.wire.index import SNAPSHOT
    from nhlog.formats.hollowcube.writing.assemble import assemble, packed
    from nhlog.formats.hollowcube.writing.chunker import RawChunk

    header, metadata = Facts(layout=Layout.GAME).beginning()
    (here,) = next(walk(1))

    def chunks() -> Iterator[RawChunk]:
        for start in range(0, DAY, CHUNK_TICKS):
            builder = ChunkBuilder(Layout.GAME, start)
            if start % HOUR == 0:
                builder.add(start, 1, write_event(AbsoluteMove(*here)))
            yield RawChunk(start, CHUNK_TICKS, SNAPSHOT, builder.until(start + CHUNK_TICKS), 0)

    assemble(str(path), header, lambda ticks: metadata, packed(chunks(), Compressor(ZSTD, 3)))


@measurement
def cubes_again() -> Iterator[Row]:
    """An hour opened for the first time and again; places in a day of which few chunks have a snapshot."""
    from nhlog.formats.hollowcube.operations import open_replay

    with TemporaryDirectory() as folder:
        long, idle = Path(folder, "hour.replay"), Path(folder, "idle.replay")
        hour(long)
        idle_day(idle)
        opened = repeated("open an hour again", lambda: open_replay(str(long)).close())
        yield Row("open an hour", sorted(timed(lambda: first(long)) for _ in range(REPEATS)))
        yield opened
        replay, chance = open_replay(str(idle)), random.Random(2)
        times = [timed(lambda: (replay.seek(chance.randrange(DAY)), replay.state)) for _ in range(SEEKS)]
        yield Row("seek in 25 hours without snapshots", sorted(times))
        replay.close()


def first(path: Path) -> None:
    """Open a recording of which the cache knows nothing."""
    from nhlog.formats.hollowcube.operations import open_replay

    before = os.environ["XDG_CACHE_HOME"]
    with TemporaryDirectory() as os.environ["XDG_CACHE_HOME"]:
        open_replay(str(path)).close()
    os.environ["XDG_CACHE_HOME"] = before


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
