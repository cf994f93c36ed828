"""A log as a row of lines, opened, followed, and dropped when somebody takes lines back."""

import os
from base64 import b64encode
from pathlib import Path

import pytest

from nhlog.change import Change
from nhlog.errors import Damaged, LockNotObtained, LogRecovered, NhlogError
from nhlog.log.columns import Columns
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.header import BadHeader, NotALog
from nhlog.log.wire.lines import Backup, BadLine
from tests.builders import Game, every_kind, played
from tests.corpus import SAMPLES
from tests.logs import SAMPLE_LOGS, body_lines
from tests.processes import Child, holding


def in_memory(data: bytes) -> Log:
    return Log(LogBytes("game", data))


def facts(log: Log) -> dict[str, object]:
    """All that a log knows, to be compared."""
    columns = {
        name: getattr(log.columns, name)
        for name in (*Columns.ARRAYS, *Columns.NUMBERS, *Columns.BY_KIND, "kinds", "head")
    }
    columns |= {name: list(getattr(log.columns, name)) for name in ("offsets", "clocks", "elapsed")}
    return columns | {"header": log.header, "end": log.end, "size": log.size, "partial": log.partial}


@pytest.fixture
def game() -> Game:
    return played(6, backup_every=4)


@pytest.fixture
def path(game: Game, tmp_path: Path) -> str:
    return game.write(tmp_path / "game.nhgame")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that soon gives up."""
    for module in ("log", "reading"):
        monkeypatch.setattr(f"nhlog.log.{module}.PATIENCE", 0.02)


@pytest.fixture
def log(path: str):
    with LogFile(path) as file:
        yield Log(file)


# opening


@pytest.mark.parametrize("game", [Game(begin=False), Game(), every_kind(), played(30, backup_every=7)])
def test_lines_saves_and_offsets_are_those_that_were_written(game: Game) -> None:
    log = in_memory(bytes(game.data))
    assert len(log) == len(game.lines)
    assert [log.raw(number) for number in range(len(log))] == list(zip(game.offsets, game.lines, strict=True))
    assert [log.line(number) for number in range(len(log))] == [parse_line(line) for line in game.lines]
    assert [log.save(number) for number in range(len(game.saves))] == game.saves
    assert (log.end, log.size, log.partial) == (len(game.data), len(game.data), b"")


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_real_logs_from_a_file_and_from_a_pipe_are_the_same(path: Path) -> None:
    with LogFile(str(path)) as file:
        log = Log(file)
        memory = in_memory(path.read_bytes())
        assert facts(log) == facts(memory)
        assert [log.raw(number).data for number in range(len(log))] == body_lines(path.read_bytes())
        saves = range(len(log.columns.save_lines))
        assert [log.save(number) for number in saves] == [memory.save(number) for number in saves]


def test_lines_can_be_asked_for_in_any_order(game: Game, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.log.log.CHUNK", 64)  # so that blocks are small
    numbers = [*reversed(range(len(log))), *range(len(log))]
    assert [log.raw(number).data for number in numbers] == [game.lines[number] for number in numbers]


def test_the_bytes_may_come_in_any_pieces(game: Game, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = facts(in_memory(bytes(game.data)))
    for chunk in (1, 2, 7, 100):
        monkeypatch.setattr("nhlog.log.log.CHUNK", chunk)
        with LogFile(path) as file:
            assert facts(Log(file)) == whole


def test_a_partial_last_line_is_kept_and_is_no_error(game: Game) -> None:
    for line in (b"search", b"~AUM", b"*000000", b"+", b"Q"):
        log = in_memory(bytes(game.data) + line)
        assert (log.partial, log.end, log.size) == (line, len(game.data), len(game.data) + len(line))
        assert len(log) == len(game.lines)


@pytest.mark.parametrize(
    ("data", "error"), [(b"", BadHeader), (b"NHGAME save", BadHeader), (b"GIF89a", NotALog), (b"\0" * 5000, NotALog)]
)
def test_what_has_no_sound_header_is_no_log(data: bytes, error: type[NhlogError], tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(data)
    with LogFile(str(tmp_path / "x")) as file, pytest.raises(error) as raised:
        Log(file)
    assert raised.value.file == str(tmp_path / "x")


def test_a_bad_line_is_kept_and_reading_it_says_where_it_is(game: Game, tmp_path: Path) -> None:
    game.line(b"Zap!")
    with LogFile(game.write(tmp_path / "x")) as file:
        log = Log(file)
        assert log.raw(len(log) - 1).data == b"Zap!"
        with pytest.raises(BadLine) as error:
            log.line(len(log) - 1)
        assert (error.value.file, error.value.offset) == (file.name, game.offsets[-1])


@pytest.mark.parametrize("line", [b"~", b"~YQ", b"~$9$eJwDAAAAAAE=", b"*0000 $5$x", b"*00000099 YQ", b"*00000099 "])
def test_a_save_line_that_does_not_decode_says_where_it_is(game: Game, line: bytes) -> None:
    game.line(line)
    log = in_memory(bytes(game.data))
    number = len(log.columns.save_lines) - 1
    for read in (log.payload, log.save):
        with pytest.raises(Damaged) as error:
            read(number)
        assert error.value.file == "game"
        assert error.value.offset == game.offsets[-1]


def test_lz4_blocks_that_are_damaged_cost_their_saves_alone() -> None:
    game = Game(begin=False)
    game.line(b"*00000099 #100#abcd")
    game.input(b"search")
    game.line(b"~#5#abcd")
    log = in_memory(bytes(game.data))
    assert (len(log), len(log.columns.save_lines), list(log.columns.broken)) == (4, 2, [0, 3])
    assert isinstance(log.line(0), Backup)
    for number in range(2):
        with pytest.raises(Damaged, match="bad LZ4 block"):
            log.save(number)


def test_a_save_before_the_first_backup_is_damage_and_not_the_last_save() -> None:
    for game in (Game(begin=False), Game(begin=False)):
        game.input(b"search")
        log = in_memory(bytes(game.data))
        with pytest.raises(Damaged, match="no save"):
            log.save(-1)


def test_the_payload_of_a_backup_is_its_save(game: Game, log: Log) -> None:
    for offset in game.backups:
        number = game.save_offsets.index(offset)
        assert log.payload(number) == game.saves[number]


def test_no_more_of_the_payload_of_a_backup_is_unpacked_than_is_asked_for() -> None:
    log = in_memory((SAMPLES / "died2.nhgame").read_bytes())
    for number in log.columns.backups:
        save = log.save(number)
        begun = log.payload(number, 100)
        assert save.startswith(begun)
        assert 100 <= len(begun) < len(save) // 10


# locks


def test_a_log_that_another_process_writes_without_end_cannot_be_opened_and_who_has_it_open_reads_on(
    game: Game, path: str, log: Log, impatient: None
) -> None:
    with holding(path, "LOCK_EX") as writer:
        with pytest.raises(LockNotObtained) as error:
            log.reload()
        assert (error.value.file, error.value.exit_code) == (path, 5)
        assert error.value.message.startswith("busy: it is being written or rewound, for 0.02 s, ")
        assert f"write lock of process {writer.pid} (" in str(error.value)
        assert log.refresh() is Change.NOTHING
        read_beyond_the_cache(log)
        game.input(b"kick D4")
        game.write(Path(path))
        assert log.refresh() is Change.GREW, "its line is whole"


def test_no_lock_is_held_between_calls(path: str, log: Log) -> None:
    log.refresh()
    log.save(3)
    code = "fcntl.lockf(os.open(path, os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB); say('locked')"
    with Child(code, path) as other:
        assert other.hear() == "locked"


# following


def test_a_log_that_did_not_change_has_nothing_new(log: Log) -> None:
    before = facts(log)
    assert log.refresh() is Change.NOTHING
    assert facts(log) == before


def test_lines_added_by_another_process_are_read_once(game: Game, path: str, log: Log) -> None:
    for _ in range(5):
        game.play(1, backup_every=3)
        game.write(Path(path))
        assert [log.refresh(), log.refresh()] == [Change.GREW, Change.NOTHING]
        assert facts(log) == facts(in_memory(bytes(game.data)))
    assert [log.save(number) for number in range(len(game.saves))] == game.saves


def test_byte_by_byte_is_the_same_as_at_once(game: Game, path: str, log: Log) -> None:
    old = len(game.data)
    game.input(b"travel P3,4", b"Yn")
    game.turn += 1
    game.diff()
    for size in range(old + 1, len(game.data) + 1):
        Path(path).write_bytes(game.data[:size])
        assert log.refresh() is Change.GREW
        assert facts(log) == facts(in_memory(bytes(game.data[:size])))


def test_the_end_of_the_game_is_news(game: Game, path: str, log: Log) -> None:
    game.line(b"Q")
    game.write(Path(path))
    assert log.refresh() is Change.GREW
    assert not log.header.finished
    game.status(b"done")
    game.state(b"quit")
    game.write(Path(path))
    assert log.refresh() is Change.FINISHED
    assert log.header.finished
    assert log.refresh() is Change.NOTHING


def test_after_a_raised_recovery_count_nothing_is_read_before_another_look(game: Game, path: str, log: Log) -> None:
    Path(path).write_bytes(game.data.replace(b"00000001", b"00000002", 1))
    for _ in range(2):
        with pytest.raises(LogRecovered) as error:
            read_beyond_the_cache(log)
        assert error.value.exit_code == 6
        assert str(error.value).startswith(path)
    assert log.refresh() is Change.GREW
    assert log.header.identification.recovery_count == 2
    assert log.refresh() is Change.NOTHING


def read_beyond_the_cache(log: Log) -> None:
    log._block = log._block._replace(data=b"")
    log.raw(0)


@pytest.mark.parametrize(("count", "grown"), [(b"00000002", True), (b"00000002", False), (b"00000001", False)])
def test_a_rewound_log_is_read_anew_even_when_it_is_longer_again(
    game: Game, path: str, log: Log, count: bytes, grown: bool
) -> None:
    log.save(5)
    shorter = played(2, backup_every=4)
    shorter.data[12:20] = count
    if grown:
        shorter.play(9, b"eat")
    shorter.write(Path(path))
    assert log.refresh() is Change.REWOUND
    assert facts(log) == facts(in_memory(bytes(shorter.data)))
    assert [log.save(number) for number in range(len(shorter.saves))] == shorter.saves


def test_what_a_cut_removed_is_known_where_it_was_read(game: Game, path: str, log: Log) -> None:
    whole = bytes(game.data)
    end = log.columns.offsets[-2]
    Path(path).write_bytes(whole[:end].replace(b"00000001", b"00000002", 1))
    assert log.refresh() is Change.REWOUND
    assert log.cut_off == whole[end:]
    grown = played(9, backup_every=4)
    grown.data[12:20] = b"00000003"
    Path(path).write_bytes(grown.data)
    assert log.refresh() is Change.REWOUND
    assert log.cut_off == b"", "the log has more lines now than before"


def test_a_partial_line_that_is_cut_off_by_the_rules_is_forgotten(game: Game, path: str) -> None:
    Path(path).write_bytes(bytes(game.data) + b"sear")
    with LogFile(path) as file:
        log = Log(file)
        known = log.columns
        game.data[12:20] = b"00000002"
        game.input(b"kick D4")
        game.write(Path(path))
        assert log.refresh() is Change.GREW
        assert log.columns is known, "nothing of the game was taken back"
        assert (log.partial, log.raw(len(log) - 2).data) == (b"", b"kick D4")


def test_a_log_that_was_rewound_and_played_to_the_same_length_is_read_anew(game: Game, path: str, log: Log) -> None:
    at = next(log.columns.offsets[line] for line in reversed(range(len(log))) if log.columns.kinds[line] == ord("+"))
    other = bytearray(game.data.replace(b"00000001", b"00000002", 1))
    other[at + 1] ^= 1  # whoever plays it again takes another time for it
    Path(path).write_bytes(other)
    assert log.refresh() is Change.REWOUND


def test_a_header_that_went_bad_is_an_error_and_not_a_crash(path: str, log: Log) -> None:
    for data in (b"", b"NHGAME", b"not a log any more\n" * 100):
        Path(path).write_bytes(data)
        with pytest.raises(NhlogError) as error:
            log.refresh()
        assert error.value.file == path


def test_after_a_refusal_following_goes_on_where_it_was(game: Game, path: str, log: Log, monkeypatch) -> None:
    """Also the end of the game is still news then, though its header was read before the refusal."""
    game.input(b"quit")
    game.over()
    game.write(Path(path))
    monkeypatch.setattr("nhlog.log.log.CHUNK", 10)  # so that a look takes more than one chunk
    refusals = iter([False, True])
    size = log.source.size
    monkeypatch.setattr(log.source, "size", lambda: refuse() if next(refusals, False) else size())

    def refuse() -> None:
        raise LockNotObtained("held")

    with pytest.raises(LockNotObtained):
        log.refresh()
    assert log.refresh() is Change.FINISHED
    assert facts(log) == facts(in_memory(bytes(game.data)))


WRITER = """
import base64
fd = os.open(path, os.O_RDWR | os.O_APPEND)
while True:
    pieces = base64.b64decode(wait()).split(b"|")
    fcntl.lockf(fd, fcntl.LOCK_EX)
    for piece in pieces:
        os.write(fd, piece)
        say("wrote")
        wait()
    fcntl.lockf(fd, fcntl.LOCK_UN)
    say("unlocked")
