"""nhlog as its users have it: a wheel of these sources in a virtual environment of its own, compiled to bytecode.

The environment of developers is another one: what is in it besides, and how nhlog is found there, makes each start
longer, that of Python itself twice as long.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.measures import ROOT

__all__ = ["from_wheel"]


@contextmanager
def from_wheel() -> Iterator[Path]:
    """The folder of its programs, as long as the context lasts."""
    with TemporaryDirectory() as folder:
        programs = Path(folder, "venv", "bin")
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
        (wheel,) = Path(folder).glob("*.whl")
        run(sys.executable, "-m", "venv", programs.parent)
        run(programs / "python", "-m", "pip", "install", "--quiet", "--compile", f"{wheel}[terminal]")
        yield programs


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True)
