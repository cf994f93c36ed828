"""Appending to a log: what is written where, what is refused, and what is left where the system refuses."""

import errno
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nhlog.change import Change
from nhlog.errors import LogRecovered, NhlogError
from nhlog.files import CannotOpen
from nhlog.formats.nhgame.open import open_log
from nhlog.log import Durability, append
from nhlog.log.append import GameIsOver, InputDropped, NotWritten, Writer, create_log
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import RecoveryRefused
from nhlog.log.verify import Report, verify
from nhlog.log.wire.header import Header, parse_header
from nhlog.log.wire.lines import Command, Time
from tests.builders import Game, binary_save, played
from tests.corpus import ROOT, SAMPLES
from tests.processes import Child
from tests.scripts import script

HEADER = parse_header(bytes(Game(begin=False).data))
SEARCH = Command("search")
STATE, STATUS = 31, 7
FIRST_BACKUP = HEADER.length


@contextmanager
def writing(path: Path, durability: Durability = Durability.NONE) -> Iterator[Writer]:
    """A writer on an existing log."""
    with LogFile(str(path), writable=True) as file:
        yield Writer(Log(file), durability)


@contextmanager
def new(
    path: Path, *, size: int = 2000, durability: Durability = Durability.NONE, header: Header = HEADER
) -> Iterator[Writer]:
    """A writer of a new log."""
    writer = create_log(str(path), header, binary_save(1, HEADER.start, size=size), durability)
    try:
        yield writer
    finally:
        writer.log.source.close()


def play(writer: Writer, turns: int, *, first: int = 2, size: int = 2000) -> list[bytes]:
    """So many turns as the game writes them; gives their saves."""
    saves = []
    for turn in range(first, first + turns):
        writer.append(SEARCH)
        writer.append(Time(1000))
        saves.append(binary_save(turn, writer.log.columns.clock, size=size))
        writer.save(saves[-1], f"turn {turn}")
    return saves


def append_from_outside(path: Path, data: bytes) -> None:
    """What another process writes, whatever we believe."""
    subprocess.run(["sh", "-c", 'cat >> "$0"', str(path)], input=data, check=True)


def sound(path: Path) -> Log:
    """The log, in which nothing is wrong, nor even unusual."""
    log = open_log(str(path))
    *_, report = verify(log)
    assert isinstance(report, Report)
    assert not report.findings
    log.source.close()
    return log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.nhgame"


# a game from beginning to end


def test_a_new_log_is_as_the_game_begins_one(path: Path) -> None:
    with new(path) as writer:
        assert writer.log.header.identification.format() == b"NHGAME save 00000001 4.003.000\n"
    data = path.read_bytes()
    assert data[FIRST_BACKUP : FIRST_BACKUP + 10] == b"*%08x " % FIRST_BACKUP, "the first backup points at itself"
    assert data[STATE:109] == b"(new game)".rjust(78)
    assert len(sound(path)) == 1


def test_a_game_we_write_verifies_and_every_save_reads_back(path: Path) -> None:
    with new(path) as writer:
        saves = [writer.log.save(0), *play(writer, 400)]
        writer.finish("killed by a newt")
    log = open_log(str(path))
    assert [log.save(number) for number in range(len(log.columns.save_lines))] == saves
    assert len(log.columns.backups) > 3
    log.source.close()
    sound(path)


def test_backups_are_a_chain_and_the_first_knows_the_latest(path: Path) -> None:
    with new(path) as writer:
        backups = [FIRST_BACKUP]
        for turn in range(2, 200):
            play(writer, 1, first=turn)
            columns = writer.log.columns
            offsets = [columns.offsets[columns.save_lines[save]] for save in columns.backups]
            if offsets != backups:
                backups = offsets
                pointers = [writer.log.line(columns.save_lines[save]).pointer for save in columns.backups]
                assert pointers == [backups[-1], *backups[:-1]]
                assert writer.log.header.state == f"turn {turn}", "line 2 goes with a backup"
        assert len(backups) > 3


def test_a_log_is_not_begun_where_there_is_a_file(path: Path) -> None:
    path.write_bytes(b"")
    with pytest.raises(CannotOpen, match="file exists"):
        create_log(str(path), HEADER, b"")
    assert path.read_bytes() == b""


