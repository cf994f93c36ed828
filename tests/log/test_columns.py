"""What one pass over the lines tells: clock, turns, saves (log spec section 7)."""

import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.log.columns import Columns
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.reader import RawLine
from nhlog.savehead import HEAD_SIZE, SaveHead, parse_save_head
from tests.builders import START, Game, binary_save, every_kind, played
from tests.logs import SAMPLE_LOGS

HOUR = 3600 * 1_000_000


def columns_of(game: Game) -> Columns:
    columns = Columns(game.length, START)
    for offset, line in zip(game.offsets, game.lines, strict=True):
        columns.add(RawLine(offset, line + b"\n"))
    return columns


def test_each_line_has_a_row() -> None:
    game = every_kind()
    columns = columns_of(game)
    assert list(columns.offsets) == game.offsets
    assert bytes(columns.kinds) == bytes(line[0] for line in game.lines)
    assert columns.end == len(game.data)
    assert not columns.broken


def test_each_save_has_its_line_and_its_turn() -> None:
    game = every_kind()
    columns = columns_of(game)
    assert [columns.offsets[line] for line in columns.save_lines] == game.save_offsets
    assert list(columns.save_turns) == [parse_save_head(save).turn for save in game.saves]
    assert [columns.offsets[columns.save_lines[number]] for number in columns.backups] == game.backups


@pytest.mark.parametrize("zone", [0, 3600, -43200, 50400])
def test_the_clock_is_the_sum_of_the_time_lines_and_that_of_the_saves(zone: int) -> None:
    game = played(20, backup_every=6, zone=zone)
    columns = columns_of(game)
    assert columns.clock == game.clock
    for line, save in zip(columns.save_lines, game.saves, strict=True):
        assert columns.clocks[line] == parse_save_head(save).clock % 2**64


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_the_clock_in_real_saves_is_that_of_their_line(path) -> None:
    log = Log(LogBytes(path.name, path.read_bytes()))
    for number, line in enumerate(log.columns.save_lines):
        head = parse_save_head(log.save(number))
        assert log.columns.clocks[line] == head.clock
        assert log.columns.save_turns[number] == head.turn
        assert head.zone == log.columns.zone


def test_the_first_time_line_takes_the_zone_in_and_utc_has_it_out_again() -> None:
    game = Game(zone=3600)
    game.line(b"search")
    game.tick(HOUR + 7)
    game.input(b"search")
    columns = columns_of(game)
    assert columns.utc(0) == columns.utc(1) == START
    assert columns.utc(2) == START + 7
    assert columns.utc(3) == START + 7
    assert columns.utc(4) == game.clock - HOUR
    assert columns.elapsed[2] == 7


def test_a_clock_that_is_set_back_wraps_and_elapsed_time_never_falls() -> None:
    game = Game()
    for delta in (10, -5, -(2**40), 2**40, 1, 0):
        game.line(b"search")
        game.tick(delta)
    columns = columns_of(game)
    times = range(2, 13, 2)
    assert [columns.clocks[line] - START for line in times] == [10, 5, 5 - 2**40, 5, 6, 6]
    assert list(columns.elapsed) == [0, 0, *[10] * 11]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20), st.integers(-86400, 86400))
def test_no_time_lines_upset_the_clock(deltas: list[int], zone: int) -> None:
    game = Game(zone=zone)
    for delta in deltas:
        game.tick(delta)
    columns = columns_of(game)
    assert columns.clock == (START + sum(deltas)) % 2**64
    assert list(columns.elapsed) == sorted(columns.elapsed)
    assert all(-(2**63) - zone * 10**6 <= columns.utc(line) < 2**63 for line in range(len(game.lines)))


def test_the_turn_of_a_line_is_that_of_the_save_before_it() -> None:
    game = Game()
    game.input(b"search")
    game.turn = 5
    game.diff()
    game.input(b"search")
    columns = columns_of(game)
    assert [columns.turn(line) for line in range(6)] == [1, 1, 1, 5, 5, 5]
    assert [columns.save_at(line) for line in range(6)] == [0, 0, 0, 1, 1, 1]


def test_before_the_first_save_there_is_no_turn() -> None:
    game = Game(begin=False)
    game.input(b"search")
    columns = columns_of(game)
    assert (columns.turn(1), columns.save_at(1)) == (0, -1)


