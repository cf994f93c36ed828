"""The one cache: what is kept, what is not trusted, and what tells two states of a file apart."""

import os
import re
from pathlib import Path

import msgspec
import pytest

from nhlog import cache
from nhlog.cache import Cache, Fingerprint, Found, Index, bring, entry_name, fingerprint, found_of
from nhlog.files import File, Memory
from tests.changed import flipped, put
from tests.corpus import ROOT


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
        path.write_bytes(flipped(data, at))
        assert known().load("x") is None
        path.write_bytes(data[:at])
        assert known().load("x") is None
    path.write_bytes(data)
    assert known().load("x") == VALUE


# who may write there


def test_the_key_is_made_once_and_read_by_its_user_alone(cache_home: Path) -> None:
    known().store("x", VALUE)
    key = (cache_home / "key").read_bytes()
    assert (cache_home / "key").stat().st_mode & 0o777 == 0o600
    assert cache_home.stat().st_mode & 0o777 == 0o700
    known().store("y", VALUE)
    assert (cache_home / "key").read_bytes() == key
    assert len(key) == 32


def test_what_was_sealed_with_another_key_is_none(cache_home: Path) -> None:
    known().store("x", VALUE)
    (cache_home / "key").write_bytes(bytes(32))
    assert known().load("x") is None
    known().store("x", VALUE)
    assert known().load("x") == VALUE


def test_an_entry_in_anothers_place_is_none(cache_home: Path) -> None:
    known().store("x", VALUE)
    data = (cache_home / "games" / "x").read_bytes()
    (cache_home / "games" / "y").write_bytes(data)
    (cache_home / "other").mkdir()
    (cache_home / "other" / "x").write_bytes(data)
    assert (known().load("y"), Cache("other", 1, Known).load("x")) == (None, None)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_could_read_is_thrown_away(cache_home: Path, mode: int) -> None:
    known().store("x", VALUE)
    key = (cache_home / "key").read_bytes()
    (cache_home / "key").chmod(mode)
    assert known().load("x") is None
    known().store("x", VALUE)
    assert known().load("x") == VALUE
    assert (cache_home / "key").read_bytes() != key


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_to_is_not_read_and_closed(cache_home: Path, mode: int) -> None:
    known().store("x", VALUE)
    cache_home.chmod(mode)
    assert known().load("x") is None
    known().store("y", VALUE)
    assert cache_home.stat().st_mode & 0o777 == 0o700
    assert known().load("y") == VALUE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
@pytest.mark.parametrize("whose", ["", "key"])
def test_nothing_is_believed_that_is_anothers(cache_home: Path, whose: str) -> None:
    known().store("x", VALUE)
    os.chown(cache_home / whose, 1234, -1)
    assert known().load("x") is None
    known().store("y", VALUE)
    assert known().load("y") == (VALUE if whose else None)


def test_a_key_of_another_length_is_none(cache_home: Path) -> None:
    known().store("x", VALUE)
    (cache_home / "key").write_bytes(b"")
    assert known().load("x") is None


def test_an_archive_may_bring_every_kind_but_those_that_are_trusted() -> None:
    named = re.compile(r'\b(?:Cache|Index)\("([a-z-]+)", ')
    kinds = {kind for path in (ROOT / "nhlog").rglob("*.py") for kind in named.findall(path.read_text())}
    of_no_whole_file = {"saves"}
    assert kinds - of_no_whole_file - {*cache._OWN} == cache._BROUGHT


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


# what was found in files


@pytest.fixture
def told(tmp_path: Path) -> Path:
    path = tmp_path / "recording"
    path.write_bytes(CONTENT)
    return path


CONTENT = bytes(range(250)) * 1000
STRETCH = 1 << 16
INDEX: Index[Known] = Index("events", 1, Known)


def state_of(path: Path) -> Fingerprint:
    with File(str(path)) as file:
        state = fingerprint(file)
    assert state is not None
    return state


def index(path: Path, begin: int = 0) -> None:
    with File(str(path)) as file:
        INDEX.store_growing(file, fingerprint(file), VALUE, begin)


def found(path: Path, begin: int = 0, how: str = "") -> Found[Known] | None:
    with File(str(path)) as file:
        return INDEX.load_grown(file, begin, how)


def test_an_index_is_of_one_state_of_a_file(told: Path) -> None:
    state = state_of(told)
    INDEX.store(state, VALUE)
    assert INDEX.load(state) == VALUE
    assert INDEX.load(state, "read otherwise") is None
    put(told, CONTENT[:-1] + b"x")
    assert INDEX.load(state_of(told)) is None
    assert INDEX.load(None) is None
    INDEX.forget(state)
    assert INDEX.load(state) is None


