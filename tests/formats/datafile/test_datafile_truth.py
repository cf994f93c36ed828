"""Every map of the corpus against what libtw2 and twmap read from it."""

import gzip
import hashlib
import json
from pathlib import Path
from struct import iter_unpack, pack

import msgspec
import pytest

from nhlog.formats.datafile.operations import dump, info, verify
from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.reading.map import Map
from nhlog.formats.datafile.wire.map_items import TileLayer
from nhlog.formats.datafile.wire.tiles import expand
from tests.corpus import SAMPLES, corpus
from tests.formats.datafile.made import map_bytes, opened

NAMES = (
    *(f"ddnet16_{name}" for name in ("LearnToPlay", "coverage")),
    *(f"ddnet20_{name}" for name in ("LearnToPlay", "Tsunami", "Tutorial", "coverage", "ctf2", "ctf4", "ctf6")),
    *(f"ddnet20_{name}" for name in ("dm1", "dm6", "dm8", "maps7_Gold_Mine", "maps7_Sunny_Side_Up", "maps7_Tutorial")),
    "ddnet20_theme_winter_day",
    *(f"hist_2008{name}" for name in ("0112_debug_test", "0113_ctf2_old", "0113_dm2_old", "0119_dm1", "0321_ctf1")),
    "libtw2_dm1",
    *(f"made_{name}" for name in ("coverage_v3", "coverage_v4crude", "tw07_dm1_atad", "tw07_dm1_v3_atad")),
    *(f"tw07_{name}" for name in ("ctf1", "ctf3", "ctf5", "ctf7", "dm1", "dm3", "dm7", "dm9", "theme_heavens_day")),
)
NO_MAPS = {"hist_20080113_dm2_old"}  # older than version 1 of maps


def truth(name: str) -> dict:
    return json.loads(gzip.decompress(corpus("teeworlds", "maps", f"{name}.truth.json.gz").read_bytes()))


def path_of(name: str) -> str:
    return str(corpus("teeworlds", "maps", f"{name}.map"))


def test_no_map_of_the_corpus_is_forgotten() -> None:
    found = {path.stem for path in corpus("teeworlds", "maps").glob("*.map")}
    assert len(found) >= 20
    assert found <= set(NAMES)


def test_the_samples_are_maps_of_the_corpus() -> None:
    for sample, name in (("coverage", "ddnet16_coverage"), ("dm1", "ddnet20_dm1")):
        assert (SAMPLES / f"{sample}.map").read_bytes() == Path(path_of(name)).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_dump_is_the_truth(name: str) -> None:
    expected = truth(name)
    header, *records = [json.loads(msgspec.json.encode(record)) for record in dump(path_of(name))]
    assert header == {"magic": expected["magic"], "header": expected["header"]}
    items = expected["libtw2"]["items"]
    assert records[: len(items)] == items
    assert records[len(items) :] == [{"index": n, **datum} for n, datum in enumerate(expected["libtw2"]["data"])]


@pytest.mark.parametrize("name", NAMES)
def test_real_maps_have_no_fault(name: str) -> None:
    *findings, report = verify(path_of(name))
    assert report["sound"], findings
    assert (report["sound_items"], report["sound_blocks"]) == (report["items"], report["blocks"])


@pytest.mark.parametrize("name", NAMES)
def test_types_are_the_truths(name: str) -> None:
    with open_datafile(path_of(name)) as datafile:
        assert [kind._asdict() for kind in datafile.item_types] == truth(name)["libtw2"]["item_types"]


@pytest.mark.parametrize("name", NAMES)
def test_info_has_the_digests_and_twmaps_words(name: str) -> None:
    expected = truth(name)
    record = json.loads(msgspec.json.encode(info(path_of(name))))
    assert record["health"] == "sound"
    for key, of in (("size", "file_size"), ("sha256", "file_sha256"), ("crc32", "file_crc32")):
        assert record[key] == expected[of]
    if "error" in expected["twmap"]:
        return
    words = expected["twmap"]["info"]
    assert [record[key] for key in ("author", "map_version", "credits", "license", "settings")] == [
        words[key] for key in ("author", "version", "credits", "license", "settings")
    ]
    images = [{"name": image["name"], "external": image["external"]} for image in expected["twmap"]["images"]]
    assert [{key: image[key] for key in ("name", "external")} for image in record["images"]] == images


def test_only_one_is_no_map() -> None:
    for name in NAMES:
        with open_datafile(path_of(name)) as datafile:
            assert Map(datafile).is_map == (name not in NO_MAPS)


@pytest.mark.parametrize("name", NAMES)
def test_groups_and_layers_are_twmaps(name: str) -> None:
    expected = truth(name)["twmap"]
    if "error" in expected:
        pytest.skip(f"twmap does not read it: {expected['error']}")
    with open_datafile(path_of(name)) as datafile:
        parts = Map(datafile)
        assert len(parts.groups) == len(expected["groups"])
        for number, group in enumerate(expected["groups"]):
            assert parts.groups[number].name in (group["name"], "")  # twmap makes up names where there are none
            ours = [placed.layer for placed in parts.layers if placed.group == number]
            assert [layer.kind for layer in ours] == [layer["kind"].lower() for layer in group["layers"]]
            for layer, theirs in zip(ours, group["layers"], strict=True):
                assert layer.name in (theirs["name"], "")
                if isinstance(layer, TileLayer):
                    assert [layer.height, layer.width] == theirs["tiles_shape"][:2]
                    kept = as_twmap(layer, datafile.data(layer.tiles))
                    assert hashlib.sha256(kept).hexdigest() == theirs["tiles_sha256"]
                    assert len(parts.grid(layer).tiles) == layer.width * layer.height
        assert parts.faults == []


def as_twmap(layer: TileLayer, data: bytes) -> bytes:
    """What twmap keeps of tiles: index and flags, or all; of speed-ups 16-bit numbers."""
    if layer.kind == "speedup":
        numbers = [number for row in iter_unpack("<4Bh", data) for number in (*row[:3], row[4])]
        return pack(f"<{len(numbers)}h", *numbers)
    if layer.kind not in ("tiles", "game", "front"):
        return data
    data = expand(data, layer.width * layer.height) if layer.version >= 4 else data
    kept = bytearray(len(data) // 2)
    kept[0::2], kept[1::2] = data[0::4], data[1::4]
    return bytes(kept)


VARIANTS = {"ddnet16_LearnToPlay", "ddnet20_maps7_Tutorial", "ddnet20_maps7_Sunny_Side_Up"}  # of other maps, and large


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_reads_the_same_in_both_versions(name: str) -> None:
    """Data may be deflated otherwise than by the real writers; types, offsets and items are theirs byte for byte."""
    old = Path(path_of(name)).read_bytes()
    with open_datafile(path_of(name)) as datafile:
        data = [datafile.data(index) for index in range(datafile.num_data)]
        for version in (3,) if name in VARIANTS else (3, 4):
            made = map_bytes(datafile.items, data, version)
            again = opened(made)
            assert again.findings == ()
            assert again.header.version == version
            assert (again.items, again.item_types) == (datafile.items, datafile.item_types)
            assert [again.data(index) for index in range(again.num_data)] == data
            tables = slice(36, 36 + 12 * len(datafile.item_types) + 4 * len(datafile.items))
            assert (made[16:32], made[tables]) == (old[16:32], old[tables])
            ours, theirs = again.head.offsets[0], datafile.head.offsets[0]
            assert made[ours:][: again.header.item_size] == old[theirs:][: again.header.item_size]
