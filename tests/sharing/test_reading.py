"""A reader comes between any two steps of a writer, and in the middle of each: what it takes for the log was the log.

The steps are those that the real writers make: they are noted as they reach the system, and made again one at a time by
a process that has the write lock when the writer had it.  The reader runs as it is; before one of its own calls to the
system, some steps are made.
"""

import fcntl
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.files import cuts
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.locks import keeper
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_recovery, plan_rewind
from nhlog.log.returning import carry_out_return, joined, plan_return
from nhlog.log.tail import read_tail
from nhlog.log.wire.header import Header, parse_header
from nhlog.log.wire.lines import Command
from nhlog.relay.copy import Copy
from nhlog.relay.following import Following
from nhlog.relay.sources import open_source
from nhlog.relay.wire import Message
from tests.builders import binary_save, played
from tests.doses import dose, seeded
from tests.processes import Child
from tests.relay import made
from tests.relay.made import send
from tests.sharing.parties import needs_handshake

pytestmark = needs_handshake

SIZE = 400  # of saves
LOOKS = dose("reading.looks")
FOLLOWERS = dose("reading.followers")

# what writers do


def append(file: LogFile) -> None:
    Writer(Log(file)).append(Command("search", rest=b" L1"))


def save(file: LogFile) -> None:
    log = Log(file)
    Writer(log).save(binary_save(90 + len(log), log.columns.clock, size=SIZE), "a diff")


def back_up(file: LogFile) -> None:
    log = Log(file)
    writer = Writer(log)
    writer._diff = lambda save: None
    writer.save(binary_save(91 + len(log), log.columns.clock, size=SIZE), f"a backup of {len(log)} lines")


def describe(file: LogFile) -> None:
    log = Log(file)
    Writer(log).describe(f"left after {len(log)} lines")


def adopt(file: LogFile) -> None:
    log = Log(file)
    Writer(log).adopt(f"4.{len(log) % 1000:03d}.000")


def recover(file: LogFile) -> None:
    with file.writing():
        file.pwrite(b"sear", file.size())
    carry_out(file, plan_recovery(file), keep=False)


def mend(file: LogFile) -> None:
    with file.writing():
        file.pwrite(b"half a line", file.size())
    append(file)


def rewind(file: LogFile) -> None:
    log = Log(file)
    carry_out(file, plan_rewind(log, len(log) - 6, f"back from {len(log)} lines"))


def rewind_and_play_on(file: LogFile) -> None:
    """To beyond the old size, and with other lines: who looks at sizes alone takes it for growth."""
    size = file.size()
    rewind(file)
    while file.size() <= size:
        append(file)


def put_back(file: LogFile) -> None:
    rewind(file)
    kept = [*cuts.kept_of(file.name)][-1]
    log = joined(file, kept)
    carry_out_return(file, plan_return(file, log, kept, "as it was"), os.lstat(kept).st_mtime_ns)


def finish(file: LogFile) -> None:
    Writer(Log(file)).finish("killed by a newt")


def write_as_nethack4(file: LogFile) -> None:
    """A line in pieces."""
    with file.writing():
        for piece in (b"move", b" D4", b"\n"):
            file.pwrite(piece, file.size())


def recover_as_nethack4(file: LogFile) -> None:
    """Line 1 before the cut, the first backup's pointer and line 2 as they were (log spec 10.1)."""
    log = Log(file)
    with file.writing():
        found = log.header.identification
        file.pwrite(b"NHGAME save %08x 4.003.000\n" % (found.recovery_count + 1), 0)
        file.truncate(log.columns.offsets[-3])


def messages_of(path: str, *acts: Callable[[str], None]) -> list[Message]:
    """What a sender tells of a log like this one, with all that is done to it."""
    stored: list[Message] = []
    source = shutil.copy(path, f"{path}.source.nhgame")
    with closing(open_source(source)) as sent:
        following = Following(sent)
        send(following, stored)
        for act in acts:
            act(source)
            send(following, stored)
    os.unlink(source)
    return stored


