"""Recordings of other games."""

import random
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from tempfile import TemporaryDirectory

from scripts.measures import Row, each, measurement, rate, recording, timed


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
def teehistorian() -> Iterator[Row]:
    """Messages a second at three depths, and a peer's where it is installed."""
    from nhlog.formats.teehistorian.reading.reader import Reader, count_messages, read_records
    from nhlog.formats.teehistorian.reading.stream import POSITIONS
    from nhlog.formats.teehistorian.reading.summary import summarise

    path = recording("teeworlds/teehistorian/A_v16.4_tutorial_10min.teehistorian", "coverage.teehistorian")
    count = sum(count_messages(Reader(path)).counts.values())
    yield rate("skim", "messages", count, lambda: count_messages(Reader(path)), "ticks and counts")
    yield rate("summary", "messages", count, lambda: summarise(path), "who, from when to when")
    yield rate("positions", "messages", count, lambda: deque(read_records(Reader(path), POSITIONS), 0))
    yield rate("full records", "messages", count, lambda: deque(read_records(Reader(path)), 0))
    with suppress(ImportError):
        peer = import_module("teehistorian_py").Teehistorian
        with open(path, "rb") as file:
            data = file.read()
        yield rate(
            "teehistorian-py, raw chunks", "messages", count, lambda: deque(peer(data), 0), "no ticks, no places"
        )


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
