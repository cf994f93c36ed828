"""A spectator by lock monitor, however it ends: no writer waits in vain for its answer.

Those by file events hold no lock, and have tests of their own (`test_endings`).
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.log import NotifyMethod
from tests.builders import played
from tests.corpus import ROOT
from tests.doses import dose
from tests.sharing.parties import needs_handshake

ENDINGS = dose("endings.spectator")
"""Of each kind; docs/reliability.md tells of the long run."""
CODES = {"q": 0, "\x03": 130, "SIGTERM": 143, "closed": 129}  # whoever is killed in the handshake answers nobody
NAMES = {"\x03": "ctrl-c"}


@contextmanager
def program(name: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", f"tests.together.{name}", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(3).write(tmp_path / "game.nhgame")


@needs_handshake
@pytest.mark.timeout(600)
@pytest.mark.parametrize("how", CODES, ids=lambda how: NAMES.get(how, how))
def test_no_write_fails_when_a_spectator_ends(path: str, how: str) -> None:
    with program("strict", path) as writer, program("spectators", path, NotifyMethod.MONITOR) as spectators:
        assert writer.stdout.readline() == "ready\n"
        codes = set()
        for _ in range(ENDINGS):
            spectators.stdin.write(f"{how}\n")
            spectators.stdin.flush()
            codes.add(spectators.stdout.readline().strip())
        spectators.stdin.close()
        writer.stdin.close()
        told = writer.stdout.read()
    assert codes == {f"ended {CODES[how]}"}, codes
    assert ", 0 refused: []" in told
    assert int(told.split()[0]) > ENDINGS
