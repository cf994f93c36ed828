"""The lobbies that run for browsers, each in a terminal that one page at most shows."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import Final

import msgspec

from nhlog.files.processes import python_command, python_environment
from nhlog.recorder import Program
from nhlog.vt import Size
from terminal.web.audience import Audience
from terminal.web.connection import Connection, framed
from terminal.web.processes.terminal import SIZE, Descriptor, Lent, play
from terminal.web.viewers import BROKEN, GONE

__all__ = ["Page", "RunningLobby"]

_TERMINAL: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
_NOT_PASSED: Final = ("COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "SSH_CLIENT", "SSH_TTY")


class RunningLobby:
    """The lobby of a player who comes from the address `source`; `ended` is called when it has ended."""

    def __init__(self, name: str, source: str, size: Size, ended: Callable[["RunningLobby"], None]) -> None:
        self.name = name
        self.page: Page | None = None
        """The page that shows it."""
        self.unseen_since: float | None = None
        """When the last page left it; None while there is one."""
        self._ended = ended
        program = Program(_command(name), _environment(source), size)
        try:
            self._audience = Audience(play, Lent(Descriptor(program.fd), size), self._over)
        finally:
            program.hang_up()  # the process that shows the terminal has the only other side of it from now on
        _reap(program)

    def show(self, page: "Page") -> None:
        """Be shown in this page, and in no other."""
        before = self.page
        if before is not None:
            self.leave(before)
            before.close("You play in another window now.")
        self.page, self.unseen_since = page, None
        self._audience.join(page)

    def leave(self, page: "Page") -> None:
        """Be shown no more in this page."""
        if self.page is page:
            self.page, self.unseen_since = None, time.monotonic()
            self._audience.leave(page)

    def send(self, text: bytes) -> None:
        """Pass on what the page sent."""
        self._audience.send(text)

    def catch_up(self, page: "Page") -> None:
        """The page was slow, and takes pictures again."""
        self._audience.catch_up(page)

    def hang_up(self) -> None:
        """Take its terminal away."""
        self._audience.end()
        self._ended(self)

    def _over(self, audience: Audience, said: bytes) -> None:
        """Its terminal has ended."""
        self._ended(self)
        if self.page is not None:
            self.page.ended(said)


class Page:
    """A page of a player, which shows a lobby; `come` finds it one, `left` is called when the page is gone."""

    identity = ""
    size = SIZE

    def __init__(self, connection: Connection, come: Callable[["Page"], None], left: Callable[["Page"], None]) -> None:
        self.connection = connection
        self.lobby: RunningLobby | None = None
        self._come, self._left = come, left

    def begin(self) -> None:
        """Show the lobby."""
        self._come(self)

    def take(self, text: bytes) -> None:
        """Type what the player typed."""
        if self.lobby is not None:
            self.lobby.send(text)

    def drained(self) -> None:
        """It takes pictures again."""
        if self.lobby is not None:
            self.lobby.catch_up(self)

    def gone(self) -> None:
        """It is closed."""
        self._left(self)

    def begin_with(self, frames: bytes) -> None:
        """Show a whole picture."""
        self.connection.write(frames)

    def ended(self, said: bytes) -> None:
        """The terminal is gone: why as frames, empty where nobody knows, and then the page may come again."""
        self.lobby = None
        if said:
            self.connection.write(said)
            self.connection.close(GONE)
        else:
            self.refuse("its terminal broke down")

    def close(self, why: str) -> None:
        """Show nothing more, and say why."""
        self.lobby = None
        self._say("gone", why)
        self.connection.close(GONE)

    def refuse(self, why: str) -> None:
        """Show nothing for now, and say why."""
        self._say("error", why)
        self.connection.close(BROKEN)

    def _say(self, kind: str, text: str) -> None:
        self.connection.write(framed(msgspec.json.encode({"t": kind, "text": text})))


def _command(name: str) -> list[str]:
    return python_command("-m", "terminal.cli", "lobby", "--player", name)


def _environment(source: str) -> dict[str, str]:
    """That of a lobby; where the player comes from stands where sshd writes it, and is read there."""
    ours = {name: value for name, value in python_environment().items() if name not in _NOT_PASSED}
    return ours | _TERMINAL | {"SSH_CONNECTION": f"{source} 0 {source} 0"}


def _reap(program: Program) -> None:
    """Take note of the end of the lobby, when it comes: else it stays a zombie."""
    loop, ended = asyncio.get_running_loop(), os.pidfd_open(program.pid)

    def take() -> None:
        if program.status is not None:
            loop.remove_reader(ended)
            os.close(ended)

    loop.add_reader(ended, take)
