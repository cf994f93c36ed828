"""What is released: checked, built, and tried as somebody uses it who has nothing but the files.

Everything is made from a clone of the last commit, in a folder of its own; nothing is ever uploaded.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["ROOT", "NotReady", "environment", "run", "say"]

ROOT: Final = Path(__file__).resolve().parents[2]
_OURS: Final = ("NHLOG_", "PYTHON", "VIRTUAL_ENV", "XDG_")


class NotReady(Exception):
    """This must not be released; the message says why."""


def environment(**more: str) -> Mapping[str, str]:
    """The variables of this process without those that lead to this checkout or to somebody's own files."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OURS)} | more


def run(*command: object, cwd: Path, **variables: str) -> str:
    """What a command prints; its failure is shown whole."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotReady(f"exit code {done.returncode} of {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)
