"""A program at the other end of a pseudo-terminal, and what its screen shows.

Nothing here sleeps: one waits until the screen, the program or the job has come to a state, or the test fails.
"""

import fcntl
import os
import re
import struct
import sys
import termios
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import pexpect
import pyte
from ptyprocess import PtyProcess

from tests import starter
from tests.corpus import ROOT
from tests.waiting import PATIENCE

__all__ = ["NHLOG", "Pty"]

NHLOG = (sys.executable, "-m", "terminal.cli")


class _Spawned(pexpect.spawn):
    """What pexpect spawns; a module of ours is started by the server of ready interpreters."""

    modes: list[Any] | None = None
    """The attributes of its terminal before it began, where we know them."""

    def _spawnpty(self, args: list[bytes], **kwargs: Any) -> PtyProcess:
        command = [os.fsdecode(word) for word in args]
        if not starter.can_start(command, kwargs["env"]):
            return super()._spawnpty(args, **kwargs)
        ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, kwargs["dimensions"])
        self.modes = termios.tcgetattr(ours)  # before the program can change them, which it does within milliseconds
        pid = starter.start(command, [theirs] * 3, env=kwargs["env"], cwd=kwargs["cwd"], terminal=True)
        os.close(theirs)
        return PtyProcess(pid, ours)


class Pty:
    """`program` in a terminal of `size`, with nothing in its environment but what is given.

    Neither the user's nor the system's own configuration is there: all folders are those of the tests.
    """

    def __init__(
        self, *program: str, size: tuple[int, int] = (80, 28), term: str = "xterm-256color", **environment: str
    ) -> None:
        base = {"PATH": os.environ["PATH"], "TERM": term, "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "TZ": "UTC"}
        home = os.environ.get("XDG_CACHE_HOME", "")
        places = {"HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_DIRS": os.environ.get("XDG_CONFIG_DIRS", "")}
        environment = {**base, **places, **environment}
        self._child = _Spawned(
            program[0],
            list(program[1:]),
            cwd=str(ROOT),
            env=environment,
            dimensions=(size[1], size[0]),
            timeout=PATIENCE,
        )
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.before = self._child.modes or self.modes()
        self.written = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._child.close(force=True)
        except pexpect.ExceptionPexpect:  # it was killed, and a busy machine has not come to that yet
            self._child.wait()

    @property
    def pid(self) -> int:
        return int(self._child.pid)

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self._screen.display]

    def modes(self) -> list[Any]:
        """The terminal's attributes: what `stty` would tell."""
        return termios.tcgetattr(self._child.child_fd)

    def set_modes(self, modes: list[Any]) -> None:
        """Give the terminal other attributes, as another program would."""
        termios.tcsetattr(self._child.child_fd, termios.TCSANOW, modes)

    def send(self, keys: str | bytes) -> None:
        self._child.send(keys)

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def resize(self, width: int, height: int) -> None:
        self._screen.resize(height, width)
        self._child.setwinsize(height, width)

    def set_pixels(self, width: int, height: int) -> None:
        """Say how large the window is in pixels."""
        rows, columns = self._child.getwinsize()
        fcntl.ioctl(self._child.child_fd, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, width, height))

    def grow(self, height: int) -> None:
        """Say that the window is so high, of which the screen is the top."""
        self._child.setwinsize(height, self._screen.columns)

    def wait(self, until: Callable[[list[str]], bool]) -> list[str]:
        """Read until the screen is as wanted; returns it."""
        deadline = time.monotonic() + PATIENCE
        while not until(self.rows):
            assert time.monotonic() < deadline, "\n".join(["this never came:", *self.rows])
            self._read(deadline)
        return self.rows

    def wait_for(self, text: str) -> list[str]:
        return self.wait(lambda rows: any(text in row for row in rows))

    def pick_delve(self) -> None:
        """Pick delve where the lobby asks which game: it does where NetHack is installed, too."""
        asked = ("Which game?", "What is your name?")
        rows = self.wait(lambda rows: any(question in row for row in rows for question in asked))
        for found in filter(None, (re.search(r"(\w) [->] delve", row) for row in rows)):
            self.send(found[1])

    def end(self) -> int:
        """Read until the program is gone; its exit code, or minus the signal that killed it."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            assert time.monotonic() < deadline, "it does not end"
        return self.exit_code()

    def exit_code(self) -> int:
        """Wait for the program without reading what it has to say."""
        self._child.wait()
        code = self._child.exitstatus
        return int(code) if code is not None else -int(self._child.signalstatus)

    def hang_up(self) -> None:
        """Close the terminal under the program."""
        self._child.ptyproc.fileobj.close()

    def _read(self, deadline: float) -> bytes:
        try:
            data: bytes = self._child.read_nonblocking(65536, max(deadline - time.monotonic(), 0))
        except (pexpect.EOF, pexpect.TIMEOUT):
            return b""
        self.written += data
        self._stream.feed(data)
        return data
