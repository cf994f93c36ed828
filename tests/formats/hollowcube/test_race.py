"""Two runs side by side: both clocks begin with the run, whenever that was, and gaps are counted from there."""

from contextlib import closing
from itertools import pairwise
from math import pi, sin
from pathlib import Path
from typing import Any

import pytest

from nhlog.formats.hollowcube.operations import OpenOptions, open_replay
from nhlog.formats.hollowcube.race import best_run
from nhlog.formats.hollowcube.wire.enums import End, Reset
from nhlog.formats.hollowcube.wire.events import (
    AbsoluteMove,
    CheckpointReached,
    CheckpointReset,
    DeltaMove,
    Event,
    RunEnd,
    RunStart,
)
from nhlog.formats.hollowcube.wire.header import TICK_MS
from nhlog.formats.hollowcube.wire.primitives import Pos
from tests.corpus import CORPUS, SAMPLES
from tests.formats.hollowcube.made import STILL, Made, run, walk

Ticks = list[list[Event]]


def late(ticks: int, checkpoints: dict[int, str], start: int, step: float = 0.25) -> Ticks:
    """A run that begins only after some ticks of standing still."""
    first, *rest = run(ticks, checkpoints, step)
    return [list(walk(1)[0]), *[[]] * (start - 1), list(first), *map(list, rest)]


def race(tmp_path: Path, own: Any, ghost: Any) -> Any:
    for name, ticks in (("own", own), ("ghost", ghost)):
        (tmp_path / f"{name}.replay").write_bytes(Made(ticks).data())
    return open_replay(str(tmp_path / "own.replay"), OpenOptions(ghost=str(tmp_path / "ghost.replay")))


def test_the_ghosts_clock_begins_with_its_run(tmp_path: Path) -> None:
    replay = race(tmp_path, late(30, {10: "a"}, 7), late(30, {10: "a"}, 20))
    assert [replay.race.tick(step) for step in (0, 7, 17, 36)] == [13, 20, 30, 49]
    for step in range(7, 37):
        replay.seek(step)
        assert replay.race.state(step).player.position == replay.state.player.position
        assert replay.race.gap(step) == 0
    assert [(pair.checkpoint, pair.own_tick, pair.ghost_tick, pair.gap) for pair in replay.race.splits(36)] == [
        ("a", 17, 30, 0),
        ("finish", 36, 49, 0),
    ]


def test_the_ghost_stays_inside_its_recording(tmp_path: Path) -> None:
    replay = race(tmp_path, late(60, {}, 30), run(10, {}))
    assert [replay.race.tick(step) for step in (0, 29, 30, 35, 89)] == [0, 0, 0, 5, 9]


@pytest.mark.parametrize(("own", "ghost", "gap"), [(0.5, 0.25, 500), (0.25, 0.5, -250), (0.25, 0.25, 0)])
def test_the_gap_is_how_much_later_the_ghost_was_here(tmp_path: Path, own: float, ghost: float, gap: int) -> None:
    """At tick 10: where the ghost was twice as slow it comes there ten ticks later, where twice as fast five before."""
    replay = race(tmp_path, run(60, {}, own), run(60, {}, ghost))
    assert replay.race.gap(10) == gap


def test_the_gap_is_that_at_the_nearest_place_of_the_ghosts_way(tmp_path: Path) -> None:
    replay = race(tmp_path, [*walk(20), *[()] * 20], run(60, {}))
    assert [replay.race.gap(step) for step in (19, 29, 39)] == [0, -500, -1000]


def test_a_ghost_that_never_moved_has_no_gap(tmp_path: Path) -> None:
    replay = race(tmp_path, run(20, {}), [(RunStart(),), *[()] * 19])
    assert replay.race.gap(5) is None


def test_splits_are_of_what_both_have_reached_so_far(tmp_path: Path) -> None:
    replay = race(tmp_path, run(40, {10: "a", 20: "b", 30: "own"}), run(60, {8: "a", 15: "ghost", 33: "b"}))
    told = {step: [(pair.checkpoint, pair.gap) for pair in replay.race.splits(step)] for step in (9, 10, 25, 39)}
    assert told == {
        9: [],
        10: [("a", -100)],
        25: [("a", -100), ("b", 650)],
        39: [("a", -100), ("b", 650), ("finish", 1000)],
    }


def test_a_checkpoint_that_was_reached_twice_counts_the_first_time(tmp_path: Path) -> None:
    ticks = run(40, {10: "a"})
    ticks[20].append(CheckpointReached("a", 1000))
    replay = race(tmp_path, ticks, run(40, {12: "a"}))
    assert [pair for pair in replay.race.splits(30) if pair.checkpoint == "a"] == [("a", 10, 12, 100)]