def test_of_an_unchanged_file_an_index_is_all_there_is_to_know(told: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index(told)
    reads: list[int] = []
    pread = os.pread

    def counted(fd: int, size: int, offset: int) -> bytes:
        data = pread(fd, size, offset)
        reads.append(len(data))
        return data

    monkeypatch.setattr(os, "pread", counted)
    with File(str(told)) as file:
        assert INDEX.load_grown(file) == (VALUE, len(CONTENT))
    assert sum(reads) < STRETCH  # its ends, and the index itself


@pytest.mark.parametrize(
    ("after", "end"),
    [
        (CONTENT + b"more", len(CONTENT)),
        (CONTENT[:-1], 3 * STRETCH),
        (CONTENT[:-1] + b"x", 3 * STRETCH),
        (CONTENT[: 2 * STRETCH] + b"x" + CONTENT[2 * STRETCH + 1 :] + b"more", 2 * STRETCH),
        (CONTENT[: 2 * STRETCH], 2 * STRETCH),
        (b"x" + CONTENT[1:], 0),
        (b"x" + CONTENT[1:] + b"more", 0),
        (b"", 0),
    ],
    ids=["grew", "cut", "changed at its end", "changed and grew", "rewound", "changed", "another", "empty"],
)
def test_of_a_file_that_was_written_to_what_is_the_same_counts(told: Path, after: bytes, end: int) -> None:
    index(told)
    put(told, after)
    assert found(told) == ((VALUE, end) if end else None)


def test_what_stands_before_the_beginning_may_change(told: Path) -> None:
    index(told, 100)
    assert found(told) is None
    put(told, b"x" + CONTENT[1:] + b"more")
    assert found(told, 100) == (VALUE, len(CONTENT))
    assert found(told, 100, "read otherwise") is None


def test_of_a_file_that_took_the_place_of_another_nothing_is_known(told: Path) -> None:
    index(told)
    other = told.with_name("other")
    other.write_bytes(CONTENT)
    other.rename(told)
    assert found(told) is None


def test_what_was_found_while_others_wrote_is_not_kept(told: Path) -> None:
    with File(str(told)) as file:
        state = fingerprint(file)
        put(told, CONTENT + b"more")
        INDEX.store_growing(file, state, VALUE)
        assert INDEX.load_grown(file) is None


def test_what_is_no_file_has_no_index() -> None:
    source = Memory("memory", CONTENT)
    INDEX.store_growing(source, fingerprint(source), VALUE)
    assert INDEX.load_grown(source) is None


def test_a_damaged_index_or_one_of_other_values_is_none(told: Path, cache_home: Path) -> None:
    index(told)
    with File(str(told)) as file:
        assert Index("events", 1, int).load_grown(file) is None
        assert Index("events", 2, Known).load_grown(file) is None
    entry = cache_home / "events" / entry_name(state_of(told).identity)
    data = entry.read_bytes()
    for at in range(len(data)):
        entry.write_bytes(flipped(data, at))
        assert found(told) is None


# what was found of a copy


def of_a_copy(told: Path) -> tuple[Path, dict[str, bytes]]:
    """Another file of the same bytes, and what is known of it by what was found in the first."""
    INDEX.store(state_of(told), VALUE)
    other = told.with_name("other")
    other.write_bytes(CONTENT)
    return other, found_of(state_of(told), state_of(other))


def test_what_was_found_in_a_file_can_be_brought_to_a_copy_of_it(told: Path) -> None:
    other, known = of_a_copy(told)
    assert INDEX.load(state_of(other)) is None
    bring(known, state_of(other), state_of(other))
    assert (INDEX.load(state_of(other)), INDEX.load(state_of(told))) == (VALUE, VALUE)


def test_what_was_found_of_other_bytes_is_not_for_a_copy_of_these(told: Path) -> None:
    INDEX.store(state_of(told), VALUE)
    told.write_bytes(CONTENT + b"more")
    other = told.with_name("other")
    other.write_bytes(CONTENT + b"more")
    assert found_of(state_of(told), state_of(other)) == {}


def test_what_is_brought_replaces_nothing_and_stays_in_the_cache(told: Path, cache_home: Path) -> None:
    other, known = of_a_copy(told)
    INDEX.store(state_of(other), Known("Ben", 3))
    bring({**known, "../outside": b"x", "": b"x"}, state_of(other), state_of(other))
    assert INDEX.load(state_of(other)) == Known("Ben", 3)
    assert {path.name for path in cache_home.iterdir()} == {"events", "key", "swept"}
    assert not (cache_home.parent / "outside").exists()


# how much is kept


def aged(path: Path, seconds: float) -> None:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def stored(home: Path, name: str, age: float = 0) -> Path:
    known().store(name, VALUE)
    aged(home / "games" / name, age)
    return home / "games" / name


def test_what_was_not_used_for_long_is_removed(cache_home: Path) -> None:
    old, young = stored(cache_home, "old", cache.UNUSED + 100), stored(cache_home, "young", cache.UNUSED - 100)
    stored(cache_home, "now")
    assert old.exists(), "one looks now and then, not each time"
    aged(cache_home / "swept", 3600)
    stored(cache_home, "then")
    assert (old.exists(), young.exists()) == (False, True)


def test_what_is_loaded_is_used(cache_home: Path) -> None:
    old = stored(cache_home, "old", cache.UNUSED + 100)
    assert known().load("old") == VALUE
    aged(cache_home / "swept", 3600)
    stored(cache_home, "now")
    assert old.exists()


def test_of_too_much_the_oldest_go_first(cache_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [stored(cache_home, f"{age}", age) for age in range(1, 10)]
    monkeypatch.setattr(cache, "MOST", 4 * entries[0].stat().st_size)
    aged(cache_home / "swept", 3600)
    known().store("n", VALUE)
    assert [entry.exists() for entry in entries] == [True] * 3 + [False] * 6