def test_a_log_opened_for_reading_has_no_writer(path: Path) -> None:
    played(1).write(path)
    with LogFile(str(path)) as file, pytest.raises(NhlogError, match="not open for writing"):
        Writer(Log(file))


# backup or diff


@pytest.mark.parametrize(("excess", "kind"), [(-100, "~"), (-1, "~"), (0, "~"), (1, "*"), (100, "*")])
@pytest.mark.parametrize("last", ["+0", "search L" + "1" * 300], ids=["short last line", "long last line"])
def test_a_backup_is_due_when_the_lines_since_the_last_are_longer_than_a_save(
    path: Path, excess: int, kind: str, last: str
) -> None:
    """Log spec 8.4: from the last backup's first byte to the last line's first byte, strictly longer."""
    size = 3000
    with new(path, size=size) as writer:
        room = size + excess - (writer.log.end - FIRST_BACKUP)
        writer.append(Command("search", rest=b" L1".ljust(room - len("search\n"), b"x")))
        writer.append(Command(last))
        assert writer.log.columns.offsets[-1] - FIRST_BACKUP == size + excess
        writer.save(binary_save(2, 0, size=size), "state")
        assert chr(writer.log.columns.kinds[-1]) == kind


def test_the_rule_counts_from_the_latest_backup(path: Path) -> None:
    with new(path) as writer:
        while len(writer.log.columns.backups) < 2:
            play(writer, 1)
        play(writer, 1)
        assert writer.log.columns.kinds[-1] == ord("~")


# what is written where