def several_runs() -> Ticks:
    """One given up, one of 30 ticks, one of 20, one that goes on."""
    ticks: Ticks = [list(walk(1)[0]), *([] for _ in range(79))]
    for start, end, how in ((2, 8, End.RESET), (10, 40, End.FINISH), (45, 65, End.FINISH)):
        ticks[start].append(RunStart())
        ticks[end].append(RunEnd(how, (end - start) * 50))
    ticks[70].append(RunStart())
    ticks[75].append(CheckpointReached("x", 250))
    return ticks


def test_the_ghost_runs_its_fastest_run(tmp_path: Path) -> None:
    replay = race(tmp_path, run(20, {}), several_runs())
    assert (replay.race.run.started, replay.race.run.run_time) == (45, 1000)
    assert replay.race.tick(3) == 48


def test_one_races_with_the_run_one_is_in(tmp_path: Path) -> None:
    replay = race(tmp_path, several_runs(), run(50, {}))
    assert [replay.race.tick(step) for step in (0, 1, 3, 12, 50, 72)] == [0, 0, 1, 2, 5, 2]
    assert [(marker.step, marker.name) for marker in replay.timeline.markers] == [
        (2, "run 1"),
        (8, "given up"),
        (10, "run 2"),
        (40, "finish"),
        (45, "run 3"),
        (65, "finish"),
        (70, "run 4"),
        (75, "x"),
    ]


def test_of_runs_that_nobody_finished_the_one_that_got_furthest_is_raced(tmp_path: Path) -> None:
    ticks: Ticks = [list(walk(1)[0]), *([] for _ in range(39))]
    for start, names in ((2, "ab"), (10, "abc"), (20, "a")):
        ticks[start].append(RunStart())
        for number, name in enumerate(names, 1):
            ticks[start + number].append(CheckpointReached(name, number * 50))
    replay = race(tmp_path, run(20, {}), ticks)
    assert best_run(replay.history).run_time == 950
    assert replay.race.run.started == 10


def test_without_runs_both_begin_at_the_start(tmp_path: Path) -> None:
    replay = race(tmp_path, walk(20), walk(30))
    assert [replay.race.tick(step) for step in (0, 5, 19)] == [0, 5, 19]
    assert replay.race.gap(7) == 0
    assert replay.race.splits(19) == []


def test_the_sample_falls_behind_where_it_falls() -> None:
    replay = open_replay(str(SAMPLES / "run.replay"), OpenOptions(ghost=str(SAMPLES / "ghost.replay")))
    gaps = {pair.checkpoint: pair.gap for pair in replay.race.splits(replay.timeline.last)}
    assert -500 < gaps["bridge"] < 0
    assert gaps["tower"] < -3000
    reset = next(event.step for event in replay.events(0, replay.timeline.last) if "reset height" in event.text)
    assert replay.race.gap(reset - 60) > -1000
    assert replay.race.gap(reset + 100) < -2500
    replay.close()


def eight(wait: int, checkpoint: str = "") -> Ticks:
    """A run twice around an eight, which crosses itself and comes by every place again, after a wait at its start."""
    places = [(12 * sin(turn), 6 * sin(2 * turn)) for turn in (2 * pi * tick / 160 for tick in range(321))]
    moves = [
        DeltaMove(0, Pos(x - old_x, 0.0, z - old_z, 0.0, 0.0), STILL) for (old_x, old_z), (x, z) in pairwise(places)
    ]
    begin: list[Event] = [AbsoluteMove(0, Pos(0.0, 64.0, 0.0, 0.0, 0.0), STILL), RunStart()]
    ticks: Ticks = [begin, *([] for _ in range(wait)), *([move] for move in moves)]
    if checkpoint:
        ticks[wait + 160].append(CheckpointReached(checkpoint, (wait + 160) * TICK_MS))
    return ticks


def test_where_a_course_crosses_itself_the_gap_is_that_of_the_same_pass(tmp_path: Path) -> None:
    replay = race(tmp_path, eight(57), eight(0))
    gaps = [replay.race.gap(step) for step in range(70, 370)]
    assert max(abs(gap + 57 * TICK_MS) for gap in gaps) <= TICK_MS


def test_wherever_one_comes_from_the_gap_is_the_same(tmp_path: Path) -> None:
    played = race(tmp_path, eight(40, "half"), eight(0, "half"))
    through = [played.race.gap(step) for step in range(360)]
    assert [played.race.gap(step) for step in (300, 20, 359, 100)] == [through[step] for step in (300, 20, 359, 100)]
    assert race(tmp_path, eight(40, "half"), eight(0, "half")).race.gap(300) == through[300]


