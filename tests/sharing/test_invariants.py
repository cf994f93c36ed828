"""Writers and watchers at work, each noting what it holds and sees; nobody is killed, so every note is complete."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.builders import played
from tests.corpus import ROOT
from tests.processes import Child
from tests.sharing.checker import RECORDER, Broken, Span, check, read_notes
from tests.sharing.parties import needs_handshake

LINES = 60

_PROLOGUE = f"""
sys.path.insert(0, {str(ROOT)!r})
import select
from contextlib import suppress
from nhlog.errors import LockNotObtained, LogRecovered
from nhlog.log.append import InputDropped, Writer
from nhlog.log.file import LogFile
from nhlog.log.locks.keeper import KEEPER
from nhlog.log.wire.lines import Command
from nhlog.log.log import Log
from nhlog.log.notify import Changes
from nhlog.log import NotifyMethod
notes_path, way, lines = arguments[0], arguments[1], int(arguments[2])
"""

_WRITER = (
    _PROLOGUE
    + RECORDER
    + """
file = LogFile(path, writable=True)
log = Log(file)
writer = Writer(log)
if way:
    file.monitor(lambda: None)
say("ready")
wait()
written = dropped = 0
while written < lines:
    try:
        writer.append(Command("search", rest=b" L1" + b"x" * (written * 97 % 3000)))
        written += 1
    except InputDropped:
        dropped += 1
        log.refresh()
say(f"{written} {dropped}")
wait()
file.close()
"""
)

_WATCHER = (
    _PROLOGUE
    + RECORDER
    + """
file = LogFile(path)
changes = Changes(file, NotifyMethod(way))
log = Log(file)
say("ready")
wait()
heard = 0
while len(log) < lines:
    select.select([changes], [], [])
    changes.take()
    heard += 1
    with KEEPER._changed:  # in which nobody who asks is answered
        if KEEPER.state == "monitor":
            look(file)
    log.refresh()
say(f"{len(log)} {heard}")
wait()
changes.close()
file.close()
"""
)


@needs_handshake
@pytest.mark.parametrize(
    "watching",
    [["monitor"], ["monitor"] * 3, ["events", "monitor"]],
    ids=["one watcher", "three watchers", "both ways"],
)
def test_no_two_write_no_byte_changes_under_a_reader_and_every_watcher_lets_go(
    tmp_path: Path, watching: list[str]
) -> None:
    game = played(3)
    path = game.write(tmp_path / "game.nhgame")
    writing = ["monitor", "", "monitor"]
    total = len(game.lines) + LINES * len(writing)
    with ExitStack() as stack:
        children = []
        for number, way in enumerate([*watching, *writing]):
            code, lines = (_WATCHER, total) if number < len(watching) else (_WRITER, LINES)
            notes = tmp_path / f"{number}.notes"
            child = stack.enter_context(Child(code, path, str(notes), way, str(lines)))
            assert child.hear() == "ready"
            children.append((child, notes))
        for child, _ in children:
            child.tell()
        answers = [child.hear().split() for child, _ in children]
        for child, _ in children:
            child.tell()
    assert [int(answer[0]) for answer in answers] == [total] * len(watching) + [LINES] * len(writing)
    assert Path(path).read_bytes().count(b"\n") == total + 3
    spans = [span for child, notes in children for span in read_notes(child.pid, notes)]
    writes = [span for span in spans if span.lock == "write"]
    assert len(writes) >= LINES * len(writing)
    locking = [child.pid for (child, _), way in zip(children, [*watching, *writing], strict=True) if way != "events"]
    assert {span.pid for span in spans} == {*locking}
    check(spans)


# the checker itself


@pytest.mark.parametrize(
    ("spans", "holds"),
    [
        ([Span(1, "write", 0, 10), Span(2, "write", 10, 20)], True),
        ([Span(1, "write", 0, 10), Span(2, "write", 9, 20)], False),
        ([Span(1, "read", 0, 10), Span(2, "read", 5, 20)], True),
        ([Span(1, "read", 0, 10), Span(2, "write", 5, 6)], False),
        ([Span(1, "write", 0, 10), Span(2, "read", 5, 6)], False),
        ([Span(1, "write", 0, 10), Span(1, "read", 5, 20)], True),
        ([Span(1, "read", 0, 100), Span(2, "read", 5, 6), Span(3, "write", 50, 60)], False),
    ],
)
def test_the_checker_knows_a_broken_rule(spans: list[Span], holds: bool) -> None:
    if holds:
        check(spans)
    else:
        with pytest.raises(Broken):
            check(spans)


def test_the_checker_knows_a_byte_that_changed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text('["seen", true]\n["seen", false]\n')
    with pytest.raises(Broken, match="saw bytes change"):
        list(read_notes(1, notes))
