"""A process dies at each step of each operation, and another at each step of the next: what the rules say is left.

A step is a system call that changes something: a write, a cut, a flush, a lock. A write that lies in one page of the
file happens or does not; one that reaches into the next page can also end between them.
"""

import fcntl
import json
import os
import random
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from nhlog.errors import LogRecovered
from nhlog.log import Durability
from nhlog.log.append import GameIsOver, Writer
from nhlog.log.file import LogFile
from nhlog.log.locks import keeper
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_recovery, plan_rewind
from nhlog.log.verify import Report, verify
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Command
from tests.builders import binary_save, played
from tests.doses import dose
from tests.sharing.parties import needs_handshake

pytestmark = needs_handshake

PAGE = 4096
SEED = 20  # of the sample of pairs
SIZE = 400  # of saves
PAIRS = dose("kills.pairs")

Body = tuple[bytes, ...]
"""The lines, each save line as the save that it stands for."""


# the operations


def append(file: LogFile) -> None:
    Writer(Log(file), Durability.LINES).append(Command("search", rest=b" L1" + b"x" * 30))


def save(file: LogFile) -> None:
    log = Log(file)
    Writer(log, Durability.LINES).save(binary_save(90, log.columns.clock, size=SIZE), "a diff or a backup")


def back_up(file: LogFile) -> None:
    log = Log(file)
    writer = Writer(log, Durability.LINES)
    with writer._guard():
        writer._backup(Blob.of(binary_save(91, log.columns.clock, size=SIZE)), "a backup")


def recover(file: LogFile) -> None:
    if cut := plan_recovery(file):
        carry_out(file, cut)


def rewind(file: LogFile) -> None:
    log = Log(file)
    if cut := plan_rewind(log, len(log) - 8, "back again"):
        carry_out(file, cut)


def finish(file: LogFile) -> None:
    Writer(Log(file), Durability.LINES).finish("killed by a newt")


SEARCH = b"search L1" + b"x" * 30


def after(act: Callable[[LogFile], None], body: Body) -> set[Body]:
    """What may be left of a log, once its last half of a line is cut off: all of an operation or nothing."""
    if body[-1] == b"Q":
        return {body, body[: len(body) - 7]} if act is rewind else {body}
    done = {
        append: lambda: (*body, SEARCH),
        save: lambda: (*body, b"save 90"),
        back_up: lambda: (*body, b"save 91"),
        recover: lambda: body,
        rewind: lambda: body[: len(body) - 7],
        finish: lambda: (*body, b"Q"),
    }
    return {body, done[act]()}


OPERATIONS = (append, save, back_up, recover, rewind, finish)


@pytest.fixture(scope="module", autouse=True)
def _imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All that an operation imports when it is first done is here: not once more in each of the processes that die."""
    for act in OPERATIONS:
        path = tmp_path_factory.mktemp(act.__name__) / "game.nhgame"
        path.write_bytes(bytes(played(6, backup_every=4, size=SIZE).data) + b"sea")
        with LogFile(str(path), writable=True) as file:
            recover(file)
            act(file)


# dying


class Death:
    """Counts steps, and dies before the nth; with `torn`, in it. `tearing` are those that can be torn."""

    def __init__(self, step: int, torn: bool) -> None:
        self.step, self.torn = step, torn
        self.steps = 0
        self.tearing: list[int] = []
        self.pwrite, self.lockf = os.pwrite, fcntl.lockf
        os.pwrite = self.write  # type: ignore[assignment]
        for module, name in ((os, "ftruncate"), (os, "fsync"), (os, "fdatasync"), (os, "link"), (os, "replace")):
            setattr(module, name, self.counted(getattr(module, name)))
        keeper.fcntl = _Fcntl(self.counted(fcntl.lockf))  # type: ignore[assignment]

    def counted(self, call: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object, **options: object) -> object:
            self.count()
            return call(*arguments, **options)

        return counted

    def count(self, torn: Callable[[], object] = lambda: None) -> None:
        self.steps += 1
        if self.steps == self.step:
            if self.torn:
                torn()
            os.kill(os.getpid(), signal.SIGKILL)

    def write(self, fd: int, data: bytes, offset: int) -> int:
        whole = PAGE - offset % PAGE
        if len(data) > whole:
            self.tearing.append(self.steps + 1)
        self.count(lambda: self.pwrite(fd, data[:whole], offset))
        return self.pwrite(fd, data, offset)


class _Fcntl:
    def __init__(self, lockf: Callable[..., object]) -> None:
        self.lockf = lockf

    def __getattr__(self, name: str) -> object:
        return getattr(fcntl, name)


ENDLESS = 1_000_000


def dies(act: Callable[[LogFile], None], path: Path, step: int, torn: bool) -> list[tuple[int, bool]]:
    """Another process does it and dies on the way; if it lived to the end, where and how it could have died."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with LogFile(str(path), writable=True) as file:
                death = Death(step, torn)
                with suppress(LogRecovered, GameIsOver):
                    act(file)
            points = [(number, False) for number in range(1, death.steps + 1)]
            os.write(write, json.dumps(points + [(number, True) for number in death.tearing]).encode())
        finally:
            os._exit(0)
    os.close(write)
    _, status = os.waitpid(pid, 0)
    with open(read) as answer:
        text = answer.read()
    assert (os.WIFSIGNALED(status), bool(text)) in ((True, False), (False, True)), "it failed otherwise than by dying"
    return [(number, tearing) for number, tearing in json.loads(text or "[]")]


