"""The index beside a log: it makes opening quick, and is never trusted further than it fits."""

import os
from pathlib import Path
from unittest import mock

import pytest

from nhlog.change import Change
from nhlog.errors import LogRecovered
from nhlog.log import stretches
from nhlog.log.columns import Columns
from nhlog.log.file import LogFile
from nhlog.log.kept import index
from nhlog.log.log import Log
from nhlog.log.wire.reader import RawLine
from tests.builders import Game, played
from tests.doses import spread

COLUMNS = (*Columns.ARRAYS, *Columns.NUMBERS, *Columns.BY_KIND, "kinds", "head", "end", "clock")
BY_LINE = ("offsets", "clocks", "elapsed")


@pytest.fixture(autouse=True)
def cache(memory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and an index for every log however small."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(memory))
    monkeypatch.setattr("nhlog.log.log.WORTHWHILE", 0)
    return memory / "nhlog" / "logs"


@pytest.fixture
def game() -> Game:
    return played(30, backup_every=9, zone=3600)


@pytest.fixture(params=[stretches.STRETCH, 200])
def stretch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Bytes of a stretch: all of the game's, and a few lines."""
    monkeypatch.setattr(stretches, "STRETCH", request.param)
    return request.param


def opened(path: str) -> tuple[dict[str, object], int]:
    """What an opening finds, and how many lines it had to read for it."""
    read = 0
    add = Columns.add

    def counting(self: Columns, line: RawLine) -> None:
        nonlocal read
        read += line.data.count(b"\n")
        add(self, line)

    with LogFile(path) as file, mock.patch.object(Columns, "add", counting):
        log = Log(file)
        facts = {name: getattr(log.columns, name) for name in COLUMNS}
        return facts | {name: list(getattr(log.columns, name)) for name in BY_LINE}, read


def saves(path: str) -> list[bytes]:
    """All saves of the log, by way of its index."""
    with LogFile(path) as file:
        log = Log(file)
        return [log.save(number) for number in range(len(log.columns.save_lines))]


class Counted(LogFile):
    """A log file that counts the bytes that were read of it."""

    read = 0

    def pread(self, size: int, offset: int) -> bytes:
        data = super().pread(size, offset)
        self.read += len(data)
        return data


def test_a_second_opening_reads_no_line(stretch: int, game: Game, tmp_path: Path, cache: Path) -> None:
    path = game.write(tmp_path / "game")
    first, read = opened(path)
    assert read == len(game.lines)
    assert len(list(cache.iterdir())) == 1
    assert opened(path) == (first, 0)
    assert saves(path) == game.saves


def test_a_log_in_which_no_time_is_told_has_an_index_too(tmp_path: Path) -> None:
    game = played(0)
    for _ in range(30):
        game.line(b"search")
    path = game.write(tmp_path / "game")
    first, _ = opened(path)
    assert (first["first_time"], opened(path)) == (-1, (first, 0))


def test_a_log_that_grew_is_read_from_where_it_ended(stretch: int, game: Game, tmp_path: Path) -> None:
    path = game.write(tmp_path / "game")
    opened(path)
    old = len(game.lines)
    game.play(4, backup_every=9)  # a backup: the first one's hint is rewritten
    game.write(Path(path))
    _, read = opened(path)
    assert read == len(game.lines) - old
    assert saves(path) == game.saves


def test_an_opening_through_the_index_finds_what_one_without_finds(
    stretch: int, game: Game, tmp_path: Path, cache: Path
) -> None:
    path = game.write(tmp_path / "game")
    for turns in (0, 1, 5, 20):
        game.play(turns)
        game.write(Path(path))
        indexed, _ = opened(path)
        for file in cache.iterdir():
            file.unlink()
        assert opened(path)[0] == indexed


@pytest.mark.parametrize(
    "forged",
    [
        "a save that is none",
        "lines that go back",
        "a row too few",
        "a line behind the end",
        "a moment too late",
        "a first time behind the end",
        "a first time before the beginning",
    ],
)
def test_an_index_whose_content_cannot_be_is_thrown_away_though_its_checksum_is_right(
    game: Game, tmp_path: Path, cache: Path, forged: str
) -> None:
    path = game.write(tmp_path / "game")
    with LogFile(path) as file:
        log = Log(file)
        columns = log.columns
        match forged:
            case "a save that is none":
                columns.save_lines[3] -= 1
            case "lines that go back":
                columns.save_lines[3], columns.save_lines[4] = columns.save_lines[4], columns.save_lines[3]
            case "a row too few":
                del columns.save_turns[-1]
            case "a line behind the end":
                columns.sessions.append(len(columns.kinds))
            case "a moment too late":
                columns.stretches.latests[-1] = 1 << 63
            case "a first time behind the end":
                columns.first_time = len(columns.kinds)
            case "a first time before the beginning":
                columns.first_time = -2
        index.store(file, log.header, columns, log._stretch)
    (tmp_path / "fresh").write_bytes(game.data)
    assert opened(path)[0] == opened(str(tmp_path / "fresh"))[0]
    assert saves(path) == game.saves


@pytest.mark.parametrize(
    "change",
    ["count", "shorter", "other body", "other game, same length", "same length, same time", "edited, same time"],
)
def test_an_index_that_does_not_fit_is_not_used(game: Game, tmp_path: Path, change: str) -> None:
    path = game.write(tmp_path / "game")
    opened(path)
    status = os.stat(path)
    data = bytearray(game.data)
    match change:
        case "count":
            data[12:20] = b"00000002"
        case "shorter":
            del data[game.save_offsets[12] :]
        case "other body":
            data[game.save_offsets[5] - 2] ^= 1
            data += b"search\n"
        case "other game, same length":
            data = bytearray(game.data.replace(b"search", b"kicked"))
        case "same length, same time":
            data[12:20] = b"00000002"
            data[-20:] = b"+1\n" * 6 + b"x\n"
        case "edited, same time":  # in the middle, where neither head nor tail show it
            data[game.save_offsets[15] + 1 : game.save_offsets[15] + 2] = b"\n"
    Path(path).write_bytes(data)
    if "same time" in change:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    (tmp_path / "fresh").write_bytes(data)
    facts, read = opened(path)
    fresh, _ = opened(str(tmp_path / "fresh"))
    assert facts == fresh
    assert read == data.count(b"\n") - 3


def test_a_damaged_index_is_as_good_as_none(stretch: int, game: Game, tmp_path: Path, cache: Path) -> None:
    path = game.write(tmp_path / "game")
    facts, _ = opened(path)
    (file,) = cache.iterdir()
    good = file.read_bytes()
    for size in spread(range(len(good))):
        file.write_bytes(good[:size])
        assert opened(path)[0] == facts
    for at in spread(range(len(good))):
        bad = bytearray(good)
        bad[at] ^= 0x55
        file.write_bytes(bad)
        assert opened(path)[0] == facts


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(game: Game, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    path = game.write(tmp_path / "game")
    for _ in range(2):
        _, read = opened(path)
        assert (saves(path), read) == (game.saves, len(game.lines))


def test_small_logs_have_no_index(game: Game, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parents[1]))
    opened(game.write(tmp_path / "game"))
    assert not cache.exists()


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of some hundred stretches, of which few are kept."""
    monkeypatch.setattr(stretches, "STRETCH", 200)
    monkeypatch.setattr(stretches, "KEPT", 20)
    game = played(800, backup_every=9, zone=3600)
    game.write(tmp_path / "game")
    opened(str(tmp_path / "game"))
    return game


FEW = 25_100  # bytes: some stretches, the header, the newest lines, and twice the head and the tail for a fingerprint


def read_of(path: Path) -> int:
    """How many bytes of the log an opening reads."""
    with Counted(str(path)) as file:
        Log(file)
        return file.read


def test_a_log_that_was_not_written_is_not_read(long: Game, tmp_path: Path) -> None:
    assert read_of(tmp_path / "game") < FEW < len(long.data) * 0.6


def test_of_a_log_that_grew_only_what_is_new_is_read(long: Game, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("nhlog.log.log.WORTHWHILE", len(long.data) // 2)  # nothing is stored again
    old = len(long.data)
    long.play(5, backup_every=9)
    long.write(tmp_path / "game")
    assert read_of(tmp_path / "game") < FEW + len(long.data) - old < len(long.data) * 0.6


def test_an_index_is_small(long: Game, tmp_path: Path, cache: Path) -> None:
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patched:
        patched.setattr(stretches, "STRETCH", 1 << 16)
        opened(long.write(tmp_path / "other"))
    fixed = 2 * 256 + 1000  # the numbers by kind, and what every index has
    assert min(file.stat().st_size for file in cache.iterdir()) - fixed < len(long.lines) + 12 * len(long.saves)


def changed(game: Game, path: Path, save: int) -> None:
    """Edit a log against its rules, and let it grow."""
    game.data[game.save_offsets[save] - 2] ^= 1
    game.play(1)
    game.write(path)


def test_a_change_in_a_log_that_grew_is_noticed_where_it_is_read(long: Game, tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "game"
    changed(long, path, 40)
    at = long.offsets.index(long.save_offsets[40]) - 1
    with LogFile(str(path)) as file:
        log = Log(file)
        assert log.columns.offsets[len(log) - 1] == long.offsets[-1]
        with pytest.raises(LogRecovered):
            log.raw(at)
        assert list(cache.iterdir()) == []
        assert log.refresh() is Change.REWOUND
        assert log.raw(at).data == bytes(long.data[long.offsets[at] : long.save_offsets[40] - 1])
    fresh, _ = opened(str(path))
    (tmp_path / "copy").write_bytes(long.data)
    assert opened(str(tmp_path / "copy"))[0] == fresh


def test_a_change_near_the_end_of_a_log_that_grew_is_noticed_at_once(long: Game, tmp_path: Path) -> None:
    changed(long, tmp_path / "game", 800)
    _, read = opened(str(tmp_path / "game"))
    assert read == len(long.lines)


def test_a_change_in_a_log_that_did_not_grow_is_noticed_at_once(long: Game, tmp_path: Path) -> None:
    long.data[long.save_offsets[40] - 2] ^= 1
    (tmp_path / "game").write_bytes(long.data)
    _, read = opened(str(tmp_path / "game"))
    assert read == len(long.lines)


def test_a_log_that_is_cut_while_it_is_open_raises_where_it_is_read(long: Game, tmp_path: Path) -> None:
    with LogFile(str(tmp_path / "game")) as file:
        log = Log(file)
        os.truncate(tmp_path / "game", long.save_offsets[30] + 5)
        with pytest.raises(LogRecovered):
            log.raw(long.offsets.index(long.save_offsets[30]))
        assert log.refresh() is Change.REWOUND
        assert len(log) == long.offsets.index(long.save_offsets[30])
