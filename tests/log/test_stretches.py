"""What is worked out again is what was read first, however few lines are kept."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nhlog.errors import LogRecovered
from nhlog.log import stretches
from nhlog.log.columns import Columns
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.wire.reader import RawLine
from tests.builders import START, Game, every_kind, played
from tests.logs import SAMPLE_LOGS

BY_LINE = ("offsets", "clocks", "elapsed")


@pytest.fixture(autouse=True, scope="module")
def small_stretches() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "STRETCH", 100)
        patch.setattr(stretches, "KEPT", 10)
        yield


def columns_of(game: Game, *, forgetful: bool) -> Columns:
    read = (lambda start, end, _: bytes(game.data[start:end])) if forgetful else None
    columns = Columns(game.length, START, read=read)
    for offset, line in zip(game.offsets, game.lines, strict=True):
        columns.add(RawLine(offset, line + b"\n"))
    return columns


def same(game: Game, seed: int = 1) -> None:
    all_kept, few_kept = columns_of(game, forgetful=False), columns_of(game, forgetful=True)
    lines = random.Random(seed).sample(range(len(game.lines)), len(game.lines))
    for name in BY_LINE:
        expected, found = getattr(all_kept, name), getattr(few_kept, name)
        assert list(found) == list(expected)
        assert [found[line] for line in lines] == [expected[line] for line in lines]
        assert found[-1] == expected[-1]
        following = found.following()
        assert [following(line) for line in [*range(len(lines)), *lines]] == [
            *expected,
            *map(expected.__getitem__, lines),
        ]
        with pytest.raises(IndexError):
            found[len(lines)]


@pytest.mark.parametrize("game", [every_kind(), played(60, backup_every=9, zone=-3600)])
def test_any_line_can_be_asked_for(game: Game) -> None:
    same(game)


@pytest.mark.parametrize(
    "game", [every_kind(), played(60, backup_every=9), Game()], ids=["every kind", "played", "none"]
)
def test_all_lines_from_one_on_are_those_that_can_be_asked_for(game: Game) -> None:
    log = Log(LogBytes("game", bytes(game.data)))
    lines = [log.raw(number).data for number in range(len(log))]
    for first in range(len(lines) + 1):
        assert [*log.columns.stretches.each_line(first)] == lines[first:]


SECOND = 1_000_000
HOUR = 3600 * SECOND


@given(
    st.lists(
        st.one_of(st.integers(0, 2**64 - 1), st.integers(13, 20 * HOUR), st.integers(-12, 12)), min_size=1, max_size=60
    )
)
@example([20 * HOUR, 12, *[HOUR] * 12, -12, *[HOUR] * 12, 3, *[HOUR] * 12])
def test_the_clock_goes_on_with_the_zone_that_counted_then(steps: list[int]) -> None:
    """Small numbers are a move to another zone, in hours."""
    game = Game(zone=3600)
    for step in steps:
        if -12 <= step <= 12:
            game.zone = step * 3600
            game.diff()
        else:
            game.tick(step)
            game.line(b"+broken")
    same(game)


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_real_logs_are_the_same(path) -> None:
    few_kept = Log(LogBytes("game", path.read_bytes())).columns
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "KEPT", 1 << 20)
        all_kept = Log(LogBytes("game", path.read_bytes())).columns
    assert all(list(getattr(few_kept, name)) == list(getattr(all_kept, name)) for name in BY_LINE)


def test_few_lines_are_kept() -> None:
    game = played(300)
    columns = columns_of(game, forgetful=True)
    list(columns.offsets)
    assert sum(len(stretch.offsets) for stretch in columns.stretches._kept.values()) < 30


@pytest.mark.parametrize("change", [b"", b"+1\n", b"no newline"])
def test_other_lines_than_there_were_are_noticed(change: bytes) -> None:
    game = played(300)
    columns = columns_of(game, forgetful=True)
    game.data = bytearray(change)
    with pytest.raises(LogRecovered):
        columns.offsets[3]
    assert columns.stretches.lost


def test_as_many_lines_of_which_the_last_goes_on_are_others() -> None:
    game = played(300)
    columns = columns_of(game, forgetful=True)
    _, end = columns.stretches.span(0)
    game.data[end - 2 : end] = b"\nx"
    with pytest.raises(LogRecovered):
        columns.offsets[0]
    assert columns.stretches.lost
