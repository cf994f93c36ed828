"""Finding the map of a recording."""

import hashlib
import os
import zlib
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from nhlog.formats.datafile import library
from nhlog.formats.datafile.library import MapReference, find_map, load_terrain
from nhlog.formats.datafile.reading.map import map_name
from tests.corpus import SAMPLES
from tests.formats.datafile.made import small_map

ONE, TWO = small_map("11", "01"), small_map("33", "03")
assert len(ONE) == len(TWO)


def wanted(data: bytes, name: str = "one", **kept: object) -> MapReference:
    """All that a recording says of this map, or with other values where they are given."""
    told = MapReference(name, hashlib.sha256(data).hexdigest(), f"{zlib.crc32(data):08x}", len(data))
    return told._replace(**kept)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def maps(tmp_path: Path) -> Path:
    folder = tmp_path / "maps"
    folder.mkdir()
    return folder


def test_a_map_is_found_by_its_digest_whatever_its_name(maps: Path) -> None:
    (maps / "one.map").write_bytes(TWO)
    (maps / "other.map").write_bytes(ONE)
    assert find_map(wanted(ONE), folders=[maps]) == str(maps / "other.map")
    assert find_map(wanted(ONE, size=0), folders=[maps]) == str(maps / "other.map")
    assert find_map(wanted(ONE)._replace(sha256=wanted(ONE).sha256.upper()), folders=[maps]) == str(maps / "other.map")


def test_without_a_digest_name_and_checksum_tell(maps: Path) -> None:
    (maps / "other.map").write_bytes(ONE)
    old = wanted(ONE, sha256="")
    assert find_map(old, folders=[maps]) is None
    (maps / "one.map").write_bytes(ONE)
    assert find_map(old, folders=[maps]) == str(maps / "one.map")
    assert find_map(old._replace(name="maps/one"), folders=[maps]) == str(maps / "one.map")


def test_a_name_alone_is_not_enough(maps: Path) -> None:
    (maps / "one.map").write_bytes(TWO)
    assert find_map(wanted(ONE), folders=[maps]) is None
    assert find_map(MapReference("one"), folders=[maps]) is None


def test_what_clients_download_has_the_digest_in_its_name(maps: Path) -> None:
    named = maps / f"one_{wanted(ONE).sha256}.map"
    named.write_bytes(ONE)
    (maps / f"one_{wanted(TWO).sha256}.map").write_bytes(TWO)
    assert find_map(wanted(ONE), folders=[maps]) == str(named)
    assert find_map(wanted(ONE, sha256=""), folders=[maps]) == str(named)


def test_beside_the_recording_comes_first_then_the_configured_folders(maps: Path, tmp_path: Path) -> None:
    (maps / "one.map").write_bytes(ONE)
    recording = tmp_path / "run.teehistorian"
    assert find_map(wanted(ONE), str(recording)) is None
    config = tmp_path / "config" / "nhlog"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f"maps = ['{tmp_path / 'nowhere'}', '{maps}']\n")
    assert find_map(wanted(ONE), str(recording)) == str(maps / "one.map")
    (tmp_path / "one.map").write_bytes(ONE)
    assert find_map(wanted(ONE), str(recording)) == str(tmp_path / "one.map")


def test_digests_are_reckoned_once(maps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (maps / "one.map").write_bytes(ONE)
    reckoned = []
    digests_of = library.digests_of
    monkeypatch.setattr(library, "digests_of", lambda file: reckoned.append(file) or digests_of(file))
    for _ in range(3):
        assert find_map(wanted(ONE), folders=[maps]) == str(maps / "one.map")
    assert len(reckoned) == 1
    (maps / "one.map").write_bytes(TWO)
    os.utime(maps / "one.map", ns=(1, 1))
    assert find_map(wanted(ONE), folders=[maps]) is None
    assert len(reckoned) == 2


@pytest.mark.parametrize("junk", [b"", b"junk", b"\x81\xa1x\x91\x01", b"\xc1" * 99])
def test_a_broken_cache_is_none(maps: Path, junk: bytes) -> None:
    (maps / "one.map").write_bytes(ONE)
    assert find_map(wanted(ONE), folders=[maps]) == str(maps / "one.map")
    [entry] = (user_cache_path("nhlog") / "map-digests").iterdir()
    kept = entry.read_bytes()
    entry.write_bytes(junk)
    assert find_map(wanted(ONE), folders=[maps]) == str(maps / "one.map")
    assert entry.read_bytes() == kept


def test_where_there_can_be_no_cache_it_is_found_all_the_same(maps: Path, tmp_path: Path) -> None:
    (maps / "one.map").write_bytes(ONE)
    (tmp_path / "cache").write_text("in the way")
    assert find_map(wanted(ONE), folders=[maps]) == str(maps / "one.map")


def test_only_maps_are_looked_at(maps: Path) -> None:
    (maps / "folder.map").mkdir()
    (maps / "one.png").write_bytes(ONE)
    (maps / "gone.map").symlink_to(maps / "nothing")
    assert find_map(wanted(ONE, size=0), folders=[maps, maps / "one.png"]) is None


def test_the_terrain_of_a_file() -> None:
    terrain = load_terrain(str(SAMPLES / "coverage.map"))
    assert terrain is not None
    assert (terrain.width, terrain.height) == (50, 50)
    assert load_terrain(str(SAMPLES / "README.md")) is None
    assert load_terrain(str(SAMPLES / "none.map")) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/maps/Gold Mine.map", "Gold Mine"),
        (f"Tutorial_{'0a' * 32}.map", "Tutorial"),
        ("Tutorial_801ce63d.map", "Tutorial"),
        ("run_blue.map", "run_blue"),
        ("standard input", "standard input"),
    ],
)
def test_what_a_map_is_called(path: str, name: str) -> None:
    assert map_name(path) == name