"""


def test_a_line_being_written_under_its_lock_is_never_seen_in_part(
    game: Game, path: str, log: Log, impatient: None
) -> None:
    size = log.size
    with Child(WRITER, path) as writer:
        writer.tell(b64encode(b"move| D4|\n").decode())
        for _ in range(2):
            assert writer.hear() == "wrote"
            with pytest.raises(LockNotObtained):
                log.refresh()
            assert (log.size, log.partial) == (size, b"")
            writer.tell()
        assert writer.hear() == "wrote"
        assert log.refresh() is Change.GREW, "it is whole, whatever its writer does next"
        assert log.raw(len(log) - 1).data == b"move D4"
        writer.tell()
        assert writer.hear() == "unlocked"


def test_a_line_whose_writer_died_is_known_as_a_part_of_one(path: str, log: Log, impatient: None) -> None:
    with Child(WRITER, path) as writer:
        writer.tell(b64encode(b"move| D4|\n").decode())
        assert writer.hear() == "wrote"
        writer.kill()
        writer.wait()
        assert log.refresh() is Change.GREW
        assert log.partial == b"move"


STORM = """
import time
fd = os.open(path, os.O_RDWR)
for number in range(int(arguments[0])):
    fcntl.lockf(fd, fcntl.LOCK_EX)
    end = os.fstat(fd).st_size
    for piece in (b"travel", b" P%d," % (number % 79), b"%d" % (number % 21), b"\\n"):
        end += os.pwrite(fd, piece, end)
    fcntl.lockf(fd, fcntl.LOCK_UN)
    time.sleep(0.0005)  # the kernel knows no turns: who locks again at once keeps everybody out
say("done")
"""


def test_a_follower_of_a_fast_writer_sees_every_line_once_and_whole(path: str, log: Log) -> None:
    count, first = 1000, len(log)
    seen, sizes = [], set()
    with Child(STORM, path, str(count)) as writer:
        while len(seen) < count:
            log.refresh()
            assert log.partial == b""
            sizes.add(len(log))
            seen += [log.raw(number).data for number in range(first + len(seen), len(log))]
        assert writer.hear() == "done"
    assert seen == [b"travel P%d,%d" % (number % 79, number % 21) for number in range(count)]
    assert len(sizes) > 5, "the two processes took no turns: nothing was tested"


# hostile sizes


def test_a_sparse_file_of_gigabytes_is_refused_in_a_moment(tmp_path: Path, game: Game) -> None:
    path = game.write(tmp_path / "sparse")
    os.truncate(path, 5 << 30)
    with LogFile(path) as file, pytest.raises(Damaged, match="line too long") as error:
        Log(file)
    assert (error.value.file, error.value.offset) == (path, len(game.data))
