"""The ledger: every line belongs to one row, and a row says what was done, when and where."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.engines.delve.engine import Delve
from nhlog.engines.protocol import Vitals
from nhlog.errors import Damaged
from nhlog.formats.nhgame.highlights import Highlights
from nhlog.formats.nhgame.ledger import Ledger
from nhlog.formats.nhgame.state import Entry
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.nethack4.save.head import HERO_SIZE
from tests.builders import START, Game, every_kind, played
from tests.corpus import SAMPLES, corpus
from tests.logs import SAMPLE_LOGS


def rows_of(data: bytes) -> list[Entry]:
    log = Log(LogBytes("game", data))
    return list(Ledger(log).rows(0, len(log)))


def assert_every_line_is_in_one_row(rows: list[Entry], lines: int) -> None:
    assert [row.first for row in rows] == [0, *(row.step + 1 for row in rows[:-1])] if rows else lines == 0
    assert not rows or rows[-1].step == lines - 1
    assert all(row.first <= row.step for row in rows)


@pytest.mark.parametrize("game", [Game(), every_kind(), played(20, backup_every=6), Game(begin=False)])
def test_every_line_belongs_to_one_row(game: Game) -> None:
    assert_every_line_is_in_one_row(rows_of(bytes(game.data)), len(game.lines))


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_every_line_of_a_real_log_belongs_to_one_row(path: Path) -> None:
    data = path.read_bytes()
    assert_every_line_is_in_one_row(rows_of(data), data.count(b"\n") - 3)


@given(st.lists(st.sampled_from([b"search", b"+1", b"~AUM=", b"*00000000 YQ==", b"Q", b"Yn", b"M", b"", b"Z", b"B!"])))
def test_every_line_belongs_to_one_row_in_whatever_order_they_come(lines: list[bytes]) -> None:
    game = Game(begin=False)
    for line in lines:
        game.line(line)
    assert_every_line_is_in_one_row(rows_of(bytes(game.data)), len(lines))


@given(
    st.lists(st.sampled_from([b"search", b"+1", b"~AUM=", b"*00000000 YQ==", b"Q", b"Yn", b"Z"]), max_size=40),
    st.integers(-1, 40),
    st.integers(-1, 40),
)
def test_what_happened_is_the_rows_that_end_between_two_lines(lines: list[bytes], first: int, last: int) -> None:
    game = Game(begin=False)
    for line in lines:
        game.line(line)
    ledger = Ledger(Log(LogBytes("game", bytes(game.data))))
    assert [*ledger.happened(first, last)] == [(row.step, row.text) for row in ledger.rows(first, last)]


def test_a_row_is_a_command_with_its_answers_and_the_save_it_ended_in() -> None:
    game = Game(zone=3600)
    first = len(game.lines)
    game.input(b"kick", b"D4", b"Yn")
    game.turn = 2
    game.diff()
    row = rows_of(bytes(game.data))[1]
    assert row == Entry(
        step=len(game.lines) - 1,
        text="kicks; direction: east; answer: n",
        source="kick D4 Yn",
        first=first,
        turn=1,  # it was done in turn 1, and turn 2 came of it
        utc=game.clock - 3600 * 10**6,
        place="",
        save="diff",
        save_bytes=len(game.lines[-1]),
    )


def test_a_command_that_goes_on_is_a_row_each_time() -> None:
    game = Game()
    game.input(b"search L5", b"repeat", b"repeat")
    game.diff()
    assert [(row.text, row.save) for row in rows_of(bytes(game.data))] == [
        ("the game begins", "backup"),
        ("searches up to 5 times", ""),
        ("goes on", ""),
        ("goes on", "diff"),
    ]


def test_the_end_of_the_game_is_a_row_of_its_own() -> None:
    game = Game()
    game.input(b"quit", b"Yy")
    game.over()
    assert [row.text for row in rows_of(bytes(game.data))] == ["the game begins", "quits; answer: y", "game over"]


def test_a_save_that_nothing_led_to_is_a_row_of_its_own() -> None:
    game = Game()
    game.diff()
    game.backup()
    rows = rows_of(bytes(game.data))
    assert [(row.text, row.save) for row in rows] == [
        ("the game begins", "backup"),
        ("saved", "diff"),
        ("saved", "backup"),
    ]


def test_an_unreadable_line_is_told_as_such() -> None:
    game = Game()
    game.input(b"search", b"Mxyz")
    game.line(b"?")
    rows = rows_of(bytes(game.data))
    assert rows[-1].text == "searches; unreadable line; unreadable line"
    assert rows[-1].source == "search Mxyz ?"


def test_a_row_tells_what_its_save_costs() -> None:
    game = played(3, backup_every=3)
    rows = rows_of(bytes(game.data))
    assert [(row.save, row.save_bytes) for row in rows] == [
        ({42: "backup", 126: "diff"}[game.lines[row.step][0]], len(game.lines[row.step])) for row in rows
    ]


def test_the_moment_of_a_row_is_utc() -> None:
    rows = rows_of(bytes(played(3, zone=7200).data))
    assert [0 < row.utc - START < 60_000_000 for row in rows] == [False, True, True, True]
    assert rows[0].utc == START


def test_rows_are_asked_for_by_the_line_they_end_in() -> None:
    game = played(10)
    log = Log(LogBytes("game", bytes(game.data)))
    ledger = Ledger(log)
    rows = list(ledger.rows(0, len(log)))
    for first in range(len(log)):
        for last in (first, first + 3, len(log) - 1):
            assert list(ledger.rows(first, last)) == [row for row in rows if first <= row.step <= last]


def test_a_log_that_grows_has_the_rows_of_one_that_was_there(tmp_path: Path) -> None:
    game = every_kind()
    path = tmp_path / "game"
    data = bytes(game.data)
    start = game.offsets[1]
    path.write_bytes(data[:start])
    with LogFile(str(path)) as file:
        log = Log(file)
        ledger = Ledger(log)
        for size in range(start + 1, len(data) + 1):
            with open(path, "ab") as more:
                more.write(data[size - 1 : size])
            log.refresh()
            ledger.extend()
            assert list(ledger.rows(0, len(log))) == rows_of(data[:size])
            assert_every_line_is_in_one_row(list(ledger.rows(0, len(log))), len(log))


PLACE = re.compile(rb"on (.+)$")


@pytest.mark.parametrize("name", ["mid1", "died1", "scripted1", "wiz-stopped-midturn", "zero-time-moves"])
def test_the_place_of_a_save_is_the_one_that_the_game_wrote_into_line_2_with_it(name: str) -> None:
    """Line 2 is rewritten with each backup, and at an orderly end (log spec section 3)."""
    data = corpus("nethack4", f"{name}.nhgame").read_bytes()
    found = PLACE.search(data[31:109])
    log = Log(LogBytes(name, data))
    ledger = Ledger(log)
    places = {ledger.place(number) for number in range(len(log.columns.save_lines))}
    assert "" not in places
    if found:
        assert found[1].decode() in places


def test_a_place_is_the_same_whichever_was_asked_for_first() -> None:
    data = corpus("nethack4", "died1.nhgame").read_bytes()
    forwards, backwards = (Ledger(Log(LogBytes("game", data))) for _ in range(2))
    numbers = range(len(Log(LogBytes("game", data)).columns.save_lines))
    there = [forwards.place(number) for number in numbers]
    assert [backwards.place(number) for number in reversed(numbers)] == there[::-1]


class CountingLog(Log):
    """A log that notes which of its saves were rebuilt whole."""

    def __init__(self, source: LogBytes) -> None:
        self.rebuilt: list[int] = []
        super().__init__(source)

    def save(self, number: int) -> bytes:
        self.rebuilt.append(number)
        return super().save(number)


@pytest.mark.parametrize("name", ["delve", "died2"])
def test_rows_and_highlights_rebuild_no_save(name: str) -> None:
    """Also those of an engine that tells how the hero is by the first bytes of a save."""
    log = CountingLog(LogBytes(name, (SAMPLES / f"{name}.nhgame").read_bytes()))
    saves = len(log.columns.save_lines)
    assert saves > 100
    ledger = Ledger(log)
    places = {row.place for row in ledger.rows(0, len(log))}
    found = Highlights(log.columns.save_lines, ledger.hero).upto(saves)
    assert log.rebuilt == []
    assert places == ({"Delve:1", "Delve:2", "Delve:3", "Delve:4"} if name == "delve" else {"Dungeons:1", "Dungeons:2"})
    assert found


class NeedsAll(Delve):
    """Tells nothing by the first bytes of a save, as NetHack, whose saves end with what is on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def vitals(self, save: bytes) -> Vitals:
        self.asked.append(len(save))
        if len(save) <= HERO_SIZE:
            raise Damaged("not a whole save")
        return super().vitals(save)