def test_each_entering_of_the_game_is_a_session() -> None:
    game = Game()
    game.input(b"welcome", b"search", b"welcome", b"welcomed", b"welcome D4")
    assert [game.lines[line] for line in columns_of(game).sessions] == [b"welcome", b"welcome"]


@pytest.mark.parametrize(
    "line", [b"", b"Z", b"\0", b"+", b"+xyz", b"+123 ", b"*0000009", b"~$5$YQ==", b"~YQ", b"~AUM!"]
)
def test_a_broken_line_has_its_row_and_tells_nothing(line: bytes) -> None:
    game = Game()
    game.input(b"search")
    before = game.clock
    game.line(line)
    game.input(b"search")
    columns = columns_of(game)
    assert list(columns.broken) == [3]
    assert columns.clocks[3] == before
    assert columns.clock == game.clock
    assert list(columns.offsets) == game.offsets


def test_after_a_broken_save_turns_stand_still_until_they_are_known_again() -> None:
    game = played(3)
    game.line(b"~YQ")
    columns = columns_of(game)
    assert (columns.save_turns[-1], columns.turn(len(game.lines) - 1)) == (4, 4)
    game.turn = 9
    game.backup()
    assert columns_of(game).save_turns[-1] == 9


@pytest.mark.parametrize("save", [b"", b"short", bytes(35), bytes(40), b"\0" * 12 + b"\xff" * 40])
def test_a_save_of_another_engine_has_no_head(save: bytes) -> None:
    assert parse_save_head(save) is None


def test_the_head_of_a_save() -> None:
    assert parse_save_head(binary_save(77, START, zone=-3600)) == SaveHead(77, START, -3600, 0x211B017D)


def test_a_turn_that_takes_the_whole_save_to_know_is_settled_later() -> None:
    """The clock's bytes may be copied from anywhere in the save before."""
    base = binary_save(5, START, size=HEAD_SIZE + 16)
    moved = base[-16:] + base  # the head is in the middle of it
    columns = Columns(0, START)
    columns.add(RawLine(0, b"*00000000 " + Blob.of(moved).text + b"\n"))
    assert not columns.unknown
    assert columns.save_turns[0] == 0
    columns.settle(0, base)
    assert columns.save_turns[0] == 5


def test_columns_are_numbers_alone() -> None:
    """No line is kept: a big log costs some 40 bytes a line."""
    columns = columns_of(played(50))
    for name in Columns.ARRAYS:
        assert isinstance(getattr(columns, name), array)
    columns.add(RawLine(columns.end, b"~" + Blob.of(random.Random(1).randbytes(100_000)).text + b"\n"))
    assert len(columns.head) <= HEAD_SIZE


# saves that are lost


def columns_without(game: Game, *broken: int) -> Columns:
    """The columns of a game of which these saves' lines break the rules."""
    columns = Columns(game.length, START)
    for offset, line in zip(game.offsets, game.lines, strict=True):
        if offset in game.save_offsets and game.save_offsets.index(offset) in broken:
            line = line[:1] + b"?" * (len(line) - 1)
        columns.add(RawLine(offset, line + b"\n"))
    return columns


@pytest.mark.parametrize(
    ("broken", "lost"),
    [
        ((), []),
        ((0,), [(0, 3)]),
        ((1,), [(1, 3)]),
        ((1, 2), [(1, 3)]),
        ((2, 3), [(2, 3), (3, 7)]),
        ((3,), [(3, 7)]),
        ((3, 5), [(3, 7)]),
        ((4, 6, 7, 8), [(4, 7), (7, 11)]),
        ((10, 11, 12), [(10, 11), (11, 13)]),
        ((12,), [(12, 13)]),
    ],
)
def test_a_broken_save_takes_with_it_those_up_to_the_next_whole_backup(
    broken: tuple[int, ...], lost: list[tuple[int, int]]
) -> None:
    game = Game().play(12, backup_every=4)
    columns = columns_without(game, *broken)
    assert list(columns.backups) == [0, 3, 7, 11]
    assert columns.lost() == lost
    assert list(columns.broken) == [columns.save_lines[save] for save in broken]


def test_other_lines_that_break_the_rules_take_no_save_with_them() -> None:
    game = Game().play(3)
    game.line(b"+no time")
    game.line(b"\x80\x81")
    game.play(3)
    columns = columns_of(game)
    assert (len(columns.broken), columns.lost()) == (2, [])
