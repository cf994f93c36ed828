"""The stand-in for NetHack 4 (`tests/reference/nethack4.c`), compiled and run."""

import select
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.corpus import ROOT

__all__ = ["NetHack4", "needs_compiler"]

needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="the stand-in for NetHack 4 needs a C compiler, cc")

_SOURCE = ROOT / "tests" / "reference" / "nethack4.c"
_HELD_BACK = 0b101  # +0 and +2: what a process that waits for the lock does not hear, while it hears +1
_FIRST = 34  # SIGRTMIN


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="nhlog-nethack4-")


@cache
def program() -> Path:
    """The compiled program: one for all tests of this process."""
    made = Path(_folder().name, "nethack4")
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", made, _SOURCE], check=True)
    return made


class NetHack4(subprocess.Popen):
    """A game of NetHack 4 on a log, as far as its locks go."""

    def __init__(self, path: str | Path) -> None:
        super().__init__([program(), str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.hear() == "ready"

    def hear(self) -> str:
        """Its next answer; empty when it has ended."""
        return self.stdout.readline().strip()

    def tell(self, command: str) -> None:
        """What it is to do, without waiting for the answer."""
        self.stdin.write(command + "\n")
        self.stdin.flush()

    def do(self, command: str) -> str:
        """What it answers to a command, once it is done."""
        self.tell(command)
        return self.hear()

    def append(self, line: str) -> str:
        """What became of a line."""
        return self.do(f"append {line}")

    def search(self) -> str:
        """What became of a search for a turn."""
        return self.append("search L1")

    @property
    def is_waiting_or_done(self) -> bool:
        """Whether it has asked somebody for the lock and waits, or has its answer ready."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        blocked = int(status.partition("SigBlk:")[2].split()[0], 16) >> (_FIRST - 1)
        return blocked & 0b111 == _HELD_BACK or bool(select.select([self.stdout], [], [], 0)[0])

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self.wait(20)
        self.stdout.close()
