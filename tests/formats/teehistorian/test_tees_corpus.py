"""Every recording of the corpus, and DDNet's own test vectors, against what libtw2 makes of them."""

import hashlib
import json
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.teehistorian.operations import dump, info, open_replay, verify
from nhlog.formats.teehistorian.reading.reader import Reader, count_messages, read_records
from nhlog.formats.teehistorian.reading.stream import ALL, POSITIONS
from nhlog.formats.teehistorian.wire.messages import PlayerChange, PlayerNew
from nhlog.formats.teehistorian.writing.writer import Writer
from tests.corpus import ROOT, SAMPLES, corpus, packed_records

NAMES = (
    "A_v16.4_tutorial_10min",
    "C_v16.4_coverage_30s",
    "D_v16.4_killed_nofinish",
    "E_v20.1_mapchange_1_ctf5",
    "E_v20.1_mapchange_3_dm1",
    "G_v20.1_06and07clients",
)
CUT = {"D_v16.4_killed_nofinish": "cut at byte 53714, tick 1359"}
VECTORS = 30
MOVES = PlayerNew | PlayerChange


def folder() -> Path:
    return corpus("teeworlds", "teehistorian")


def recording(name: str) -> Path:
    return corpus("teeworlds", "teehistorian", f"{name}.teehistorian")


@cache
def truth(base: str) -> list[Any]:
    return packed_records(f"{base}.truth.jsonl.gz")


def summary(base: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(f"{base}.summary.json").read_text())
    return found


def as_libtw2(record: dict[str, Any]) -> dict[str, Any]:
    """The record as libtw2 has it, which does not know DDNet's test message."""
    if record.get("type") != "test":
        return record
    return record | {"type": "unknown_ex", "uuid": "6bb8ba88-0f0b-382e-8dae-dbf4052b8b7d"}


def assert_true(path: Path) -> None:
    """`dump` and `info` of a file are what libtw2 says, and the writer gives its bytes back."""
    base = str(path).partition(".teehistorian")[0]
    expected = summary(base)["libtw2"]
    found = list(dump(str(path)))
    if expected["error"]:
        assert found.pop()["error"].startswith("cut at byte")
    assert list(map(as_libtw2, found)) == truth(base)
    about = info(str(path))
    counts = Counter(about.counts)
    counts["unknown_ex"] += counts.pop("test", 0)
    assert (about.ticks, +counts) == (expected["last_tick"], expected["counts"])
    assert {str(it.cid): [it.x, it.y] for it in about.alive} == expected["players"]
    assert about.messages == expected["items"]
    assert about.health.startswith("cut" if expected["error"] else "sound")


@pytest.mark.parametrize("name", NAMES)
def test_dump_and_info_are_the_truth(name: str) -> None:
    assert_true(recording(name))


@pytest.mark.parametrize("ending", ["xz", "zst"])
def test_packed_copies_hold_the_same(ending: str) -> None:
    path = recording(NAMES[0])
    assert count_messages(Reader(f"{path}.{ending}")) == count_messages(Reader(str(path)))


def test_a_gzipped_copy_is_the_truth() -> None:
    assert_true(folder() / "C_v16.4_coverage_30s.teehistorian.gz")


def test_the_shipped_sample_is_the_corpus_file() -> None:
    sample = (SAMPLES / "coverage.teehistorian").read_bytes()
    assert hashlib.sha256(sample).hexdigest() == summary(str(folder() / "C_v16.4_coverage_30s"))["sha256"]


def written(path: Path) -> tuple[bytes, bytes, str]:
    """What the writer makes of what is read: header, the rest, and what ended the reading early."""
    reader, writer, made = Reader(str(path)), Writer(), bytearray()
    try:
        for tick, _, message in read_records(reader):
            made += writer.write(tick, message)
        made += writer.finish()
    except Damaged as error:
        return reader.header.raw, bytes(made), error.what
    return reader.header.raw, bytes(made), ""


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_is_written_byte_by_byte(name: str) -> None:
    path = recording(name)
    head, body, error = written(path)
    assert head + body == path.read_bytes()
    assert error == CUT.get(name, "")


@pytest.mark.parametrize("name", NAMES[1:])  # the first is long, and its depths are compared with the truth
def test_the_three_depths_agree(name: str) -> None:
    path = str(recording(name))
    moved, told = [], []
    for depth, into in ((POSITIONS, moved), (ALL, told)):
        reader = Reader(path)
        with suppress(Damaged):
            into.extend(it for it in read_records(reader, depth) if isinstance(it.message, MOVES))
    assert moved == told
    counted = count_messages(Reader(path))
    assert counted.tick == reader.world.tick
    assert counted.size == Path(path).stat().st_size
    assert (counted.error.what if counted.error else None) == CUT.get(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_state_at_a_tick_is_what_the_truth_says_up_to_it(name: str) -> None:
    """Every 97th tick, backwards, so that each is come to from a keyframe."""
    base = str(recording(name)).removesuffix(".teehistorian")
    replay = open_replay(f"{base}.teehistorian")
    last = replay.timeline.last
    wanted = range(0, last + 1, 97)
    places: dict[int, tuple[int, int]] = {}
    inputs: dict[int, tuple[int, ...]] = {}
    expected = {}
    messages = iter(truth(base))
    message = next(messages, None)
    for tick in wanted:
        while message and message["tick"] <= tick:
            kind, cid = message["type"], message.get("cid", -1)
            if kind in ("player_new", "player_change"):
                places[cid] = (message["pos"]["x"], message["pos"]["y"])
            elif kind == "player_old":
                del places[cid]
            elif kind == "input":
                inputs[cid] = tuple(message["input"])
            message = next(messages, None)
        expected[tick] = (dict(places), dict(inputs))
    for tick in reversed(wanted):
        replay.seek(tick)
        here = replay.state
        assert {tee.cid: tee.place for tee in here.tees if tee.place} == expected[tick][0]
        assert all(expected[tick][1].get(tee.cid) == tee.input for tee in here.tees)
    replay.close()


def test_every_vector_is_the_truth_and_comes_back() -> None:
    vectors = json.loads((folder() / "vectors" / "vectors.json").read_text())
    assert len(vectors) == VECTORS
    for vector in vectors:
        path = folder() / "vectors" / f"{vector['name']}.teehistorian"
        assert_true(path)
        _, body, error = written(path)
        assert error.partition(" byte")[0] in ("", "cut at")
        assert body.hex() == vector["body_hex"], vector["name"]


def test_what_is_no_recording_is_named() -> None:
    with pytest.raises(Unsupported, match="not a teehistorian file"):
        list(dump(str(folder() / "thpy_dummy.teehistorian")))


@pytest.mark.parametrize("name", NAMES)
def test_verify_finds_nothing_but_the_cut(name: str) -> None:
    *found, report = verify(str(recording(name)))
    assert [finding["what"] for finding in found if finding["fault"]] == ([CUT[name]] if name in CUT else [])
    assert report["sound"] == (name not in CUT)
    assert report["sound_messages"] == report["messages"]


def test_the_corpus_has_no_other_recordings() -> None:
    """So that none is forgotten here."""
    found = {path.name.partition(".teehistorian")[0] for path in folder().glob("*.teehistorian")}
    assert "thpy_dummy" in found
    assert found <= {*NAMES, "thpy_dummy"}
    assert ROOT.is_dir()
