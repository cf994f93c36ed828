"""Taking lines back: what the real client does, byte for byte, and what is left wherever one of us dies doing it."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.change import Change
from nhlog.errors import Damaged, LogRecovered
from nhlog.files import CannotWrite
from nhlog.log import recovery
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import RecoveryRefused, Truncation, carry_out, plan_recovery, plan_rewind, refuse
from nhlog.log.verify import Report, verify
from nhlog.log.wire.header import BadHeader, Identification
from tests.builders import Game, played
from tests.corpus import SAMPLES, WHOLE, corpus
from tests.logs import CUTS, KILLED
from tests.outcomes import error_of

COUNT = slice(12, 20)
STATE = slice(31, 109)
TOLD = "Exp:7, 6 turns, on Dungeons:5"


def recover(path: Path, **options: bool) -> Truncation | None:
    """What `nhlog recover` does."""
    with LogFile(str(path), writable=True) as file:
        cut = plan_recovery(file)
        if cut is not None:
            refuse(cut, file.name)
            carry_out(file, cut, **options)
        return cut


def rewind(path: Path, line: int, **options: bool) -> Truncation | None:
    """What `nhlog rewind` does once it knows the line."""
    with LogFile(str(path), writable=True) as file:
        cut = plan_rewind(Log(file), line, TOLD)
        if cut is not None:
            carry_out(file, cut, **options)
        return cut


def sound(path: Path) -> bool:
    with LogFile(str(path)) as file:
        *_, report = verify(Log(file))
        assert isinstance(report, Report)
        return not report.faults


def raised(data: bytes, by: int = 1) -> bytes:
    """The file with its recovery count raised and its game going on."""
    return b"NHGAME save %08x" % (int(data[COUNT], 16) + by) + data[20:]


def told(data: bytes) -> bytes:
    """The file with line 2 as a rewind writes it."""
    return data[: STATE.start] + TOLD.encode().rjust(78) + data[STATE.stop :]


def without_state(data: bytes) -> bytes:
    return data[: STATE.start] + data[STATE.stop :]


# as the real client does it


def after_recovery(before: bytes, after: bytes) -> bytes:
    """What the real client had left before the game went on: `after` up to the first line it wrote itself.

    It keeps the lines before the cut; only line 2, which goes with a new backup, may have been rewritten since.
    """
    kept = after[: before.rindex(b"\n") + 1]
    return kept[: STATE.start] + before[STATE] + kept[STATE.stop :]


def real_pair(folder: str, name: str, after: str) -> tuple[bytes, bytes]:
    return (
        corpus("nethack4", folder, f"{name}.nhgame").read_bytes(),
        corpus("nethack4", folder, f"{name}.{after}.nhgame").read_bytes(),
    )


REAL = [("cuts", name, "after-load") for name in CUTS] + [("kill9", name, "recovered") for name in KILLED]


@pytest.mark.parametrize(("folder", "name", "after"), REAL, ids=lambda value: value)
def test_recovery_leaves_the_bytes_that_the_real_client_left(
    folder: str, name: str, after: str, tmp_path: Path
) -> None:
    before, real = real_pair(folder, name, after)
    path = tmp_path / "game.nhgame"
    path.write_bytes(before)
    if real == before and not before.endswith(b"\n"):  # it refused
        assert isinstance(error_of(lambda: recover(path)), Damaged | RecoveryRefused)
        assert path.read_bytes() == before
    else:
        recover(path)
        assert path.read_bytes() == after_recovery(before, real)
        assert sound(path)


def test_the_corpus_has_both_kinds_of_files() -> None:
    """Or the test above would hold for nothing."""
    refused = 0
    for pair in REAL:
        before, real = real_pair(*pair)
        refused += real == before
    assert (len(CUTS), len(KILLED), refused) == (16 if WHOLE else 6, 7, 5)


# recovery


@pytest.fixture
def game() -> Game:
    return played(12, backup_every=5)


@pytest.fixture
def path(game: Game, tmp_path: Path) -> Path:
    return Path(game.write(tmp_path / "game.nhgame"))


@pytest.mark.parametrize("tail", [b"s", b"search", b"+1f", b"*", b"*00000099 $400", b"~AUM", b"Q", b"\0", b"x" * 900])
def test_a_partial_last_line_goes_and_the_count_is_raised(game: Game, path: Path, tail: bytes) -> None:
    path.write_bytes(game.data + tail)
    cut = recover(path)
    assert path.read_bytes() == raised(bytes(game.data))
    assert cut.raised == Identification("save", 2, "4.003.000")
    assert Path(f"{path}.cut-00000002").read_bytes() == tail


def test_a_log_that_ends_in_a_newline_is_left_alone(game: Game, path: Path) -> None:
    assert recover(path) is None
    assert path.read_bytes() == game.data
    assert os.listdir(path.parent) == [path.name]


def test_every_cut_of_a_log_is_recovered_to_its_last_newline_or_refused_and_left(path: Path) -> None:
    """Log spec section 17, test 9: as if the writer were killed after any byte."""
    game = played(4, backup_every=4)
    data = bytes(game.data)
    first = len(game.lines[0]) + game.length + 1
    for size in range(len(data)):
        path.write_bytes(data[:size])
        newline = data.rfind(b"\n", 0, size) + 1
        try:
            cut = recover(path, keep=False)
        except BadHeader:
            assert size < game.length
        except Damaged:
            assert game.length < size < first
        else:
            assert size >= first or size == game.length
            assert (cut is None) == (newline == size)
            assert path.read_bytes() == (data[:size] if cut is None else raised(data[:newline]))
            assert sound(path) or size == game.length
            continue
        assert path.read_bytes() == data[:size]


@pytest.mark.parametrize("chunk", [1, 7, 10, 11, 1000])
def test_a_partial_line_is_as_long_as_any_line_may_be_and_no_longer(
    game: Game, path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(recovery, "MAX_LINE", 10)
    monkeypatch.setattr(recovery, "CHUNK", chunk)
    path.write_bytes(game.data + b"x" * 10)
    assert recover(path).offset == len(game.data)
    path.write_bytes(game.data + b"x" * 11)
    with pytest.raises(Damaged, match="line too long: expected at most 10 bytes"):
        recover(path)
    assert path.read_bytes() == game.data + b"x" * 11


@given(st.integers(0, 1 << 40), st.integers(0, 1 << 40))
def test_no_more_than_eight_ninths_may_go(offset: int, size: int) -> None:
    cut = Truncation(size, offset, Identification("save", 1, "4.003.000"))
    assert cut.sane == (not offset * 9 < size)


def test_at_the_limit_a_cut_is_allowed_and_one_byte_below_it_refused(game: Game, path: Path) -> None:
    for extra, allowed in ((0, True), (1, False)):
        path.write_bytes(game.data + b"x" * (8 * len(game.data) + extra))
        before = path.read_bytes()
        if allowed:
            recover(path)
            assert path.read_bytes() == raised(bytes(game.data))
        else:
            with pytest.raises(RecoveryRefused, match="8/9") as error:
                recover(path)
            assert error.value.exit_code == 1
            assert path.read_bytes() == before


def test_the_count_wraps_at_32_bits_and_keeps_its_width(game: Game, path: Path) -> None:
    game.data[COUNT] = b"ffffffff"
    path.write_bytes(game.data + b"x")
    recover(path)
    assert path.read_bytes()[:31] == b"NHGAME save 00000000 4.003.000\n"


def test_a_finished_game_with_a_partial_line_goes_on(game: Game, path: Path) -> None:
    """The real client writes `save` whatever was there (log spec section 2)."""
    game.status(b"done")
    path.write_bytes(game.data + b"Q")
    recover(path)
    assert path.read_bytes()[:31] == b"NHGAME save 00000002 4.003.000\n"


@pytest.mark.parametrize("version", [b"4.003.00x", b"4.3.0    ", b"4.003.0 0"])
def test_a_first_line_that_cannot_be_rewritten_in_its_31_bytes_is_left_alone(
    game: Game, path: Path, version: bytes
) -> None:
    """Its version is read leniently: writing it back shorter would break line 2."""
    game.data[21:30] = version
    path.write_bytes(game.data + b"sear")
    with pytest.raises(Damaged, match="line 1"):
        recover(path)
    assert path.read_bytes() == game.data + b"sear"


# rewinding


def rewinds() -> list[int]:
    game = played(12, backup_every=5)
    return [game.offsets.index(offset) for offset in game.save_offsets]


@pytest.mark.parametrize("line", rewinds())
def test_a_rewind_leaves_what_was_there_at_that_save_line(game: Game, path: Path, line: int) -> None:
    data = bytes(game.data)
    end = game.offsets[line] + len(game.lines[line]) + 1
    cut = rewind(path, line)
    if line == len(game.lines) - 1:
        assert cut is None
        assert path.read_bytes() == data
        return
    latest = max(offset for offset in game.backups if offset < end)
    expected = bytearray(told(raised(data[:end])))
    expected[game.backups[0] + 1 : game.backups[0] + 9] = b"%08x" % latest
    assert path.read_bytes() == expected
    assert Path(f"{path}.cut-00000002").read_bytes() == data[end:]
    with LogFile(str(path)) as file:
        log = Log(file)
        findings = list(verify(log))[:-1]
        assert findings == [], "not even the hint is stale"
        assert log.save(len(log.columns.save_lines) - 1) == game.saves[game.save_offsets.index(game.offsets[line])]


def test_any_line_can_be_the_last_one_kept(game: Game, path: Path) -> None:
    for line in range(len(game.lines) - 1):
        game.write(path)
        rewind(path, line, keep=False)
        assert path.stat().st_size == game.offsets[line + 1]
        assert sound(path)


@pytest.mark.parametrize("name", ["all-line-kinds", "died2"])
def test_a_finished_game_goes_on_after_a_rewind(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    data = (SAMPLES / f"{name}.nhgame").read_bytes()
    path.write_bytes(data)
    with LogFile(str(path)) as file:
        log = Log(file)
        assert log.header.finished
        line = log.columns.save_lines[-1]
        end = log.columns.offsets[line + 1]
    rewind(path, line)
    assert path.read_bytes()[:20] == b"NHGAME save 00000002"
    assert without_state(path.read_bytes())[32:] == without_state(data[:end])[32:]
    assert sound(path)


def test_a_partial_last_line_goes_with_a_rewind(game: Game, path: Path) -> None:
    path.write_bytes(game.data + b"sear")
    cut = rewind(path, len(game.lines) - 1)
    assert (cut.size - cut.offset, path.read_bytes()) == (4, told(raised(bytes(game.data))))


def test_without_a_backup_before_it_a_rewind_is_refused() -> None:
    game = Game(begin=False)
    game.input(b"search")
    orphan = Game(begin=False)
    orphan.input(b"search")
    orphan.line(b"~AUM=")
    orphan.input(b"search")
    late = Game(begin=False)
    late.input(b"search")
    late.backup()
    for log, line in ((game, 0), (orphan, 2), (late, 1)):
        with pytest.raises(RecoveryRefused, match="no save backup"):
            plan_rewind(Log(LogBytes("game", bytes(log.data))), line)


def test_a_first_backup_that_has_no_place_for_a_hint_is_not_written_to(game: Game, path: Path) -> None:
    """Eight digits written over a line that is too short for them would destroy what comes after it."""
    data = bytes(game.data)
    start, end = game.backups[0], game.offsets[1]
    path.write_bytes(data[:start] + b"*\n" + data[end:])
    rewind(path, len(game.lines) - 4, keep=False)
    after = path.read_bytes()
    assert after[20:] == told(data[:start] + b"*\n" + data[end:])[20 : len(after)]


def test_a_rewind_without_a_word_for_it_leaves_line_2_alone(game: Game, path: Path) -> None:
    with LogFile(str(path), writable=True) as file:
        carry_out(file, plan_rewind(Log(file), 6))
    assert path.read_bytes()[STATE] == game.data[STATE]


@pytest.mark.parametrize("text", ["", "x" * 200, "Zoë 大, 3 turns\n\0"])
def test_whatever_the_state_is_line_2_keeps_its_width(path: Path, text: str) -> None:
    with LogFile(str(path), writable=True) as file:
        carry_out(file, plan_rewind(Log(file), 6, text))
    assert path.read_bytes()[STATE.stop] == ord("\n")
    assert b"\n" not in path.read_bytes()[STATE]
    assert sound(path)


# what else may go on


def change_count(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:12] + b"00000009" + data[20:])


def change_status(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:7] + b"done" + data[11:])


def append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"h\n")


def shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("change", [change_count, change_status, append, shorten])
@pytest.mark.parametrize("plan", [lambda file: plan_recovery(file), lambda file: plan_rewind(Log(file), 6)])
def test_a_log_that_changed_since_the_plan_was_made_is_left_alone(
    game: Game, path: Path, plan: Callable[[LogFile], Truncation], change: Callable[[Path], None]
) -> None:
    path.write_bytes(game.data + b"searc")
    with LogFile(str(path), writable=True) as file:
        cut = plan(file)
        change(path)
        changed = path.read_bytes()
        with pytest.raises(LogRecovered) as error:
            carry_out(file, cut)
    assert error.value.exit_code == 6
    assert path.read_bytes() == changed
    assert os.listdir(path.parent) == [path.name]


def test_a_first_line_of_another_length_is_refused_at_its_offset(game: Game, path: Path) -> None:
    path.write_bytes(game.data.replace(b"4.003.000", b"4.003.0000", 1) + b"searc")
    before = path.read_bytes()
    with LogFile(str(path), writable=True) as file, pytest.raises(Damaged, match="line 1 cannot be rewr") as error:
        carry_out(file, plan_recovery(file))
    assert error.value.offset == 0
    assert path.read_bytes() == before


def test_a_cut_that_is_not_after_a_newline_is_refused(game: Game, path: Path) -> None:
    with LogFile(str(path), writable=True) as file, pytest.raises(Damaged, match="after a newline"):
        carry_out(file, Truncation(len(game.data), len(game.data) - 2, Identification("save", 1, "4.003.000")))
    assert path.read_bytes() == game.data


def test_what_is_cut_off_never_replaces_what_was_cut_off_before(game: Game, path: Path) -> None:
    """A file of that name is there when an earlier recovery died between saving the rest and raising the count."""
    for number in range(3):
        path.write_bytes(game.data + b"x%d" % number)
        recover(path)
    kept = sorted(file.read_bytes() for file in path.parent.iterdir() if file != path)
    assert kept == [b"x0", b"x1", b"x2"]


def test_where_the_rest_cannot_be_saved_nothing_is_cut(game: Game, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nhlog.files.atomic.create", full)
    path.write_bytes(game.data + b"sear")
    with pytest.raises(CannotWrite, match="no space"):
        recover(path)
    assert path.read_bytes() == game.data + b"sear"


# dying on the way


class Killed(BaseException):
    """What a crash looks like from inside."""


class CrashingLog(LogFile):
    """A log whose process dies at its nth change, before it or, with `after`, just after it."""

    def __init__(self, path: str, crash: int, after: bool, die: Callable[[], None]) -> None:
        super().__init__(path, writable=True)
        self.changes = 0
        self._crash, self._after, self._die = crash, after, die

    def _change(self, act: Callable[[], None]) -> None:
        self.changes += 1
        if self.changes == self._crash and not self._after:
            self._die()
        act()
        if self.changes == self._crash:
            self._die()

    def pwrite(self, data: bytes, offset: int) -> None:
        self._change(lambda: LogFile.pwrite(self, data, offset))

    def truncate(self, size: int) -> None:
        self._change(lambda: LogFile.truncate(self, size))

    def sync(self) -> None:
        self._change(lambda: LogFile.sync(self))


def crash_points() -> list[tuple[str, int, bool]]:
    changes = {"recover": 3, "rewind": 4}  # the header, the hint, the cut, the sync
    return [(what, at, after) for what, last in changes.items() for at in range(1, last + 1) for after in (False, True)]


def die_at(path: Path, what: str, line: int, crash: int, after: bool, die: Callable[[], None]) -> int:
    with CrashingLog(str(path), crash, after, die) as file:
        cut = plan_recovery(file) if what == "recover" else plan_rewind(Log(file), line, TOLD)
        carry_out(file, cut)
        return file.changes


@pytest.mark.parametrize("what", ["recover", "rewind"])
def test_the_crash_points_are_all_there_are(game: Game, path: Path, what: str) -> None:
    path.write_bytes(game.data + b"sear")
    changes = die_at(path, what, 6, 0, False, lambda: None)
    assert changes == max(at for name, at, _ in crash_points() if name == what)


@pytest.mark.parametrize("by", ["exception", "SIGKILL"])
@pytest.mark.parametrize(("what", "crash", "after"), crash_points())
def test_wherever_it_dies_the_log_can_be_recovered_by_its_rules(
    game: Game, path: Path, what: str, crash: int, after: bool, by: str
) -> None:
    path.write_bytes(game.data + b"sear")
    line = 12
    if by == "exception":

        def die() -> None:
            raise Killed

        with pytest.raises(Killed):
            die_at(path, what, line, crash, after, die)
    else:
        child = os.fork()
        if not child:
            die_at(path, what, line, crash, after, lambda: os.kill(os.getpid(), signal.SIGKILL))
            os._exit(1)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL

    data = path.read_bytes()
    begun = data[COUNT] != b"00000001"
    assert data[7:11] == b"save"
    assert begun == (crash > 1 or after), "the count is raised before anything else"
    if not begun:
        assert data == game.data + b"sear"
    recover(path)
    assert sound(path)
    kept = path.read_bytes()
    whole = (
        game.data if what == "recover" or len(data) > game.offsets[line + 1] else game.data[: game.offsets[line + 1]]
    )
    if what == "rewind" and begun:
        whole = told(whole)  # it says of the turn that was gone back to as soon as others are told to read again
    hint = slice(game.backups[0] + 1, game.backups[0] + 9)
    assert kept[: hint.start][20:] == whole[: hint.start][20:]
    assert kept[hint.stop :] == whole[hint.stop :], "nothing but whole lines was lost"
    with LogFile(str(path)) as file:
        log = Log(file)
        assert log.save(len(log.columns.save_lines) - 1) in game.saves


@pytest.mark.parametrize(("crash", "after"), [point[1:] for point in crash_points() if point[0] == "rewind"])
def test_a_rewind_never_leaves_a_hint_behind_the_end_of_the_log(
    game: Game, path: Path, crash: int, after: bool
) -> None:
    """Whoever goes by the hint, as every listing does, finds a backup there at any moment."""
    line = game.offsets.index(game.backups[-1]) - 1
    with pytest.raises(Killed):
        die_at(path, "rewind", line, crash, after, _killed)
    data = path.read_bytes()
    hint = int(data[game.backups[0] + 1 : game.backups[0] + 9], 16)
    assert hint in game.backups
    assert data[hint : hint + 1] == b"*"


def _killed() -> None:
    raise Killed


def test_nobody_else_writes_between_the_count_and_the_cut(game: Game, path: Path) -> None:
    """All changes are made under one write lock."""
    levels = []

    class Watched(CrashingLog):
        def _change(self, act: Callable[[], None]) -> None:
            levels.append(self._writing)
            act()

    with Watched(str(path), 0, False, lambda: None) as file:
        carry_out(file, plan_rewind(Log(file), 6))
    assert levels == [True] * 4


def test_a_follower_of_a_rewound_log_knows_at_its_next_look(game: Game, path: Path) -> None:
    child = os.fork()
    if not child:
        status = 1
        try:
            with LogFile(str(path)) as file:
                log = Log(file)
                os.kill(os.getpid(), signal.SIGSTOP)
                if log.refresh() is Change.REWOUND:
                    status = 0 if len(log) == 7 else 2
        finally:
            os._exit(status)
    os.waitpid(child, os.WUNTRACED)
    rewind(path, 6)
    os.kill(child, signal.SIGCONT)
    assert os.waitpid(child, 0)[1] == 0
