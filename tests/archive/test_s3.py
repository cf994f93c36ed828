"""The same against moto's S3: real requests, which are counted."""

import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from nhlog.archive.catalogue import listings, write_catalogue
from nhlog.archive.reading import index_name, open_archived
from nhlog.archive.writing import archive, restore
from nhlog.errors import Damaged, RemoteUnreachable
from nhlog.files import CannotOpen, losses
from nhlog.formats import open_recording
from nhlog.remote.store import Exists, Store
from tests.corpus import SAMPLES

pytest.importorskip("s3fs", reason="s3fs is not installed (pip install s3fs)")
moto = pytest.importorskip("moto.server", reason="moto is not installed (pip install 'moto[server]')")


class Requests(logging.Handler):
    """Those that the server was asked: method and object."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if found := re.search(r"(GET|PUT|HEAD|DELETE) /museum/?([^\s?]*)", record.getMessage()):
            self.seen.append(f"{found[1]} {found[2]}")


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Iterator[Requests]:
    """A server with a bucket."""
    import boto3

    log, heard = logging.getLogger("werkzeug"), Requests()
    monkeypatch.setattr(log, "propagate", False)
    monkeypatch.setattr(log, "level", logging.INFO)
    log.addHandler(heard)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    place = "http://{}:{}".format(*server.get_host_and_port())
    for name, value in {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": place,
    }.items():
        monkeypatch.setenv(name, value)
    _forget_connections()
    urlopen(Request(f"{place}/moto-api/reset", method="POST")).close()  # what the server of another test had
    boto3.client("s3").create_bucket(Bucket="museum")
    heard.seen.clear()
    yield heard
    _forget_connections()
    server.stop()
    log.removeHandler(heard)


def _forget_connections() -> None:
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def log(tmp_path: Path) -> str:
    return shutil.copy(SAMPLES / "died2.nhgame", tmp_path)


def test_a_game_goes_there_and_comes_back(requests: Requests, log: str, tmp_path: Path) -> None:
    store = Store("s3://museum/2026")
    archive(log, store)
    puts = [one for one in requests.seen if one.startswith("PUT ")]
    assert puts[0] == "PUT 2026/died2.nhgame.zst"
    assert puts[-1] == f"PUT 2026/{index_name('died2.nhgame')}"
    restore("s3://museum/2026/died2.nhgame", str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == Path(log).read_bytes()
    with pytest.raises(Exists):
        store.create("died2.nhgame.zst", b"another")


def test_opening_reads_the_index_and_seeking_one_frame(requests: Requests, log: str) -> None:
    archive(log, Store("s3://museum/opened"))
    requests.seen.clear()
    replay = open_recording("s3://museum/opened/died2.nhgame")
    replay.seek(replay.timeline.last // 2)
    index = f"opened/{index_name('died2.nhgame')}"
    assert requests.seen == [f"HEAD {index}", f"GET {index}", "GET opened/died2.nhgame.zst"]
    replay.seek(replay.timeline.last)
    replay.seek(0)
    replay.close()
    assert len(requests.seen) == 3  # all of it is one frame
    requests.seen.clear()
    open_recording("s3://museum/opened/died2.nhgame").close()
    assert set(requests.seen) == {"GET opened/died2.nhgame.zst"}


def test_an_object_that_is_cut_or_gone_is_damage(requests: Requests, log: str) -> None:
    store = Store("s3://museum/2026")
    archive(log, store)
    store.replace("died2.nhgame.zst", b"short")
    with open_archived("s3://museum/2026/died2.nhgame") as file:
        assert file.pread(100, 20_000) == bytes(100)
    assert losses.take() != []
    store.remove("died2.nhgame.zst")
    with open_archived("s3://museum/2026/died2.nhgame") as file, pytest.raises(Damaged, match="gone"):
        file.pread(100, 20_000)


def test_what_is_not_there_is_said(requests: Requests) -> None:
    with pytest.raises(CannotOpen):
        open_archived("s3://museum/2026/absent.nhgame")
    assert [*listings(Store("s3://museum/2026"))] == []
    with pytest.raises((RemoteUnreachable, CannotOpen)):
        open_archived("s3://elsewhere/absent.nhgame")


def test_a_list_takes_as_many_requests_for_more_games(requests: Requests, log: str, tmp_path: Path) -> None:
    store, asked = Store("s3://museum/listed"), []
    for number in range(1, 3):
        archive(shutil.copy(log, str(tmp_path / f"{number}.nhgame")), store)
        write_catalogue(store)
        requests.seen.clear()
        assert len([*listings(store)]) == number
        asked.append(requests.seen[:])
    assert asked[0] == asked[1]
    assert asked[0][:2] == ["HEAD listed/.nhlog/catalogue", "GET listed/.nhlog/catalogue"]
    assert len(asked[0]) <= 4
