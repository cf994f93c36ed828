"""Plots of recordings of movements: where somebody was, how fast, and who was ahead."""

from contextlib import closing
from math import isclose

import pytest

from nhlog.formats import open_recording
from nhlog.formats.race_plot import Racing, with_race
from nhlog.formats.trajectory import Squares, Trajectory, around, speeds
from nhlog.plots import Curves, Heat, NothingToPlot, Plot, Plots, Scale
from tests.corpus import SAMPLES


def plot_of(name: str, kind: str, **options: str) -> Plot:
    with closing(open_recording(str(SAMPLES / name), **options)) as replay:
        plots = replay.plots()
        passed = list(plots.survey())
        assert passed == sorted(passed)
        assert passed[-1] <= replay.timeline.last
        return plots.plot(kind)


def test_a_teeworlds_map_shows_for_how_long_players_were_where() -> None:
    heat = plot_of("coverage.teehistorian", "places")
    assert isinstance(heat, Heat)
    with closing(open_recording(str(SAMPLES / "coverage.teehistorian"))) as replay:
        there = sum(len([tee for tee in replay.state_at(tick).tees if tee.alive]) for tick in range(1640))
        assert isclose(sum(heat.seconds), there / 50, rel_tol=0.05)
        square = max(range(len(heat.seconds)), key=heat.seconds.__getitem__)
        left, top = heat.extent[:2]
        tees = replay.state_at(heat.firsts[square]).tees
        tiles = {(tee.place[0] // 32 - left, tee.place[1] // 32 - top) for tee in tees if tee.place}
        assert (square % heat.columns, square // heat.columns) in tiles
    assert heat.walls is not None
    assert (heat.walls.columns, heat.walls.rows) == (heat.columns, heat.rows)
    assert 0 < sum(heat.walls.solid) < len(heat.walls.solid)


def test_who_dies_is_marked_and_who_leaves_is_not() -> None:
    assert [(mark.step, mark.name) for mark in plot_of("coverage.teehistorian", "places").marks] == [
        (359, "alpha gives up")
    ]


def test_speeds_are_told_apart_by_player() -> None:
    speed = plot_of("coverage.teehistorian", "speed")
    assert isinstance(speed, Curves)
    assert {series.name for series in speed.series} == {"alpha", "beta", "gämma", "delta"}
    assert all(0 <= value < 100 for series in speed.series for value in series.ys)


def test_a_run_is_plotted_against_another_one() -> None:
    race = plot_of("run.replay", "race", ghost=str(SAMPLES / "ghost.replay"))
    assert isinstance(race, Curves)
    assert race.series[0].ys[0] == 0
    assert race.series[0].ys[-1] == -4.0  # as `nhlog stats --ghost` says of the finish
    assert race.marks[-1].name == "finish"


def test_without_another_one_there_is_no_race() -> None:
    with closing(open_recording(str(SAMPLES / "run.replay"))) as replay:
        assert set(replay.plots().kinds) == {"places", "speed", "height"}
    alone = with_race(Plots({}, iter([])), lambda: None, 20)
    assert list(alone.survey()) == []
    with pytest.raises(NothingToPlot, match="no runs that can be compared"):
        alone.plot("race")


def test_a_race_is_compared_from_its_start_to_its_end() -> None:
    racing = Racing(100, 300, (("half", 200),), lambda tick: None if tick == 100 else tick / 100)
    plots = with_race(Plots({}, iter([])), lambda: racing, 20)
    list(plots.survey())
    race = plots.plot("race")
    assert isinstance(race, Curves)
    assert (race.series[0].steps[0], race.series[0].steps[-1]) == (101, 300)
    assert (race.series[0].xs[-1], race.series[0].ys[-1]) == (10, 3)
    assert [(mark.x, mark.name) for mark in race.marks] == [(5, "half")]


def test_an_echo_arena_is_seen_from_above() -> None:
    heat = plot_of("arena.butter", "players")
    assert isinstance(heat, Heat)
    assert heat.extent[2] - heat.extent[0] > heat.extent[3] - heat.extent[1]
    with closing(open_recording(str(SAMPLES / "arena.butter"))) as replay:
        players = len(replay.state.frame.teams[0].players) + len(replay.state.frame.teams[1].players)
        assert isclose(sum(heat.seconds), players * replay.info.duration / 1e6, rel_tol=0.05)


def test_points_are_those_of_the_frames() -> None:
    points = plot_of("arena.butter", "goals")
    assert isinstance(points, Curves)
    with closing(open_recording(str(SAMPLES / "arena.butter"))) as replay:
        replay.seek(replay.timeline.last)
        assert tuple(series.ys[-1] for series in points.series) == replay.state.frame.points


def test_who_was_put_somewhere_was_not_fast() -> None:
    path = Trajectory([], [], [])
    for step, place in enumerate([0, 1, 2, 1000, 1001, float("nan"), 1002]):
        path.add(step, step, (place, 0.0))
    series = speeds("ann", path, 6, 100, 1.5)
    assert [*series.ys] == [1, 1, 1]
    assert series.steps == [0, 1, 3]


def test_squares_keep_the_time_and_the_first_step() -> None:
    assert around([(0.5, 2.5), (3.5, 2.5)], 1) == (-1, 1, 5, 4)
    squares = Squares((0, 0, 3, 2))
    for step, x, y in [(7, 1.5, 0.5), (3, 1.1, 0.2), (9, 2.9, 1.9), (1, 3.5, 0), (1, -0.1, 0)]:
        squares.add(step, x, y, 0.5)
    heat = squares.heat("", Scale("x"), Scale("y"))
    assert (heat.columns, heat.rows) == (3, 2)
    assert [*heat.seconds] == [0, 1, 0, 0, 0, 0.5]
    assert [*heat.firsts] == [-1, 3, -1, -1, -1, 9]
