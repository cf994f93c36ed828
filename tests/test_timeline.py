"""Positions: how a person writes them, and which step they name."""

from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nhlog.errors import NhlogError, Usage
from nhlog.timeline import Axis, Marker, NoSuchPosition, Outside, Position, Timeline, noting_outside, parse_position

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


# parsing


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("start", Position("start")),
        ("end", Position("end")),
        ("120", Position("unit", 120)),
        ("0", Position("unit", 0)),
        (" 120 ", Position("unit", 120)),
        ("turn:120", Position("turn", 120)),
        ("offset:12405", Position("offset", 12405)),
        ("tick:5000", Position("tick", 5000)),
        ("frame:7", Position("frame", 7)),
        ("clock:9:30.5", Position("clock", 570_500_000)),
        ("line:9", Position("line", 9)),
        ("50%", Position("percent", 50.0)),
        ("0%", Position("percent", 0.0)),
        ("100%", Position("percent", 100.0)),
        ("12.5%", Position("percent", 12.5)),
        ("1:30", Position("time", 90 * SECOND)),
        ("0:00", Position("time", 0)),
        ("90:00", Position("time", 90 * MINUTE)),
        ("1:02:03", Position("time", HOUR + 2 * MINUTE + 3 * SECOND)),
        ("0:01.5", Position("time", 1_500_000)),
        ("-30s", Position("time", -30 * SECOND, relative=True)),
        ("+1.5m", Position("time", 90 * SECOND, relative=True)),
        ("-2h", Position("time", -2 * HOUR, relative=True)),
        ("-5", Position("unit", -5, relative=True)),
        ("+5", Position("unit", 5, relative=True)),
        ("-5 turns", Position("turn", -5, relative=True)),
        ("-1 turn", Position("turn", -1, relative=True)),
        ("-5turns", Position("turn", -5, relative=True)),
        ("+200 ticks", Position("tick", 200, relative=True)),
        ("-3 frames", Position("frame", -3, relative=True)),
        ("+1 line", Position("line", 1, relative=True)),
        ("marker:death", Position("marker", "death")),
        ("marker:", Position("marker", "")),
        ("marker:my own: note", Position("marker", "my own: note")),
        ("1970-01-01", Position("date", 0)),
        ("1970-01-01T00:00:01", Position("date", SECOND)),
        ("1970-01-01 00:00:01.5", Position("date", 1_500_000)),
        ("1970-01-01T01:00:00+01:00", Position("date", 0)),
        ("1970-01-01T00:00:00Z", Position("date", 0)),
        ("1969-12-31T23:59:59", Position("date", -SECOND)),
        ("2024-03-29T12:00:00", Position("date", 1_711_713_600 * SECOND)),
    ],
)
def test_every_form_of_a_position(text: str, position: Position) -> None:
    assert parse_position(text) == position


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "middle",
        "turn:",
        "turn:-1",
        "turn: 5",
        "turn:5.5",
        "room:7",
        "%",
        "101%",
        "-5%",
        "1:2:3:4",
        "1:300",
        ":30",
        "5s",
        "-5 bananas",
        "- 5",
        "--5",
        "1.5",
        "2024-13-01",
        "2024-03-29T25:00:00",
        "0x10",
        "1_000",
        "turn:1_000",
        "٣:٣٠x",
    ],
)
def test_what_names_no_position_is_wrong_usage_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(Usage, match="not a position") as error:
        parse_position(text)
    assert error.value.exit_code == 2
    assert "turn:120" in str(error.value)


@given(st.text(max_size=30) | st.text("0123456789:.%+-smhT Zturnoffseliak", max_size=14))
@example("9999-12-31T23:59:59-23:59")
@example("0001-01-01T00:00:00+23:59")
def test_no_text_gives_anything_but_a_position_or_wrong_usage(text: str) -> None:
    try:
        position = parse_position(text)
    except Usage:
        return
    assert isinstance(position.value, str) == (position.axis == "marker")
    try:
        step = timeline([0, 1, 2], [0, 5, 9]).resolve(position, 1)
    except NoSuchPosition:
        return
    assert 0 <= step <= 2


@pytest.mark.parametrize("form", ["{}", "turn:{}", "-{}", "+{} turns", "-{}h", "{}:00", "1:{}:00", "{}%", "0:{}"])
def test_numbers_that_nothing_has_so_many_of_are_no_positions(form: str) -> None:
    for digits in (400, 5000):
        with pytest.raises(Usage):
            parse_position(form.format("9" * digits))


# axes


@pytest.mark.parametrize(
    ("value", "last", "first"),
    [(-1, 0, 0), (0, 1, 0), (1, 1, 1), (2, 4, 2), (3, 4, 4), (5, 5, 5), (6, 5, 5), (10**30, 5, 5)],
)
def test_a_value_between_two_steps_means_the_earlier_and_a_shared_one_its_last_or_first(
    value: int, last: int, first: int
) -> None:
    values = [0, 0, 2, 2, 2, 5]
    assert Axis(values).step(value) == last
    assert Axis(values, first=True).step(value) == first