def test_after_a_reset_both_begin_at_the_checkpoint_again(tmp_path: Path) -> None:
    """The player falls off the course, to where the ghost comes only later, and is put back."""
    ticks = run(60, {10: "a"})
    away = AbsoluteMove(0, Pos(12.0, 40.0, 0.0, 0.0, 0.0), STILL)
    back = AbsoluteMove(0, Pos(2.5, 64.0, 0.0, 0.0, 0.0), STILL)
    put_back = [back, CheckpointReset(Reset.RESET_HEIGHT, 30 * TICK_MS)]
    own = [*ticks[:20], [away], *([] for _ in range(8)), put_back, *ticks[11:]]
    replay = race(tmp_path, own, ticks)
    assert [replay.race.gap(step) for step in (10, 19, 29, 40, 50)] == [0, 0, -950, -950, -950]


def fallen(ticks: Ticks, start: int, at: int, fall: int = 8) -> Ticks:
    """These ticks with a first attempt from `start`, which ends at `at` and is put back after a `fall`."""
    away = AbsoluteMove(0, Pos(at * 0.25, 40.0, 0.0, 0.0, 0.0), STILL)
    back = AbsoluteMove(0, Pos(start * 0.25, 64.0, 0.0, 0.0, 0.0), STILL)
    reset = [back, CheckpointReset(Reset.RESET_HEIGHT, (at + fall) * TICK_MS)]
    lost = (at + fall - start) * TICK_MS
    later = [[_later(event, lost) for event in events] for events in ticks[start + 1 :]]
    return [*ticks[:at], [away], *([] for _ in range(fall - 1)), reset, *later]


def _later(event: Event, lost: int) -> Event:
    return event._replace(run_time=event.run_time + lost) if isinstance(event, CheckpointReached | RunEnd) else event


def test_what_the_ghost_was_reset_from_counts_from_where_it_came_to(tmp_path: Path) -> None:
    """It falls at tick 30 of the leg from tick 10, and begins there again 28 ticks later."""
    replay = race(tmp_path, run(60, {10: "a", 50: "b"}), fallen(run(60, {10: "a", 50: "b"}), 10, 30))
    assert [pair.gap for pair in replay.race.splits(59)] == [0, 1400, 1400]
    assert [replay.race.gap(step) for step in (9, 10, 11, 25, 40, 49, 50, 51)] == [0, 0, 0, 0, *[1400] * 4]


def test_who_falls_where_the_ghost_fell_is_level_with_it_but_for_the_fall(tmp_path: Path) -> None:
    ticks = fallen(run(60, {10: "a", 50: "b"}), 10, 30)
    replay = race(tmp_path, ticks, ticks)
    assert {replay.race.gap(step) for step in range(88) if not 30 <= step < 38} == {0}


def test_on_a_second_attempt_one_is_as_far_behind_as_one_began_it_later(tmp_path: Path) -> None:
    replay = race(tmp_path, fallen(run(60, {10: "a"}), 10, 40), fallen(run(60, {10: "a"}), 10, 30))
    assert [replay.race.gap(step) for step in (20, 49, 60, 97)] == [0, -500, -500, -500]


FILES = [*sorted(CORPUS.glob("hollowcube/*.replay")), SAMPLES / "run.replay", SAMPLES / "ghost.replay"]


@pytest.mark.parametrize("own", FILES, ids=lambda path: path.stem)
def test_at_every_checkpoint_the_gap_is_the_split(own: Path) -> None:
    for ghost in FILES:
        with closing(open_replay(str(own), OpenOptions(ghost=str(ghost)))) as replay:
            splits = {pair.own_tick: pair.gap for pair in replay.race.splits(replay.timeline.last)}
            assert {step: replay.race.gap(step) for step in splits} == splits


@pytest.mark.parametrize("own", [path for path in FILES if path.stem.startswith("race")], ids=lambda path: path.stem)
def test_beside_a_checkpoint_the_gap_is_nearly_the_split(own: Path) -> None:
    """Of runs over one course with several falls: places tell what the clocks tell at both ends of a leg."""
    for ghost in (path for path in FILES if path.stem.startswith("race")):
        with closing(open_replay(str(own), OpenOptions(ghost=str(ghost)))) as replay:
            for pair in replay.race.splits(replay.timeline.last):
                beside = [replay.race.gap(step) for step in (pair.own_tick - 2, pair.own_tick + 2)]
                assert all(abs(gap - pair.gap) <= 4 * TICK_MS for gap in beside)


def test_a_run_that_is_over_keeps_its_gap(tmp_path: Path) -> None:
    replay = race(tmp_path, [*run(30, {}), *[[]] * 20], run(40, {}))
    assert [replay.race.gap(step) for step in (29, 30, 49)] == [500, 500, 500]
