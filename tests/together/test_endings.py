"""No spectator can hurt a game of NetHack 4, whoever and however it ends; nor can who reads the log again and again.

`scripts/endings` does it, and docs/reliability.md tells of the long run.
"""

import subprocess
import sys

import pytest

from tests.corpus import ROOT
from tests.doses import dose
from tests.scripts import script
from tests.sharing.nethack4 import needs_compiler
from tests.sharing.parties import needs_handshake
from tests.starter import Started

pytestmark = [needs_handshake, needs_compiler, pytest.mark.timeout(900)]

SCRIPT = "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
ENDINGS = dose("endings.spectator")
READERS = dose("endings.reader")


def rows(*arguments: str) -> list[list[str]]:
    """What the table says: for each user how many ended, how many lines were written, and how many writes broken."""
    command = [sys.executable, "-c", SCRIPT, str(ROOT / "scripts" / "endings"), "--seed", "1", *arguments]
    with Started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as script:
        out, err = script.communicate()
    assert (script.returncode, err) == (0, ""), out
    return [row.rsplit(maxsplit=4)[1:] for row in out.splitlines()[1:] if "cannot be had" not in row]


@pytest.mark.parametrize("how", script("endings").ENDINGS)
def test_no_write_of_nethack4_fails_when_spectators_end(how: str) -> None:
    found = rows("--only", how, "--count", str(ENDINGS))
    if not found:
        pytest.skip("there are no control groups here")
    for _, ended, lines, broken in found:
        assert (int(ended), int(broken)) == (ENDINGS, 0)
        assert int(lines) > 0


@pytest.mark.parametrize("verb", script("endings").VERBS)
def test_no_write_of_nethack4_fails_while_its_log_is_read_again_and_again(verb: str) -> None:
    for _, ended, lines, broken in rows("--readers", "--only", verb, "--count", str(READERS)):
        assert (int(ended), int(broken)) == (READERS, 0)
        assert int(lines) > 0
