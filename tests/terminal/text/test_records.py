"""Records in words: each value in the unit that its key names."""

from terminal.text.plain import one_line, plain
from terminal.text.records import text_output
from terminal.text.tables import table


def test_each_key_has_a_line_and_its_value_the_unit_of_its_name() -> None:
    record = {
        "title": "a\x1bb",
        "start": 1_700_000_000_000_000,
        "duration": 83_000_000,
        "size": 1234,
        "sound": True,
        "nothing": None,
        "empty": [],
        "names": ["a", "b"],
        "map": {"name": "dm1", "size": 5},
        "share": 0.123456789,
    }
    assert plain(record) == [
        "title     a\\x1bb",
        "start     2023-11-14 22:13:20 UTC",
        "duration  1:23",
        "size      1.2 kB",
        "sound     yes",
        "names     a, b",
        "map",
        "  name  dm1",
        "  size  5 B",
        "share     0.123",
    ]


def test_lists_of_objects_are_tables_that_end_somewhere() -> None:
    rows = [{"number": n, "who": f"p{n}"} for n in range(40)]
    lines = plain({"players": rows})
    assert lines[:3] == ["players", "  number  who", "       0  p0"]
    assert lines[-1] == "  and 28 others"
    assert len(lines) == 15


def test_tables_align_numbers_right_and_leave_out_what_says_nothing() -> None:
    rows = [{"name": "a", "points": 5, "x": None, "ping": {"min": 1, "max": 20}}, {"name": "bcd", "points": 1000}]
    assert table(rows) == [
        "name  points  ping min/max",
        "a          5  1/20",
        "bcd     1000",
    ]


def test_one_line_has_all() -> None:
    assert one_line({"tick": 3, "at": [1.5, 2], "inner": {"a": 1}, "none": None}) == "tick=3 at=1.5, 2 inner=(a=1)"


def test_a_format_without_words_of_its_own_is_told_plainly() -> None:
    assert text_output("no such format", "info", {"size": 3}) == ["size  3 B"]
    assert text_output("no such format", "dump", {"size": 3}) == ["size=3"]


def test_one_line_is_one_whatever_is_in_the_record() -> None:
    told = one_line({"name": "a\n\x1b[2J", "players": [{"name": "\x9b"}], "at": {"map": "\u202e"}})
    assert told == "name=a\\n\\x1b[2J players=[name=\\x9b] at=(map=\\u202e)"
