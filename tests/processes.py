"""Second processes: POSIX locks and signals mean nothing within one."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.starter import Started

__all__ = ["Child", "as_oneself", "as_user", "forked", "holding"]

_PROLOGUE = """
import ctypes, fcntl, os, signal, sys
path, *arguments = sys.argv[1:]

def say(text):
    print(text, flush=True)

def wait():
    "Until we are told to go on; the end of the parent is the end of us."
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.strip()

def queue(pid, number):
    if ctypes.CDLL(None).sigqueue(pid, number, ctypes.c_void_p(0)):
        raise OSError("sigqueue")
"""

_HOLD = """
signal.pthread_sigmask(signal.SIG_SETMASK, [])  # no NetHack process: it hears no requests
fd = os.open(path, os.O_RDWR)
fcntl.lockf(fd, getattr(fcntl, arguments[0]))
say("held")
wait()
"""


class Child(Started):
    """A Python process that runs `code` on a file, under the command `before`; see `_PROLOGUE` for what it has."""

    def __init__(self, code: str, *arguments: str, user: int | None = None, before: tuple[str, ...] = ()) -> None:
        super().__init__(
            [*before, sys.executable, "-c", _PROLOGUE + code, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            user=user,
        )

    def hear(self) -> str:
        """The next line it says; empty when it has ended."""
        return self.stdout.readline().strip()

    def tell(self, text: str = "go on") -> None:
        """What it waits for."""
        self.stdin.write(text + "\n")
        self.stdin.flush()

    def __exit__(self, error: type[BaseException] | None = None, *_: object) -> None:
        self.stdin.close()
        if error:
            self.kill()  # it may wait for what nobody does any more
        self.wait()
        self.stdout.close()


@contextmanager
def holding(path: str, lock: str) -> Iterator[Child]:
    """Another process that has the file locked, ``LOCK_SH`` or ``LOCK_EX``, until it is told to let go."""
    with Child(_HOLD, path, lock) as child:
        assert child.hear() == "held"
        yield child


def as_user(user: int, act: Callable[[], str], *, groups: tuple[int, ...] = ()) -> str:
    """What `act` says when that user, in these groups, does it in a process of its own; root alone can ask."""

    def become() -> str:
        os.setgroups(groups)
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        return act()

    return as_oneself(become)


def as_oneself(act: Callable[[], str]) -> str:
    """What `act` says in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            said = act()
        except BaseException as error:
            said = repr(error)
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def forked(*folders: str) -> list[int]:
    """The services below these folders, and what they forked (`nhlog.forked`): games and lobbies that go on alone."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is not ours
            is_one = b"\0nhlog.forked\0" in (process / "cmdline").read_bytes()
            if is_one and os.readlink(process / "cwd").startswith(tuple(f"{folder}/" for folder in folders)):
                found.append(int(process.name))
    return found