def receive(path: str, stored: list[Message]) -> None:
    with closing(Copy(path)) as copy:
        for message in stored:
            copy.take(message)
        copy.caught_up()


def search(path: str) -> None:
    made.append(path, "search", "+", "move D4")


def take_back(path: str) -> None:
    made.rewind(path, 5)


def wait(path: str) -> None:
    made.append(path, "wait L20", *["wait"] * 40)


def catch_up(file: LogFile) -> None:
    """A copy of a log that was taken back since, and played on."""
    file.close()
    receive(file.name, messages_of(file.name, take_back, search))


def begin_anew(file: LogFile) -> None:
    """A copy that is what was sent, before which a receiver begins again, with all that the log was before."""
    file.close()
    stored = messages_of(file.name, search, take_back, wait)
    for _ in range(2):
        receive(file.name, stored)


OPERATIONS = (
    append,
    save,
    back_up,
    describe,
    adopt,
    recover,
    mend,
    rewind,
    rewind_and_play_on,
    put_back,
    finish,
    write_as_nethack4,
    recover_as_nethack4,
    catch_up,
    begin_anew,
)

# noting the steps, and making them again


class Step(NamedTuple):
    """A call that changes the log, or who may write it: `lock`, `write`, `cut`, `unlock`."""

    what: str
    at: int = 0
    data: bytes = b""


