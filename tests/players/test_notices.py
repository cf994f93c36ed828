"""What all who are on a server are told: whoever is there reads it once, and nothing of it harms a terminal."""

import json
from pathlib import Path

import pytest

from nhlog.errors import Usage
from nhlog.players.notices import COLUMNS, KEPT, Notices, broadcast, to_all


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "authorized_keys"


def test_who_is_there_reads_it_once_and_who_comes_later_does_not(keys: Path) -> None:
    here = Notices(keys)
    assert here.news() == []
    broadcast(keys, "one")
    late = Notices(keys)
    broadcast(keys, "two")
    assert (here.news(), late.news()) == (["one", "two"], ["two"])
    assert (here.news(), late.news()) == ([], [])


def test_the_same_text_told_again_is_another_notice(keys: Path) -> None:
    here = Notices(keys)
    broadcast(keys, "ten minutes left")
    assert here.news() == ["ten minutes left"]
    broadcast(keys, "ten minutes left")
    assert here.news() == ["ten minutes left"]


def test_the_last_notices_alone_are_kept_and_their_numbers_go_on(keys: Path) -> None:
    here = Notices(keys)
    for number in range(KEPT + 2):
        broadcast(keys, f"number {number}")
    assert here.news() == [f"number {number}" for number in range(2, KEPT + 2)]


@pytest.mark.parametrize(
    "text", ["", "  ", "\x1b[2J", "two\nlines", "\x9b2J", "\u202egnol", "\udcff", "x" * 71, "宽" * 36]
)
def test_what_is_no_line_to_be_shown_is_refused(keys: Path, text: str) -> None:
    with pytest.raises(Usage, match="bad text for players: expected one line"):
        broadcast(keys, text)
    assert not keys.with_name("notices").exists()


def test_the_longest_line_fits_into_a_row_of_the_lobby_on_80_columns() -> None:
    assert len(to_all("x" * COLUMNS)) == 80 - 2


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no JSON",
        "[]",
        "null",
        '{"number": "1", "text": "x"}',
        '{"number": 9}',
        '{"number": 9, "text": 1}',
        "[" * 9999,
    ],
)
def test_a_line_that_is_no_notice_is_passed_over(keys: Path, line: str) -> None:
    here = Notices(keys)
    told = [line, json.dumps({"number": 8, "text": "\x1b[2J"}), json.dumps({"number": 9, "text": "fine"})]
    keys.with_name("notices").write_text("".join(f"{text}\n" for text in told))
    assert here.news() == ["fine"]
    broadcast(keys, "more")
    assert here.news() == ["more"]


def test_where_there_is_no_server_nobody_is_told_anything() -> None:
    assert Notices(None).news() == []
