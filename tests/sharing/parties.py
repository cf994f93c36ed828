"""Processes that share a log, told what to do one step at a time, and what can be seen of them from outside."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from nhlog.log.locks.holders import holders_of
from tests.corpus import ROOT
from tests.processes import Child

__all__ = ["Party", "holders", "needs_handshake", "needs_strace", "parties"]

needs_handshake = pytest.mark.skipif(not os.path.exists("/proc/locks"), reason="the handshake is Linux's alone")
needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")

_PARTY = f"""
sys.path.insert(0, {str(ROOT)!r})
import select
from contextlib import ExitStack
from nhlog.errors import NhlogError
from nhlog.log.locks import keeper
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.wire.lines import Command
from nhlog.log.log import Log
from nhlog.log.notify import Changes
from nhlog.log import NotifyMethod

KEEPER = keeper.KEEPER
file = LogFile(path, writable=os.access(path, os.W_OK))
log = Log(file)
changes = None
scope = ExitStack()

def monitor(way):
    global changes
    changes = Changes(file, NotifyMethod(way or "monitor"))
    return "monitoring"

def leave(_):
    changes.close()
    return "left"

def go(farewell):
    "Leave, and end; so many seconds are between."
    keeper._FAREWELL = float(farewell)
    changes.close()
    sys.exit()

def heard(seconds):
    ready = bool(select.select([changes], [], [], float(seconds or 60))[0])
    changes.take()
    return "heard" if ready else "nothing"

def enter(_):
    scope.enter_context(file.writing())
    return "in the scope"

def seek(_):
    "Enter the scope, and say before when the lock is sought."
    try_once = KEEPER._seek_once
    def say_so(*what):
        KEEPER._seek_once = try_once
        say("seeking")
        return try_once(*what)
    KEEPER._seek_once = say_so
    return enter(_)

def done(_):
    scope.close()
    return "done"

def append(word):
    Writer(log).append(Command(word))
    return "appended"

def write(text):
    file.pwrite(text.encode(), 40)
    return "written"

def refresh(_):
    log.refresh()
    return f"{{len(log)}} lines"

def state(_):
    with KEEPER._changed:
        return KEEPER.state

def until(state):
    with KEEPER._changed:
        KEEPER._changed.wait_for(lambda: KEEPER.state == state, 60)
        return KEEPER.state

def deferred(_):
    return str(len(KEEPER._deferred))

def look_again(seconds):
    "When to look whether one who was asked still lives: later, where strace makes all slow."
    keeper._LOOK_AGAIN = float(seconds)
    return "patient"

def patience(seconds):
    "How long to wait for a lock, and for leave to lock again: no limit that a busy machine can exceed."
    keeper.PATIENCE = keeper.RELOCK_PATIENCE = float(seconds)
    return "patient"

def masks(_):
    "The signals blocked in each thread, that of the keeper first."
    first = KEEPER._thread and KEEPER._thread.native_id
    threads = sorted(map(int, os.listdir("/proc/self/task")), key=lambda thread: thread != first)
    statuses = (open(f"/proc/self/task/{{thread}}/status").read() for thread in threads)
    blocked = (int(status.split("SigBlk:")[1].split()[0], 16) for status in statuses)
    return " ".join(f"{{mask:x}}" for mask in blocked)

def fork(what):
    "What a child process says that tries to do something."
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            answer = perform(what)
        except BaseException as error:
            answer = f"{{type(error).__name__}}: {{error}}"
        os.write(write, answer.encode())
        os._exit(0)
    os.wait()
    return os.read(read, 1000).decode()

def perform(line):
    word, _, rest = line.partition(" ")
    try:
        return globals()[word](rest)
    except NhlogError as error:
        return f"{{type(error).__name__}}: {{error.what}}: found {{error.found}}"

say("ready")
while True:
    say(perform(wait()))
"""


class Party(Child):
    """A process of ours with the log open; `before` is a command it runs under."""

    def __init__(self, path: str, *, before: tuple[str, ...] = (), user: int | None = None) -> None:
        super().__init__(_PARTY, path, before=before, user=user)

    def __exit__(self, *what: object) -> None:
        self.send_signal(signal.SIGCONT)
        super().__exit__(*what)

    def do(self, command: str) -> str:
        """What it answers to a command, once it is done."""
        self.tell(command)
        return self.hear()


@contextmanager
def parties(path: str, count: int, **options: tuple[str, ...]) -> Iterator[list[Party]]:
    """So many processes that have the log open, in the order of their process ids."""
    with ExitStack() as stack:
        found = [stack.enter_context(Party(path, **options)) for _ in range(count)]
        for party in found:
            assert party.hear() == "ready"
        yield sorted(found, key=lambda party: party.pid)


def holders(path: str | Path) -> dict[int, str]:
    """Who has which lock on the file."""
    status = os.stat(path)
    found = holders_of((status.st_dev, status.st_ino))
    return {holder.pid: "write" if holder.exclusive else "read" for holder in found}
