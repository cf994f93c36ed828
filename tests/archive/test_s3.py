"""The same against moto's S3: what is half there, damaged or missing."""

import shutil
from pathlib import Path

import pytest

from nhlog.archive import writing
from nhlog.archive.catalogue import listings
from nhlog.archive.reading import open_archived, read_index
from nhlog.archive.writing import archive, restore
from nhlog.errors import Damaged
from nhlog.files import CannotOpen
from nhlog.remote import NotThere
from nhlog.remote.store import Exists, Store
from terminal.cli import main
from tests.archive.conftest import Asked
from tests.corpus import SAMPLES

NAME = "died2.nhgame"


@pytest.fixture
def log(tmp_path: Path) -> str:
    return shutil.copy(SAMPLES / NAME, tmp_path)


def test_a_game_goes_there_and_comes_back(s3: Asked, log: str, tmp_path: Path) -> None:
    store = Store(s3.address)
    archive(log, store, remove=True)
    restore(f"{s3.address}/{NAME}", str(tmp_path / "again"))
    assert not Path(log).exists()
    assert (tmp_path / "again").read_bytes() == (SAMPLES / NAME).read_bytes()
    with pytest.raises(Exists):
        store.create(f"{NAME}.zst", b"another")


def test_a_kill_before_the_index_leaves_nothing_visible(
    s3: Asked, log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "pack_index", killed)
    with pytest.raises(KeyboardInterrupt):
        archive(log, Store(s3.address))
    monkeypatch.undo()
    assert f"PUT {NAME}.zst" in s3.take()
    assert [*listings(Store(s3.address))] == []
    assert main(["info", f"{s3.address}/{NAME}"]) == 1
    assert "no archived game" in capsys.readouterr().err
    archive(log, Store(s3.address))
    assert len([*listings(Store(s3.address))]) == 1


def test_a_damaged_object_gives_its_good_frames(
    s3: Asked, log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("nhlog.archive.wire.LEAST", 1 << 12)
    monkeypatch.setattr("nhlog.archive.wire.MOST", 1 << 13)
    store, data = Store(s3.address), Path(log).read_bytes()
    archive(log, store)
    index, packed = read_index(store, NAME), bytearray(store.whole(f"{NAME}.zst", 1 << 20))
    packed[index.places[2] + 9] ^= 1
    store.remove(f"{NAME}.zst")
    store.create(f"{NAME}.zst", bytes(packed[:-9]))  # and cut
    assert main(["restore", f"{s3.address}/{NAME}", "-o", str(tmp_path / "again")]) == 3
    first, after, last = index.starts[2], index.starts[3], index.starts[-2]
    sound = data[:first] + bytes(after - first) + data[after:last] + bytes(len(data) - last)
    assert (tmp_path / "again").read_bytes() == sound
    assert main(["dump", f"{s3.address}/{NAME}"]) == 3
    seen = capsys.readouterr()
    assert "2 damaged frames" in seen.err
    assert "a frame of the archive is damaged" in seen.err
    store.remove(f"{NAME}.zst")
    with open_archived(f"{s3.address}/{NAME}") as file, pytest.raises(Damaged, match="gone"):
        file.pread(100, 20_000)


def test_what_is_not_there_is_said_and_no_bucket_is_made(
    s3: Asked, log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [*listings(Store(s3.address))] == []
    with pytest.raises(CannotOpen):
        open_archived(f"{s3.address}/absent.nhgame")
    with pytest.raises(NotThere, match="no such bucket"):
        archive(log, Store("s3://elsewhere/2026"))
    with pytest.raises(NotThere, match="no such bucket"):
        restore("s3://elsewhere/2026/died2.nhgame", f"{log}.again")
    for verb, told in (
        (["ls", "s3://elsewhere/2026"], "s3://elsewhere/2026"),
        (["info", "s3://elsewhere/died2.nhgame"], "s3://elsewhere/died2.nhgame"),
        (["archive", log, "s3://elsewhere"], "s3://elsewhere"),
    ):
        assert main(verb) == 1
        assert capsys.readouterr().err == f"nhlog: {told}: no such bucket\n"
    assert main(["ls", s3.address]) == 0
    assert "no recordings here" in capsys.readouterr().err