# what is left


def read(path: Path) -> tuple[int, str, Body]:
    """The recovery count, the status and the body of a log in which nothing is wrong."""
    with LogFile(str(path), writable=True) as file:
        recover(file)
        log = Log(file)
        *_, report = verify(log)
        assert isinstance(report, Report)
        assert not report.faults
        lines = [log.raw(number).data for number in range(len(log))]
        for number, line in enumerate(log.columns.save_lines):
            lines[line] = b"save %d" % log.columns.save_turns[number]
            log.save(number)
        found = log.header.identification
        return found.recovery_count, found.status, tuple(lines)


def hint(path: Path) -> None:
    """The first backup points at itself, or at something that readers test before they use it."""
    data = path.read_bytes()
    first = data.index(b"\n*") + 1
    int(data[first + 1 : first + 9], 16)
    assert data[30] == data[109] == ord("\n"), "lines 1 and 2 have their widths"


@pytest.fixture(params=["", "search"], ids=["at a newline", "in half a line"])
def begin(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Path]:
    """A log whose next line will cross a page's boundary, as it was before any death."""
    game = played(6, backup_every=4, size=SIZE)
    game.line(b"search L1".ljust(-(len(game.data) + 6) % PAGE, b"x"))  # and then five bytes are left of the page
    whole = bytes(game.data) + request.param.encode()

    def written() -> Path:
        for old in tmp_path.glob("game*"):
            old.unlink()
        path = tmp_path / "game.nhgame"
        path.write_bytes(whole)
        return path

    return written


DEATHS: dict[tuple[Callable[[LogFile], None], bytes], list[tuple[int, bool]]] = {}
"""Where and how one can die in an operation on a log of these bytes."""


def deaths(act: Callable[[LogFile], None], path: Path) -> list[tuple[int, bool]]:
    log = act, path.read_bytes()
    if log not in DEATHS:
        DEATHS[log] = dies(act, path, ENDLESS, False)
    return DEATHS[log]


Left = tuple[tuple[str, bytes], ...]
"""What is left of a log: its file, and those that were cut off it, by their names."""


def left(path: Path) -> Left:
    return tuple((file.name, file.read_bytes()) for file in sorted(path.parent.glob("game*")))


def put_back(path: Path, what: Left) -> None:
    for old in path.parent.glob("game*"):
        old.unlink()
    for name, data in what:
        (path.parent / name).write_bytes(data)


FOLLOWED: dict[Left, tuple[int, str, Body, Body]] = {}
"""Of what was left: what is read of it, and the body once somebody played on.  The same bytes are followed up once."""


def follow(path: Path) -> tuple[int, str, Body, Body]:
    what = left(path)
    if what not in FOLLOWED:
        found = read(path)
        with LogFile(str(path), writable=True) as file, suppress(GameIsOver):
            Writer(Log(file)).append(Command("search"))
        FOLLOWED[what] = *found, read(path)[2]
    return FOLLOWED[what]


def check(path: Path, before: Body, allowed: set[Body], what: object) -> None:
    hint(path)
    count, status, body, played_on = follow(path)
    assert body in allowed, what
    assert count > 1 or body[: len(before)] == before, (what, "lines went, and nobody is told")
    assert status == "save" or body[-1] == b"Q", what
    assert played_on == (body if body[-1] == b"Q" else (*body, b"search")), "it cannot be played on"


@pytest.mark.parametrize("act", OPERATIONS)
def test_whoever_dies_in_an_operation_leaves_all_of_it_or_nothing(
    begin: Callable[[], Path], act: Callable[[LogFile], None]
) -> None:
    *_, before = read(begin())
    points = deaths(act, begin())
    assert points or act is recover, "who finds nothing to recover takes no step"
    for step, torn in points:
        path = begin()
        dies(act, path, step, torn)
        check(path, before, after(act, before), (step, torn))


@pytest.mark.parametrize("second", OPERATIONS)
@pytest.mark.parametrize("first", OPERATIONS)
def test_whoever_dies_after_one_who_died_does_so_too(
    begin: Callable[[], Path], first: Callable[[LogFile], None], second: Callable[[LogFile], None]
) -> None:
    *_, before = read(begin())
    allowed = {body for middle in after(first, before) for body in after(second, middle)}
    pairs = [(state, other) for state in states(first, begin) for other in deaths_at(second, state, begin)]
    found: set[Left] = set()
    for state, other in random.Random(SEED).sample(pairs, min(PAIRS, len(pairs))):
        path = begin()
        put_back(path, state)
        dies(second, path, *other)
        if (result := left(path)) not in found:
            found.add(result)
            check(path, before, allowed, (state, other))


STATES: dict[tuple[Callable[[LogFile], None], bytes], list[Left]] = {}


def states(act: Callable[[LogFile], None], begin: Callable[[], Path]) -> list[Left]:
    """What a death in the operation can leave: of two deaths that leave the same bytes, what follows is the same."""
    log = act, begin().read_bytes()
    if log not in STATES:
        found: dict[Left, None] = {}
        for point in deaths(act, begin()):
            path = begin()
            dies(act, path, *point)
            found[left(path)] = None
        STATES[log] = [*found]
    return STATES[log]


def deaths_at(act: Callable[[LogFile], None], state: Left, begin: Callable[[], Path]) -> list[tuple[int, bool]]:
    """Where and how one can die in an operation on what another left."""
    path = begin()
    put_back(path, state)
    return deaths(act, path)
