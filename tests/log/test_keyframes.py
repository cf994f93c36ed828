"""The keyframes in the user's cache: they make a seek quick, and are never trusted further than they fit."""

import os
from pathlib import Path

import msgspec
import pytest

from nhlog.cache import read_entry, write_entry
from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged
from nhlog.log.columns import Columns
from nhlog.log.file import LogFile
from nhlog.log.keyframes import STORED
from nhlog.log.log import Log
from tests.builders import Game, played
from tests.changed import flipped
from tests.doses import spread

PASSED = 390  # a save far from its backup


@pytest.fixture(autouse=True)
def cache(memory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(memory))
    monkeypatch.setattr("nhlog.log.log.WORTHWHILE", 0)
    return memory / "nhlog" / "saves"


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A log, in which somebody went to a save before."""
    game = played(400, zone=3600)
    game.write(tmp_path / "game")
    assert sought(tmp_path / "game")[0] == game.saves[PASSED]
    return game


def sought(path: Path, number: int = PASSED) -> tuple[bytes, int]:
    """A save of the log that was opened for it, and how many lines of saves had to be decoded."""
    decoded = 0

    class Counting(Log):
        def payload(self, number: int) -> bytes:
            nonlocal decoded
            decoded += 1
            return super().payload(number)

    class CountingColumns(Columns):
        def diffs(self, first: int, last: int) -> list[bytes]:
            nonlocal decoded
            found = super().diffs(first, last)
            decoded += len(found)
            return found

    with Counting(LogFile(str(path))) as log:
        log.columns.__class__ = CountingColumns
        log.saves._diffs = log.columns.diffs
        return log.save(number), decoded


def test_a_save_that_was_passed_is_near_when_the_log_is_opened_again(game: Game, tmp_path: Path) -> None:
    for number in (PASSED, 100, PASSED + 5):
        save, decoded = sought(tmp_path / "game", number)
        assert save == game.saves[number]
        assert decoded <= STORED + 1  # and the backup


def test_they_stay_where_the_log_grows(game: Game, tmp_path: Path) -> None:
    game.play(20)
    game.data[game.backups[0] + 1 : game.backups[0] + 9] = b"00000001"  # a hint, which is rewritten in place
    game.write(tmp_path / "game")
    save, decoded = sought(tmp_path / "game", 410)
    assert (save, decoded <= 2 * STORED) == (game.saves[410], True)


@pytest.mark.parametrize("save", [0, 30, 320])
def test_where_the_log_was_changed_before_one_none_is_used(game: Game, tmp_path: Path, save: int) -> None:
    after = game.save_offsets[save] + 40 if save == 0 else game.save_offsets[save] + 3
    game.data[after] ^= 1
    status = os.stat(tmp_path / "game")
    game.write(tmp_path / "game")
    os.utime(tmp_path / "game", ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(Damaged):
        sought(tmp_path / "game")


def test_after_a_rewind_in_which_others_came_none_is_used(game: Game, tmp_path: Path) -> None:
    other = played(200, zone=3600)
    other.turn += 1000
    other.play(200)
    other.data[12:20] = b"00000002"
    assert other.data[game.length : game.save_offsets[200]] == game.data[game.length : game.save_offsets[200]]
    other.write(tmp_path / "game")
    assert sought(tmp_path / "game") == (other.saves[PASSED], PASSED + 1)


def test_those_of_another_log_are_not_used(game: Game, tmp_path: Path, cache: Path) -> None:
    other = played(395, zone=-3600)
    other.write(tmp_path / "other")
    (mine,) = cache.iterdir()
    sought(tmp_path / "other")
    (its,) = set(cache.iterdir()) - {mine}
    its.write_bytes(mine.read_bytes())
    assert sought(tmp_path / "other") == (other.saves[PASSED], PASSED + 1)


def test_damaged_ones_are_as_good_as_none(game: Game, tmp_path: Path, cache: Path) -> None:
    (file,) = cache.iterdir()
    good = file.read_bytes()
    for at in spread(range(len(good)), "log.keyframes"):
        for bad in (good[:at], flipped(good, at, 0x55)):
            file.write_bytes(bad)
            assert sought(tmp_path / "game") == (game.saves[PASSED], PASSED + 1)


@pytest.mark.parametrize("number", [PASSED, 384, 385])  # one of them is kept itself
@pytest.mark.parametrize("wrong", ["of another save", "of a shorter one", "none at all", "of another chain", "too few"])
def test_what_was_kept_wrongly_is_thrown_away_though_its_seal_is_right(
    wrong: str, number: int, game: Game, tmp_path: Path, cache: Path
) -> None:
    (file,) = cache.iterdir()
    version, (begin, end, total, numbers, frames) = msgspec.msgpack.decode(read_entry("saves", file.name))
    pack = Compressor(ZSTD, 3, game.saves[0], checksum=False)
    match wrong:
        case "of another save":
            frames = frames[1:] + frames[:1]
        case "of a shorter one":
            frames = [pack(game.saves[at][:-9]) for at in numbers]
        case "none at all":
            frames = [pack(b"") for _ in numbers]
        case "of another chain":
            numbers = [*(at - numbers[-1] for at in numbers[:-1]), numbers[-1]]
        case "too few":
            numbers = numbers[1:]
    write_entry("saves", file.name, msgspec.msgpack.encode((version, (begin, end, total, numbers, frames))))
    assert sought(tmp_path / "game", number)[0] == game.saves[number]
    save, decoded = sought(tmp_path / "game", number)
    assert (save, decoded <= STORED + 2) == (game.saves[number], True)  # those that are kept now are right


def test_of_a_walk_that_ended_at_a_broken_diff_no_empty_chain_is_kept(tmp_path: Path, cache: Path) -> None:
    """Who goes far first, and then to a save near the beginning: what is kept is of before the broken diff."""
    game = played(400)
    game.data[game.save_offsets[300] + 3] ^= 1
    game.write(tmp_path / "game")
    for _ in range(2):
        with Log(LogFile(str(tmp_path / "game"))) as log:
            with pytest.raises(Damaged):
                log.save(PASSED)
            assert log.save(STORED // 2) == game.saves[STORED // 2]
    for file in cache.iterdir():
        _, (*_, numbers, frames) = msgspec.msgpack.decode(read_entry("saves", file.name))
        assert 0 < max(numbers) < 300
        assert len(frames) == len(numbers)


def test_without_a_cache_it_only_takes_longer(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    for _ in range(2):
        assert sought(tmp_path / "game") == (game.saves[PASSED], PASSED + 1)


def test_of_short_chains_none_are_kept(tmp_path: Path, cache: Path) -> None:
    game = played(200, backup_every=100)
    game.write(tmp_path / "game")
    assert sought(tmp_path / "game", 199)[0] == game.saves[199]
    assert not cache.exists()
