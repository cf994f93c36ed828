"""The wall around the emulator: what falls behind it, is killed there or sends rubbish costs nobody else anything."""

import os
import random
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from nhlog.emulator.wire import CELL, GRAPHEME, LINK, LOOK, MOST_LINK, MOST_TEXT, ROW, SIZE, STYLES, TEXTS, Command
from nhlog.vt import EmulatorFailed, Grid, Part, Reading, Size, Tape, Terminal
from nhlog.vt.process import Ended, Process, Refused, shared
from nhlog.vt.rows import Garbled, Rows, Texts
from tests.corpus import ROOT, SAMPLES, corpus
from tests.doses import dose, seeded
from tests.vt.test_tape import parts_of, spans

SIZE_OF = Size(80, 24)
FATAL = corpus("emulator", "segv-80x24.bin").read_bytes()
WIDE = Size(200, 10)
FATAL_WHERE_IT_GETS_WIDER = b"x\x1b[65535b\x1b[?7l\x1b]8;;h\x07k\x1b[H\x1b]8;;h\x07n\x1b]8;;h\x07l"
"""More lines than one page of the emulator's memory has at `WIDE`, no wrapping, and three links."""


def fed(*parts: bytes) -> Terminal:
    terminal = Terminal(SIZE_OF)
    for part in parts:
        terminal.feed(part)
    return terminal


def process_of() -> Process:
    """The process that emulates for this one, which has begun."""
    fed(b"a").grid()
    return shared()


# what falls


def test_bytes_over_which_it_falls_are_told_and_others_go_on() -> None:
    other = fed(b"other")
    shown = other.grid()
    with pytest.raises(EmulatorFailed, match=r"the terminal emulator failed: found signal 11"):
        fed(b"before", FATAL).grid()
    assert other.grid() == shown


def test_a_terminal_with_links_that_gets_wider_falls_and_a_recording_of_it_does_not() -> None:
    """A recording goes on from a snapshot there, and has no such pages."""
    wider = Size(WIDE.columns + 1, WIDE.rows)
    terminal = Terminal(WIDE)
    terminal.feed(FATAL_WHERE_IT_GETS_WIDER)
    shown = terminal.grid()
    terminal.resize(wider)
    with pytest.raises(EmulatorFailed, match=r"the terminal emulator failed: found signal 11"):
        terminal.grid()
    tape = Tape(WIDE, spans([FATAL_WHERE_IT_GETS_WIDER, wider]))
    assert tape.grid(1) == shown
    assert (tape.grid(2).columns, tape.fault, tape.gaps) == (wider.columns, None, [])


def test_of_terminals_in_several_threads_those_are_blamed_that_are_to_blame() -> None:
    def shown(part: bytes) -> str:
        terminal = fed(b"before ", part)
        try:
            return terminal.grid().text()[0]
        except EmulatorFailed:
            return "failed"

    parts = [b"one", FATAL, b"two"] * 30
    with ThreadPoolExecutor(6) as threads:
        found = [*threads.map(shown, parts)]
    assert found == ["failed" if part is FATAL else f"before {part.decode()}" for part in parts]


