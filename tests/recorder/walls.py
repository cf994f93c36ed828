"""Programs within walls, as a user who is not root: two players of one account, and what one of them can do."""

import os
import select
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from nhlog.config import Walls
from nhlog.errors import NhlogError
from nhlog.players import PlayerFolder, Players
from nhlog.recorder import Program
from nhlog.recorder.walls import Confined, confined
from nhlog.vt import Size
from tests.processes import as_oneself, as_user
from tests.waiting import PATIENCE

__all__ = [
    "ENVIRONMENT",
    "NOBODY",
    "Ended",
    "account",
    "as_account",
    "in_terminal",
    "two_players",
    "why_not",
    "within",
]

NOBODY = 65534
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "TERM": "dumb", "LC_ALL": "C"}


class Ended(NamedTuple):
    """How a program ended, and what it wrote."""

    status: int
    output: str

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()


def account() -> int:
    """The user of the programs: root has others to be, as for root nothing is limited."""
    return os.geteuid() or NOBODY


def as_account(act: object) -> str:
    """What `act` says as that user, in a process of its own."""
    return as_oneself(act) if os.geteuid() else as_user(NOBODY, act)  # type: ignore[arg-type]


@contextmanager
def two_players() -> Iterator[tuple[PlayerFolder, PlayerFolder]]:
    """Ada and Bob, of one account; Bob has a secret."""
    with tempfile.TemporaryDirectory(prefix="nhlog-walls-", dir="/var/tmp") as name:
        os.chmod(name, 0o755)
        players = Players(Path(name))
        ada, bob = players.folder("ada"), players.folder("bob")
        for player in (ada, bob):
            player.make()
        (bob.home / "secret").write_text("xyzzy\n")
        for folder, _, files in os.walk(name):
            for path in (folder, *(os.path.join(folder, file) for file in files)):
                os.chown(path, account(), account())
        yield ada, bob


def why_not(player: PlayerFolder) -> str:
    """Why there are no walls here; empty if there are."""

    def tried() -> str:
        try:
            confined(["true"], Walls(), player.home, ENVIRONMENT)
        except NhlogError as error:
            return str(error)
        return ""

    return as_account(tried)


def within(
    player: PlayerFolder,
    script: str,
    walls: Walls,
    *,
    logs: Path | None = None,
    hang_up_at: str = "\0",
    kill_at: str = "\0",
) -> Ended:
    """Run the shell script within walls, in a terminal; `logs` stands in the place of their logs.

    When it has written `hang_up_at` its terminal is taken away, at `kill_at` all is killed that is within the walls.
    """

    def run() -> str:
        walled = confined(["sh", "-c", script], walls, player.home, ENVIRONMENT, logs=logs)
        status, output = in_terminal(walled, hang_up_at, kill_at)
        return f"{status}\n{output}"

    status, _, output = as_account(run).partition("\n")
    assert status.lstrip("-").isdecimal(), status
    return Ended(int(status), output)


def in_terminal(walled: Confined, hang_up_at: str = "\0", kill_at: str = "\0") -> Ended:
    """Run the program in a terminal, until it ends or what was written has one of these in it."""
    program = Program(walled.command, ENVIRONMENT, Size(80, 24), begin=walled.begin)
    output = ""
    ended = os.pidfd_open(program.pid)
    try:
        while program.status is None:
            ready, _, _ = select.select([ended, *([program.fd] if program.fd >= 0 else [])], [], [], PATIENCE)
            assert ready, f"it neither writes nor ends: {output}"
            if program.fd in ready:
                output += os.read(program.fd, 1 << 16).decode(errors="replace")
            if hang_up_at in output:
                program.hang_up()
            if kill_at in output:
                os.kill(program.pid, signal.SIGKILL)
        with suppress(OSError):
            output += os.read(program.fd, 1 << 16).decode(errors="replace")
    finally:
        os.close(ended)
        if program.status is None:
            os.kill(program.pid, signal.SIGKILL)
        program.hang_up()
    return Ended(program.status, output.replace("\r\n", "\n"))
