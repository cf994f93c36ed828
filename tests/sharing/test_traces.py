"""Our processes do on a log, call for call and signal for signal, what real NetHack 4 processes were recorded doing.

Both are reduced to cycles, from rest to rest, by `tests.sharing.traces`, which says what that leaves out.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.builders import played
from tests.corpus import corpus
from tests.log.locks.test_keeper import ASKER
from tests.processes import Child, holding
from tests.sharing.parties import Party, holders, needs_handshake, needs_strace
from tests.sharing.traces import cycles, events
from tests.waiting import eventually

pytestmark = [needs_handshake, needs_strace]

Cycle = tuple[str, ...]

ASKED_BY = {
    side: ("hears: asks " + side + " a", "lets go", "answers a", "hears: releases " + side + " a", "locks again")
    for side in ("lower", "higher")
}
"""What a watcher does for a writer; `side` is the watcher's, seen from the writer."""
WRITING_TO = {
    side: (
        "is refused the write lock",
        "finds a",
        f"asks {side} a",
        "hears: answers a",
        "gets the write lock",
        f"releases {side} a",
        "writes",
        "goes to rest",
    )
    for side in ("lower", "higher")
}
ALONE = ("gets the write lock", "writes", "goes to rest")
"""Nobody is on the log, or those who were asked for the last line have not come back."""


def real(name: str) -> set[Cycle]:
    """All cycles of all processes in a recorded trace."""
    lines = corpus("nethack4", "handshake", f"{name}.merged.txt").read_text().splitlines()
    pids = {int(line.split()[0]) for line in lines}
    return {cycle for pid in pids for cycle in cycles(events(lines, pid))}


class Traced:
    """A process of ours under strace."""

    def __init__(self, path: str, trace: Path) -> None:
        self.trace = trace
        calls = "trace=fcntl,rt_sigqueueinfo,rt_sigtimedwait,pwrite64"
        self.party = Party(path, before=("strace", "-D", "-f", "-o", str(trace), "-e", calls))

    def cycles(self) -> list[Cycle]:
        """What it did since it was at rest first; it has to have ended."""
        assert eventually(lambda: "+++ exited" in self.trace.read_text() or "+++ killed" in self.trace.read_text())
        return cycles(events(self.trace.read_text().splitlines()))


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(3).write(tmp_path / "game.nhgame")


@contextmanager
def traced(path: str, count: int, look_again: float = 1.0) -> Iterator[list[Traced]]:
    """So many processes that monitor the log, in the order of their ids."""
    with ExitStack() as stack:
        found = [Traced(path, Path(f"{path}.{number}.trace")) for number in range(count)]
        found.sort(key=lambda one: one.party.pid)
        for one in found:
            stack.enter_context(one.party)
            assert one.party.hear() == "ready"
            assert one.party.do("monitor") == "monitoring"
            assert one.party.do(f"look_again {look_again}") == "patient"
        yield found


def turn(writer: Party, *watchers: Party) -> None:
    """The three lines of a turn, each seen by all."""
    for line in ("search", "+1b0a93", "search"):
        assert writer.do(f"append {line}") == "appended"
        for watcher in watchers:
            assert watcher.do("heard") == "heard"


@pytest.mark.parametrize(("writer_is", "side", "name"), [(0, "higher", "watch-hi"), (1, "lower", "watch-lo")])
def test_a_writer_and_a_watcher(path: str, writer_is: int, side: str, name: str) -> None:
    with traced(path, 2) as both:
        writer, watcher = both[writer_is], both[1 - writer_is]
        turn(writer.party, watcher.party)
    assert set(writer.cycles()) == {WRITING_TO[side]}
    assert set(watcher.cycles()) == {ASKED_BY[side]}
    assert {WRITING_TO[side], ASKED_BY[side]} <= real(name)


def test_two_watchers_are_asked_one_after_the_other_and_told_in_the_other_order(path: str) -> None:
    with traced(path, 3) as (writer, first, second):
        turn(writer.party, first.party, second.party)
    (cycle,) = set(writer.cycles())
    assert cycle in real("watch-two")
    assert set(first.cycles()) == set(second.cycles()) == {ASKED_BY["higher"]} <= real("watch-two")


