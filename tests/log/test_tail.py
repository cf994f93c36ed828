"""The newest state from the end of the file alone is that of a whole reading, whatever the hint says."""

from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.files import CHUNK
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.log.tail import read_tail
from tests.builders import Game, every_kind, played
from tests.doses import spread
from tests.effort import spent
from tests.logs import SAMPLE_LOGS, every_log


class Counting(LogBytes):
    """A log in memory that counts the bytes that were read of it."""

    read = 0

    def pread(self, size: int, offset: int) -> bytes:
        data = super().pread(size, offset)
        self.read += len(data)
        return data


def newest(data: bytes) -> tuple[object, ...]:
    tail = read_tail(LogBytes("game", data))
    return tail.header, tail.turn, tail.head, tail.end, tail.held


def newest_of_all(data: bytes) -> tuple[object, ...]:
    log = Log(LogBytes("game", data))
    return log.header, log.columns.save_turns[-1], log.columns.head, log.end, len(log.partial)


@pytest.mark.parametrize("game", [Game(), played(3), played(50, backup_every=8), every_kind()])
def test_the_tail_tells_what_the_whole_log_tells(game: Game) -> None:
    assert newest(bytes(game.data)) == newest_of_all(bytes(game.data))
    assert newest(bytes(game.data) + b"sear") == newest_of_all(bytes(game.data) + b"sear")


def test_the_tail_of_every_real_log_tells_what_the_whole_log_tells() -> None:
    for path in every_log():
        data = path.read_bytes()
        try:
            expected = newest_of_all(data)
        except (NhlogError, IndexError):  # no sound header, or no save line yet
            continue
        assert newest(data) == expected, path


def hints(game: Game) -> list[bytes]:
    """Where a first backup may point after damage, or after a recovery by the real client."""
    end = len(game.data)
    inside = game.offsets[4] + 1
    offsets = (0, 1, game.backups[0], game.backups[1], inside, game.offsets[3], end - 3, end, end + 7, 0xFFFFFFFF)
    return [b"%08x" % offset for offset in offsets]


@pytest.mark.parametrize("hint", hints(played(30, backup_every=8)))
def test_a_stale_or_wrong_hint_costs_time_and_nothing_else(hint: bytes) -> None:
    game = played(30, backup_every=8)
    data = bytearray(game.data)
    data[game.backups[0] + 1 : game.backups[0] + 9] = hint
    assert newest(bytes(data))[1:] == newest_of_all(bytes(data))[1:]
    log = Log(LogBytes("game", bytes(data)))
    assert [log.save(number) for number in range(len(game.saves))] == game.saves


def test_a_hint_into_the_header_is_no_hint() -> None:
    """Its text may look like a backup."""
    game = played(5)
    game.state(b"*00000000 is what it says".ljust(78))
    game.data[game.backups[0] + 1 : game.backups[0] + 9] = b"%08x" % 31
    assert newest(bytes(game.data)) == newest_of_all(bytes(game.data))


def test_a_first_backup_that_is_none_is_survived() -> None:
    game = played(5)
    for head in (b"*zzzzzzzz ", b"*12345678x", b"search\nxyz", b"\0" * 10):
        data = bytearray(game.data)
        data[game.length : game.length + 10] = head
        assert read_tail(LogBytes("game", bytes(data))).end == len(data)


def test_a_log_without_a_save_yet() -> None:
    game = Game(begin=False)
    tail = read_tail(LogBytes("game", bytes(game.data)))
    assert (tail.turn, tail.head, tail.end, tail.held) == (0, b"", len(game.data), 0)


def test_only_the_header_and_what_follows_the_latest_backup_is_read() -> None:
    game = played(3000, backup_every=1000)
    source = Counting("game", bytes(game.data))
    read_tail(source)
    assert len(game.data) > 100_000
    assert source.read < len(game.data) - game.backups[-1] + 10_000


def test_a_hint_near_4_gib_in_a_file_beyond_it(tmp_path: Path) -> None:
    """The largest offset that a hint can hold, with the latest backup really there."""
    game = played(3)
    backup = game.lines[0]
    path = tmp_path / "sparse"
    at = 0xFFFFF000
    data = bytearray(game.data)
    data[game.backups[0] + 1 : game.backups[0] + 9] = b"%08x" % at
    tail = backup + b"\nsearch\n+1\n"
    filler = b"x" * (at + 8192 - at - len(tail) - 1)
    with open(path, "wb") as sparse:
        sparse.write(data)
        sparse.seek(at)
        sparse.write(tail + filler + b"\n")
    assert path.stat().st_size > 1 << 32
    with LogFile(str(path)) as file:
        tail = read_tail(file)  # from anywhere else on, the gap would be too long a line
    assert (tail.turn, tail.end, tail.held) == (1, path.stat().st_size, 0)


def test_a_gap_of_gigabytes_after_a_wrong_hint_is_an_error_in_a_moment(tmp_path: Path) -> None:
    game = played(3)
    path = tmp_path / "sparse"
    path.write_bytes(game.data)
    with open(path, "r+b") as sparse:
        sparse.truncate(5 << 30)
    with LogFile(str(path)) as file, pytest.raises(NhlogError, match="line too long") as error:
        read_tail(file)
    assert error.value.file == str(path)


def test_a_log_of_nothing_but_damaged_backups_costs_as_much_as_it_has() -> None:
    def cost(size: int) -> float:
        source = LogBytes("game", bytes(Game().data) + b"a\n*\n" * size)
        return min(spent(lambda: read_tail(source)) for _ in range(3))

    assert cost(16_000) < 24 * cost(2_000)  # it would be 64 times if the rest of the log were looked at for each


@pytest.mark.parametrize("data", [b"", b"NHGAME save 000", b"x" * (CHUNK + 1)])
def test_what_is_no_log_has_no_tail(data: bytes) -> None:
    with pytest.raises(NhlogError) as error:
        read_tail(LogBytes("game", data))
    assert error.value.file == "game"


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_every_beginning_of_a_real_log_has_a_tail_or_an_error_of_ours(path: Path) -> None:
    data = path.read_bytes()
    for size in [*range(400), *spread(range(400, len(data)))]:
        try:
            tail = read_tail(LogBytes("game", data[:size]))
        except NhlogError:
            continue
        assert tail.end + tail.held == size