def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The places and lengths of all writes from now on."""
    write = os.pwrite
    found: list[tuple[int, int]] = []

    def pwrite(fd: int, data: bytes, offset: int) -> int:
        found.append((offset, len(data)))
        return write(fd, data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)
    return found


def test_each_line_is_one_write_at_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new(path) as writer:
        end = writer.log.end
        found = calls(monkeypatch)
        writer.append(SEARCH)
        writer.append(Time(0x1B0A93))
        writer.save(binary_save(2, 0, size=2000), "state")
        size = path.stat().st_size
        assert found == [(end, 7), (end + 7, 8), (end + 15, size - end - 15)]
        assert path.read_bytes()[end:].startswith(b"search\n+1b0a93\n~")


def test_only_the_fields_of_fixed_width_are_written_in_place(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new(path) as writer:
        found = calls(monkeypatch)
        play(writer, 200)
        writer.describe("resting")
        writer.finish("quit")
    expected = end = FIRST_BACKUP + len(path.read_bytes()[FIRST_BACKUP:].split(b"\n")[0]) + 1
    places = {(offset, size) for offset, size in found if offset < expected}
    assert places == {(STATE, 78), (FIRST_BACKUP + 1, 8), (STATUS, 4)}
    for offset, size in found:
        if offset >= expected:
            assert offset == end
            end += size
    assert end == path.stat().st_size


@pytest.mark.parametrize("state", ["", "x", "x" * 78, "x" * 200, "Zoë\xff"])
def test_line_2_keeps_its_width(path: Path, state: str) -> None:
    with new(path) as writer:
        writer.describe(state)
        assert path.read_bytes()[STATE:110] == state.encode("latin-1")[:78].rjust(78) + b"\n"
        writer.finish(state)
        assert writer.log.header.finished
    assert (
        path.read_bytes()[:110] == b"NHGAME done 00000001 4.003.000\n" + state.encode("latin-1")[:78].rjust(78) + b"\n"
    )
    sound(path)


def test_a_first_backup_that_is_damaged_gets_no_hint(path: Path) -> None:
    damaged = Game(begin=False)
    damaged.line(b"*zz")
    damaged.input(*[b"search"] * 400)
    damaged.backup()
    damaged.write(path)
    before = path.read_bytes()
    with writing(path) as writer:
        assert len(writer.log.columns.backups) == 2
        play(writer, 60, size=96)
        assert len(writer.log.columns.backups) > 2
    assert path.read_bytes()[110 : len(before)] == before[110:], "the line after it was overwritten"


# the update guard


def test_input_is_dropped_where_somebody_else_wrote_first(path: Path) -> None:
    played(3).write(path)
    for act in ("append", "save", "describe", "finish"):
        with writing(path) as writer:
            append_from_outside(path, b"+1\n")
            before = path.read_bytes()
            with pytest.raises(InputDropped) as error:
                getattr(writer, act)(*{"append": (SEARCH,), "save": (b"x", "y")}.get(act, ("state",)))
            assert error.value.exit_code == 6
            assert path.read_bytes() == before
            writer.log.refresh()
            writer.append(SEARCH)
            assert path.read_bytes() == before + b"search\n"


def test_input_is_dropped_where_the_recovery_count_was_raised(path: Path) -> None:
    game = played(3)
    game.write(path)
    with writing(path) as writer:
        path.write_bytes(bytes(game.data).replace(b"save 00000001", b"save 00000002"))
        before = path.read_bytes()
        with pytest.raises(LogRecovered):
            writer.append(SEARCH)
        assert path.read_bytes() == before
        writer.log.reload()
        writer.append(SEARCH)


@pytest.mark.parametrize("act", ["append", "save", "describe", "finish"])
def test_nothing_follows_the_end_of_the_game(path: Path, act: str) -> None:
    played(3).over().write(path)
    before = path.read_bytes()
    with writing(path) as writer, pytest.raises(GameIsOver):
        getattr(writer, act)(*{"append": (SEARCH,), "save": (b"x", "y")}.get(act, ("state",)))
    assert path.read_bytes() == before


@pytest.mark.parametrize("act", ["append", "save", "describe"])
def test_nothing_follows_the_last_line_of_one_who_died_before_the_header_told(path: Path, act: str) -> None:
    game = played(3)
    game.line(b"Q")
    game.write(path)
    with writing(path) as writer, pytest.raises(GameIsOver):
        getattr(writer, act)(*{"append": (SEARCH,), "save": (b"x", "y")}.get(act, ("state",)))
    assert path.read_bytes() == bytes(game.data)


def test_mending_a_game_whose_end_was_begun_leaves_it_as_it_is(path: Path) -> None:
    game = played(3)
    game.line(b"Q")
    game.write(path)
    with writing(path) as writer:
        writer.mend()
    assert path.read_bytes() == game.data


def test_an_end_that_was_begun_is_finished(path: Path) -> None:
    game = played(3)
    game.line(b"Q")
    game.write(path)
    with writing(path) as writer:
        writer.finish("killed by a newt")
    whole = played(3).over(b"killed by a newt")
    assert path.read_bytes() == bytes(whole.data)


def test_a_partial_line_is_cut_off_and_the_input_written(path: Path) -> None:
    game = played(3)
    path.write_bytes(bytes(game.data) + b"sear")
    with writing(path) as writer:
        known = writer.log.columns
        writer.append(SEARCH)
        assert path.read_bytes() == bytes(game.data).replace(b"save 00000001", b"save 00000002") + b"search\n"
        assert writer.log.columns is known, "nothing that was known has changed"
        assert writer.log.refresh() is Change.GREW
    assert not list(path.parent.glob("*.cut-*")), "half a line is nobody's loss"


def test_a_partial_line_that_is_most_of_the_file_is_left_to_a_person(path: Path) -> None:
    path.write_bytes(bytes(played(1).data) + b"x" * 10000)
    before = path.read_bytes()
    with writing(path) as writer, pytest.raises(RecoveryRefused, match="8/9"):
        writer.append(SEARCH)
    assert path.read_bytes() == before


def test_offsets_that_do_not_fit_eight_digits_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new(path) as writer:
        monkeypatch.setattr(append, "MAX_OFFSET", 5000)
        with pytest.raises(NhlogError, match="too long for another backup"):
            play(writer, 300)
    assert sound(path).size > 3000


def test_a_save_is_worked_out_before_anybody_has_to_wait_for_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new(path) as writer:
        levels = []
        encode = append.compact.encode
        monkeypatch.setattr(
            append.compact, "encode", lambda *given: levels.append(writer._file._writing) or encode(*given)
        )
        play(writer, 1)
        assert levels == [False]


# when the system refuses


class Refusal:
    """`os.pwrite` that gives up after so many bytes in all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: int, code: int) -> None:
        self.room = room
        self.code = code
        self._write = os.pwrite
        self._patch = monkeypatch
        monkeypatch.setattr(os, "pwrite", self.pwrite)

    def pwrite(self, fd: int, data: Any, offset: int) -> int:
        if not self.room:
            raise OSError(self.code, os.strerror(self.code))
        written = self._write(fd, bytes(data)[: self.room], offset)
        self.room -= written
        return written

    def end(self) -> None:
        self._patch.setattr(os, "pwrite", self._write)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG], ids=errno.errorcode.get)
