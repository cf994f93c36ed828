"""Recordings are read by ranges: how many requests there are, how large, and what happens where none is answered."""

import http.server
import re
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.errors import NhlogError, RemoteUnreachable, Unsupported
from nhlog.formats import format_of, open_recording
from nhlog.formats.hollowcube.operations import info, listing, verify
from nhlog.formats.hollowcube.reading.open import open_source
from nhlog.formats.hollowcube.reading.reader import CACHE, Reader
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.wire.chunks import write_snapshot
from nhlog.formats.hollowcube.wire.events import AbsoluteMove
from nhlog.formats.hollowcube.wire.extension import Extension, with_extension
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.index import SNAPSHOT
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from nhlog.formats.hollowcube.wire.preamble import FIRST_READ
from nhlog.formats.hollowcube.wire.primitives import Pos, Vector
from nhlog.replay import Change
from nhlog.timeline import Position
from tests.formats.hollowcube.made import EVERY_KIND, NONE, Made, Raw, run

fsspec = pytest.importorskip("fsspec")

FAR_APART = range(100, 4000, 300)
LONG = Made(run(4000, {number: f"cp-{number}" for number in FAR_APART}), size=100)
"""Its metadata fills the first request, so that every chunk takes one of its own."""


class Padded(Made):
    def own_metadata(self) -> Tag:
        own = super().own_metadata()
        return Tag(Kind.COMPOUND, {**own.value, "notes": Tag(Kind.BYTE_ARRAY, (0,) * self.padding)})

    padding = FIRST_READ


class PaddedBarely(Padded):
    padding = FIRST_READ - 4500


class Counting:
    """A source that notes every range that is asked for."""

    def __init__(self, path: Path) -> None:
        self._inner = open_source(str(path))
        self.asked: list[tuple[str, int, int]] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def read(self, name: str, offset: int, length: int) -> bytes:
        self.asked.append((name, offset, length))
        return self._inner.read(name, offset, length)


def counting(path: Path) -> tuple[CubeReplay, list[tuple[str, int, int]]]:
    source = Counting(path)
    replay = CubeReplay(Reader(source))
    return replay, source.asked


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.replay"
    path.write_bytes(LONG.data())
    return path


@pytest.fixture
def padded(tmp_path: Path) -> Path:
    path = tmp_path / "padded.replay"
    path.write_bytes(PaddedBarely(LONG.ticks, size=100).data())
    return path


def test_a_short_recording_is_one_request(small: Path) -> None:
    replay, asked = counting(small)
    for step in range(4000):
        replay.seek(step)
        assert replay.state.fault == ""
    list(replay.events(0, 3999))
    assert asked == [("", 0, FIRST_READ)]


