"""Sizes, times and names in words."""

import json

import pytest

from terminal.text import words

HOUR = 3_600_000_000


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (39_532, "39.5 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (4 << 30, "4.3 GB"),
        (10**18, "1000000.0 TB"),
    ],
)
def test_size(number: int, text: str) -> None:
    assert words.size(number) == text


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [
        (0, "0:00"),
        (59_999_999, "0:59"),
        (HOUR - 1, "59:59"),
        (HOUR, "1:00:00"),
        (30 * HOUR, "30:00:00"),
        (-HOUR, "-1:00:00"),
    ],
)
def test_clock(microseconds: int, text: str) -> None:
    assert words.clock(microseconds) == text


def test_moments() -> None:
    assert words.utc_time(0) == "1970-01-01 00:00:00 UTC"
    assert words.local_time(0) == "1970-01-01 00:00:00 UTC"


@pytest.mark.parametrize("microseconds", [2**63, -(2**63), 253_402_300_799_999_999, -62_135_596_800_000_000])
def test_any_number_is_a_moment_or_said_to_be_none(microseconds: int) -> None:
    assert words.utc_time(microseconds)
    assert words.local_time(microseconds)


def test_printable_keeps_text_and_escapes_the_rest() -> None:
    assert words.printable("Zoë 龍\t\x1b[2J\u202e\udc80") == "Zoë 龍\\t\\x1b[2J\\u202e\\udc80"


UNSEEN = (
    "\x00\x1b\x7f\x80\x85\x9b\x9f\xad"
    "\u034f\u061c\u115f\u180e\u200b\u200d\u200e\u2028\u202e\u2060\u2066\u3164\ufe0f\ufeff\uffa0\ue000"
)


@pytest.mark.parametrize("char", [*UNSEEN, "\U000e0001", "\U000e0100", "\U0010ffff"], ids=ascii)
def test_what_controls_turns_around_or_hides_is_escaped(char: str) -> None:
    assert words.printable(f"Zoë{char}龍") == f"Zoë{ascii(char)[1:-1]}龍"
    line = words.printable_json(f'"Zoë{char}龍"')
    assert char not in line
    assert json.loads(line) == f"Zoë{char}龍"


def test_marks_stay_on_their_letters_but_do_not_pile_up() -> None:
    assert words.printable("e\u0301") == "e\u0301"
    assert words.printable("e" + "\u0301" * 9 + "x\u0301") == "e" + "\u0301" * 4 + "\\u0301" * 5 + "x\u0301"


def test_what_is_printable_once_is_so_for_ever() -> None:
    assert words.printable(words.printable(UNSEEN)) == words.printable(UNSEEN)


def test_counted() -> None:
    assert (words.counted(1, "turn"), words.counted(2, "turn")) == ("1 turn", "2 turns")