def test_of_an_engine_that_needs_whole_saves_one_head_is_tried() -> None:
    data = (SAMPLES / "delve.nhgame").read_bytes()
    log, other = (CountingLog(LogBytes("delve", data)) for _ in range(2))
    saves = [save for save in range(len(log.columns.save_lines)) if len(other.save(save)) > 2 * HERO_SIZE]
    ledger, engine = Ledger(log), NeedsAll()
    ledger.__dict__["engine"] = engine
    assert list(map(ledger.hero, saves)) == list(map(Ledger(other).hero, saves))
    assert len(saves) > 30
    assert [size <= HERO_SIZE for size in engine.asked] == [True] + [False] * len(saves)


@pytest.mark.parametrize("name", ["nethack4/died2", "fiqhack/development"])
def test_a_hero_is_the_same_whether_asked_for_in_a_row_or_alone(name: str) -> None:
    """Also of a fork, of whose saves no more is known than where the hero is."""
    log = Log(LogBytes(name, corpus(f"{name}.nhgame").read_bytes()))
    saves = range(len(log.columns.save_lines))
    in_a_row = list(map(Ledger(log).hero, saves))
    alone = Ledger(log)
    assert [alone.hero(save) for save in reversed(saves)] == in_a_row[::-1]
    assert len({*in_a_row}) > 4
