"""README and tour as they should be: examples with their real output, keys and abilities as the program has them.

``python -m tests.readme`` writes them; a test compares.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from terminal.replay.controls import KEYS
from tests.capabilities import table
from tests.corpus import ROOT, SAMPLES

__all__ = ["README", "TOUR", "fresh"]

README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
_EXAMPLES = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.+)\n", re.MULTILINE)
_KEYS = re.compile(r"(?<=^<!-- keys -->\n).*?(?=^<!-- end of keys -->$)", re.MULTILINE | re.DOTALL)
_ACTS = re.compile(r"(?<=^<!-- acts -->\n).*?(?=^<!-- end of acts -->$)", re.MULTILINE | re.DOTALL)
_CHANGED = 1795245583  # when the samples were last written, to the reader


def fresh(text: str) -> str:
    """The text with what the program says now."""
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder, "samples")
        shutil.copytree(SAMPLES, samples)
        for path in samples.iterdir():
            os.utime(path, (_CHANGED, _CHANGED))
        text = _EXAMPLES.sub(lambda example: _run_all(example[0], folder), text)
    return _ACTS.sub(lambda _: table(), _KEYS.sub(lambda _: _key_table(), text))


def _run_all(example: str, folder: str) -> str:
    return "".join(f"$ {command}\n{_run(command, folder)}" for command in _COMMAND.findall(example))


def _run(command: str, folder: str) -> str:
    """What a command prints on the samples, which it may change."""
    programs = os.path.dirname(sys.executable)
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        "TZ": "CET-1",
        "XDG_CACHE_HOME": folder,
    }
    done = subprocess.run(
        ["/bin/sh", "-c", command.replace("nhlog ", "python -m terminal.cli ", 1)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.replace(f"{folder}/", "").splitlines())


def _key_table() -> str:
    """A row for each group of keys."""
    rows = ["| | |", "|---|---|"]
    for group, keys in groupby(KEYS, lambda key: key.group):
        rows.append(f"| {group} | {' · '.join(f'`{key.label}` {key.does}' for key in keys)} |")
    return "".join(f"{row}\n" for row in rows)


if __name__ == "__main__":
    for document in (README, TOUR):
        document.write_text(fresh(document.read_text()))