@pytest.mark.parametrize("room", [0, 1, 6])
def test_a_refused_write_says_why_and_costs_its_line_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int, room: int
) -> None:
    before = bytes(played(3).data)
    path.write_bytes(before)
    with writing(path) as writer:
        refusal = Refusal(monkeypatch, room, code)
        with pytest.raises(NotWritten) as error:
            writer.append(SEARCH)
        assert str(error.value) == f"{path}: offset {len(before)}: {os.strerror(code).lower()}"
        assert path.read_bytes() == before + b"search\n"[:room]
        if room:
            with pytest.raises(NotWritten):
                writer.append(SEARCH)  # the cut cannot be written either
        refusal.end()
        writer.append(SEARCH)
        assert path.read_bytes().endswith(before[110:] + b"search\n")
    sound_after_recovery(path)


def sound_after_recovery(path: Path) -> None:
    """Nothing is wrong with it."""
    log = open_log(str(path))
    *_, report = verify(log)
    assert isinstance(report, Report)
    assert not report.faults
    log.source.close()


@pytest.mark.parametrize("room", range(420))
def test_a_backup_refused_at_any_byte_leaves_what_the_rules_recover(
    path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    save = binary_save(2, 0, size=200)
    with new(path, size=200) as writer:
        while writer.log.columns.offsets[-1] - FIRST_BACKUP <= 200:
            writer.append(SEARCH)
        refusal = Refusal(monkeypatch, room, errno.ENOSPC)
        with suppress(NotWritten):
            writer.save(save, "state")
        refusal.end()
        if path.stat().st_size != writer.log.size:
            with suppress(InputDropped):  # by our own line, which came into the log without our knowing
                writer.append(SEARCH)
            writer.log.refresh()
        writer.append(SEARCH)
    sound_after_recovery(path)


def test_short_writes_are_gone_on_with(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda fd, data, offset: write(fd, bytes(data)[:3], offset))
    with new(path) as writer:
        play(writer, 50)
    sound(path)


def test_a_new_log_that_cannot_be_written_is_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = Refusal(monkeypatch, 50, errno.ENOSPC)
    with pytest.raises(NotWritten, match="no space left"):
        create_log(str(path), HEADER, b"")
    refusal.end()
    path.unlink()
    with new(path):
        pass


_LIMITED = f"""
sys.path.insert(0, {str(ROOT)!r})
import resource
from nhlog.log.append import NotWritten, Writer
from nhlog.log.file import LogFile
from nhlog.log.wire.lines import Command
from nhlog.log.log import Log
writer = Writer(Log(LogFile(path, writable=True)))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(arguments[0]),) * 2)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    while True:
        writer.append(Command("search"))
except NotWritten as error:
    say(error.what)
"""


def test_a_file_that_may_not_grow_ends_in_a_partial_line_that_the_next_one_cuts_off(path: Path) -> None:
    before = bytes(played(3).data)
    path.write_bytes(before)
    with Child(_LIMITED, str(path), str(len(before) + 7 * 5 + 3)) as child:
        assert child.hear() == "file too large"
    assert path.read_bytes() == before + b"search\n" * 5 + b"sea"
    with writing(path) as writer:
        writer.append(SEARCH)
        assert path.read_bytes()[110:] == before[110:] + b"search\n" * 6


def test_a_full_disk(full: Path) -> None:
    path = full / "game.nhgame"
    with new(path) as writer:
        filler = full / "filler"
        filler.write_bytes(b"x" * 40000)
        with pytest.raises(NotWritten, match="no space left on device"):
            play(writer, 2000)
        filler.unlink()
        writer.append(SEARCH)
    sound_after_recovery(path)


_TICKING = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.wire.lines import Command
from nhlog.log.log import Log
ticks = []
signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
writer = Writer(Log(LogFile(path, writable=True)))
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
while len(ticks) < 200:
    writer.append(Command("search"))
signal.setitimer(signal.ITIMER_REAL, 0)
say(len(writer.log))
"""


def test_signals_of_others_interrupt_no_line(path: Path) -> None:
    played(3).write(path)
    with Child(_TICKING, str(path)) as child:
        lines = int(child.hear())
    data = path.read_bytes()
    assert data.count(b"\n") == lines + 3
    assert data.endswith(b"search\n")
    sound_after_recovery(path)


# durability


@pytest.mark.parametrize(
    ("durability", "line", "diff", "backup", "describe", "finish"),
    [
        (Durability.NONE, 0, 0, 0, 0, 0),
        (Durability.SAVES, 0, 1, 1, 0, 1),
        (Durability.LINES, 1, 1, 1, 0, 2),
    ],
    ids=str,
)
def test_the_disk_is_waited_for_as_chosen(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    durability: Durability,
    line: int,
    diff: int,
    backup: int,
    describe: int,
    finish: int,
) -> None:
    flushes = []
    flush = os.fdatasync
    monkeypatch.setattr(os, "fdatasync", lambda fd: flushes.append(path.stat().st_size) or flush(fd))

    def count() -> int:
        number = len(flushes)
        assert all(size == path.stat().st_size for size in flushes), "flushed before it was written"
        flushes.clear()
        return number

    with new(path, durability=durability) as writer:
        assert count() == backup
        writer.append(SEARCH)
        assert count() == line
        writer.save(binary_save(2, 0, size=2000), "state")
        assert count() == diff
        writer.describe("state")
        assert count() == describe
        while writer.log.columns.offsets[-1] - FIRST_BACKUP <= 2000:
            writer.append(SEARCH)
        flushes.clear()
        writer.save(binary_save(3, 0, size=2000), "state")
        assert writer.log.columns.kinds[-1] == ord("*")
        assert count() == backup
        writer.finish("quit")
        assert len(flushes) == finish


# feeding


@pytest.fixture
def feed() -> ModuleType:
    return script("feed")


SOURCES = sorted(SAMPLES.glob("*.nhgame"), key=lambda path: path.stat().st_size)[:4]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_fed_log_is_its_source_line_by_line(path: Path, feed: ModuleType, source: Path) -> None:
    """Saves are written anew: as diffs of ours, and as backups where the rule says so for those."""
    log = open_log(str(source))
    writer = feed.feed(log, str(path), 0, Durability.NONE)
    try:
        fed = writer.log
        assert len(fed) == len(log)
        assert (fed.header.start, fed.header.name, fed.header.words) == (
            log.header.start,
            log.header.name,
            log.header.words,
        )
        assert fed.header.finished == (log.columns.kinds[-1] == ord("Q"))
        for number in range(len(log)):
            if log.columns.kinds[number] in b"*~":
                assert fed.columns.kinds[number] in b"*~"
            else:
                assert fed.raw(number).data == log.raw(number).data
        for number in range(len(log.columns.save_lines)):
            assert fed.save(number) == log.save(number)
        assert list(fed.columns.clocks) == list(log.columns.clocks)
    finally:
        writer.log.source.close()
        log.source.close()
    sound_after_recovery(path)


def test_feed_keeps_the_timing_of_the_recording(path: Path, feed: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    source = path.with_name("source.nhgame")
    game = Game()
    for delta in (1_000_000, 500_000):
        game.line(b"search")
        game.tick(delta)
    game.write(source)
    waits: list[float] = []
    monkeypatch.setattr(feed.time, "sleep", waits.append)
    log = open_log(str(source))
    feed.feed(log, str(path), 2.0, Durability.NONE).log.source.close()
    log.source.close()
    assert waits == [0.5, 0.25]


def test_feed_refuses_to_overwrite(path: Path) -> None:
    played(1).write(path)
    source = played(2).write(path.with_name("source.nhgame"))
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "feed", source, path, "--speed", "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"feed: {path}: file exists\n")


def test_limits_of_this_process_are_as_they_were() -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    assert threading.active_count() < 10


def test_a_writer_and_a_log_close_their_file_at_the_end_of_a_block(tmp_path: Path) -> None:
    path = str(tmp_path / "game.nhgame")
    played(2).write(Path(path))
    with Writer(Log(LogFile(path, writable=True))) as writer:
        writer.append(Command("search"))
    with Log(LogFile(path)) as log:  # which a process may have open once
        assert log.line(len(log) - 1) == Command("search")