growing = st.lists(st.integers(0, 3), min_size=1, max_size=30).map(lambda steps: list(accumulate(steps)))


@given(growing, st.integers(-5, 100), st.booleans())
def test_the_step_of_a_value_is_the_nearest_that_is_not_after_it(values: list[int], value: int, first: bool) -> None:
    step = Axis(values, first=first).step(value)
    assert 0 <= step < len(values)
    if value >= values[0]:
        assert values[step] <= value
        assert all(other > value for other in values[step + 1 :]) or values[step] == value
        if value in values:
            assert step == (values.index(value) if first else len(values) - 1 - values[::-1].index(value))
    else:
        assert step == 0


@given(growing, st.booleans(), st.data())
def test_the_value_of_a_step_names_that_step_or_one_that_shares_it(values: list[int], first: bool, data) -> None:
    step = data.draw(st.integers(0, len(values) - 1))
    assert values[Axis(values, first=first).step(values[step])] == values[step]


# timelines


def timeline(turns: list[int], times: list[int], **more) -> Timeline:
    facts = {"start": 1000, "stops": range(len(times)), "keyframes": [0], "markers": ()} | more
    return Timeline(unit="turn", axes={"turn": Axis(turns, first=True), "time": Axis(times)}, **facts)


TEN = timeline(
    [0, 0, 1, 1, 2, 2, 3, 3, 9, 9],
    [0, 5, 10, 15, 20, 25, 30, 35, 40, 45],
    stops=[1, 3, 5, 7, 9],
    markers=(Marker(2, "backup", "backup 1"), Marker(6, "backup", "backup 2"), Marker(9, "end", "death")),
)


@pytest.mark.parametrize(
    ("text", "here", "step"),
    [
        ("start", 5, 0),
        ("end", 5, 9),
        ("0", 5, 0),
        ("2", 5, 4),
        ("turn:2", 5, 4),
        ("turn:5", 5, 7),
        ("turn:1000", 5, 9),
        ("0%", 5, 0),
        ("50%", 5, 4),
        ("49%", 5, 4),
        ("51%", 5, 5),
        ("62%", 5, 6),
        ("100%", 5, 9),
        ("-1", 6, 4),
        ("-1 turn", 7, 4),
        ("+1 turn", 4, 6),
        ("+2 turns", 4, 7),
        ("-100", 6, 0),
        ("+100", 6, 9),
        ("1970-01-01", 5, 0),
        ("9999-01-01", 5, 9),
        ("marker:backup 2", 0, 6),
        ("marker:backup", 0, 2),
        ("marker:death", 0, 9),
        ("marker:end", 0, 9),
    ],
)
def test_a_position_is_a_step(text: str, here: int, step: int) -> None:
    assert TEN.resolve(parse_position(text), here) == step


ROUNDS = timeline([0] * 10, list(range(10)), clock=[second * SECOND for second in (9, 8, 8, 7, 4, 4, 9, 9, 8, 3)])


@pytest.mark.parametrize(
    ("clock", "here", "step"),
    [
        ("0:08", 0, 1),
        ("0:08", 1, 8),  # not the present step, nor one at which the clock stands still
        ("0:08", 2, 8),
        ("0:08", 8, 1),  # then from the start
        ("0:08", 9, 1),
        ("0:05", 0, 4),  # it comes down past that
        ("0:05", 4, 9),
        ("0:05", 5, 9),
        ("0:09", 3, 0),  # it begins there, and the second time it jumps up to that
        ("0:09", 0, 0),
        ("0:07", 3, 9),
        ("0:03", 9, 9),  # the present step where there is no other
        ("0:04", 99, 4),
    ],
)
def test_a_clock_is_the_next_step_at_which_it_comes_down_to_that(clock: str, here: int, step: int) -> None:
    assert ROUNDS.resolve(parse_position(f"clock:{clock}"), here) == step


@pytest.mark.parametrize("clock", ["0:10", "0:02", "0:09.5"])
def test_what_the_clock_never_comes_down_to_is_no_position(clock: str) -> None:
    with pytest.raises(NoSuchPosition, match="never shows this"):
        ROUNDS.resolve(parse_position(f"clock:{clock}"), 5)
    with pytest.raises(NoSuchPosition, match="no game clock"):
        TEN.resolve(parse_position(f"clock:{clock}"), 5)


def test_times_count_from_the_start_or_from_here() -> None:
    assert TEN.resolve(Position("time", 17)) == 3
    assert TEN.resolve(Position("time", 15)) == 3
    assert TEN.resolve(Position("time", -11, relative=True), 5) == 2
    assert TEN.resolve(Position("date", 1017)) == 3
    assert (TEN.time(3), TEN.at("turn", 3), TEN.last) == (15, 1, 9)


