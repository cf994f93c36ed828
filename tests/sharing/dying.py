"""The operations on a log, and processes that die at one of their steps, forked from one that is small.

To fork costs by the memory that a process has: from that of the tests, with all of them collected, ten times as much as
from one that has only the log's own modules.  There are thousands.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from nhlog.errors import LogRecovered
from nhlog.log import Durability
from nhlog.log.append import GameIsOver, Writer
from nhlog.log.file import LogFile
from nhlog.log.locks import keeper
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_recovery, plan_rewind
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Command
from tests.builders import binary_save, played
from tests.corpus import ROOT

__all__ = [
    "ENDLESS",
    "OPERATIONS",
    "PAGE",
    "SIZE",
    "append",
    "back_up",
    "dies",
    "finish",
    "recover",
    "rewind",
    "save",
    "serve",
]

PAGE = 4096
SIZE = 400  # of saves


def append(file: LogFile) -> None:
    Writer(Log(file), Durability.LINES).append(Command("search", rest=b" L1" + b"x" * 30))


def save(file: LogFile) -> None:
    log = Log(file)
    Writer(log, Durability.LINES).save(binary_save(90, log.columns.clock, size=SIZE), "a diff or a backup")


def back_up(file: LogFile) -> None:
    log = Log(file)
    writer = Writer(log, Durability.LINES)
    known = log.columns.backup_offset(0), log.columns.backup_offset(-1)
    with writer._guard():
        writer._backup(Blob.of(binary_save(91, log.columns.clock, size=SIZE)), "a backup", known)


def recover(file: LogFile) -> None:
    if cut := plan_recovery(file):
        carry_out(file, cut)


def rewind(file: LogFile) -> None:
    log = Log(file)
    if cut := plan_rewind(log, len(log) - 8, "back again"):
        carry_out(file, cut)


def finish(file: LogFile) -> None:
    Writer(Log(file), Durability.LINES).finish("killed by a newt")


OPERATIONS = (append, save, back_up, recover, rewind, finish)


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


ENDLESS = 1_000_000


def dies(act: Callable[[LogFile], None], path: Path, step: int, torn: bool) -> list[tuple[int, bool]]:
    """Another process does it and dies on the way; if it lived to the end, where and how it could have died."""
    small = _small()
    assert small.stdin is not None
    assert small.stdout is not None
    small.stdin.write(json.dumps([act.__name__, str(path), step, torn]) + "\n")
    small.stdin.flush()
    answer = small.stdout.readline()
    assert answer, "it failed otherwise than by dying"
    return [(number, tearing) for number, tearing in json.loads(answer)]


@cache
def _small() -> "subprocess.Popen[str]":
    """The process that forks; it ends when we do."""
    command = [sys.executable, "-c", "from tests.sharing.dying import serve; serve()"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def serve() -> None:
    """Be that process."""
    _import_all()
    operations = {act.__name__: act for act in OPERATIONS}
    for line in sys.stdin:
        name, path, step, torn = json.loads(line)
        print(json.dumps(_forked(operations[name], path, step, torn)), flush=True)


def _import_all() -> None:
    """Do each operation once: not each of the processes that die imports what it needs for the first time."""
    for act in OPERATIONS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "game.nhgame")
            path.write_bytes(bytes(played(6, backup_every=4, size=SIZE).data) + b"sea")
            with LogFile(str(path), writable=True) as file:
                recover(file)
                act(file)


def _forked(act: Callable[[LogFile], None], path: str, step: int, torn: bool) -> list[tuple[int, bool]]:
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with LogFile(path, writable=True) as file:
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
    found: list[tuple[int, bool]] = json.loads(text or "[]")
    return found
