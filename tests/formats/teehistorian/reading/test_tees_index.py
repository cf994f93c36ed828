"""The index of a long recording in the cache: it saves the reading, and never tells of other bytes."""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nhlog.formats.teehistorian.reading.index import PIECE, Cursor, Index
from nhlog.unpacked import UnpackedSource
from tests.changed import flipped
from tests.formats.teehistorian.builders import played

TICKS = 12_000  # of three tees that move: 440 kB


@pytest.fixture(autouse=True)
def cache(memory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = memory / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture(scope="module")
def body() -> bytes:
    server = played(TICKS, 3)
    server.command(0, 128, b"team", b"7")
    return bytes(server.data)


@pytest.fixture
def path(tmp_path: Path, body: bytes) -> Path:
    path = tmp_path / "long.teehistorian"
    path.write_bytes(body + b"\x40")
    return path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The sizes of what is read of files."""
    sizes: list[int] = []
    pread = os.pread

    def counted(fd: int, size: int, offset: int) -> bytes:
        data = pread(fd, size, offset)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(os, "pread", counted)
    return sizes


def known(path: Path) -> dict[str, Any]:
    """All that an index tells."""
    source = UnpackedSource(str(path))
    index = Index(source)
    cursor, places = Cursor(index), []
    for tick in (0, 7, index.tick // 3, index.tick, index.tick // 2):
        cursor.go(tick)
        places.append(
            (cursor.offset, cursor.world.tick, cursor.world.places, cursor.world.inputs, cursor.world.players)
        )
    found = {
        "places": places,
        "events": list(index.events(0, index.tick)),
        "end": (index.end, index.limit, index.tick, index.finished, index.junk, str(index.fault())),
        "told": (index.spawns, list(index.people), list(index.markers), list(index.ticks), list(index.offsets)),
    }
    source.close()
    return found


def anew(path: Path, tmp_path: Path) -> dict[str, Any]:
    """The same of a file of which nothing is kept."""
    other = tmp_path / f"other{path.suffix}"
    other.unlink(missing_ok=True)
    other.write_bytes(path.read_bytes())
    return known(other)


def test_it_is_read_once(path: Path, tmp_path: Path, read: list[int]) -> None:
    first = known(path)
    del read[:]
    source = UnpackedSource(str(path))
    Index(source)
    source.close()
    assert sum(read) < path.stat().st_size / 8  # header, fingerprint, and the entry itself
    assert known(path) == first == anew(path, tmp_path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
@pytest.mark.parametrize("more", [b"\x40", b"junk", b"\x00\x01"], ids=["end", "junk", "cut"])
def test_what_is_added_is_added(path: Path, body: bytes, tmp_path: Path, pack: Any, more: bytes) -> None:
    half = body[: len(body) // 2]
    path.write_bytes(pack(half))
    known(path)
    with path.open("ab") as file:
        file.write(pack(body[len(half) :] + b"\x40" + more))
    assert known(path) == known(path) == anew(path, tmp_path)


def test_a_finished_one_that_gets_more_has_junk(path: Path, tmp_path: Path) -> None:
    known(path)
    with path.open("ab") as file:
        file.write(b"more")
    found = known(path)
    assert found["end"][3:5] == (True, 4)
    assert found == anew(path, tmp_path)


def test_one_byte_changed_in_place_is_noticed(path: Path, body: bytes, tmp_path: Path) -> None:
    before = known(path)
    with path.open("r+b") as file:
        file.seek(len(body) // 2)
        byte = file.read(1)[0]
        file.seek(len(body) // 2)
        file.write(bytes((byte ^ 1,)))
    found = known(path)
    assert found != before
    assert found == anew(path, tmp_path)


@pytest.mark.parametrize("part", [0.2, 0.7, 0.99])
def test_one_that_was_cut_is_read_anew(path: Path, tmp_path: Path, part: float) -> None:
    known(path)
    os.truncate(path, int(path.stat().st_size * part))
    assert known(path) == anew(path, tmp_path)


def test_a_damaged_entry_is_none(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short recording, as it is read again for each byte of the entry; that has keyframes as for a long one."""
    monkeypatch.setattr("nhlog.formats.teehistorian.reading.index._WORTHWHILE", 1 << 12)
    monkeypatch.setattr("nhlog.formats.teehistorian.reading.index.PIECE", PIECE >> 5)
    path = tmp_path / "short.teehistorian"
    path.write_bytes(bytes(played(TICKS >> 5, 3).data) + b"\x40")
    first = known(path)
    [entry] = (cache / "nhlog" / "teehistorian-indexes").iterdir()
    data = entry.read_bytes()
    assert len(data) > 4000
    for at in range(len(data)):
        entry.write_bytes(flipped(data, at, 0x20))
        assert known(path) == first


def test_of_a_damaged_recording_nothing_is_kept(path: Path, body: bytes, cache: Path) -> None:
    path.write_bytes(body + b"\x7f\x7f")
    assert known(path) == known(path)
    assert not (cache / "nhlog" / "teehistorian-indexes").exists()
