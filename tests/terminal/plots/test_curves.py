"""Curves in the cells of a screen."""

from nhlog.plots import TIME, Curves, Heat, Mark, Scale, Series, Walls, evenly
from terminal.plots.axes import Span, clusters, label, spans, ticks
from terminal.plots.curves import draw_curves, field_of
from terminal.plots.heat import draw_heat, place_of

TURN, POINTS = Scale("turn"), Scale("points")


def line(*ys: float, held: bool = False, name: str = "points", xs: tuple[float, ...] = ()) -> Series:
    return Series(name, xs or range(len(ys)), ys, range(len(ys)), held=held)


def test_a_line_leads_from_point_to_point() -> None:
    screen = draw_curves(Curves("", TURN, POINTS, (line(0, 1),)), 24, 8)
    assert screen.text()[1:5] == [
        " 1┤               ⣀⡠⠤⠒⠉",
        "  │          ⣀⡠⠔⠒⠉",
        "  │     ⣀⠤⠔⠊⠉",
        " 0┤⣀⠤⠒⠊⠉",
    ]


def test_a_held_value_counts_until_the_next_one_and_to_the_end() -> None:
    plot = Curves("", TURN, POINTS, (line(0, 1, held=True),), marks=(Mark(9, "end", 2),))
    assert draw_curves(plot, 24, 8).text()[1:5] == [
        " 1┤          ⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉",
        "  │          ⡇",
        "  │          ⡇",
        " 0┤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡇",
    ]


def test_marks_are_on_the_line_below() -> None:
    plot = Curves("", TURN, POINTS, (line(0, 1),), marks=(Mark(0, "start", 0), Mark(9, "end", 1)))
    assert draw_curves(plot, 24, 8).text()[5] == "  └◆" + "─" * 18 + "◆"


def test_several_series_are_told_apart_by_letters() -> None:
    plot = Curves("", TURN, POINTS, (line(0, 0, name="ann"), line(1, 1, name="bob")))
    rows = draw_curves(plot, 40, 8).text()
    assert rows[0] == "points  a ann  b bob"
    assert rows[1].startswith(" 1┤b")
    assert rows[4].endswith("a")


def test_a_screen_of_any_size_is_drawn() -> None:
    plot = Curves("", TURN, POINTS, (line(5), line(7, float("nan"))), marks=(Mark(0, "x" * 99, 0),))
    heat = Heat("", TURN, TURN, (0, 0, 9, 2), 3, 2, [0, 0, 0, 1, 0, 2], [0] * 6, (), Walls(9, 2, bytes(18)))
    for width in (1, 24, 79):
        for height in (1, 7, 30):
            for screen in (draw_curves(plot, width, height), draw_heat(heat, width, height)):
                assert (screen.width, screen.height) == (width, height)


def test_a_field_finds_the_column_of_a_value() -> None:
    field = field_of(Curves("", TURN, POINTS, (line(0, 10, xs=(0, 100)),)), 60, 10)
    assert [field.column(x) for x in (0, 50, 100)] == [field.left, field.left + 27, field.left + field.width - 1]


def test_small_values_are_shown_from_nought_on() -> None:
    assert spans(Curves("", TURN, POINTS, (line(3, 12),))) == (Span(0, 1), Span(0.0, 12))
    assert spans(Curves("", TURN, POINTS, (line(100, 112),)))[1] == Span(100, 112)


def test_numbers_beside_a_plot_are_round() -> None:
    assert ticks(Span(3, 97), POINTS, 5) == [20, 40, 60, 80]
    assert ticks(Span(-0.2, 0.3), POINTS, 5) == [-0.2, 0, 0.2]
    assert [label(tick, TIME) for tick in ticks(Span(0, 95), TIME, 4)] == [
        "0:00",
        "0:30",
        "1:00",
        "1:30",
    ]


def test_times_are_written_as_on_a_clock() -> None:
    assert [label(time, TIME) for time in (0, 0.5, 61.25, 3600, -2)] == ["0:00", "0:00.5", "1:01.2", "1:00:00", "-0:02"]


def test_in_ascii_a_map_tells_walls_from_places() -> None:
    solid = bytes([1] * 4 + [0] * 8 + [1] * 4)
    heat = Heat("", TURN, TURN, (0, 0, 4, 4), 4, 4, [0] * 5 + [1.0] + [0] * 10, [-1] * 16, (), Walls(4, 4, solid))
    rows = draw_heat(heat, 24, 9).ascii().text()
    assert [row.strip() for row in rows[1:5]] == ["#" * 16, "#" * 16, "4444", "4444"]


def test_marks_that_are_near_are_named_together() -> None:
    marks = (Mark(0, "a", 1), Mark(1, "b", 2), Mark(2, "c", 2.5), Mark(3, "d", 50))
    assert [one.name for one in clusters(marks, Span(0, 100), 0.05)] == ["a, … c", "d"]


def test_a_map_keeps_its_shape_and_shows_walls_where_nobody_was() -> None:
    solid = bytes([1] * 4 + [0] * 8 + [1] * 4)
    heat = Heat("", TURN, TURN, (0, 0, 4, 4), 4, 4, [0] * 5 + [1.0] + [0] * 10, [-1] * 16, (), Walls(4, 4, solid))
    place = place_of(heat, 24, 9)
    assert (place.left, place.width, place.height) == (4, 16, 8)
    rows = draw_heat(heat, 24, 9).text()
    assert rows[1] == "    " + "⣿" * 16
    assert [row.strip() for row in rows[3:5]] == ["████", "████"]


def test_moments_at_equal_distances_have_the_first_and_the_last() -> None:
    assert list(evenly(3, 5)) == [0, 1, 2]
    assert list(evenly(100, 4)) == [0, 33, 66, 99]
