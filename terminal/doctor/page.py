"""The list of recordings as `nhlog serve` shows it: made for once by what makes it there."""

import json
import subprocess
from typing import Final

from nhlog.files.processes import python_command, python_environment
from terminal.doctor.finding import Finding, Health
from terminal.text.words import printable

__all__ = ["check_page", "judge_page"]

_PATIENCE: Final = 60.0  # seconds: some thousand recordings are listed in one
_REPORT: Final = "please report it, with the file; the report of a crash says more"


def check_page() -> Finding:
    """Whether what lists the recordings does so, tried in another process: whatever ends that does not end this one."""
    command = python_command("-m", "terminal.web.checking")
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env=python_environment(),
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        found = f"the recordings are not listed within {_PATIENCE:.0f} seconds"
        return Finding("page", Health.LIMITED, found, "nhlog serve DIR shows fewer folders")
    return judge_page(done.stdout, done.stderr)


def judge_page(told: str, errors: str) -> Finding:
    """What it means that the process said this, and this on standard error."""
    try:
        listed = json.loads(told)
    except ValueError:
        ended = errors.strip().splitlines()
        why = printable(ended[-1]) if ended else "it ended without a word"
        return Finding("page", Health.BROKEN, f"what lists the recordings for nhlog serve fails: {why}", _REPORT)
    found = f"nhlog serve can list {listed['recordings']} recordings"
    if not listed["untold"]:
        return Finding("page", Health.OK, found)
    names = ", ".join(map(printable, listed["untold"])) + (" and others" if listed["more"] else "")
    return Finding("page", Health.LIMITED, f"{found}, and nothing of {names}", _REPORT)
