"""Recorders, programs and viewers that are killed at any time: ``python -m tests.recorder.storm SEED KILLS``.

A program writes numbers, one after the other, and is recorded in a terminal of ours.  After each kill: what the
terminal showed and what the viewer saw are in the file, in their order, and nothing is there twice; the terminal's
modes are as they were, and what it shows after a recorder that was killed makes it like a new one.  Each is killed so
often, in an order of chance; prints how often that was.
"""

import os
import random
import select
import signal
import sys
import tempfile
import termios
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import NoReturn

from nhlog.errors import NhlogError
from nhlog.formats import format_of
from nhlog.screencast import OUTPUT
from nhlog.vt.redraw import NEW
from scripts.measures.processes import children_of
from terminal.program import ProgramOptions, record_program
from tests.recorder.recordings import output_of
from tests.waiting import PATIENCE

COUNT = "i=0; while :; do echo $i; i=$((i+1)); done"
LONGEST = 0.03  # seconds until somebody is killed
ENDINGS = (".cast", ".ttyrec", ".cast.zst", ".ttyrec.gz")
SESSIONS = 10  # in one recording
VICTIMS = ("recorder", "program", "viewer")


def record(path: Path, terminal: int) -> NoReturn:
    """Be the recorder."""
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for fd in (0, 1):
            os.dup2(terminal, fd)
        kind = format_of(str(path))
        options = ProgramOptions(append=True)
        code, _ = record_program(str(path), kind.name, kind.load(), ["sh", "-c", COUNT], options)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(code)


def view(path: Path, told: int) -> NoReturn:
    """Be a viewer, that tells what it sees, until it is killed or nobody is left to be told."""
    storm = os.getppid()
    try:
        while os.getppid() == storm:
            try:
                events = format_of(str(path)).load().find(str(path))
                break
            except NhlogError:
                time.sleep(0.001)
        with closing(events):
            first = 0
            while os.getppid() == storm:
                for number in range(first, len(events)):
                    if events.code(number) == OUTPUT:
                        os.write(told, events.data(number))
                first = len(events)
                events.look()
    finally:
        os._exit(0)


def forked(act: object, *arguments: object) -> int:
    pid = os.fork()
    if not pid:
        act(*arguments)  # type: ignore[operator]
    return pid


def program_of(recorder: int) -> int | None:
    """The shell that a recorder runs, once it does."""
    try:
        return next((pid for pid in children_of(recorder) if Path(f"/proc/{pid}/comm").read_text() == "sh\n"), None)
    except OSError:
        return None


class Round:
    """One session of a recording, until one of them is killed."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self.path, self.chance = path, chance
        self.before = output_of(path) if path.exists() else b""
        self.shown, self.viewed = bytearray(), bytearray()
        self.keyboard, self.terminal = os.openpty()
        self.modes = termios.tcgetattr(self.terminal)
        self.told, told = os.pipe()
        self.viewer = forked(view, path, told)
        os.close(told)
        self.recorder = forked(record, path, self.terminal)

    def read(self, patience: float) -> bool:
        """Take what is shown and told; returns whether there was something."""
        ready, _, _ = select.select([self.keyboard, self.told], [], [], patience)
        if self.keyboard in ready:
            self.shown += os.read(self.keyboard, 1 << 16)
        if self.told in ready:
            self.viewed += (data := os.read(self.told, 1 << 16))
            return bool(data) or len(ready) > 1
        return bool(ready)

    def play(self) -> None:
        """Until the program writes, and some time more."""
        deadline = time.monotonic() + PATIENCE
        while not self.shown:
            assert time.monotonic() < deadline, "nothing is shown"
            self.read(1)
        end = time.monotonic() + self.chance.uniform(0, LONGEST)
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def kill(self, victim: str) -> None:
        program = program_of(self.recorder)
        assert program is not None
        pid = {"recorder": self.recorder, "program": program, "viewer": self.viewer}[victim]
        os.kill(pid, signal.SIGKILL)
        if victim == "viewer":
            os.waitpid(self.viewer, 0)
            os.kill(program, signal.SIGKILL)  # nobody is hurt by that
        code = self.wait(self.recorder)
        assert code == (-signal.SIGKILL if victim == "recorder" else 128 + signal.SIGKILL), code
        if victim != "viewer":
            os.kill(self.viewer, signal.SIGKILL)
            os.waitpid(self.viewer, 0)
        deadline = time.monotonic() + PATIENCE
        while self.read(0):
            pass
        while termios.tcgetattr(self.terminal) != self.modes:
            assert time.monotonic() < deadline, "the terminal is not as it was"
            time.sleep(0.001)
        while self.read(0):
            pass
        for fd in (self.keyboard, self.terminal, self.told):
            os.close(fd)
        self.check(whole=victim != "recorder")

    def wait(self, pid: int) -> int:
        deadline = time.monotonic() + PATIENCE
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            assert time.monotonic() < deadline, "the recorder does not end"
            self.read(0.002)

    def check(self, *, whole: bool) -> None:
        recorded = output_of(self.path)
        assert recorded.startswith(self.before), "what was there has changed"
        session = recorded[len(self.before) :]
        shown, cancelled, farewell = self.shown.partition(NEW[:1])
        assert NEW.startswith(cancelled + farewell), "after the end something else is shown"
        assert not (whole and cancelled), "who was not killed says more than was recorded"
        assert session.startswith(shown), "something that was shown is not in the file"
        assert recorded.startswith(self.viewed), "something that a viewer saw is not in the file"
        if whole:
            assert session == shown, "something that was not shown is in the file"
        numbers = session.split(b"\r\n")[:-1]
        assert numbers == [b"%d" % number for number in range(len(numbers))], "something is missing, or there twice"


def main(seed: int, kills: int) -> None:
    chance, killed = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="nhlog-storm-") as folder:
        victims = [*VICTIMS * kills]
        chance.shuffle(victims)
        for number, victim in enumerate(victims):
            ending = ENDINGS[number // SESSIONS % len(ENDINGS)]
            session = Round(Path(folder, f"{number // SESSIONS}{ending}"), chance)
            session.play()
            session.kill(victim)
            killed[victim] += 1
    print(*(f"{killed[victim]} {victim}s" for victim in VICTIMS), sep=", ")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