def test_two_writers_in_turn(path: str) -> None:
    with traced(path, 2) as (lower, higher):
        for _ in range(3):
            turn(lower.party, higher.party)
            higher.party.do("refresh")
            turn(higher.party, lower.party)
            lower.party.do("refresh")
    assert set(lower.cycles()) == {WRITING_TO["higher"], ASKED_BY["lower"]} <= real("two-players")
    assert set(higher.cycles()) == {WRITING_TO["lower"], ASKED_BY["higher"]} <= real("two-players")


def test_two_writers_racing(path: str) -> None:
    """The recorded players did not collide; what colliding ones do is the transcript of the locking spec, 8.2."""
    with holding(path, "LOCK_SH") as foreign, traced(path, 2) as (lower, higher):
        for one in (higher, lower):
            one.party.do("patience 100")
            assert one.party.do("seek") == "seeking"
        foreign.tell()
        assert lower.party.hear() == "in the scope"
        lower.party.do("done")
        assert higher.party.hear() == "in the scope"
        higher.party.do("done")
        assert [one.party.do("until monitor") for one in (lower, higher)] == ["monitor"] * 2
    names = {foreign.pid: "foreign", lower.party.pid: "lower", higher.party.pid: "higher", 0: ""}

    def did(one: Traced) -> Iterator[str]:
        lines = one.trace.read_text().splitlines()
        return iter([f"{name}, {names[pid]}".strip(" ,") for name, pid in events(lines)])

    won, lost = did(lower), did(higher)
    for step in (
        *("asks higher, higher", "hears: answers, higher", "gets the write lock", "releases higher, higher"),
        "goes to rest",
        *("lets go", "answers, higher", "hears: releases lower, higher", "locks again"),
    ):
        assert step in won, "in this order"
    for step in (
        *("hears: asks higher, lower", "lets go", "answers, lower", "hears: releases higher, lower", "locks again"),
        *("gets the write lock", "releases lower, lower", "goes to rest"),
    ):
        assert step in lost, "in this order"


def test_a_stopped_watcher(path: str) -> None:
    with traced(path, 2) as (writer, watcher):
        watcher.party.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        assert writer.party.do("append search").startswith("LockNotObtained")
        assert time.monotonic() - began >= 2
        watcher.party.send_signal(signal.SIGCONT)
        assert watcher.party.do("heard") == "heard"
    attempt = ("is refused the write lock", "finds a", "asks higher a", "releases higher a")
    (cycle,) = writer.cycles()
    assert cycle[:4] == attempt
    assert set(watcher.cycles()) == {ASKED_BY["higher"]} <= real("stopped")
    assert any(cycle[:4] == attempt for cycle in real("stopped"))


def test_a_writer_that_dies_before_it_gives_leave(path: str) -> None:
    with Child(ASKER, path) as writer, traced(path, 1) as (watcher,):
        assert writer.hear() == "ready"
        writer.tell(f"queue 1 {watcher.party.pid}")
        assert writer.hear() == "answered"
        writer.kill()
        began = time.monotonic()
        assert holders(path) == {}
        assert watcher.party.do("heard") == "heard"
        assert time.monotonic() - began > 2.5
    assert set(watcher.cycles()) == {ASKED_BY["higher"][:3] + ASKED_BY["higher"][4:]} <= real("dies")


def test_a_watcher_that_dies_before_it_answers(path: str) -> None:
    """No real trace has this: the real writer waits two seconds and fails, ours looks whether it still lives."""
    with traced(path, 2, look_again=0.02) as (writer, watcher):
        watcher.party.send_signal(signal.SIGSTOP)
        writer.party.tell("append search")
        assert eventually(lambda: "rt_sigqueueinfo" in writer.trace.read_text())
        watcher.party.kill()
        assert writer.party.hear() == "appended"
    expected = [step for step in WRITING_TO["higher"] if not step.startswith("hears")]
    assert list(writer.cycles()) == [tuple(expected)]


def test_recorded_processes_do_only_what_the_tables_above_say() -> None:
    """What the comparison rests on: the recorded traces have no other cycles than these, cut short by a death."""
    known = {*WRITING_TO.values(), *ASKED_BY.values(), ALONE}
    known |= {tuple(step for step in cycle if step != "writes") for cycle in known}  # an input that was dropped
    for name in ("watch-hi", "watch-lo", "two-players", "midline"):
        assert real(name) <= known, name


def test_strace_itself_changes_nothing(path: str) -> None:
    with traced(path, 1) as (one,):
        assert one.party.do("state") == "monitor"
        assert os.path.exists(f"/proc/{one.party.pid}")
    assert one.cycles() == []