def test_a_preamble_that_is_longer_takes_one_more_request_and_every_chunk_one(tmp_path: Path) -> None:
    path = tmp_path / "long.replay"
    data = Padded(LONG.ticks, size=100).data()
    path.write_bytes(data)
    replay, asked = counting(path)
    length = replay.reader.preamble.length
    assert asked == [("", 0, FIRST_READ), ("", FIRST_READ, length - FIRST_READ)]
    for step in (2550, 130, 3999):
        del asked[:]
        replay.seek(step)
        assert replay.state.player.position.x == step * 0.25
        entry = replay.reader.parts[step // 100].entry
        assert asked == [("", entry.offset, entry.length)]


def test_a_seek_asks_for_its_chunk_and_no_other(padded: Path) -> None:
    replay, asked = counting(padded)
    beyond = next(n for n, part in enumerate(replay.reader.parts) if part.offset + part.entry.length > FIRST_READ)
    assert 0 < beyond < 38
    for number in (39, beyond, 38):
        del asked[:]
        replay.seek(number * 100 + 40)
        assert replay.state.fault == ""
        assert len(asked) == 1
        replay.seek(number * 100 + 50)
        replay.seek(number * 100 + 3)
        assert replay.state.fault == ""
        assert len(asked) == 1


def test_what_was_read_is_kept_within_a_bound(padded: Path) -> None:
    replay, asked = counting(padded)
    for step in range(4000):
        replay.seek(step)
        assert replay.state.fault == ""
    once = len(asked)
    for step in reversed(range(4000)):
        replay.seek(step)
        assert replay.state.fault == ""
    assert len(asked) == once
    assert 0 < replay.reader._chunks.size <= CACHE


def test_nothing_but_the_preamble_is_read_to_tell_of_a_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = LONG.write(tmp_path / "run")
    asked: list[str] = []
    source = type(open_source(str(path)))
    read = source.read

    def noted(self: object, name: str, offset: int, length: int) -> bytes:
        asked.append(name)
        return read(self, name, offset, length)

    monkeypatch.setattr(source, "read", noted)
    assert info(str(path)).ticks == listing(str(path)).ticks == 4000
    assert set(asked) == {"preamble.dat"}


def test_of_25_hours_the_preamble_is_read_and_one_chunk_for_each_place(tmp_path: Path) -> None:
    """Eighteen thousand chunks, in which nothing happens but that each has a snapshot and a tick says where one is."""

    class Hours(Made):
        def own_metadata(self) -> Tag:
            return with_extension(NONE, Extension(covered_ticks=1_800_000))

    opening = write_snapshot([AbsoluteMove(0, Pos(1.0, 2.0, 3.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))])
    path = tmp_path / "hours.replay"
    starts = range(0, 1_800_000, 100)
    path.write_bytes(Hours(()).data([Raw(start, 100, opening, SNAPSHOT) for start in starts]))
    tracemalloc.start()
    replay, asked = counting(path)
    assert [length < 1 << 20 for _, _, length in asked] == [True, True]
    assert (replay.timeline.last, replay.info.duration) == (1_799_999, 25 * 3600 * 1_000_000)
    for step in (1_799_999, 5, 900_000):
        del asked[:]
        replay.seek(step)
        assert replay.state.player.position.y == 2.0
        assert len(asked) == 1
    replay.timeline.resolve(Position("time", 12 * 3600 * 1_000_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 32 << 20
    assert info(str(path)).ticks == 1_800_000


def test_files_are_given_back(small: Path, tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in (small, Made(EVERY_KIND).write(tmp_path / "folder")):
        replay = open_recording(str(path), ghost=str(small))
        replay.seek(9)
        assert replay.state.fault == ""
        replay.close()
        info(str(path))
        list(verify(str(path)))
        with pytest.raises(NhlogError):
            open_recording(str(path), ghost=str(tmp_path / "absent.replay"))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# through fsspec


@pytest.fixture
def memory() -> Iterator[object]:
    files = fsspec.filesystem("memory")
    yield files
    for path in list(files.find("/")):
        files.rm_file(path)


def same(address: str, path: Path) -> None:
    """That both have the same states."""
    there, here = open_recording(address), open_recording(str(path))
    assert there.timeline.last == here.timeline.last
    for step in range(here.timeline.last + 1):
        there.seek(step)
        here.seek(step)
        assert there.state == here.state
    there.close()
    here.close()


def test_a_recording_in_a_file_system_of_fsspec(memory, small: Path) -> None:
    memory.pipe("/runs/small.replay", small.read_bytes())
    assert format_of("memory://runs/small.replay").name == "Hollow Cube recording"
    same("memory://runs/small.replay", small)
    assert info("memory://runs/small.replay").size == small.stat().st_size


def test_segments_in_a_file_system_of_fsspec_can_be_followed(memory, tmp_path: Path) -> None:
    for name, data in Made(EVERY_KIND[:10]).files(finished=False).items():
        memory.pipe(f"/run/{name}", data)
    replay = open_recording("memory://run/preamble.dat")
    assert (replay.info.status.value, replay.timeline.last) == ("live", 9)
    assert replay.refresh() is Change.NOTHING
    for name, data in Made(EVERY_KIND).files().items():
        memory.pipe(f"/run/{name}", data)
    assert replay.refresh() is Change.FINISHED
    assert replay.timeline.last == len(EVERY_KIND) - 1
    same("memory://run/preamble.dat", Made(EVERY_KIND).write(tmp_path / "same"))


@pytest.mark.parametrize("name", ["absent.replay", "absent/preamble.dat"])
def test_what_is_not_there_is_told(memory, name: str) -> None:
    with pytest.raises(NhlogError, match="not there") as error:
        open_recording(f"memory://{name}")
    assert error.value.file == f"memory://{name}"


def test_a_file_system_that_nobody_knows_is_told() -> None:
    with pytest.raises(Unsupported, match="no such address"):
        open_recording("nowhere://a.replay")


def test_a_file_system_that_fails_is_unreachable(memory, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.pipe("/a.replay", small.read_bytes())

    def fail(*args: object, **options: object) -> bytes:
        raise ConnectionResetError("reset by peer")

    monkeypatch.setattr(type(memory), "cat_file", fail)
    with pytest.raises(RemoteUnreachable, match="reset by peer") as error:
        open_recording("memory://a.replay")
    assert error.value.exit_code == 7


# over http


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers requests for ranges, as far as `server.mood` lets it."""

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, body: bool) -> None:
        server = self.server
        server.asked.append((self.command, self.path, self.headers.get("Range")))
        path = server.root / self.path.lstrip("/")
        if server.failures:
            server.failures -= 1
            self.send_error(503)
            return
        if not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if wanted and server.ranges:
            first, last = int(wanted[1]), min(int(wanted[2]), len(data) - 1)
            if first >= len(data):
                self.send_error(416)
                return
            self.send_response(206)
            part = data[first : last + 1]
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        else:
            self.send_response(200)
            part = data
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Last-Modified", str(path.stat().st_mtime_ns))
        self.end_headers()
        if body:
            self.wfile.write(part)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def web(tmp_path: Path) -> Iterator[http.server.ThreadingHTTPServer]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.root, server.asked, server.failures, server.ranges = tmp_path, [], 0, True
    server.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_recording_on_a_web_server_takes_one_request_for_each_range(web, padded: Path) -> None:
    replay = open_recording(f"{web.address}/{padded.name}")
    assert web.asked == [("GET", "/padded.replay", f"bytes=0-{FIRST_READ - 1}")]
    del web.asked[:]
    entry = replay.reader.parts[39].entry
    replay.seek(3950)
    assert replay.state.player.position.x == 3950 * 0.25
    assert web.asked == [("GET", "/padded.replay", f"bytes={entry.offset}-{entry.offset + entry.length - 1}")]
    replay.close()
    same(f"{web.address}/{padded.name}", padded)


@pytest.mark.parametrize(("layout", "most"), [(Layout.TEXT, 1), (Layout.GAME, 6)], ids=["text", "game"])
def test_a_seek_far_behind_the_last_snapshot_takes_few_requests(web, tmp_path: Path, layout: Layout, most: int) -> None:
    """Forty chunks without a snapshot: the text's index says so, the game's says that each has one."""
    path = tmp_path / "far.replay"
    path.write_bytes(Padded(LONG.ticks, layout, size=100, snapshots=False).data())
    with closing(open_recording(f"{web.address}/far.replay")) as replay:
        del web.asked[:]
        replay.seek(3950)
        assert replay.state.player.position.x == 3950 * 0.25
        assert 0 < len(web.asked) <= most
        del web.asked[:]
        replay.trail(200)
        assert len(web.asked) <= 1
        for step in (3850, 120, 3999):
            replay.seek(step)
            assert replay.state.player.position.x == step * 0.25
    same(f"{web.address}/far.replay", path)


def test_a_ghost_may_be_somewhere_else(web, small: Path) -> None:
    replay = open_recording(str(small), ghost=f"{web.address}/small.replay")
    replay.seek(1000)
    assert replay.race.gap(1000) == 0
    replay.close()


def test_segments_on_a_web_server_can_be_followed(web, tmp_path: Path) -> None:
    folder = Made(EVERY_KIND[:10], Layout.GAME).write(tmp_path / "live", finished=False)
    replay = open_recording(f"{web.address}/live/preamble.dat")
    assert (replay.info.status.value, replay.timeline.last) == ("live", 9)
    assert replay.refresh() is Change.NOTHING
    for name, data in Made(EVERY_KIND, Layout.GAME).files(finished=False).items():
        (folder / name).write_bytes(data)
    assert replay.refresh() is Change.GREW
    (folder / "segment-001.dat").unlink()
    replay.seek(12)
    assert replay.state.fault == ""
    replay.seek(7)
    assert "segment-001.dat" in replay.state.fault
    replay.close()


def test_a_server_that_fails_is_asked_again(web, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.remote.address._PAUSE", 0)
    web.failures = 2
    open_recording(f"{web.address}/small.replay").close()
    assert len(web.asked) == 3
    web.failures = 3
    with pytest.raises(RemoteUnreachable, match="503"):
        open_recording(f"{web.address}/small.replay")
    web.failures = 0


def test_what_is_not_on_the_server_is_told_at_once(web) -> None:
    with pytest.raises(NhlogError, match="not there") as error:
        open_recording(f"{web.address}/absent.replay")
    assert error.value.file == f"{web.address}/absent.replay"
    assert len(web.asked) == 1


def test_a_server_without_ranges_gives_what_lies_in_the_first_request_and_is_told_of_then(web, padded: Path) -> None:
    web.ranges = False
    replay = open_recording(f"{web.address}/{padded.name}")
    replay.seek(3)
    assert replay.state.fault == ""
    replay.seek(3950)
    with pytest.raises(Unsupported, match="ranges"):
        _ = replay.state


def test_nobody_there_is_unreachable(web, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.remote.address._PAUSE", 0)
    address = web.address
    web.shutdown()
    web.server_close()
    with pytest.raises(RemoteUnreachable) as error:
        open_recording(f"{address}/small.replay")
    assert error.value.exit_code == 7
