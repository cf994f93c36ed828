"""Runs told from the map, and the ghost of another run."""

from contextlib import closing
from math import pi, sin
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import Unsupported, Usage
from nhlog.formats.datafile.terrain import CHECKPOINTS, FINISH, START
from nhlog.formats.datafile.wire.tiles import Grid
from nhlog.formats.teehistorian.ghost import Ghost
from nhlog.formats.teehistorian.race import Races, Run
from nhlog.formats.teehistorian.replay import TeeReplay, open_replay
from terminal.cli import main
from tests.corpus import SAMPLES
from tests.formats.teehistorian.builders import Server

WIDTH = 40
TILE = 32


def lines(**columns: int) -> Grid:
    """One row of tiles with the race's lines in these columns."""
    tiles = bytearray(WIDTH)
    for name, column in columns.items():
        tiles[column] = {"start": START, "finish": FINISH}.get(name) or CHECKPOINTS[int(name[-1]) - 1]
    return Grid("lines", "lines", WIDTH, 1, bytes(tiles))


TRACK = lines(start=3, check1=10, check2=20, finish=30)


@pytest.fixture
def opened(tmp_path: Path) -> Any:
    replays: list[TeeReplay] = []

    def open_it(server: Server) -> TeeReplay:
        path = tmp_path / f"{len(replays)}.teehistorian"
        path.write_bytes(server.finish())
        replays.append(open_replay(str(path)))
        return replays[-1]

    yield open_it
    for replay in replays:
        replay.close()


def runner(speed: int = 1, name: str = "one", wait: int = 0) -> Server:
    """Somebody who goes from left to right, so many tiles a tick, after a wait behind the start line."""
    server = Server()
    server.join(0, name)
    for column in range(0, WIDTH, speed):  # a case: so many tiles a tick
        server.tick += 1 + (wait if column == 5 * speed else 0)
        server.place(0, TILE * column, 0)
    return server


def test_a_run_goes_from_the_start_to_the_finish(opened: Any) -> None:
    races = Races(opened(runner()).index, TRACK)
    assert races.runs(100) == [Run(0, 5, ((1, 11), (2, 21)), 31)]


def test_a_line_that_is_jumped_over_within_a_tick_counts(opened: Any) -> None:
    races = Races(opened(runner(speed=7)).index, TRACK)
    assert races.runs(100) == [Run(0, 2, ((1, 3), (2, 4)), 6)]


def test_a_teleport_over_a_line_does_not(opened: Any) -> None:
    server = Server()
    server.tick = 1
    server.place(0, 3 * TILE, 0)
    server.tick = 2
    server.place(0, 35 * TILE, 0)
    races = Races(opened(server).index, TRACK)
    assert races.runs(100) == []
    assert races.run(0, 100) == Run(0, 1)


def test_a_run_is_known_as_far_as_it_has_come(opened: Any) -> None:
    races = Races(opened(runner()).index, TRACK)
    assert races.run(0, 4) is None
    assert races.run(0, 5) == Run(0, 5)
    assert races.run(0, 20) == Run(0, 5, ((1, 11),))
    assert races.run(0, 40) == Run(0, 5, ((1, 11), (2, 21)), 31)
    assert races.run(1, 40) is None


def test_the_last_touch_of_the_start_begins_the_run(opened: Any) -> None:
    server = Server()
    for column in (3, 3, 4, 3, 4, 5, 9, 10):
        server.tick += 1
        server.place(0, TILE * column + server.tick, 0)
    races = Races(opened(server).index, TRACK)
    assert races.run(0, 4) is None
    assert races.start(0, 4) == 5
    assert races.run(0, 8) == Run(0, 5, ((1, 8),))


def test_a_death_ends_the_run(opened: Any) -> None:
    server = Server()
    for column in (3, 10, 20):
        server.tick += 1
        server.place(0, TILE * column, 0)
    server.tick += 1
    server.gone(0)
    server.tick += 1
    server.place(0, TILE * 30, 0)
    assert Races(opened(server).index, TRACK).runs(100) == [Run(0, 2, ((1, 2), (2, 3)))]


def test_runs_go_on_where_the_recording_goes_on(tmp_path: Path) -> None:
    server = runner()
    data = server.finish()
    path = tmp_path / "live.teehistorian"
    found = []
    for _, tick in server.ends:
        size = max(end for end, at in server.ends if at == tick)
        path.write_bytes(data[:size])
        if not found:
            replay = open_replay(str(path))
            races = Races(replay.index, TRACK)
        replay.refresh()
        found.append(races.run(0, tick))
    assert found[-1] == Run(0, 5, ((1, 11), (2, 21)), 31)
    replay.close()


# ghosts


def raced(opened: Any, server: Server) -> TeeReplay:
    replay = opened(server)
    replay.races = Races(replay.index, TRACK)  # as if its map were at hand
    return replay


