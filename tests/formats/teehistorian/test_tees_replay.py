"""A recording as a replay: keyframes, following, markers; what every recording owes is in `tests/contract`."""

import gzip
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.errors import NhlogError, TooShort
from nhlog.formats.teehistorian.reading.index import PIECE
from nhlog.formats.teehistorian.reading.reader import Reader
from nhlog.formats.teehistorian.replay import TeeReplay, open_replay
from nhlog.replay import Change, Status
from nhlog.testing import portrait, states
from nhlog.timeline import Position
from tests.corpus import SAMPLES
from tests.flushed import flushed
from tests.formats.teehistorian.builders import HEADER, Server, every_kind, played

SAMPLE = SAMPLES / "coverage.teehistorian"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.teehistorian"


def test_seeking_reads_no_more_than_lies_between_two_keyframes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(played(3000, 8).finish())
    replay = open_replay(str(path))
    assert len(replay.timeline.keyframes) > 10
    read: list[int] = []
    pread = replay.source.pread

    def counted(size: int, offset: int) -> bytes:
        read.append(size)
        return pread(size, offset)

    monkeypatch.setattr(replay.source, "pread", counted)
    for tick in (2900, 10, 1500, 1499, 3000, 0):
        read.clear()
        replay.seek(tick)
        assert replay.state.step == tick
        assert sum(read) <= 2 * PIECE


@pytest.mark.parametrize(("piece", "most"), [(64, 4096), (64, 8), (1000, 2), (1 << 20, 1)])
def test_however_many_keyframes_there_are_the_states_are_the_same(
    monkeypatch: pytest.MonkeyPatch, piece: int, most: int
) -> None:
    usual = states(open_replay(str(SAMPLE)))
    monkeypatch.setattr("nhlog.formats.teehistorian.reading.index.PIECE", piece)
    monkeypatch.setattr("nhlog.formats.teehistorian.reading.index.MOST_KEYFRAMES", most)
    replay = open_replay(str(SAMPLE))
    assert len(replay.index.ticks) <= most + 1
    for step in (*range(len(usual)), *reversed(range(len(usual)))):
        replay.seek(step)
        assert replay.state == usual[step]


def test_a_file_that_became_shorter_is_read_anew(path: Path) -> None:
    data = SAMPLE.read_bytes()
    path.write_bytes(data)
    replay = open_replay(str(path))
    replay.seek(1600)
    path.write_bytes(data[:9000])
    assert list(replay.events(0, 10**6)) == []
    assert replay.refresh() is Change.REWOUND
    fresh = open_replay(str(path))
    assert portrait(replay) == portrait(fresh)
    assert replay.step == fresh.timeline.last == 412
    assert states(replay) == states(fresh)
    path.write_bytes(b"")
    with pytest.raises(NhlogError):
        replay.refresh()


def test_an_offset_names_the_tick_of_its_message(path: Path) -> None:
    server = played(6, 2)
    server.tick += 30
    server.place(0, 1, 1)
    path.write_bytes(server.finish())
    timeline = open_replay(str(path)).timeline
    begin = len(HEADER)
    for end, tick in server.ends:
        for offset in range(begin, end):
            assert timeline.resolve(Position("offset", offset)) == tick
        begin = end


def test_a_live_recording_says_what_it_waits_for(path: Path) -> None:
    data = SAMPLE.read_bytes()
    path.write_bytes(data[:9000])
    replay = open_replay(str(path))
    assert replay.info.status is Status.LIVE
    assert replay.info.note == "waiting for the rest of a message at offset 8999"
    path.write_bytes(data)
    assert replay.refresh() is Change.FINISHED
    assert (replay.info.status, replay.info.note) == (Status.FINISHED, "")


@pytest.mark.parametrize("kind", ["gzip", "zstd", "xz"])
def test_a_compressed_recording_grows_as_its_writer_flushes_it(tmp_path: Path, kind: str) -> None:
    data = SAMPLE.read_bytes()
    path = tmp_path / "a.teehistorian.packed"
    first, second, *rest = flushed(kind, (data[:9000], data[9000:12000], data[12000:]))
    path.write_bytes(first)
    with closing(open_replay(str(path))) as replay:
        assert (replay.info.status, replay.info.note) == (
            Status.LIVE,
            "waiting for the rest of a message at offset 8999",
        )
        assert replay.refresh() is Change.NOTHING
        for number, byte in enumerate(second):
            with path.open("ab") as file:
                file.write(bytes((byte,)))
            assert replay.refresh() in (Change.NOTHING, Change.GREW), number
        path.write_bytes(first + second)
        with closing(open_replay(str(path))) as fresh:
            assert (replay.timeline.last, replay.info) == (fresh.timeline.last, fresh.info)
        with path.open("ab") as file:
            file.write(b"".join(rest))
        assert replay.refresh() is Change.FINISHED
        replay.seek(replay.timeline.last)
        with closing(open_replay(str(SAMPLE))) as plain:
            plain.seek(plain.timeline.last)
            assert (replay.timeline.last, replay.state) == (plain.timeline.last, plain.state)