def test_what_is_relative_counts_from_the_first_step_where_nobody_says_from_which() -> None:
    assert TEN.resolve(Position("time", 20, relative=True)) == 4


@pytest.mark.parametrize("turn", [0, 5, 9])
def test_of_a_value_between_the_first_and_the_last_nothing_is_noted(turn: int) -> None:
    notes: list[Outside] = []
    with noting_outside(notes.append):
        TEN.resolve(Position("turn", turn))
    assert notes == []


@pytest.mark.parametrize(("turn", "shown"), [(1, 2), (10, 9)])
def test_a_value_outside_is_noted_with_the_one_that_is_shown(turn: int, shown: int) -> None:
    notes: list[Outside] = []
    with noting_outside(notes.append):
        timeline([2, 5, 9], [0, 1, 2]).resolve(Position("turn", turn))
    assert notes == [Outside("turn", turn, shown)]


@pytest.mark.parametrize(("count", "told"), [(2, "one of m0, m1"), (10, ", m7 and 2 more (marker: lists them)")])
def test_who_asks_for_no_marker_is_told_which_there_are_and_how_many_more(count: int, told: str) -> None:
    markers = tuple(Marker(0, "note", f"m{number}") for number in range(count))
    with pytest.raises(NoSuchPosition) as error:
        timeline([0], [0], markers=markers).resolve(parse_position("marker:none"))
    assert error.value.expected.endswith(told)


def test_a_step_is_named_by_what_leads_back_to_it_or_by_the_nearest_there_is() -> None:
    assert [TEN.named(step) for step in (0, 4, 5)] == ["turn:0", "turn:2", "turn:2"]
    lines = Timeline("turn", {"turn": TEN.axes["turn"], "line": Axis(range(10))}, range(10), [0], (), None)
    assert [lines.named(step) for step in (4, 5)] == ["turn:2", "line:5"]


@pytest.mark.parametrize("text", ["tick:5", "frame:1", "offset:7", "line:3", "+5 ticks", "marker:birth"])
def test_a_position_that_this_recording_does_not_have_is_an_error_of_its_own(text: str) -> None:
    with pytest.raises(NoSuchPosition) as error:
        TEN.resolve(parse_position(text))
    assert isinstance(error.value, NhlogError)
    assert error.value.exit_code == 1


def test_a_recording_that_does_not_know_when_it_began_has_no_dates() -> None:
    with pytest.raises(NoSuchPosition):
        timeline([0], [0], start=None).resolve(parse_position("2024-01-01"))


@given(growing, st.data())
def test_whatever_is_resolved_is_inside_the_recording(values: list[int], data) -> None:
    line = timeline(values, [value * 7 for value in values])
    here = data.draw(st.integers(0, line.last))
    number = st.integers(-(10**20), 10**20)
    axis = data.draw(st.sampled_from(["start", "end", "unit", "turn", "time", "date"]))
    number_on_it = Position(axis, data.draw(number), data.draw(st.booleans()) if axis != "date" else False)
    percent = Position("percent", data.draw(st.floats(0, 100)))
    for position in (number_on_it, percent):
        assert 0 <= line.resolve(position, here) <= line.last


@given(growing, st.data())
def test_going_a_number_on_and_as_many_back_never_leaves_the_recording(values: list[int], data) -> None:
    line = timeline(values, values)
    here = data.draw(st.integers(0, line.last))
    count = data.draw(st.integers(0, 40))
    there = line.resolve(Position("turn", count, relative=True), here)
    assert there >= 0
    assert line.at("turn", there) <= line.at("turn", here) + count
    back = line.resolve(Position("turn", -count, relative=True), there)
    assert back <= there


# single steps


@pytest.mark.parametrize(
    ("here", "count", "step"),
    [
        (1, 1, 3),
        (1, 2, 5),
        (2, 1, 3),  # between two stops: on to the next one
        (2, -1, 1),  # and back to the one before
        (3, -1, 1),
        (3, 0, 3),
        (9, 1, 9),
        (9, -1, 7),
        (9, -100, 1),
        (0, 1, 1),
        (0, -1, 1),
        (0, 100, 9),
    ],
)
def test_a_single_step_goes_to_the_next_stop(here: int, count: int, step: int) -> None:
    assert TEN.stop(here, count) == step


@given(st.sets(st.integers(0, 30), min_size=1).map(sorted), st.integers(0, 30), st.integers(1, 5))
def test_steps_on_go_on_and_steps_back_go_back_unless_there_are_no_more(
    stops: list[int], here: int, count: int
) -> None:
    line = timeline([0] * 31, list(range(31)), stops=stops)
    after = [stop for stop in stops if stop > here]
    before = [stop for stop in stops if stop < here]
    assert line.stop(here, count) == (after[min(count, len(after)) - 1] if after else stops[-1])
    assert line.stop(here, -count) == (before[-min(count, len(before))] if before else stops[0])
