"""Looking at the plots of an open recording, and going from them to a moment."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from nhlog.plots import Curves, Heat, Kind, Mark, NothingToPlot, Plots, Scale, Series
from terminal.plots.drawing import draw_plotting
from terminal.plots.plotting import PLOT_KEYS, Plotting
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import view_of
from tests.corpus import SAMPLES

TURN, POINTS = Scale("turn"), Scale("points")
CURVES = Curves(
    "points",
    TURN,
    POINTS,
    (
        Series("ann", [0, 50, 100], [1, 2, 3], [0, 500, 1000]),
        Series("bob", [0, 25], [3, 2], [0, 250]),
    ),
    (Mark(300, "a goal", 30), Mark(900, "the end", 90)),
)
HEAT = Heat("where", TURN, TURN, (0, 0, 4, 2), 4, 2, [0, 1, 0, 0, 0, 0, 3, 0], [-1, 700, -1, -1, -1, -1, 20, -1])


def nothing() -> Curves:
    raise NothingToPlot("nobody scored")


def looked(step: int = 0) -> Plotting:
    kinds = {"points": Kind("points over turns", lambda: CURVES), "where": Kind("on the map", lambda: HEAT)}
    plotting = Plotting(Plots(kinds | {"none": Kind("nothing", nothing)}, iter([100, 600])), step, 1000)
    while plotting.work():
        pass
    return plotting


def rows(plotting: Plotting) -> list[str]:
    return draw_plotting(plotting, lambda step: f"step {step}", 60, 16).text()


def press(plotting: Plotting, *keys: str) -> Plotting:
    for key in keys:
        plotting.press(key)
    return plotting


def test_until_the_recording_was_gone_through_one_sees_how_far_that_is() -> None:
    plotting = Plotting(Plots({"points": Kind("", lambda: CURVES)}, iter([100, 600])), 0, 1000)
    told = []
    while plotting.work():
        told.append(rows(plotting)[8].strip())
    assert told[:2] == ["looking through the recording: 10%", "looking through the recording: 60%"]
    assert rows(plotting)[14] == " step 0   ann 1"


def test_one_stands_where_the_player_stood() -> None:
    assert looked(499).step == 0
    assert looked(500).step == 500


def test_right_and_left_go_from_point_to_point_and_no_further() -> None:
    plotting = looked()
    assert [press(plotting, "right").step for _ in range(3)] == [500, 1000, 1000]
    assert [press(plotting, "left").step for _ in range(3)] == [500, 0, 0]


def test_down_follows_the_next_curve_from_the_same_moment() -> None:
    plotting = press(looked(), "right", "down")
    assert (plotting.step, rows(plotting)[14]) == (250, " step 250   bob 2")
    assert press(plotting, "down").chosen == 0


def test_marks_are_gone_to_and_named() -> None:
    plotting = press(looked(), "]")
    assert rows(plotting)[14] == " step 300   ann 1   a goal"
    assert press(plotting, "]", "]").step == 900
    assert press(plotting, "[").step == 300
    assert press(plotting, "right").step == 500


def test_on_a_map_one_goes_to_the_moment_at_which_somebody_was_there_first() -> None:
    plotting = press(looked(700), "tab")
    assert rows(plotting)[14] == " step 700   turn 1, turn 0: 1 s"
    assert rows(press(plotting, "right"))[14] == " turn 2, turn 0: nobody"
    assert press(plotting, "enter").goes_to == 700  # the nearest place
    assert press(plotting, "right", "down", "enter").goes_to == 20


def test_a_click_stands_at_what_is_there_and_a_second_one_goes_to_its_moment() -> None:
    def click(plotting: Plotting, x: int, y: int) -> tuple[int | None, int | None]:
        plotting.press(draw_plotting(plotting, str, 60, 16).target_at(x, y))
        return plotting.step, plotting.goes_to

    plotting = looked()
    assert [click(plotting, 58, 5), click(plotting, 58, 5)] == [(1000, None), (1000, 1000)]
    plotting = press(looked(), "tab")
    assert [click(plotting, 40, 11), click(plotting, 40, 11)] == [(20, None), (20, 20)]
    assert click(looked(), 19, 11)[1] == 300  # a mark


def test_what_there_is_nothing_of_says_so_and_has_a_way_out() -> None:
    plotting = press(looked(), "shift-tab")
    assert rows(plotting)[8].strip() == "nobody scored"
    for key in ("left", "right", "up", "down", "]", "[", "g", "G", "enter"):
        press(plotting, key)
    assert (plotting.goes_to, plotting.done) == (None, False)
    assert press(plotting, "tab").plot is CURVES


def test_every_key_of_the_help_is_shown_and_leads_nowhere_it_should_not() -> None:
    page = "\n".join(draw_plotting(press(looked(), "?"), str, 80, 24).text())
    assert all(key.label in page and key.does in page for key in PLOT_KEYS)
    assert press(looked(), "?", "q").done is False
    assert press(looked(), "q").done is True


def test_a_screen_of_any_size_is_drawn() -> None:
    for width in (1, 30, 61):
        for height in (1, 10, 33):
            for keys in ((), ("tab",), ("shift-tab",), ("?",)):
                screen = draw_plotting(press(looked(), *keys), str, width, height)
                assert (screen.width, screen.height) == (width, height)


@contextmanager
def viewed(name: str) -> Iterator[Controls]:
    with closing(open_viewed(str(SAMPLES / name))) as replay:
        yield Controls(Player(replay), view_of(replay.info.id))


def test_in_the_player_one_key_shows_the_plots_and_another_goes_to_a_moment() -> None:
    with viewed("died2.nhgame") as controls:
        controls.press("P")
        while controls.work():
            draw_frame(controls, 80, 24)
        for key in ("]", "]"):
            controls.press(key)
        shown = draw_frame(controls, 80, 24).text()
        assert shown[0].startswith(" [hp] level  depth  score ")
        assert shown[22].startswith(" turn 433, ")
        assert shown[22].endswith("hit points 4   low HP 1")
        controls.press("enter")
        assert (controls.opened.top, controls.player.timeline.at("turn", controls.player.step)) == (None, 433)


def test_what_has_no_plots_says_so() -> None:
    with viewed("dm1.map") as controls:
        controls.press("P")
        assert (controls.opened.top, controls.player.message) == (None, "there are no plots of a Teeworlds map")