def test_both_runs_begin_at_the_start_line(opened: Any) -> None:
    here, ghost = raced(opened, runner(wait=10)), Ghost(raced(opened, runner(name="other")))
    for tick in (3, 4, 5):
        here.seek(tick)
        meeting = ghost.meet(here, 0, here.step)
        assert meeting.tee.place == here.state_at(tick).tee(0).place
    assert meeting.gap == 0
    here.seek(20)
    late = ghost.meet(here, 0, here.step)
    assert late.gap == 10
    assert late.tee.place == (19 * TILE, 0)
    ghost.replay.seek(14)
    other = Ghost(here).meet(ghost.replay, 0, ghost.replay.step)
    assert other.gap == 9 - 19


def test_without_a_line_they_begin_where_the_tees_appeared(opened: Any) -> None:
    server = runner(name="other")
    late = Server()
    late.tick = 50
    late.join(0, "one")
    for column in range(5):
        late.tick += 1
        late.place(0, TILE * column, 0)
    here, ghost = opened(late), Ghost(opened(server))
    assert here.run_start(0, 55) == 51
    here.seek(55)
    meeting = ghost.meet(here, 0, here.step)
    assert (meeting.tee.place, meeting.gap) == ((4 * TILE, 0), 0)


def test_a_ghost_that_has_come_to_its_end_is_gone(opened: Any) -> None:
    here = opened(runner(wait=1000))
    here.seek(here.timeline.last)
    assert Ghost(opened(runner())).meet(here, 0, here.step).tee is None


def crossing(wait: int = 0) -> Server:
    """Somebody whose way crosses itself in its middle, after 20 ticks and after 60 more."""
    server = Server()
    server.join(0, "one")
    for tick in range(100 + wait):
        turn = 2 * pi * max(tick - wait, 0) / 80
        server.tick += 1
        server.place(0, 1000 + round(900 * sin(turn)), 1000 + round(450 * sin(2 * turn)))
    return server


def test_where_a_course_crosses_itself_the_gap_is_that_of_the_same_pass(opened: Any) -> None:
    here, ghost = opened(crossing(wait=17)), Ghost(opened(crossing()))
    gaps = []
    for tick in range(here.run_start(0, 0) + 20, 110):
        here.seek(tick)
        gaps.append(ghost.meet(here, 0, here.step).gap)
    assert {abs(gap - 17) <= 1 for gap in gaps} == {True}


def test_the_ghost_is_the_one_of_the_same_name_else_the_fastest(opened: Any) -> None:
    server = Server()
    for cid, name in ((0, "slow"), (1, "fast"), (2, "nobody")):
        server.join(cid, name)
    for tick in range(1, 60):
        server.tick = tick
        for cid, speed in ((0, TILE), (1, 3 * TILE), (2, 0)):
            server.place(cid, min(speed * tick, 35 * TILE), 10 * cid + tick % 2)
    ghost = Ghost(raced(opened, server))
    assert [ghost.choose(name) for name in ("slow", "nobody", "somebody")] == [0, 2, 1]


def test_a_recording_is_opened_with_its_ghost(tmp_path: Path) -> None:
    sample = str(SAMPLES / "coverage.teehistorian")
    replay = open_replay(sample, ghost=sample)
    assert replay.ghost is not None
    replay.seek(800)
    meeting = replay.ghost.meet(replay, 0, replay.step)
    assert meeting is not None
    assert meeting.tee is not None
    replay.close()


def test_the_map_lies_beside_the_recording_or_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sample = SAMPLES / "coverage.teehistorian"
    assert open_replay(str(sample)).terrain is not None
    alone = tmp_path / "alone.teehistorian"
    alone.write_bytes(sample.read_bytes())
    assert open_replay(str(alone)).terrain is None
    assert open_replay(str(alone), map=str(SAMPLES / "coverage.map")).terrain is not None


VERBS = (["show"], ["state"], ["events"], ["plot", "places"], ["convert", "made.cast"])


@pytest.mark.parametrize("verb", VERBS, ids=[verb for verb, *_ in VERBS])
@pytest.mark.parametrize("digest", ["map_sha256", "map_crc"])
def test_another_map_than_was_played_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: list[str], digest: str
) -> None:
    monkeypatch.chdir(tmp_path)
    data = (SAMPLES / "coverage.teehistorian").read_bytes()
    if digest == "map_crc":
        data = data.replace(b'"map_sha256"', b'"map_sha257"', 1)
    Path("run.teehistorian").write_bytes(data)
    name, *rest = verb
    for played, code in (("coverage.map", 0), ("dm1.map", Usage.exit_code), ("nethack.cast", Unsupported.exit_code)):
        assert main([name, "run.teehistorian", *rest, "--map", str(SAMPLES / played)]) == code


def test_without_a_digest_in_the_recording_any_map_may_be_meant(tmp_path: Path) -> None:
    data = (SAMPLES / "coverage.teehistorian").read_bytes()
    path = tmp_path / "run.teehistorian"
    path.write_bytes(data.replace(b'"map_sha256"', b'"map_sha257"', 1).replace(b'"map_crc"', b'"map_crd"', 1))
    with closing(open_replay(str(path), map=str(SAMPLES / "dm1.map"))) as replay:
        assert replay.terrain is not None
