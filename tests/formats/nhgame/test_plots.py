"""Plots of games: how the hero was at each save."""

from contextlib import closing

import pytest

from nhlog.errors import Usage
from nhlog.formats.nhgame.operations import open_replay
from nhlog.nethack4.hero.score import score_of
from nhlog.nethack4.save.save import Save
from nhlog.plots import Curves, NothingToPlot
from nhlog.savehead import HEAD_SIZE
from nhlog.session.replay import with_engine
from tests.builders import played
from tests.corpus import SAMPLES


def curves(name: str, kind: str) -> Curves:
    with closing(open_replay(str(SAMPLES / name))) as replay:
        plots = replay.plots()
        passed = list(plots.survey())
        assert passed == sorted(passed)
        plot = plots.plot(kind)
    assert isinstance(plot, Curves)
    return plot


def test_hit_points_are_those_of_each_save_and_lead_to_its_line() -> None:
    plot = curves("died2.nhgame", "hp")
    points, most = plot.series
    assert (points.ys[0], points.ys[-1]) == (16, 1)
    assert {*most.ys} == {16}
    assert (points.xs[-1], plot.x.name, plot.y.name) == (449, "turn", "hit points")
    with closing(open_replay(str(SAMPLES / "died2.nhgame"))) as replay:
        assert points.steps == list(replay.log.columns.save_lines)
        for step, hp in zip(points.steps, points.ys, strict=True):
            replay.seek(step)
            assert Save.parse(replay.state.save).you.uhp == hp


def test_what_happened_is_marked_and_the_end_too() -> None:
    marks = curves("died2.nhgame", "level").marks
    assert [mark.name for mark in marks] == ["Dungeons:2", "low HP 1", "killed by a sewer rat"]
    assert [mark.x for mark in marks] == [280, 433, 449]


def test_the_score_of_nethack_4_is_that_of_the_whole_save() -> None:
    (series,) = curves("scripted1.nhgame", "score").series
    with closing(open_replay(str(SAMPLES / "scripted1.nhgame"))) as replay:
        assert series.ys[-1] == score_of(Save.parse(replay.log.save(replay.log.columns.save_at(series.steps[-1]))))


def test_an_engine_tells_how_its_hero_is_as_it_does_in_the_game() -> None:
    with closing(with_engine(open_replay(str(SAMPLES / "delve.nhgame")))) as game:
        plots = game.plots()
        list(plots.survey())
        for kind in ("hp", "level", "depth", "score"):
            plot = plots.plot(kind)
            assert isinstance(plot, Curves)
            told = dict(zip(plot.series[0].steps, plot.series[0].ys, strict=True))
            for step in (200, 900, 1500):
                game.seek(step)
                save = game.lines.log.columns.save_at(step)
                status = game.session.engine.load(game.lines.log.save(save)[HEAD_SIZE:]).record()["status"]
                assert told[game.lines.log.columns.save_lines[save]] == status[kind]


def test_a_game_of_an_unknown_engine_has_nothing_to_plot(tmp_path) -> None:
    with closing(open_replay(str(played(5).write(tmp_path / "game")))) as replay:
        plots = replay.plots()
        list(plots.survey())
        with pytest.raises(NothingToPlot, match="does not show the hit points"):
            plots.plot("hp")
        with pytest.raises(Usage, match="no plot 'speed'"):
            plots.plot("speed")
