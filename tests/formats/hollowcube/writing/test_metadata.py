"""Metadata: JSON in and out, NBT in the file, and the rest of it stays as it is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import Damaged, LockNotObtained, NhlogError, Usage
from nhlog.formats.hollowcube.operations import merge_metadata, set_metadata
from nhlog.formats.hollowcube.recording import Recorder
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import Kind, NbtList, Tag, plain
from nhlog.formats.hollowcube.writing.metadata import get_metadata
from tests.corpus import corpus
from tests.formats.hollowcube.made import EVERY_KIND, Made, walk
from tests.formats.hollowcube.written import SMALL, read_back

TYPED = Tag(
    Kind.COMPOUND,
    {
        "score": Tag(Kind.FLOAT, 0.5),
        "level": Tag(Kind.BYTE, 3),
        "seed": Tag(Kind.LONG, 7),
        "name": Tag(Kind.STRING, "x"),
    },
)


@pytest.fixture(params=["text file", "game file", "text folder", "game folder"])
def recording(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    layout, form = request.param.split()
    made = Made(EVERY_KIND, Layout.TEXT if layout == "text" else Layout.GAME, metadata=TYPED)
    if form == "folder":
        return made.write(tmp_path / "made")
    (tmp_path / "made.replay").write_bytes(made.data())
    return tmp_path / "made.replay"


def told(path: Path) -> dict[str, Any]:
    """The metadata but for our own part of it."""
    return {name: value for name, value in plain(get_metadata(str(path))).items() if name != "nhlog"}


def test_what_is_set_can_be_got_and_the_ticks_stay(recording: Path) -> None:
    ticks, extension = read_back(recording), get_metadata(str(recording), "nhlog")
    values = {"flags": [{"tick": 3, "kind": "speed"}], "note": "é ✓" * 300, "sure": True, "big": 1 << 40, "none": []}
    set_metadata(str(recording), "anticheat", values)
    assert plain(get_metadata(str(recording), "anticheat")) == values | {"sure": 1}
    assert plain(get_metadata(str(recording), "anticheat.flags")) == values["flags"]
    assert get_metadata(str(recording), "nhlog") == extension
    assert read_back(recording) == ticks
    set_metadata(str(recording), "anticheat", None)
    assert told(recording) == plain(TYPED)
    assert read_back(recording) == ticks


def test_of_a_folder_only_the_preamble_changes(tmp_path: Path) -> None:
    folder = Made(EVERY_KIND).write(tmp_path / "made")
    before = {path.name: (path.stat().st_ino, path.read_bytes()) for path in folder.iterdir()}
    set_metadata(str(folder / "preamble.dat"), "x", 1)
    after = {path.name: (path.stat().st_ino, path.read_bytes()) for path in folder.iterdir()}
    assert {name for name in after if after[name] != before.get(name)} == {"preamble.dat"}
    assert get_metadata(str(folder), "x") == Tag(Kind.INT, 1)


def test_a_number_keeps_its_type_where_it_fits(recording: Path) -> None:
    merge_metadata(str(recording), {"score": 1, "level": 127, "seed": 8, "name": "y"})
    inner = get_metadata(str(recording)).value
    assert inner["score"] == Tag(Kind.FLOAT, 1.0)
    assert (inner["level"], inner["seed"], inner["name"]) == (
        Tag(Kind.BYTE, 127),
        Tag(Kind.LONG, 8),
        Tag(Kind.STRING, "y"),
    )
    merge_metadata(str(recording), {"level": 128, "score": 0.1})
    assert get_metadata(str(recording), "level") == Tag(Kind.INT, 128)
    assert get_metadata(str(recording), "score").value == pytest.approx(0.1)


def test_objects_are_merged_and_all_else_is_replaced(recording: Path) -> None:
    merge_metadata(str(recording), {"a": {"b": 1, "c": [1, 2]}})
    merge_metadata(str(recording), {"a": {"c": [3], "d": "x"}, "name": None, "level": {"was": 3}})
    assert told(recording) == {"score": 0.5, "level": {"was": 3}, "seed": 7, "a": {"b": 1, "c": [3], "d": "x"}}


@pytest.mark.parametrize("key", ["", "a.", ".a", "a..b"])
def test_what_is_no_key_is_refused(key: str, recording: Path) -> None:
    with pytest.raises(Usage):
        set_metadata(str(recording), key, 1)


def test_what_is_not_there_is_told(recording: Path) -> None:
    for key in ("nothing", "score.more"):
        with pytest.raises(NhlogError, match="no metadata"):
            get_metadata(str(recording), key)


@pytest.mark.parametrize("value", [[1, "a"], [None], {"a": [None]}, 1 << 70, "x" * 70_000])
def test_what_nbt_cannot_hold_changes_nothing(value: Any, recording: Path) -> None:
    before = told(recording)
    with pytest.raises(Usage):
        set_metadata(str(recording), "x", value)
    assert told(recording) == before


def test_a_damaged_recording_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "x.replay"
    path.write_bytes(Made(EVERY_KIND).data()[:-1])
    with pytest.raises(Damaged, match="recover"):
        set_metadata(str(path), "x", 1)


def test_a_recording_that_is_being_made_keeps_its_metadata_to_itself(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path), triggers=SMALL)
    for events in walk(20):
        recorder.tick(events)
    with pytest.raises(LockNotObtained):
        set_metadata(str(tmp_path), "x", 1)
    recorder.leave()
    set_metadata(str(tmp_path), "x", 1)
    recorder = Recorder(str(tmp_path), triggers=SMALL)
    for events in walk(20):
        recorder.tick(events)
    recorder.finish()
    assert get_metadata(str(tmp_path), "x") == Tag(Kind.INT, 1)


def test_every_type_of_the_corpus_survives_a_change_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "x.replay"
    path.write_bytes(corpus("hollowcube", "metadata-resume.replay").read_bytes())
    before = get_metadata(str(path)).value
    set_metadata(str(path), "new", [1.5])
    after = dict(get_metadata(str(path)).value)
    assert after.pop("new") == Tag(Kind.LIST, NbtList(Kind.DOUBLE, (Tag(Kind.DOUBLE, 1.5),)))
    assert after == before
    assert read_back(path) == read_back(corpus("hollowcube", "metadata-resume.replay"))


# nhlog meta


def test_the_command_gets_sets_and_merges(nhlog: Callable[..., Any], recording: Path, tmp_path: Path) -> None:
    assert nhlog("meta", recording, "set", "a.b", '{"c": [1, 2]}').code == 0
    assert json.loads(nhlog("meta", recording, "get", "a").out) == {"b": {"c": [1, 2]}}
    (tmp_path / "more.json").write_text('{"a": {"d": 1}}')
    assert nhlog("meta", recording, "merge", tmp_path / "more.json").out == ""
    nhlog("meta", recording, "merge", "-", stdin=b'{"a": {"b": null}}')
    assert nhlog("meta", recording, "get", "a", "--json").records == [
        {"file": str(recording), "action": "get", "key": "a", "nbt": {"t": 10, "v": {"d": {"t": 3, "v": 1}}}}
    ]
    assert nhlog("meta", recording, "set", "x", "1", "--json").records == [
        {"file": str(recording), "action": "set", "key": "x"}
    ]


@pytest.mark.parametrize(
    "arguments",
    [["set", "x"], ["set", "x", "{"], ["set", "x", "[" * 100_000], ["merge"], ["get", "a", "b"], ["set", "x", "NULL"]],
    ids=lambda arguments: " ".join(arguments)[:12],
)
def test_the_command_refuses_what_makes_no_sense(
    nhlog: Callable[..., Any], recording: Path, arguments: list[str]
) -> None:
    done = nhlog("meta", recording, *arguments)
    assert done.code == 2
    assert done.err.count("\n") == 1
