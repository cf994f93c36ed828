"""The one cache: what is kept, what is not trusted, and what tells two states of a file apart."""

import os
from pathlib import Path

import msgspec
import pytest

from nhlog.cache import Cache, entry_name, fingerprint
from nhlog.files import File, Memory


class Known(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    title: str
    turns: int


VALUE = Known("Ann", 12)


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "nhlog"


def known(version: int = 1) -> Cache[Known]:
    return Cache("games", version, Known)


def test_what_was_stored_is_loaded(cache_home: Path) -> None:
    assert known().load("1-2") is None
    known().store("1-2", VALUE)
    assert known().load("1-2") == VALUE
    assert [path.name for path in (cache_home / "games").iterdir()] == ["1-2"]
    assert (cache_home / "games").stat().st_mode & 0o077 == 0


def test_another_version_or_layout_is_none() -> None:
    known().store("x", VALUE)
    assert known(2).load("x") is None
    assert Cache("games", 1, int).load("x") is None


def test_no_damage_is_trusted(cache_home: Path) -> None:
    known().store("x", VALUE)
    path = cache_home / "games" / "x"
    data = path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert known().load("x") is None
        path.write_bytes(data[:at])
        assert known().load("x") is None
    path.write_bytes(data)
    assert known().load("x") == VALUE


@pytest.mark.timeout(10)
def test_what_is_no_file_is_none(cache_home: Path) -> None:
    (cache_home / "games").mkdir(parents=True)
    os.mkfifo(cache_home / "games" / "x")
    assert known().load("x") is None


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    known().store("x", VALUE)
    assert known().load("x") is None


def of(path: Path) -> object:
    with File(str(path)) as file:
        return fingerprint(file)


@pytest.mark.parametrize("at", [0, 9_000, -1])
def test_an_edit_with_the_old_time_and_size_has_another_fingerprint(tmp_path: Path, at: int) -> None:
    path = tmp_path / "x"
    data = bytearray(20_000)
    path.write_bytes(data)
    before, status = of(path), path.stat()
    assert of(path) == before
    data[at] = 1
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert of(path) != before


@pytest.mark.parametrize("at", [0, 4_000, -1, -4_000])
def test_the_ends_of_a_file_are_looked_at_whatever_its_times_say(tmp_path: Path, at: int) -> None:
    path = tmp_path / "x"
    data = bytearray(20_000)
    path.write_bytes(data)
    before = of(path)
    data[at] = 1
    path.write_bytes(data)
    assert of(path).digest != before.digest


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097])
def test_a_small_file_has_a_fingerprint_of_all_of_it(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(size))
    before = of(path)
    path.write_bytes(b"\1" * size)
    assert (of(path).digest == before.digest) == (size == 0)


def test_a_value_whose_text_is_no_text_is_not_kept() -> None:
    texts: Cache[list[str]] = Cache("texts", 1, list[str])
    texts.store("x", ["a", "\ud800"])
    assert texts.load("x") is None


def test_bytes_that_are_no_file_have_none() -> None:
    assert fingerprint(Memory("memory", b"x")) is None
    assert entry_name((0x801, 255)) == "801-ff"
