"""The catalogue while others write it: whatever happens between any two requests of a run, each game keeps its row."""

import itertools
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from nhlog.archive.catalogue import CATALOGUE, announce, listings, write_catalogue
from nhlog.archive.reading import index_name, read_index
from nhlog.archive.wire import Index, pack_index
from nhlog.archive.writing import archive
from nhlog.errors import NhlogError
from nhlog.remote.store import Store
from tests.corpus import SAMPLES

pytest.importorskip("fsspec")

REQUESTS = 16  # more than the longest run below has
_numbers = itertools.count()


class Interrupted(Store):
    """A store where something else happens before a request: the `at`-th of all."""

    def __init__(self, address: str, at: int, act: Callable[[], object]) -> None:
        super().__init__(address)
        self._left, self._act = at, act

    def _happen(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._act()

    def names(self, folder: str) -> list[str]:
        self._happen()
        return super().names(folder)

    def read(self, name: str, size: int, offset: int) -> bytes:
        self._happen()
        return super().read(name, size, offset)

    def create(self, name: str, data: bytes) -> None:
        self._happen()
        super().create(name, data)

    def remove(self, name: str) -> None:
        self._happen()
        super().remove(name)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The index of some game."""
    store = Store("memory://one")
    archive(shutil.copy(SAMPLES / "died2.nhgame", tmp_path_factory.mktemp("one")), store)
    return read_index(store, "died2.nhgame")


def put(store: Store, index: Index, name: str) -> None:
    """Put a game there as far as its index, as the writer does."""
    announce(store, name)
    put_index(store, index, name)


def put_index(store: Store, index: Index, name: str) -> None:
    store.create(index_name(name), pack_index(msgspec.structs.replace(index, summary={**index.summary, "file": name})))


def listed(store: Store) -> list[str]:
    return [os.path.basename(one.file) for one in listings(store) if not isinstance(one, NhlogError)]


def begun(index: Index, *names: str) -> str:
    """An archive with two objects of rows, one of the game `old` alone, and some games that are not merged yet."""
    store = Store(f"memory://catalogue{next(_numbers)}")
    put(store, index, "old")
    write_catalogue(store)
    (rows,) = store.names(CATALOGUE)
    data = store.whole(f"{CATALOGUE}/{rows}", 1 << 20)
    put(store, index, "older")
    write_catalogue(store)
    store.create(f"{CATALOGUE}/rows-of-one-that-was-killed", data)
    for name in names:
        put(store, index, name)
    return store.name


@pytest.mark.parametrize("at", range(1, REQUESTS))
def test_another_run_between_two_requests_of_this_one(at: int, index: Index) -> None:
    address = begun(index, "a")
    other = Store(address)

    def run() -> None:
        put(other, index, "b")
        write_catalogue(other)

    write_catalogue(Interrupted(address, at, run))
    if "b" not in listed(other):
        run()  # this one had fewer requests
    names = ["a", "b", "old", "older"]
    assert listed(other) == names
    write_catalogue(other)
    for name in names:
        other.remove(index_name(name))
    assert listed(other) == names  # all have a row
    assert len(other.names(CATALOGUE)) == 1


@pytest.mark.parametrize("at", range(1, REQUESTS))
def test_a_kill_between_two_requests(at: int, index: Index) -> None:
    address = begun(index, "a", "b")

    def kill() -> None:
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        write_catalogue(Interrupted(address, at, kill))
    assert listed(Store(address)) == ["a", "b", "old", "older"]
    write_catalogue(Store(address))
    assert listed(Store(address)) == ["a", "b", "old", "older"]
    assert len(Store(address).names(CATALOGUE)) == 1


@pytest.mark.parametrize("at", range(1, 5))
def test_a_reader_meanwhile_sees_all(at: int, index: Index) -> None:
    address = begun(index, "a")
    assert listed(Interrupted(address, at, lambda: write_catalogue(Store(address)))) == ["a", "old", "older"]


def test_a_game_that_is_announced_is_listed_when_it_has_an_index(index: Index) -> None:
    store = Store(begun(index))
    announce(store, "late")
    write_catalogue(store)
    assert listed(store) == ["old", "older"]
    put_index(store, index, "late")
    assert listed(store) == ["late", "old", "older"]


def test_a_game_whose_index_cannot_be_read_now_stays_among_the_news(index: Index, tmp_path: Path) -> None:
    store = Store(begun(index, "a"))
    for rows in store.names(CATALOGUE):
        store.remove(f"{CATALOGUE}/{rows}")  # the news, too
    whole = store.whole(index_name("a"), 1 << 20)
    store.remove(index_name("a"))
    store.create(index_name("a"), b"damaged")
    write_catalogue(store)
    assert listed(store) == ["old", "older"]
    store.remove(index_name("a"))
    store.create(index_name("a"), whole)
    assert listed(store) == ["a", "old", "older"]
