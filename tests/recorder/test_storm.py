"""Nothing that anybody saw is lost, whoever is killed, and the terminal is left as it was found."""

import subprocess
import sys

from tests.corpus import ROOT
from tests.doses import dose

KILLS = dose("kills.recorder")
"""Of each."""


def test_a_storm_of_kills_loses_nothing_that_was_seen() -> None:
    storm = [sys.executable, "-m", "tests.recorder.storm", "16", str(KILLS)]
    done = subprocess.run(storm, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{KILLS} recorders, {KILLS} programs, {KILLS} viewers\n"
