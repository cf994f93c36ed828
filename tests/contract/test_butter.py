"""Echo VR sessions keep the contract of recordings, compact and as text."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.replay import EchoState
from nhlog.formats.butter.wire.echoreplay.lines import format_lines
from nhlog.testing import ReplayContract
from tests.changed import flipped, replaced
from tests.formats.butter.made import HEADER, START, Session, joined, key, moved, session_file, step

GOAL = (1 | 4 | 6 << 3, 2, 1, 12.5, 8.0)  # for orange, three points, a slam dunk by Bo with Ada's help


def played() -> list[list[bytes]]:
    """Three chunks with a goal, a pause, one who joins, one who leaves, a gap and a clock that goes back."""
    ada, bo = joined(1, (1, 2, -8)), joined(2, (-3, 1, 9))
    here = ([moved(1, (0.5, 0, 0.25))], [moved(2, flags=4)], ())
    return [
        [
            key(teams=([ada], [bo], ()), disc=(0, 1, 0)),
            step(teams=here, disc=(0.5, 0, 0.25)),
            step(teams=here, status=(5, 0, 3), score=GOAL),
            step(teams=([moved(1)], [moved(2)], ()), pause=(1, 0.5)),
        ],
        [
            key(START + 132, 599.0, ([ada], [bo, joined(3)], ()), points=(0, 3), pause=1, score=GOAL),
            step(2000, teams=([moved(1)], [moved(2), moved(3)], ()), pause=(0, 0.5)),
            step(teams=([moved(1)], [moved(3)], ())),
            step(teams=([moved(1)], (), [moved(3)])),
        ],
        [
            key(START + 1000, 590.0, ([ada], (), ()), status=6, points=(0, 3), score=GOAL),
            step(teams=([moved(1)], (), ())),
        ],
    ]


def lines(data: bytes) -> list[bytes]:
    """The same session as a recorder writes it down, line by line."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "made.butter")
        path.write_bytes(data)
        with ButterFile(str(path)) as reader:
            frames = [frame for chunk in reader.chunks() for frame in chunk.frames]
            return list(format_lines(reader.header, frames))


def zipped(data: bytes) -> bytes:
    """What a recorder makes of them in the end."""
    with BytesIO() as file:
        with ZipFile(file, "w", ZIP_DEFLATED) as archive:
            archive.writestr("made", data)
        return file.getvalue()


class TestButter(ReplayContract):
    ending = ".butter"
    memory = 4 << 20

    def complete(self) -> bytes:
        return session_file(played())

    def growing(self) -> tuple[bytes, bytes]:
        data = session_file(self._slight())
        at = len(data) - sum(map(len, self._slight()[-1]))
        early = at - sum(map(len, self._slight()[1])) + 20
        return data[:early], data[early:-1]

    def _slight(self) -> Session:
        still = ([moved(1)], (), ())
        chunk = [key(teams=([joined(1)], (), ())), *[step(teams=still)] * 7]
        later = [
            key(START + 264, 598.0, teams=([joined(1), joined(2)], (), ())),
            *[step(teams=([moved(1), moved(2)], (), ()))] * 5,
        ]
        return [chunk, later, later[:3]]

    def finished(self, data: bytes) -> bytes:
        whole = session_file(self._slight())
        return data + whole[len(data) :]

    def rewound(self, data: bytes) -> None:
        return None

    def damaged(self) -> Iterator[bytes]:
        chunks = played()
        data = session_file(chunks)
        first = len(data) - sum(len(frame) for chunk in chunks for frame in chunk)
        yield replaced(data, first, 0xFF)
        second = first + sum(map(len, chunks[0]))
        for at in (second, second + 1, second + len(chunks[1][0])):
            yield flipped(data, at, 0x80)
        yield session_file([chunks[0], chunks[1][1:], chunks[2]])
        yield session_file([chunks[0], [b"".join(chunks[1])[:-1]], chunks[2]])
        yield session_file(chunks, replace(HEADER, compression="gzip"))
        yield session_file([])

    def says_damage(self, state: EchoState) -> bool:
        return bool(state.fault)

    def big(self) -> bytes:
        still = ([moved(1), moved(2)], [moved(3)], ())
        start = ([joined(1), joined(2)], [joined(3)], ())
        some, paused, played = [step(teams=still)] * 99, *(step(teams=still, pause=(state, 0.5)) for state in (1, 0))
        frames = [*some, paused, *some, played, *some]
        return session_file([[key(START + 10_000 * n, teams=start), *frames] for n in range(10)])


class TestEchoreplay(ReplayContract):
    ending = ".echoreplay"
    memory = 9 << 19

    def complete(self) -> bytes:
        return zipped(b"".join(lines(session_file(played()))))

    def growing(self) -> tuple[bytes, bytes]:
        *first, ninth, tenth = lines(session_file(played()))
        return b"".join(first) + ninth[:-150], ninth[-150:] + tenth[:100]

    def finished(self, data: bytes) -> bytes:
        return self.complete()

    def other(self) -> bytes:
        return b"".join(lines(session_file(played()))[5:])

    def rewound(self, data: bytes) -> None:
        return None

    def damaged(self) -> Iterator[bytes]:
        rows = lines(session_file(played()))
        for bad in (b"x\n", rows[4][:-9] + b"\n", rows[4].replace(b"2023", b"20 3"), rows[4].replace(b"\t", b" ")):
            yield b"".join((*rows[:4], bad, *rows[5:]))
        packed = zipped(b"".join(rows))
        yield packed[:600] + b"\xff" * 60 + packed[660:]

    def says_damage(self, state: EchoState) -> bool:
        return bool(state.fault)

    def big(self) -> bytes:
        rows = lines(session_file(played()))
        return b"".join(rows[:8] * 308)
