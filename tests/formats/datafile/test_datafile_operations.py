"""The records of maps are those that docs/datafile.md describes."""

import json
from collections.abc import Mapping
from dataclasses import fields
from inspect import unwrap
from pathlib import Path
from typing import Any

import msgspec
import pytest

from nhlog.formats import format_of, open_recording, operation
from nhlog.formats.datafile.operations import (
    OPERATIONS,
    ConvertOptions,
    convert,
    diff,
    dump,
    info,
    listing,
    open_replay,
    state,
    verify,
)
from nhlog.operations import as_record
from nhlog.replay import Status
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES
from tests.formats.datafile.made import every_kind, opened

DOCUMENT = (ROOT / "docs" / "datafile.md").read_text()


def kind_of(title: str, record: Mapping[str, Any]) -> str:
    if title == "nhlog dump":
        keys = {"header": "header", "id": "item", "index": "data"}
        return next((kind for key, kind in keys.items() if key in record), "error")
    if title == "nhlog verify":
        return "report" if "sound" in record else "finding"
    return ""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Maps that make the verbs say all that they can."""
    whole = every_kind()
    at = opened(whole).head.data[0].start
    made = {
        "whole": whole,
        "cut": whole[:-3],
        "broken": whole[:at] + b"\0\0" + whole[at + 2 :],
        "sample": (SAMPLES / "coverage.map").read_bytes(),
        "wrong": whole[:8] + b"\0" + whole[9:],
    }
    for name, data in made.items():
        (tmp_path / f"{name}.map").write_bytes(data)
    return [str(tmp_path / f"{name}.map") for name in made]


def records(title: str, file: str) -> list[dict[str, Any]]:
    match title.split()[1]:
        case "info":
            return [as_record(info(file))]
        case "ls":
            return [as_record(listing(file))]
        case "dump":
            return list(dump(file))
        case "verify":
            return list(verify(file))
        case "diff":
            return [] if "wrong" in file else list(diff(file, str(SAMPLES / "dm1.map")))
        case "state":
            replay = open_replay(file)
            replay.close()
            return [state(replay)]
    if "cut" in file or "broken" in file:
        return []
    return [convert(file, f"{file}.new", ConvertOptions(version=3))]


@pytest.mark.parametrize("title", documented(DOCUMENT))
def test_the_documented_keys_are_exactly_those_there_are(files: list[str], title: str) -> None:
    kinds = documented(DOCUMENT)[title]
    met: dict[str, set[str]] = {kind: set() for kind in kinds}
    for file in files:
        for record in records(title, file):
            kind = kind_of(title, record)
            met[kind] |= seen(json.loads(msgspec.json.encode(record)), kinds[kind])
    assert met == {kind: set(keys) for kind, keys in kinds.items()}


def test_every_verb_of_maps_is_documented() -> None:
    verbs = {field.name for field in fields(OPERATIONS) if getattr(OPERATIONS, field.name)} - {"open"}
    named = {"listing": "ls"}
    assert {f"nhlog {named.get(verb, verb)}" for verb in verbs} == set(documented(DOCUMENT))


@pytest.mark.parametrize("name", ["coverage.map", "dm1.map"])
def test_samples_are_known_by_name_and_content(tmp_path: Path, name: str) -> None:
    data = (SAMPLES / name).read_bytes()
    (tmp_path / "unnamed").write_bytes(data)
    (tmp_path / "old").write_bytes(b"ATAD" + data[4:])
    for path in (SAMPLES / name, tmp_path / "unnamed", tmp_path / "old"):
        assert format_of(str(path)).name == "Teeworlds map"
        assert unwrap(operation(str(path), "info")) is info
        replay = open_recording(str(path))
        assert (replay.info.format, replay.info.status) == ("Teeworlds map", Status.FINISHED)
        assert len(list(replay.events(0, 0))) == len(replay.map.layers)
        replay.close()


def test_info_tells_of_the_sample() -> None:
    record = info(str(SAMPLES / "coverage.map"))
    assert (record.name, record.version, record.width, record.height) == ("coverage", 4, 50, 50)
    assert [layer.kind for layer in record.layers] == [*("quads", "game", "tele", "speedup", "front", "tiles", "tiles")]
    assert record.crc32 == "ff9e06c3"
    assert record.health == "sound"


def test_a_listing_reads_no_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    from nhlog.formats.datafile.reading.datafile import Datafile

    monkeypatch.setattr(Datafile, "data", lambda self, index: asked.append(index) or b"")
    assert listing(str(SAMPLES / "dm1.map")).title == "dm1"
    assert asked == []


def test_a_state_has_the_tiles_as_digits(tmp_path: Path) -> None:
    path = tmp_path / "every.map"
    path.write_bytes(every_kind())
    replay = open_replay(str(path))
    layers = {layer["kind"]: layer for layer in state(replay)["layers"]}
    assert layers["game"] == {"kind": "game", "rows": ["0100", "0000"], "numbers": []}
    assert layers["tele"] == {"kind": "tele", "rows": ["1a00", "1b00"], "numbers": ["0500", "0700"]}
    replay.close()
