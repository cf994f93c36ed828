"""The recorder: how much later a terminal shows what a program writes, how fast that may be, when viewers see it."""

import os
import pty
import select
import shlex
import shutil
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
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
FORMS = ("cast", "ttyrec", "cast.zst")
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


class Writer:
    """A program in a terminal of ours, that writes what it is told."""

    def __init__(self, stack: ExitStack, folder: str, name: str, wrap: Callable[..., Sequence[str]]) -> None:
        self.name, self.times = name, []
        pipe = f"{folder}/pipe{len(os.listdir(folder))}"
        os.mkfifo(pipe)
        self.terminal = stack.enter_context(terminal(*wrap(sys.executable, "-c", ECHO, pipe)))
        self._pipe = stack.enter_context(open(pipe, "w", buffering=1))  # noqa: SIM115
        self._pipe.write("begin\n")
        shown(self.terminal, b"begin")

    def write(self, number: int) -> float:
        """Have it write a line; the time before that."""
        start = time.perf_counter()
        self._pipe.write(f"line {number:06}.\n")
        return start

    def measure(self, number: int) -> None:
        start = self.write(number)
        self.times.append(shown(self.terminal, b"%06d." % number) - start)


def lines(folder: str) -> Iterator[Row]:
    """From before a program is told to write a line until its terminal shows that; each in turn."""
    with ExitStack() as stack:
        wraps = {NO_RECORDER: lambda *program: program}
        if shutil.which("script"):
            wraps["`script`"] = lambda *program: (
                "script",
                "-q",
                "-f",
                "-c",
                shlex.join(program),
                f"{folder}/lines.script",
            )
        for form in FORMS:
            wraps[f".{form}"] = lambda *program, form=form: recorded(f"{folder}/lines.{form}", *program)
        writers = [Writer(stack, folder, name, wrap) for name, wrap in wraps.items()]
        for number in range(LINES):
            for writer in writers:
                writer.measure(number)
            time.sleep(PAUSE)
    bare = Row("", sorted(writers[0].times))
    for writer in writers:
        row = Row(f"a line is shown, {writer.name}", sorted(writer.times))
        later = ", ".join(f"{1e3 * (row.at(part) - bare.at(part)):.2f} ms" for part in (0.5, 0.99))
        yield Row(row.name, row.times, f"later by {later} at p50, p99" if writer is not writers[0] else "")


def views(folder: str) -> Iterator[Row]:
    """From before a program is told to write a line until a viewer shows a change."""
    path, times = f"{folder}/viewed.cast", []
    with ExitStack() as stack:
        writer = Writer(stack, folder, path, lambda *program: recorded(path, *program))
        viewer = stack.enter_context(terminal(*NHLOG, "watch", path))
        shown(viewer, b"begin")
        for number in range(LINES // 5):
            time.sleep(5 * PAUSE)
            while select.select([viewer], [], [], 0)[0]:
                os.read(viewer, 1 << 16)
            start = writer.write(number)
            times.append(shown(viewer) - start)
        os.write(viewer, b"q")
        rest(viewer)
    yield Row("a viewer shows it, .cast", sorted(times))


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
        yield from lines(folder)
        yield from views(folder)
        yield flood(f"{FLOOD}, {NO_RECORDER}", shell)
        than = 0.0
        if shutil.which("script"):
            row = flood(f"{FLOOD}, `script`", ("script", "-q", "-c", FLOOD, f"{folder}/typescript"))
            than = row.times[0]
            yield row
        for form in FORMS:
            path = f"{folder}/flood.{form}"
            yield flood(f"{FLOOD}, .{form}", recorded(path, *shell), than)
            Path(path).unlink()