def test_a_compressed_recording_that_is_damaged_does_not_live(tmp_path: Path) -> None:
    path = tmp_path / "a.teehistorian.gz"
    packed = bytearray(gzip.compress(played(3000, 8).finish()))
    packed[-6] ^= 0xFF  # of the checksum
    path.write_bytes(packed)
    with closing(open_replay(str(path))) as replay:
        assert replay.info.status is Status.DAMAGED
        assert "gzip data is damaged" in replay.info.note


def test_a_recording_that_is_written_anew_is_read_again(path: Path) -> None:
    data = SAMPLE.read_bytes()
    other = HEADER.replace(b"a", b"b") + data[len(HEADER) :]
    path.write_bytes(data[:9000])
    with closing(open_replay(str(path))) as replay:
        last = replay.timeline.last
        path.write_bytes(b"")
        with pytest.raises(TooShort, match="empty file"):
            replay.refresh()
        assert replay.timeline.last == last
        path.write_bytes(other)
        assert replay.refresh() is Change.REWOUND
        assert replay.header.raw == other[: len(HEADER)]


def test_what_becomes_of_its_name_is_told_once(path: Path) -> None:
    data = SAMPLE.read_bytes()
    path.write_bytes(data)
    with closing(open_replay(str(path))) as replay:
        path.rename(path.with_suffix(".old"))
        moved = f"the file was moved to {path.with_suffix('.old')}"
        assert [replay.refresh(), replay.info.note] == [Change.GREW, moved]
        path.write_bytes(data)
        assert [replay.refresh(), replay.info.note] == [Change.REPLACED, "another file has its name now"]
        assert replay.refresh() is Change.NOTHING


@pytest.mark.parametrize("size", [0, 1, 5, 6, 16, 100, -1])
def test_too_little_of_a_header_is_told_as_such(path: Path, size: int) -> None:
    data = HEADER[:size] if size >= 0 else HEADER[:-1]
    path.write_bytes(data)
    with pytest.raises(TooShort, match="cut short" if data else "empty file"):
        open_replay(str(path))
    with pytest.raises(TooShort, match="cut short" if data else "empty file"):
        Reader(str(path))


def test_joins_saves_and_finishes_are_marked(path: Path) -> None:
    path.write_bytes(every_kind())
    marked = [(marker.step, marker.kind, marker.name) for marker in open_replay(str(path)).timeline.markers]
    assert marked == [
        (0, "join", "player 0 joins"),
        (0, "join", "player 1 joins"),
        (16, "save", "team 7 is saved"),
        (16, "save", "team 7 could not be saved"),
        (16, "save", "team 7 is loaded"),
        (16, "save", "team 7 could not be loaded"),
        (16, "finish", "player 0 finishes in 0:24.68"),
        (16, "finish", "team 7 finishes in 0:25.00"),
    ]


def test_where_the_server_took_no_times_the_map_tells_of_finishes() -> None:
    found = [marker for marker in open_replay(str(SAMPLE)).timeline.markers if marker.kind == "finish"]
    assert (found[0].step, found[0].name) == (254, "client 0 at the finish line after 0:02.34")
    assert len(found) == 3


def test_the_state_tells_names_teams_and_keys(path: Path) -> None:
    server = Server()
    server.join(7, "näme")
    server.tick = 1
    server.place(7, -33, 64)
    server.input(7, -1, 3, -4, 1, 5, 1, 1 | 4, 6, 0, 0)
    path.write_bytes(server.finish())
    replay: TeeReplay = open_replay(str(path))
    assert replay.state.tees[0].place is None
    replay.seek(1)
    [tee] = replay.state.tees
    assert (tee.cid, tee.name, tee.clan, tee.place, tee.alive, tee.ready) == (7, "näme", "clan", (-33, 64), True, True)
    assert (tee.direction, tee.aim, tee.weapon) == (-1, (3, -4), "ninja")
    assert (tee.jumps, tee.fires, tee.hooks) == (True, True, True)
    assert tee.flags == ["playing", "chatting"]


def test_every_kind_of_event_has_its_words(path: Path) -> None:
    path.write_bytes(every_kind())
    replay = open_replay(str(path))
    texts = [event.text for event in replay.events(0, replay.timeline.last)]
    for text in (
        "player 0: /team 7",
        "server: say hello all",
        "player 0 has rcon access as admin (default_admin)",
        "player 1 has rcon access as moderator (me)",
        "player 0 is in team 7",
        "team 7 practises",
        "player 0 and player 1 change places",
        "player 1 gives up",
        "player 0 shows emoticon 3",
        "player 0 goes to the spectators",
        "player 0 is now other",
        "other gives rcon access back",
        "other connects again",
        "bot detection: 2 bytes",
        "unknown message 00000000-0000-0000-0000-000000000000, 1 bytes",
        "player 1 leaves (Timeout)",
        "client 100 appears",
    ):
        assert text in texts


def test_an_event_has_its_message_as_it_was_recorded() -> None:
    replay = open_replay(str(SAMPLE))
    [echo] = [event for event in replay.events(0, 400) if "echo" in event.text]
    assert echo.source == "ConsoleCommand 0 4 echo hi from rcon"
    assert all("\n" not in event.source for event in replay.events(0, 10**6))
