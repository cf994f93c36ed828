"""Tables and lines that fit a terminal: nothing is lost, and nothing is wider than it is."""

import pytest

from terminal.text.tables import table
from terminal.text.words import number
from terminal.text.wrapping import Line, broken, columns, wrapped

ROWS = [
    {"player": f"player {n}", "distance": n * 1.5, "what": "left for the mines " * n, **{f"c{k}": k for k in range(n)}}
    for n in range(1, 9)
]


@pytest.mark.parametrize("width", [1, 20, 40, 80, 200])
def test_a_table_is_as_wide_as_the_terminal_and_has_every_word(width: int) -> None:
    lines = table(ROWS, width)
    assert width < 40 or max(map(columns, lines)) <= width
    for row in ROWS:
        for word in ("mines", *map(str, row)):
            assert word in " ".join(lines) or width < 20


def test_where_nobody_looks_a_record_is_a_line_however_long() -> None:
    lines = table([{"name": "x" * 500, "n": 1}, {"name": "y", "n": 2}])
    assert [line.split() for line in lines] == [["name", "n"], ["x" * 500, "1"], ["y", "2"]]


def test_rows_with_a_style_or_without_a_last_cell_stand_as_the_others_do() -> None:
    rows = [
        {"player": "Ann", "turn": 7, "status": "live", "file": "a"},
        {"player": "Bartholomew", "turn": 1234, "status": "quit", "file": "b.nhgame"},
        {"player": "Cid", "turn": None, "status": "quit", "file": ""},
        {"player": "", "turn": 12, "status": "quit", "file": "d "},
    ]
    lines = table(rows)
    assert lines == [
        "player       turn  status  file",
        "Ann             7  live    a",
        "Bartholomew  1234  quit    b.nhgame",
        "Cid                quit",
        "               12  quit    d ",
    ]
    assert isinstance(lines[1], Line)
    assert ("live", "GOOD") in lines[1].parts
    wider = table([*rows, {"player": "Ünï", "turn": 1, "status": "quit", "file": "e"}])
    assert wider == [*lines, "Ünï             1  quit    e"]


def test_a_cell_goes_on_below() -> None:
    assert table([{"turn": 3, "what": "killed by a cinder mote"}, {"turn": 14, "what": "quit"}], 20) == [
        "turn  what",
        "   3  killed by a",
        "      cinder mote",
        "  14  quit",
    ]


def test_what_is_still_too_wide_goes_on_in_another_table() -> None:
    assert table([{"name": "Ann", "gold": 12345, "depth": 7}, {"name": "Bo", "gold": 1, "depth": 12}], 14) == [
        *("name   gold", "Ann   12345", "Bo        1", ""),
        *("name  depth", "Ann       7", "Bo       12"),
    ]


def test_a_single_record_that_is_too_wide_is_a_list() -> None:
    assert table([{"name": "Ann", "gold": 12345, "depth": 7}], 12) == ["name   Ann", "gold   12345", "depth  7"]


def test_a_narrow_terminal_does_without_what_is_optional() -> None:
    rows = [{"name": "Ann", "started": "2026-11-20 15:24", "file": "a.nhgame"}]
    assert table(rows, 40, ["started"])[0] == "name  started           file"
    assert table(rows, 20, ["started"])[0] == "name  file"


def test_an_object_of_many_values_has_columns_for_them() -> None:
    stats = {"goals": 1, "saves": 2, "points": 3, "passes": 4}
    assert table([{"name": "Ann", "points": 9, "stats": stats, "ping": {"min": 1, "max": 2.0}}]) == [
        "name  points  goals  saves  stats points  passes  ping min/max",
        "Ann        9      1      2             3       4  1/2",
    ]


def test_decimals_stand_below_each_other() -> None:
    assert table([{"x": 7.6061}, {"x": -0.0}, {"x": 10}, {"x": 0}, {"x": 1e-9}])[1:] == [
        " 7.606",
        " 0.000",
        "10.000",
        " 0.000",
        " 1e-09",
    ]


def test_a_span_that_is_sometimes_a_fraction_is_a_number() -> None:
    rows = [{"possession_time": value} for value in (0, 0.5, float("nan"), -1, 10**400)]
    assert [line.strip() for line in table(rows)[1:]] == ["0.0", "0.5", "nan", "-1.0", f"1{'0' * 400}.0"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.0, "0"), (-0.00001, "-1e-05"), (3.14159, "3.142"), (0.193604, "0.194"), (1e22, "1e+22"), (12.0, "12")],
)
def test_numbers_are_short_and_zero_has_no_sign(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("one  two", ["one  two"]),
        ("unbreakable", ["unbreaka", "ble"]),
        ("龍龍龍龍龍 a", ["龍龍龍龍", "龍 a"]),
        ("e\u0301" * 9, ["e\u0301" * 8, "e\u0301"]),
        ("", [""]),
    ],
)
def test_text_is_broken_at_spaces_by_columns(text: str, lines: list[str]) -> None:
    assert wrapped(text, 8) == lines


def test_a_line_goes_on_where_its_value_began_and_keeps_its_styles() -> None:
    line = Line(("name", "NOTE"), "  ", "one two three", hang=6)
    first, *others = broken(line, 14)
    assert (first, others) == ("name  one two", ["      three"])
    assert isinstance(first, Line)
    assert first.parts[0] == ("name", "NOTE")
    assert [*broken("  turn 3: prays to a god", 14)] == ["  turn 3:", "    prays to a", "    god"]
