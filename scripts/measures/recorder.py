"""The recorder: how much later a terminal shows what a program writes, how fast that may be, when viewers see it."""

import os
import pty
import select
import shutil
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts.measures import ROOT, Row, measurement

LINES = 500
PAUSE = 0.01  # seconds between two lines: somebody types quickly
MANY = "100M"  # bytes of a program that writes as fast as it can
FLOOD = f"yes | head -c {MANY}"
SIZE = (24, 80)
PATIENCE = 60.0
NHLOG = (sys.executable, "-m", "terminal.cli")
ECHO = "import sys\nfor line in open(sys.argv[1]):\n print(line, end='', flush=True)"
NO_RECORDER = "without a recorder"


@contextmanager
def terminal(*command: str) -> Iterator[int]:
    """A program in a terminal of ours, until it ends by itself: where we read and type."""
    pid, fd = pty.fork()
    if not pid:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        os.execvpe(command[0], command, environment)
    termios.tcsetwinsize(fd, SIZE)
    try:
        yield fd
    finally:
        os.close(fd)
        os.waitpid(pid, 0)


def shown(fd: int, text: bytes = b"") -> float:
    """Wait until the terminal shows this, or anything; the time then."""
    seen = b""
    while not seen or text not in seen:
        assert select.select([fd], [], [], PATIENCE)[0], f"{text!r} never came"
        seen += os.read(fd, 1 << 16)
    return time.perf_counter()


def rest(fd: int) -> int:
    """Read to the end of the program; how many bytes came."""
    count = 0
    while True:
        try:
            data = os.read(fd, 1 << 16)
        except OSError:
            return count
        if not data:
            return count
        count += len(data)


def recorded(path: str, *command: str) -> tuple[str, ...]:
    return (*NHLOG, "record", path, "--", *command)


def lines(folder: str, name: str, path: str | None, viewed: bool = False) -> Iterator[Row]:
    """From before the program is told to write a line until that is shown; and until a viewer shows a change."""
    pipe = f"{folder}/pipe{len(os.listdir(folder))}"
    os.mkfifo(pipe)
    program = (sys.executable, "-c", ECHO, pipe)
    times, seen = [], []
    with terminal(*(recorded(path, *program) if path else program)) as player, open(pipe, "w", buffering=1) as writer:
        writer.write("begin\n")
        shown(player, b"begin")
        if not viewed or path is None:
            for number in range(LINES):
                start = time.perf_counter()
                writer.write(f"line {number:06}.\n")
                times.append(shown(player, b"%06d." % number) - start)
                time.sleep(PAUSE)
            yield Row(name, sorted(times))
            return
        with terminal(*NHLOG, "watch", path) as viewer:
            shown(viewer, b"begin")
            for number in range(LINES // 5):
                time.sleep(5 * PAUSE)
                while select.select([viewer], [], [], 0)[0]:
                    os.read(viewer, 1 << 16)
                start = time.perf_counter()
                writer.write(f"line {number:06}.\n")
                seen.append(shown(viewer) - start)
            os.write(viewer, b"q")
            rest(viewer)
        yield Row(name, sorted(seen))


def flood(name: str, command: Sequence[str], than: float = 0.0) -> Row:
    """All that the program writes, as fast as it can."""
    start = time.perf_counter()
    with terminal(*command) as fd:
        count = rest(fd)
    took = time.perf_counter() - start
    compared = f"; {took / than:.2f} times as long as `script`" if than else ""
    return Row(name, [took], f"{count / took / 1e6:.0f} MB/s{compared}")


@measurement
def recorder() -> Iterator[Row]:
    shell = ("sh", "-c", FLOOD)
    with tempfile.TemporaryDirectory() as folder:
        (bare,) = lines(folder, f"a line is shown, {NO_RECORDER}", None)
        yield bare
        for form in ("cast", "ttyrec", "cast.zst"):
            for row in lines(folder, f"a line is shown, .{form}", f"{folder}/lines.{form}"):
                later = ", ".join(
                    f"{1e3 * (row.at(part) - bare.at(part)):.2f} ms at {told}"
                    for part, told in ((0.5, "p50"), (0.99, "p99"))
                )
                yield Row(row.name, row.times, f"later by {later}")
        yield from lines(folder, "a viewer shows it, .cast", f"{folder}/viewed.cast", viewed=True)
        yield flood(f"{FLOOD}, {NO_RECORDER}", shell)
        than = 0.0
        if shutil.which("script"):
            row = flood(f"{FLOOD}, `script`", ("script", "-q", "-c", FLOOD, f"{folder}/typescript"))
            than = row.times[0]
            yield row
        for form in ("cast", "ttyrec", "cast.zst"):
            path = f"{folder}/flood.{form}"
            yield flood(f"{FLOOD}, .{form}", recorded(path, *shell), than)
            Path(path).unlink()
