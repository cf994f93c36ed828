"""Users of this machine, made for these tests and removed after them."""

import grp
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.together.server import Server

PREFIX = "nhlog-together-"


@pytest.fixture(scope="session")
def accounts() -> Iterator[tuple[int, list[str]]]:
    """The players' group, and the names of Ann and Ben, who are in it, and of Cyn, who is not."""
    if os.geteuid() != 0 or not shutil.which("useradd"):
        pytest.skip("other users are made by root alone, with useradd")
    players, guests = (f"{name}-{os.getpid()}" for name in ("players", "guests"))
    names = [f"{name}-{os.getpid()}" for name in ("ann", "ben", "cyn")]
    with ExitStack() as undo:
        for group in (players, guests):
            _account("groupadd", group)
            undo.callback(_account, "groupdel", group)
        for name, group in zip(names, (players, players, guests), strict=True):
            _account("useradd", "--no-create-home", "--no-user-group", "--gid", group, name)
            undo.callback(_account, "userdel", "--force", name)
        found = (grp.getgrnam(players).gr_gid, names)
        with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
            tried = Server(Path(folder), *found).users[-1].does("--version")
        if tried.returncode:
            pytest.skip(f"another user cannot run nhlog from here: {tried.stderr.strip()}")
        yield found


def _account(*command: str) -> None:
    subprocess.run(command, capture_output=True, check=True)


@pytest.fixture
def server(accounts: tuple[int, list[str]]) -> Iterator[Server]:
    """A shared server without games."""
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        yield Server(Path(folder), *accounts)
