"""`nhlog diff` of two recordings: nothing where they are the same, else what differs first, and exit code 1."""

import shutil
from pathlib import Path

import pytest

from nhlog.formats.datafile.wire import Item
from tests.builders import played
from tests.corpus import SAMPLES
from tests.formats.datafile.made import map_bytes

NAMES = ("died2.nhgame", "dm1.map", "coverage.teehistorian", "arena.butter", "run.replay", "nethack.cast")


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_the_same(nhlog, tmp_path: Path, name: str) -> None:
    shutil.copy(SAMPLES / name, tmp_path)
    done = nhlog("diff", SAMPLES / name, tmp_path / name)
    assert done.code == 0
    assert name.endswith(".butter") or (done.out, done.err) == ("", "there is no difference\n")


def differing(done) -> dict[str, tuple]:
    assert done.code == 1
    return {record["what"]: (record["kind"], record["at"], record["old"], record["new"]) for record in done.records}


def test_of_two_games_the_first_other_event_and_state_are_told(nhlog, tmp_path: Path) -> None:
    one, other = played(6), played(5).play(1, b"kick")
    found = differing(nhlog("diff", one.write(tmp_path / "a.nhgame"), other.write(tmp_path / "b.nhgame"), "--json"))
    assert found["first other event"] == ("event", "turn 7", "searches", "kicks")
    assert "lines.command" not in found
    assert found["bytes.command"][0] == "info"


def test_of_two_runs_the_first_other_state_is_told_with_both_values(nhlog) -> None:
    found = differing(nhlog("diff", SAMPLES / "run.replay", SAMPLES / "ghost.replay", "--json"))
    assert found["metadata.player"] == ("info", None, "ada", "grace")
    assert found["steps"] == ("length", None, 806, 726)
    kind, at, old, new = found["entities[0].position"]
    assert (kind, at) == ("state", "tick 2")
    assert old != new
    told = nhlog("diff", SAMPLES / "run.replay", SAMPLES / "ghost.replay")
    assert told.out.splitlines()[0].split() == ["what", "at", "old", "new"]


def test_of_two_maps_embedded_data_is_compared(nhlog, tmp_path: Path) -> None:
    image = (1, 1, 1, 0, 0, 1)
    for name, pixel in (("a", b"\0\0\0\0"), ("b", b"\0\0\0\1")):
        data = map_bytes([Item(0, 0, (1,)), Item(2, 0, image)], [b"x\0", pixel])
        (tmp_path / f"{name}.map").write_bytes(data)
    found = differing(nhlog("diff", tmp_path / "a.map", tmp_path / "b.map", "--json"))
    assert {what for what, (kind, *_) in found.items() if kind != "info"} == {"data 1"}
    assert found["data 1"][2].startswith("4 bytes, SHA-256 ")


def test_of_two_replays_of_echo_vr_each_field_is_told(nhlog, tmp_path: Path) -> None:
    part = tmp_path / "part.butter"
    assert nhlog("convert", SAMPLES / "arena.butter", part, "--last", "frame:50").code == 0
    done = nhlog("diff", SAMPLES / "arena.butter", part, "--json")
    assert (done.code, done.records[-1]["only_a"]) == (1, 49)
