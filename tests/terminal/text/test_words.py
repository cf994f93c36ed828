"""Sizes, times and names in words."""

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


def test_counted() -> None:
    assert (words.counted(1, "turn"), words.counted(2, "turn")) == ("1 turn", "2 turns")
