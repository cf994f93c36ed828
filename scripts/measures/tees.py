"""Recordings of Teeworlds servers."""

import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.measures import Row, beside, measurement, rate, recording, repeated


@measurement
def teehistorian() -> Iterator[Row]:
    """Messages a second at each depth, a peer's where it is installed, and opening a recording that was read before."""
    from nhlog.formats.teehistorian.operations import open_replay
    from nhlog.formats.teehistorian.reading.reader import Reader, count_messages, read_records
    from nhlog.formats.teehistorian.reading.stream import POSITIONS
    from nhlog.formats.teehistorian.reading.summary import summarise

    path = recording("teeworlds/teehistorian/A_v16.4_tutorial_10min.teehistorian", "coverage.teehistorian")
    count = sum(count_messages(Reader(path)).counts.values())
    with open(path, "rb") as file:
        data = file.read()
    skim = rate("skim", "messages", count, lambda: count_messages(Reader(path)), "ticks and counts").within(least=2.45)
    limit = repeated("each byte once, in C (CRC-32)", lambda: zlib.crc32(data))
    yield from beside(skim, [limit, *peer(data, count)])
    yield rate("summary", "messages", count, lambda: summarise(path), "who, from when to when")
    yield rate("positions", "messages", count, lambda: deque(read_records(Reader(path), POSITIONS), 0))
    records = rate("full records", "messages", count, lambda: deque(read_records(Reader(path)), 0)).within(least=73.6)
    yield from beside(records, peer(data, count))
    with TemporaryDirectory() as folder:
        long = Path(folder, "long.teehistorian")
        long.write_bytes(data)
        yield repeated("open again", lambda: open_replay(str(long)).close()).within(least=12.5)


def peer(data: bytes, count: int) -> Iterator[Row]:
    """The same recording by teehistorian-py: its messages as objects that are decoded when asked, without ticks."""
    with suppress(ImportError):
        read = import_module("teehistorian_py").Teehistorian
        note = "no ticks, no places"
        yield rate("teehistorian-py, raw chunks", "messages", count, lambda: deque(read(data), 0), note)
