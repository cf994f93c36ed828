"""Documents with examples as they should be: with their real output, and the verbs and abilities that the program has.

``python -m tests.readme`` writes them; a test compares.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from terminal.cli import VERBS
from tests.capabilities import table
from tests.corpus import ROOT, SAMPLES

__all__ = ["DOCUMENTS", "README", "fresh"]

README = ROOT / "README.md"
DOCUMENTS = [README, *(ROOT / "docs" / f"{name}.md" for name in ("tour", "verbs", "formats"))]
_EXAMPLES = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.+)\n", re.MULTILINE)
_VERBS = re.compile(r"(?<=^<!-- verbs -->\n).*?(?=^<!-- end of verbs -->$)", re.MULTILINE | re.DOTALL)
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
    return _ACTS.sub(lambda _: table(), _VERBS.sub(lambda _: _verb_table(), text))


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


def _verb_table() -> str:
    """A row for each verb."""
    rows = ["| verb | does |", "|---|---|", *(f"| `nhlog {verb}` | {does} |" for verb, does in VERBS.items())]
    return "".join(f"{row}\n" for row in rows)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(fresh(document.read_text()))