@pytest.mark.parametrize(("fault", "told"), [("os.abort()", "signal 6"), ("os._exit(1)", "the end of its process")])
def test_one_that_ends_before_it_does_anything_is_told_and_not_started_again_and_again(
    fault: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where its library ends whoever loads it."""
    (tmp_path / "sitecustomize.py").write_text(f"import os\n{fault}\n")
    shared().end()
    with monkeypatch.context() as broken:
        broken.syspath_prepend(tmp_path)
        with pytest.raises(EmulatorFailed, match=f"the terminal emulator failed: found {told}"):
            fed(b"a").grid()
    assert fed(b"a").grid().text()[0] == "a"


def test_a_recording_is_shown_up_to_there_and_goes_on_behind_it_with_the_next_whole_screen() -> None:
    parts = [b"one", b" two", FATAL, b"lost", Size(30, 5), b"lost", b"\x1b[2J\x1b[Hnew", b" there"]
    tape = Tape(SIZE_OF, spans(parts))
    shown = [tape.grid(at) for at in range(len(parts) + 1)]
    assert [grid.text()[0] for grid in shown] == ["", "one", *["one two"] * 5, "new", "new there"]
    assert (shown[-1].columns, len(shown[-1].rows)) == (30, 5)
    assert [(gap.first, gap.last) for gap in tape.gaps] == [(2, 6)]
    assert [tape.hindrance(at) is not None for at in range(9)] == [False] * 3 + [True] * 4 + [False] * 2
    assert tape.fault is None
    assert [tape.grid(at) for at in range(len(parts) + 1)] == shown
    assert [played for played, _ in tape.walk(0, 8, lambda played, part: True)] == [0, 1, 2, 7, 8]


def test_a_whole_screen_behind_it_in_the_same_part_is_shown_with_that_part() -> None:
    parts: list[Part] = [b"one", FATAL + b"lost\x1b[2J\x1b[Hnew", b" there", b"\x1b[2Jlost" + FATAL, b"lost"]
    tape = Tape(SIZE_OF, spans(parts))
    assert [tape.grid(at).text()[0] for at in range(6)] == ["", "one", "new", *["new there"] * 3]
    assert [tape.hindrance(at) is not None for at in range(6)] == [False] * 4 + [True] * 2
    assert [played for played, _ in tape.walk(0, 5, lambda played, part: True)] == [0, 1, 3]


def test_it_goes_on_from_the_same_places_whichever_way_one_came() -> None:
    lines = [b"line %d\r\n" % number for number in range(400)]
    parts = [*lines, FATAL, *lines, b"\x1bc", *lines, b"x" * (1 << 16) + FATAL, b"lost"]
    whole = Tape(SIZE_OF, spans(parts))
    whole.go(len(parts))
    walked = Tape(SIZE_OF, spans(parts))
    places = [played for played, _ in walked.walk(0, len(parts), lambda played, part: played % 50 == 0)]
    assert [(gap.first, gap.last) for gap in whole.gaps] == [(400, 801), (1202, None)]
    assert [(gap.first, gap.last) for gap in walked.gaps] == [(400, 801), (1202, None)]
    assert places == [0, *range(50, 401, 50), *range(850, 1202, 50)]
    assert isinstance(whole.fault, EmulatorFailed)
    assert whole.reach == 1202
    chance = seeded(1)
    for at in (chance.randrange(len(parts) + 1) for _ in range(dose("vt.turns"))):
        assert whole.grid(at) == walked.grid(at)


def test_what_comes_later_may_end_what_could_not_be_shown() -> None:
    parts: list[Part] = [b"one", FATAL, b"lost"]
    tape = Tape(SIZE_OF, spans(parts))
    assert tape.grid(3).text()[0] == "one"
    assert tape.reach == 1
    parts += [b"\x1b[?1049hall", b" new"]
    assert tape.grid(5).text()[0] == "all new"
    assert (tape.fault, tape.reach) == (None, 5)


# what is killed


def test_whenever_it_is_killed_the_screens_are_the_same() -> None:
    parts, chance = parts_of(300), seeded(5)
    expected = Tape(Size(60, 12), spans(parts))
    grids = [expected.grid(at) for at in range(301)]
    texts = [grid.text() for grid in grids]
    seen: list[tuple[int, Grid]] = []
    walked: list[tuple[int, list[str]]] = []
    done = threading.Event()

    def look() -> None:
        tape = Tape(Size(60, 12), spans(parts))
        while not done.is_set():
            at = chance.randrange(301)
            seen.append((at, tape.grid(at)))
            walk = tape.walk(chance.randrange(301), 300, lambda played, part: played % 5 > 0)
            walked.extend((played, reading.texts) for played, reading in islice(walk, chance.randrange(100)))

    looking = threading.Thread(target=look)
    looking.start()
    killer, killed = random.Random(6), 0
    while killed < dose("vt.kills"):
        looked = len(seen)
        while len(seen) == looked and looking.is_alive():
            time.sleep(killer.random() / 500)
        process = shared()
        os.kill(process.pid, signal.SIGKILL)
        killed += 1
    done.set()
    looking.join()
    assert len(seen) >= dose("vt.kills")
    assert all(grid == grids[at] for at, grid in seen)
    assert all(rows == texts[at] for at, rows in walked)


def test_one_that_is_killed_with_all_that_was_sent_to_it_is_fed_again() -> None:
    terminal, reading = fed(*[b"%d " % number for number in range(100)]), Reading()
    shown = terminal.grid()
    terminal.feed(b"more")
    os.kill(process_of().pid, signal.SIGKILL)
    assert terminal.grid().text()[3].endswith("98 99 more")
    terminal.read(reading)
    assert reading.changed == [*range(24)]
    terminal.snapshot()
    os.kill(process_of().pid, signal.SIGKILL)
    assert terminal.grid().rows[0] == shown.rows[0]
    terminal.read(reading)
    assert reading.changed == []


def test_however_it_is_fed_little_would_have_to_be_fed_again() -> None:
    one, other, piece = fed(), fed(), b"x" * 10_000
    reading = Reading()
    one.read(reading)
    for _ in range(50):  # a case: megabytes
        for told in one.feed_reading([piece] * 10, reading):
            reading.take(told)
        for _ in range(10):
            other.feed(piece)
        for terminal in (one, other):
            assert sum(map(len, terminal.fed[1])) <= 1 << 20
    assert one.grid() == other.grid()
    assert reading.texts == other.grid().text()


def test_one_that_was_forked_from_its_user_has_its_own() -> None:
    terminal = fed(b"one")
    shown = terminal.grid()
    pid = os.fork()
    if not pid:
        terminal.feed(b" two")
        os._exit(terminal.grid().text()[0] != "one two")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert terminal.grid() == shown


def test_it_ends_with_its_user() -> None:
    code = "from nhlog.vt import *; from nhlog.vt.process import shared; t = Terminal(USUAL_SIZE); t.grid(); "
    code += "print(shared().pid, flush=True); import os; os.kill(os.getpid(), 9)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    try:
        handle = os.pidfd_open(int(done.stdout))
    except ProcessLookupError:
        return
    select.select([handle], [], [])
    os.close(handle)


# what it may do


def test_it_has_nothing_but_its_socket_and_few_rights() -> None:
    folder = Path("/proc", str(process_of().pid))
    assert os.listdir(folder / "fd") == ["0"]
    assert os.readlink(folder / "fd" / "0").startswith("socket:")
    status = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines())
    assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "1")
    limits = (folder / "limits").read_text()
    assert re.search(r"^Max data size +536870912 +536870912 ", limits, re.MULTILINE)
    names = {variable.partition(b"=")[0] for variable in (folder / "environ").read_bytes().split(b"\0")}
    assert names <= {b"", b"LD_LIBRARY_PATH", b"PYGHOSTTY_LIB", b"PYTHONHOME", b"PYTHONPATH"}


def test_the_emulator_is_in_that_process_alone() -> None:
    code = "import sys; from terminal.cli import main; main(sys.argv[1:]); import nhlog.vt.process as p; "
    code += "one = p.shared(); one.ask(p.Command.SPENT, 0); "
    code += "print(*('ghostty' in open(f'/proc/{pid}/maps').read() for pid in ('self', one.pid)), file=sys.stderr)"
    file = str(SAMPLES / "nethack.cast")
    for verb in (("show", file, "--at", "end"), ("search", file, "dwarv"), ("events", file), ("info", file)):
        done = subprocess.run([sys.executable, "-c", code, *verb], cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stderr.splitlines()[-1] == "False True", verb


def test_it_has_so_much_memory_and_no_more() -> None:
    """It fails then, or falls; whoever uses it hears of it either way."""
    process = Process()

    def fill() -> None:
        for number in range(4000):
            process.send(Command.NEW, number, SIZE.pack(1000, 500))
            process.send(Command.FEED, number, b"\x1b[1;38;2;%d;2;3mx" % (number % 256) * 10)
        deque((process.ask(Command.SPENT, number) for number in range(4000)), 0)

    try:
        with pytest.raises((Refused, Ended)):
            fill()
    finally:
        process.end()


# what it sends


def looks() -> tuple[bytes, bytes]:
    process = process_of()
    process.send(Command.NEW, 999_999, SIZE.pack(20, 4))
    process.send(Command.FEED, 999_999, "a \x1b[1;31mred\x1b[0m e\u0301 漢\x1b[44m\x1b[K\x1b]2;title\x07".encode())
    process.send(Command.FEED, 999_999, b"\x1b[2H\x1b]8;;http://a/\x07link")
    look, texts = process.ask(Command.LOOK, 999_999), process.ask(Command.TEXTS, 999_999, b"\1")
    assert look is not None
    assert texts is not None
    return look, texts


def test_rubbish_that_it_sends_is_refused_and_nothing_else() -> None:
    chance = seeded(8)
    look, texts = looks()
    assert Rows().look(look).text()[0] == "a red e\u0301 漢"
    for told, read in ((look, lambda data: Rows().look(data)), (texts, Texts.told)):
        for _ in range(dose("vt.garbled")):
            data = bytearray(told)
            for _ in range(chance.randrange(1, 4)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            with suppress(Garbled):
                read(bytes(data[: chance.choice((len(data), chance.randrange(len(data) + 1)))]))


@pytest.mark.parametrize(
    "told",
    [
        LOOK.pack(60_000, 24, 0, 0, 1, 0, 0),
        LOOK.pack(80, 24, 80, 0, 1, 0, 0),
        LOOK.pack(80, 24, 0, 0, 1, 0, 0),  # and no rows
        LOOK.pack(2, 1, 0, 0, 1, 0, 1) + ROW.pack(1, 0),
        LOOK.pack(2, 1, 0, 0, 1, 0, 1) + ROW.pack(0, 1 << 31),
        b"",
    ],
)
def test_screens_that_there_cannot_be_are_refused(told: bytes) -> None:
    with pytest.raises(Garbled):
        Rows().look(told)


@pytest.mark.parametrize("size", [MOST_TEXT + 1, 1 << 15])
def test_a_cell_of_more_text_than_there_can_be_is_refused(size: int) -> None:
    """Also where all of it is there: a screen full of such cells would take all memory."""
    row = bytes(CELL) + STYLES.pack(0, 1, 0) + GRAPHEME.pack(0, size) + b"x" * size
    with pytest.raises(Garbled):
        Rows().look(LOOK.pack(1, 1, 0, 0, 1, 0, 1) + ROW.pack(0, len(row)) + row)


@pytest.mark.parametrize(("first", "last", "size"), [(0, 2, 1), (1, 1, 1), (0, 0, 1), (0, 1, 2), (0, 1, MOST_LINK + 1)])
def test_a_link_that_there_cannot_be_is_refused(first: int, last: int, size: int) -> None:
    row = bytes(CELL) + STYLES.pack(0, 0, 1) + LINK.pack(first, last, size) + b"x" * max(size - (size == 2), 1)
    with pytest.raises(Garbled):
        Rows().look(LOOK.pack(1, 1, 0, 0, 1, 0, 1) + ROW.pack(0, len(row)) + row)


def test_texts_of_rows_that_there_are_not_are_refused() -> None:
    with pytest.raises(Garbled):
        Texts.told(TEXTS.pack(1, 0, 2, 1) + ROW.pack(2, 1) + b"x")


def test_whoever_is_asked_when_it_has_ended_says_what_ended_it() -> None:
    process = Process()
    os.kill(process.pid, signal.SIGTERM)
    with pytest.raises(Ended) as caught:
        process.ask(Command.SPENT, 0)
    assert caught.value.by == signal.SIGTERM
    assert not caught.value.by_itself
    process.end()


def test_little_is_sent_together_and_much_at_once() -> None:
    """One that has ended is noticed by who sends: not before there is something to send, and not only when one asks."""
    process = Process()
    os.kill(process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    for _ in range(9):
        process.send(Command.FEED, 1, b"a little")
    assert process.is_there
    with pytest.raises(Ended) as caught:
        process.send(Command.FEED, 1, bytes(1 << 16))
    assert caught.value.by == signal.SIGKILL
    assert not process.is_there
