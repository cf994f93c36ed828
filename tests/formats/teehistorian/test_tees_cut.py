"""A recording that is recovered or rewound is sound, and what was cut off it is kept."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import Unsupported
from nhlog.files.cuts import CutRefused, kept_of
from nhlog.formats.teehistorian.operations import recover, rewind, verify
from nhlog.formats.teehistorian.replay import open_replay
from nhlog.timeline import parse_position
from tests.formats.teehistorian.builders import HEADER, every_kind, played

DATA = every_kind()
NOTHING = {"recovered": False, "offset": None, "lost_bytes": 0, "kept_in": None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.teehistorian"


def is_sound(path: Path) -> bool:
    *_, report = verify(str(path))
    sound: bool = report["sound"]
    return sound


def portrait(path: Path) -> list[Any]:
    replay = open_replay(str(path))
    try:
        events = [(event.step, event.text) for event in replay.events(0, replay.timeline.last)]
        return [*events, replay.state_at(replay.timeline.last)]
    finally:
        replay.close()


def test_of_every_prefix_the_whole_messages_stay(memory: Path) -> None:
    for size in range(len(HEADER), len(DATA)):
        path = memory / f"{size}.teehistorian"
        path.write_bytes(DATA[:size])
        seen = portrait(path)
        told = recover(str(path), dry_run=True)
        assert path.read_bytes() == DATA[:size]
        cut = f"{path}.cut-00000001"  # empty, where only an ending was written
        assert recover(str(path)) == told | {"recovered": True, "kept_in": cut}
        assert is_sound(path)
        assert portrait(path) == seen
        assert path.read_bytes()[:-1] + Path(cut).read_bytes() == DATA[:size]
    assert recover(str(path)) == NOTHING


def test_a_sound_recording_is_left_alone(path: Path) -> None:
    path.write_bytes(DATA)
    assert recover(str(path)) == NOTHING
    assert (path.read_bytes(), kept_of(str(path))) == (DATA, {})


def test_what_is_damaged_and_what_follows_the_end_is_cut_off(path: Path) -> None:
    data = played(50, 2).finish()
    path.write_bytes(data + b"junk")
    assert recover(str(path))["lost_bytes"] == 4
    assert path.read_bytes() == data
    damaged = data[:-40] + b"\x7f" * 40
    path.write_bytes(damaged)
    told = recover(str(path))
    assert is_sound(path)
    assert path.read_bytes()[:-1] + Path(told["kept_in"]).read_bytes() == damaged


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("finished", [False, True])
def test_rewound_it_is_as_it_was_at_that_tick(path: Path, packed: bool, finished: bool) -> None:
    data = played(60, 3).finish()
    data = data if finished else data[:-1]
    stored = gzip.compress(data) if packed else data
    for tick in range(60):
        path.write_bytes(stored)
        before = open_replay(str(path))
        wanted, last = before.state_at(tick), before.timeline.last
        before.close()
        told = rewind(str(path), parse_position(f"tick:{tick}"), pytest.fail, dry_run=True)
        done = rewind(str(path), parse_position(f"tick:{tick}"), lambda lost: bool(lost))
        assert is_sound(path)
        after = open_replay(str(path))
        assert (after.timeline.last, after.state_at(after.timeline.last).tees) == (done["tick"], wanted.tees)
        after.close()
        assert done | {"rewound": False, "kept_in": None} == told
        assert done["lost_ticks"] == last - done["tick"]
        kept = Path(done["kept_in"]).read_bytes()
        assert kept == stored if packed else path.read_bytes()[:-1] + kept == stored


def test_who_says_no_loses_nothing(path: Path) -> None:
    data = played(60, 3).finish()
    path.write_bytes(data)
    assert not rewind(str(path), parse_position("tick:20"), lambda lost: False)["rewound"]
    assert rewind(str(path), parse_position("tick:20"), pytest.fail, dry_run=True)["lost_ticks"] == 40
    assert rewind(str(path), parse_position("end"), pytest.fail)["offset"] is None
    assert (path.read_bytes(), kept_of(str(path))) == (data, {})


def test_a_recording_that_a_server_writes_is_left_alone(path: Path) -> None:
    path.write_bytes(DATA[:-1])
    with path.open("ab"), pytest.raises(CutRefused, match="open for writing"):
        recover(str(path))
    assert path.read_bytes() == DATA[:-1]


def test_a_pipe_cannot_be_cut() -> None:
    with pytest.raises(Unsupported, match="only a file"):
        recover("-")
