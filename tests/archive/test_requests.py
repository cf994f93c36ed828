"""What a store is asked for what a user does: each time exactly this."""

import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.archive.catalogue import CATALOGUE, listings, write_catalogue
from nhlog.archive.reading import index_name, open_archived, read_index
from nhlog.archive.wire import HEAD
from nhlog.archive.writing import archive
from nhlog.formats import open_recording
from nhlog.remote.store import Store
from nhlog.screencast.replay import Screencast
from terminal.cli import main
from tests.archive.conftest import Asked
from tests.corpus import SAMPLES, corpus

LOG = "mid1.nhgame"


@pytest.fixture
def small_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.archive.wire.LEAST", 1 << 14)
    monkeypatch.setattr("nhlog.archive.wire.MOST", 1 << 15)


@pytest.fixture
def smallest_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of recorded terminals, each with a snapshot."""
    monkeypatch.setattr("nhlog.archive.wire.LEAST", 1 << 11)
    monkeypatch.setattr("nhlog.archive.wire.MOST", 1 << 12)
    monkeypatch.setattr("nhlog.screencast.events._SPAN", 1 << 12)
    monkeypatch.setattr("nhlog.vt.tape._SPACING", 1 << 10)
    monkeypatch.setattr("nhlog.vt.tape._SLICE", 1 << 9)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the archives of recordings, each of which is packed once and put into both stores."""
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture
def log(museum: Asked, shelf: Path, small_frames: None, tmp_path: Path) -> str:
    """The address of a log of 160 kB that is over, in frames."""
    data = corpus("nethack4", LOG).read_bytes()
    (tmp_path / LOG).write_bytes(data.replace(b"NHGAME save", b"NHGAME done", 1))
    return put(museum, str(tmp_path / LOG), shelf)


def put(museum: Asked, path: str, shelf: Path) -> str:
    name = Path(path).name
    if not (shelf / name).exists():
        archive(path, Store(f"file://{shelf / name}"))
    for stored in (one for one in (shelf / name).rglob("*") if one.is_file()):
        Store(museum.address).create(str(stored.relative_to(shelf / name)), stored.read_bytes())
    museum.take()
    return f"{museum.address}/{name}"


def frames_of(museum: Asked, name: str) -> str:
    return f"GET {name}.zst"


def test_a_log_is_opened_with_its_index_alone_and_again_with_nothing(museum: Asked, log: str) -> None:
    open_recording(log).close()
    assert museum.take() == [f"GET {index_name(LOG)}"]
    open_recording(log).close()
    assert museum.take() == []


def test_a_seek_is_one_range(museum: Asked, log: str) -> None:
    for percent in range(100):
        with closing(open_recording(log)) as replay:
            museum.take()
            replay.seek(replay.timeline.last * percent // 100)
            assert replay.state.saved
            assert museum.take() == [frames_of(museum, LOG)], percent
            replay.seek(replay.step + 1)
            assert replay.state.saved
            assert museum.take() == []


def test_whoever_jumps_fetches_one_frame_and_no_more(museum: Asked, log: str) -> None:
    with open_archived(log) as file:
        starts = file.index.starts
        museum.take()
        for number in (3, 2, 0, 1):  # the last byte of each; only the last of these follows on the one before
            file.pread(1, starts[number + 1] - 1)
            assert museum.take() == [frames_of(museum, LOG)], number


def test_a_screen_with_the_marks_of_its_bar_is_the_index_and_one_range(
    museum: Asked, log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, asked in (("30%", [f"GET {index_name(LOG)}"]), ("turn:900", []), ("marker:low HP 1", [])):
        assert main(["show", log, "--at", place]) == 0
        assert museum.take() == [*asked, frames_of(museum, LOG)], place
    assert "◆" in capsys.readouterr().out


BUTTER = "arena_mid.k300.zstd_3.butter"
TEES = "A_v16.4_tutorial_10min.teehistorian"


@pytest.mark.parametrize(
    ("folder", "name", "frames", "asked"),
    [
        ("butter/ref", BUTTER, 3, [BUTTER]),
        ("teeworlds/teehistorian", TEES, 4, [index_name("Tutorial.map"), f"{TEES}.zst"]),
    ],
)
def test_a_screen_of_other_recordings_is_as_few(
    counted: Asked, shelf: Path, folder: str, name: str, frames: int, asked: list[str], tmp_path: Path
) -> None:
    place = put(counted, shutil.copy(corpus(folder, name), tmp_path), shelf)
    assert len(read_index(Store(counted.address), name).frames) == frames
    counted.take()
    assert main(["show", place, "--at", "20%"]) == 0
    assert counted.take() == [f"GET {one}" for one in (index_name(name), *asked)]


@pytest.mark.parametrize(
    "name", ["recorded/nh366-decgfx-wiz.ttyrec", "converted/bash-unicode-v3.cast", "asciinema-server/welcome.json"]
)
def test_a_recorded_terminal_is_opened_with_its_index_and_a_seek_is_one_range(
    museum: Asked, shelf: Path, smallest_frames: None, name: str, tmp_path: Path
) -> None:
    path = shutil.copy(corpus("terminal", name), tmp_path)
    place = put(museum, path, shelf)
    open_recording(place).close()
    assert museum.take() == [f"GET {index_name(Path(path).name)}"]
    with closing(open_recording(path)) as local:
        assert isinstance(local, Screencast)
        for percent in range(0, 80, 9):  # a case: the end is in the index, and where its head ends it may be either
            step = local.timeline.last * percent // 100
            with closing(open_recording(place)) as replay:
                assert museum.take() == []
                replay.seek(step)
                local.seek(step)
                assert replay.state == local.state
                in_index = local.recorded.offset(step + 1) <= HEAD
                assert museum.take() == ([] if in_index else [frames_of(museum, Path(path).name)]), step


def test_all_of_a_game_comes_in_few_requests(museum: Asked, log: str, tmp_path: Path) -> None:
    assert main(["restore", log, "-o", str(tmp_path / "again")]) == 0
    assert museum.take() == [f"GET {index_name(LOG)}", frames_of(museum, LOG)]
    with open_archived(log) as file:
        frames = len(file.index.frames)
        for at in range(0, file.size(), 1 << 12):  # a case: one after the other, in pieces of 4 kB
            file.pread(1 << 12, at)
    assert frames == 5
    assert museum.take() == [frames_of(museum, LOG)] * 3  # of 1, 2 and 2 frames


def test_to_archive_a_game_asks_no_more_than_it_has_to(museum: Asked, tmp_path: Path) -> None:
    name = "died2.nhgame"
    assert main(["archive", shutil.copy(SAMPLES / name, tmp_path), museum.address]) == 0
    asked = [one for one in museum.take() if not one.startswith(("LIST ", "HEAD "))]  # of an archive with other games
    index = index_name(name)
    assert asked[:6] == [
        f"GET {index}",
        f"PUT {name}.zst",
        f"GET {name}.zst",
        f"PUT .nhlog-catalogue/new-{name}",
        f"PUT {index}",
        f"GET {index}",
    ]


def test_a_list_is_two_requests_however_many_games_there_are(museum: Asked, tmp_path: Path) -> None:
    store = Store(museum.address)
    for number in range(1, 4):
        archive(shutil.copy(SAMPLES / "died2.nhgame", str(tmp_path / f"{number}.nhgame")), store)
        write_catalogue(store)
        museum.take()
        assert len([*listings(store)]) == number
        assert [re.sub(r"rows-\w+$", "rows-", one) for one in museum.take()] == [
            f"LIST {CATALOGUE}",
            f"GET {CATALOGUE}/rows-",
        ]