@contextmanager
def noted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Step]]:
    """The steps that are made in this scope; a write as two, as a reader may find the half of it."""
    steps: list[Step] = []
    pwrite, ftruncate, lockf = os.pwrite, os.ftruncate, keeper.fcntl.lockf

    def write(fd: int, data: bytes, offset: int) -> int:
        half = max(len(data) // 2, 1)
        steps.extend([Step("write", offset, bytes(data[:half])), Step("write", offset + half, bytes(data[half:]))])
        return pwrite(fd, data, offset)

    def cut(fd: int, size: int) -> None:
        steps.append(Step("cut", size))
        ftruncate(fd, size)

    def lock(fd: int, kind: int) -> None:
        lockf(fd, kind)
        if kind & keeper.fcntl.LOCK_EX:
            steps.append(Step("lock"))
        elif kind & keeper.fcntl.LOCK_UN and steps and steps[-1].what != "unlock":
            steps.append(Step("unlock"))

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", write)
        patched.setattr(os, "ftruncate", cut)
        patched.setattr(keeper.fcntl, "lockf", lock)
        yield steps


class Seen(NamedTuple):
    """What the log was, or a reader takes it for: its header, its lines, and where the last one ends."""

    header: Header
    lines: tuple[bytes, ...]
    end: int


def history(data: bytes, steps: list[Step]) -> list[Seen]:
    """All that the log was while the steps were made, the last at the end.

    A header that is being changed, in two writes or between the count and the cut, is none that anybody is to see.
    """
    body, seen = bytearray(data), list[Seen]()
    length = parse_header(data).length
    resting = data[:length]
    for step in (Step("unlock"), *steps):
        make(body, step)
        if step.what == "unlock":
            resting = bytes(body[:length])
        if body[:length] == resting:
            lines = bytes(body[length:]).split(b"\n")[:-1]
            seen.append(Seen(parse_header(resting), without_pointer(lines), body.rfind(b"\n") + 1))
    return seen


def make(body: bytearray, step: Step) -> None:
    """Do to the bytes what the step does to the file."""
    if step.what == "write":
        body[step.at : step.at + len(step.data)] = step.data
    elif step.what == "cut":
        del body[step.at :]


def without_pointer(lines: list[bytes]) -> tuple[bytes, ...]:
    """The lines less the first backup's pointer, which is rewritten, and which everybody tests before use."""
    return (lines[0][:1] + lines[0][9:], *lines[1:])


def taken(log: Log) -> Seen:
    """What the reader knows, and what it reads again now."""
    return Seen(log.header, without_pointer([log.raw(number).data for number in range(len(log))]), log.end)


_WRITER = """
import json
steps = [(what, at, bytes.fromhex(data)) for what, at, data in json.loads(arguments[0])]
with open(path, "rb") as file:
    data = file.read()
fd = os.open(path, os.O_RDWR)
at = 0
say("ready")
while True:
    until = int(wait())
    if until < at:
        fcntl.lockf(fd, fcntl.LOCK_UN)
        os.ftruncate(fd, 0)
        os.pwrite(fd, data, 0)
        at = 0
    for what, place, piece in steps[at:until]:
        if what == "write":
            os.pwrite(fd, piece, place)
        elif what == "cut":
            os.ftruncate(fd, place)
        else:
            fcntl.lockf(fd, fcntl.LOCK_EX if what == "lock" else fcntl.LOCK_UN)
    at = max(at, until)
    say(at)
"""


class Again(Child):
    """A process that makes noted steps again, on a log that is as it was before them."""

    def __init__(self, path: Path, data: bytes, steps: list[Step]) -> None:
        path.write_bytes(data)
        told = json.dumps([(step.what, step.at, step.data.hex()) for step in steps])
        super().__init__(_WRITER, str(path), told)
        assert self.hear() == "ready"

    def go_to(self, until: int) -> None:
        """Make the steps up to that one; from the beginning, if they were made already."""
        self.tell(str(until))
        assert self.hear() == str(until)


class Interrupted:
    """Makes `act` happen before the nth call to the system that a reader makes from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls, self.before, self.act = 0, -1, lambda: None
        for module, name in ((os, "pread"), (os, "fstat"), (fcntl, "fcntl")):
            monkeypatch.setattr(module, name, self._counted(getattr(module, name)))

    def at(self, before: int, act: Callable[[], None]) -> None:
        self.calls, self.before, self.act = 0, before, act

    def _counted(self, call: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object) -> object:
            self.calls += 1
            if self.calls == self.before:
                self.act()
            return call(*arguments)

        return counted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.nhgame"


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Interrupted:
    for module in ("log", "reading"):
        monkeypatch.setattr(f"nhlog.log.{module}.PATIENCE", 0.003)  # who waits for a writer who waits for us
    return Interrupted(monkeypatch)


def noted_steps(path: Path, acts: Sequence[Callable[[LogFile], None]]) -> tuple[bytes, list[Step]]:
    """A log as it was, and the steps in which its writers did that."""
    played(8, backup_every=4, size=SIZE).write(path)
    data = path.read_bytes()
    with pytest.MonkeyPatch.context() as patch, noted(patch) as steps:
        for act in acts:
            with LogFile(str(path), writable=True) as file, suppress(NhlogError):
                act(file)
    return data, steps


def look(log: Log) -> Seen | None:
    """What a follower has after a look; None where the log was busy, or what it knew was cut off meanwhile."""
    with suppress(LockNotObtained, LogRecovered):
        log.refresh()
        return taken(log)
    return None


@pytest.mark.parametrize("act", OPERATIONS)
def test_between_any_two_steps_of_a_writer_a_reader_finds_the_log_as_it_was_at_one_moment(
    path: Path, interrupted: Interrupted, act: Callable[[LogFile], None]
) -> None:
    data, steps = noted_steps(path, [act])
    was = history(data, steps)
    ends = {(seen.header, seen.end) for seen in was}
    found = 0
    with Again(path, data, steps) as writer:
        for begun in range(len(steps) + 1):
            for until in {begun + 1, len(steps)}:
                for call in (1, 2, 3, 4, 6, 9):
                    writer.go_to(0)
                    with LogFile(str(path)) as file:
                        follower = Log(file)
                        writer.go_to(begun)
                        interrupted.at(call, lambda until=until: writer.go_to(min(until, len(steps))))
                        seen = look(follower)
                        assert seen is None or seen in was, (begun, until, call)
                        interrupted.at(-1, lambda: None)
                        writer.go_to(len(steps))
                        assert look(follower) == was[-1]
                    writer.go_to(0)
                    writer.go_to(begun)
                    with LogFile(str(path)) as file:
                        interrupted.at(call, lambda until=until: writer.go_to(min(until, len(steps))))
                        with suppress(LockNotObtained, LogRecovered):
                            assert taken(Log(file)) in was, (begun, until, call)
                            found += 1
                        interrupted.at(call, lambda: None)
                        with suppress(LockNotObtained):
                            tail = read_tail(file)
                            assert (tail.header, tail.end) in ends, (begun, until, call)
    assert found > len(steps)


def test_a_reader_who_is_slower_than_several_writers_finds_the_log_as_it_was_at_one_moment(
    path: Path, interrupted: Interrupted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one who keeps an index, whose lines are those of one moment, too."""
    monkeypatch.setattr("nhlog.log.log.CHUNK", 300)  # so that much can happen in one look
    chance = seeded(32)
    looks = 0
    while looks < LOOKS:
        monkeypatch.setattr("nhlog.log.log.WORTHWHILE", chance.choice((1, 1 << 16)))
        data, steps = noted_steps(path, chance.choices(OPERATIONS, k=4))
        was = history(data, steps)
        with Again(path, data, steps) as writer:
            for _ in range(FOLLOWERS):
                looks += followed(writer, path, steps, was, interrupted, chance)


def followed(
    writer: Again, path: Path, steps: list[Step], was: list[Seen], interrupted: Interrupted, chance: random.Random
) -> int:
    """The number of looks of a reader, before whose calls to the system some steps are made."""
    at = looks = 0
    writer.go_to(0)
    with LogFile(str(path)) as file:
        log = Log(file)
        while at < len(steps):
            to = min(at + chance.choice((1, 1, 2, 5, 20)), len(steps))
            interrupted.at(chance.randrange(1, 12), lambda to=to: writer.go_to(to))
            seen = look(log) if chance.random() < 0.8 else anew(file)
            assert seen is None or seen in was, (at, to, interrupted.before)
            if interrupted.calls < interrupted.before:
                writer.go_to(to)
            at, looks = to, looks + 1
        interrupted.at(-1, lambda: None)
        assert look(log) == was[-1] == taken(Log(file))
    return looks


def anew(file: LogFile) -> Seen | None:
    """What somebody has who opens the log now."""
    with suppress(LockNotObtained, LogRecovered):
        return taken(Log(file))
    return None


def test_nothing_is_cut_off_a_copy_or_changed_in_it_under_a_count_that_it_had(path: Path) -> None:
    """Whatever a receiver begins with: a copy as it was at any time, also under an earlier count, or none."""
    played(8, backup_every=4, size=SIZE).write(path)
    states = [path.read_bytes()]
    stored = messages_of(str(path), search, take_back, search, wait, take_back, take_back, wait)
    for number in range(1, len(stored) + 1):
        receive(str(path), stored[:number])
        states.append(path.read_bytes())
    for before in (b"", *states):
        for number in range(1, len(stored) + 1):
            path.write_bytes(before)
            inode = path.stat().st_ino
            with pytest.MonkeyPatch.context() as patch, noted(patch) as steps:
                receive(str(path), stored[:number])
            assert path.read_bytes() == states[number]
            if path.stat().st_ino == inode:
                assert kept_to_the_rules(before, steps)


def kept_to_the_rules(data: bytes, steps: list[Step]) -> bool:
    """Whether each cut came after a raised count under the same lock, or took that with it, and no line was changed."""
    body, raised, known = bytearray(data), False, count_of(data)
    for step in steps:
        before = bytes(body)
        make(body, step)
        count = count_of(bytes(body)) if body else known
        raised = (raised or count > known) and step.what != "unlock"
        if count < known or (body and not before and known >= count > 0 and data):
            return False
        if step.what == "cut" and 0 < len(body) < len(before) and not raised:
            return False
        if step.what == "write" and before and parse_header(before).length <= step.at < len(before) and not raised:
            return False
        known = count
    return True


def count_of(data: bytes) -> int:
    """The recovery count of a log, 0 of nothing."""
    return int(data[12:20] or b"0", 16)
