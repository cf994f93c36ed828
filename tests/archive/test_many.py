"""Many games are archived at a time, in their order; what fails is told, and the rest is done."""

import itertools
import os
import shutil
import threading
from pathlib import Path

import pytest

from nhlog.archive import writing
from nhlog.archive.catalogue import CATALOGUE, listings, write_catalogue
from nhlog.archive.reading import read_index
from nhlog.archive.writing import Archived, archive, archive_each
from nhlog.errors import NhlogError, Unsupported
from nhlog.files import atomic
from nhlog.operations import Listing
from nhlog.remote.store import Store
from tests.corpus import SAMPLES

pytest.importorskip("fsspec")

_numbers = itertools.count()


def games(folder: Path, count: int) -> list[str]:
    return [shutil.copy(SAMPLES / "died2.nhgame", str(folder / f"{number:03}.nhgame")) for number in range(count)]


class Meeting(Store):
    """A store that answers nobody who puts frames there, or removes news, before sixteen do at once."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._met = threading.Barrier(16, timeout=300)

    def create(self, name: str, data: bytes) -> None:
        if name.endswith(".zst"):
            self._met.wait()
        super().create(name, data)

    def remove(self, name: str) -> None:
        if name.startswith(f"{CATALOGUE}/new-"):
            self._met.wait()
        super().remove(name)


def test_sixteen_are_put_there_at_a_time_and_told_in_their_order(tmp_path: Path) -> None:
    store, files = Meeting(f"memory://many{next(_numbers)}"), games(tmp_path, 32)
    outcomes = [*archive_each(files, store)]
    assert [isinstance(outcome, dict) and outcome["file"] for outcome in outcomes] == files
    assert {read_index(store, os.path.basename(file)).size for file in files} == {os.path.getsize(files[0])}


def test_the_news_of_sixteen_are_merged_at_a_time(tmp_path: Path) -> None:
    store, files = Meeting(f"memory://many{next(_numbers)}"), games(tmp_path, 32)
    assert all(isinstance(outcome, dict) for outcome in archive_each(files, store))
    write_catalogue(store)
    assert [name for name in store.names(CATALOGUE) if name.startswith("new-")] == []
    assert [row.file for row in listings(store) if isinstance(row, Listing)] == [
        f"{store.name}/{os.path.basename(file)}" for file in files
    ]


def test_one_that_fails_is_told_and_the_rest_is_done(tmp_path: Path) -> None:
    store, files = Store(f"memory://many{next(_numbers)}"), games(tmp_path, 5)
    archive(files[1], store)
    shutil.copy(SAMPLES / "scripted1.nhgame", files[2])
    os.unlink(files[3])
    outcomes = [*archive_each(files, store, wanted=lambda path: path != files[4], remove=False)]
    assert [type(outcome) for outcome in outcomes[1:3]] == [Archived, Unsupported]
    assert isinstance(outcomes[0], dict)
    assert isinstance(outcomes[3], NhlogError)
    assert outcomes[4] is None


def test_a_large_one_is_there_before_another_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_LARGE", 10)
    there: list[list[str]] = []
    store, files = Store(f"memory://many{next(_numbers)}"), games(tmp_path, 3)
    own = writing._own
    monkeypatch.setattr(writing, "_own", lambda *given, **more: there.append(store.names("")) or own(*given, **more))
    assert all(isinstance(outcome, dict) for outcome in archive_each(files, store))
    assert [len([name for name in names if name.endswith(".zst")]) for names in there] == [0, 1, 2]


def test_every_new_folder_is_kept_by_the_one_that_it_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is deleted only when its copy, too, would outlive a crash."""
    synced: list[str] = []
    sync = atomic.sync_folder
    monkeypatch.setattr(atomic, "sync_folder", lambda folder: (synced.append(os.path.realpath(folder)), sync(folder)))
    [file] = games(tmp_path, 1)
    unlink = os.unlink

    def last(path: str) -> None:
        if path == file:
            made = [folder for folder in (tmp_path / "a").rglob("*") if folder.is_dir()]
            assert {str(folder.parent) for folder in (tmp_path / "a", *made)} <= {*synced}
            assert len(made) >= 3
        unlink(path)

    monkeypatch.setattr(os, "unlink", last)
    archive(file, Store(f"file://{tmp_path}/a/b"), remove=True)
    assert not os.path.exists(file)
