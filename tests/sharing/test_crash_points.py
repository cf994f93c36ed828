"""A process dies at each step of each operation, and another at each step of the next: what the rules say is left.

A step is a system call that changes something: a write, a cut, a flush, a lock. A write that lies in one page of the
file happens or does not; one that reaches into the next page can also end between them.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from nhlog.log.append import GameIsOver, Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Report, verify
from nhlog.log.wire.lines import Command
from tests.builders import played
from tests.doses import dose
from tests.sharing.dying import ENDLESS, OPERATIONS, PAGE, SIZE, append, back_up, dies, finish, recover, rewind, save
from tests.sharing.parties import needs_handshake

pytestmark = needs_handshake

SEED = 20  # of the sample of pairs
PAIRS = dose("kills.pairs")

Body = tuple[bytes, ...]
"""The lines, each save line as the save that it stands for."""


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
