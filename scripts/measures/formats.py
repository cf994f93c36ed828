"""Recordings of other games."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from scripts.measures import Row, each, measurement, rate, recording, repeated, timed

if TYPE_CHECKING:
    from nhlog.formats.butter.replay import EchoReplay


@measurement
def maps() -> Iterator[Row]:
    """Opening a map, drawing all its layers, listing it."""
    from nhlog.formats.datafile.operations import listing, open_replay
    from terminal.views import Viewpoint
    from terminal.views.teeworlds.datafile import VIEW

    path = recording("teeworlds/maps/ddnet20_Tutorial.map", "dm1.map")

    def drawn() -> None:
        replay = open_replay(path)
        for side in range(len(replay.sides)):
            VIEW.body(replay, 200, 60, Viewpoint(side=side))
        replay.close()

    yield each("open a map and draw its layers", [drawn] * 3)
    replay = open_replay(path)
    places = [Viewpoint(zoom=5, pan=(n, 0)) for n in range(30)]
    yield each("a frame, 200x60", [lambda place=place: VIEW.body(replay, 200, 60, place) for place in places])
    replay.close()
    yield rate("list maps", "maps", 50, lambda: [listing(path) for _ in range(50)])


@measurement
def butter() -> Iterator[Row]:
    """Frames a second; the C# reference decodes 6,600 and encodes 5,300 on a comparable machine."""
    from nhlog.formats.butter.reading.butterfile import ButterFile
    from nhlog.formats.butter.replay import open_replay

    path = recording("butter/ref/arena_mid.k300.gzip.butter", "arena.butter")

    def decoded() -> int:
        with ButterFile(path) as reader:
            return sum(len(chunk.frames) for chunk in reader.chunks())

    yield rate("decode a session", "frames", decoded(), decoded)
    replay = open_replay(path)
    chance = random.Random(1)

    def seek() -> None:
        replay.seek(chance.randrange(replay.timeline.last))
        assert replay.state

    yield Row("seek in it", sorted(timed(seek) for _ in range(200)))
    replay.close()


def twenty_minutes(path: Path, interval: int) -> None:
    """A session of the corpus again and again, in chunks of so many frames."""
    from nhlog.formats.butter.reading.stream import open_stream
    from nhlog.formats.butter.wire.header import format_header, storable
    from nhlog.formats.butter.wire.values import Frame
    from nhlog.formats.butter.writing.file import write_chunks
    from nhlog.formats.butter.writing.recode import Recoder

    with open_stream(recording("butter/sessions/arena_mid.echoreplay", "arena.butter")) as stream:
        once, header, roster = [*stream.frames()], stream.header, stream.roster
    header, _ = storable(replace(header, version=3, interval=interval, compression="gzip"))
    span = once[-1].time - once[0].time + 33

    def frames() -> Iterator[Frame]:
        for start in range(0, 20 * 60_000, span):
            yield from (frame._replace(time=frame.time + start) for frame in once)

    def complete(sizes: Sequence[int]) -> bytes:
        return format_header(replace(header, people=tuple(roster.people), sizes=tuple(sizes)))

    write_chunks(str(path), Recoder(header, roster, "gzip").chunks(frames(), interval), complete, force=True)


@measurement
def butter_again() -> Iterator[Row]:
    """A session of twenty minutes opened for the first time, and again; places in it, by the length of its chunks."""
    from nhlog.formats.butter.replay import open_replay

    with TemporaryDirectory() as folder:
        for interval in (300, 3600):
            path = Path(folder, f"{interval}.butter")
            twenty_minutes(path, interval)
            yield Row(f"open 20 min, chunks of {interval}", [timed(lambda path=path: open_replay(str(path)).close())])
            yield repeated("open it again", lambda path=path: open_replay(str(path)).close())
            replay, chance = open_replay(str(path)), random.Random(1)

            def seek(replay: "EchoReplay" = replay, chance: random.Random = chance) -> None:
                replay.seek(chance.randrange(replay.timeline.last))
                assert replay.state

            yield Row("seek in it", sorted(timed(seek) for _ in range(100)))
            replay.close()


@measurement
def sessions_written() -> Iterator[Row]:
    """Echo VR sessions written: frames to chunks, and whole conversions with the loss measured."""
    from nhlog.formats.butter.reading.stream import open_stream
    from nhlog.formats.butter.wire.encode.frames import Encoder
    from nhlog.formats.butter.writing.convert import convert

    source = recording("butter/sessions/arena_mid.echoreplay", "arena.butter")
    with open_stream(source) as stream:
        frames, header, roster = [*stream.frames()], stream.header, stream.roster
    count = len(frames)

    def encoded() -> None:
        encoder = Encoder(header, roster)
        for number, frame in enumerate(frames):
            encoder.frame(frame, key=number % 300 == 0)

    yield rate("encode frames", "frames", count, encoded, "the C# reference 5 300")
    with TemporaryDirectory() as folder:
        made, plain = f"{folder}/a.butter", f"{folder}/b.butter"
        note = "read, encode, gzip, read back and compare"
        yield rate("convert a session", "frames", count, lambda: convert(source, made, interval=300, force=True), note)
        yield rate("pack it otherwise", "frames", count, lambda: convert(made, plain, compression="zstd_3", force=True))
