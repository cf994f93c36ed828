"""Runs tests on changes of one file of a copied tree, and says which change survives."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scripts.mutating.changes import Change
from scripts.mutating.plugin import JOB

__all__ = ["Unusable", "Verdict", "tried"]

_TOOL: Final = Path(__file__).resolve().parents[2]
_PYTEST: Final = ("-m", "pytest", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "scripts.mutating.plugin")
_ALL: Final = 900.0  # seconds that all tests may take without a change
_PASSED: Final = (0, 5)  # pytest's exit codes: all pass, and there are none, as all were left out
_MERCY: Final = 5.0  # seconds that pytest may take to end
_STARTING: Final = 60.0  # seconds that a new process may take besides


class Unusable(Exception):
    """The tests say nothing: they cannot be run as things are."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a change: `by` is what killed it, None if nothing did.

    `ran` is whether a test, or the import, ran its lines.
    """

    change: Change
    by: str | None
    ran: bool


def tried(tree: Path, name: str, tests: Sequence[str], changes: Sequence[Change]) -> Iterator[Verdict]:
    """The verdict of each change of the file, in their order."""
    file, job, reports = tree / name, tree.parent / "job", tree.parent / "reports"
    source = file.read_text()
    reports.write_text("")
    changed = [(one.first, one.last, one.of(source)) for one in changes]
    what = {"file": str(file), "changed": changed, "limit": _ALL, "reports": str(reports)}
    with _pytest(tree, job, tests, what) as run:
        run.wait()
    answers = [json.loads(line) for line in reports.read_text().splitlines()]
    if len(answers) != len(changes) + 1:
        raise Unusable(f"{name}: the tests cannot be run: {' '.join(tests)}\n{_output(job).read_text()}")
    learnt, *found = answers
    for test in learnt["failed"]:
        print(f"left out, as it fails without a change: {test}", file=sys.stderr)
    for change, (_, _, text), answer in zip(changes, changed, found, strict=True):
        by = answer["by"]
        if by is None:
            file.write_text(text)
            again = {"file": str(file), "first": answer["tests"], "without": learnt["failed"]}
            by = _alone(tree, job, tests, again, 3 * learnt["seconds"] + _STARTING)
            file.write_text(source)
        yield Verdict(change, by, answer["ran"])


def _alone(tree: Path, job: Path, tests: Sequence[str], what: dict[str, Any], limit: float) -> str | None:
    """What kills the change that the file has now, in a new process; None if nothing does."""
    with _pytest(tree, job, ["-x", *tests], what) as run:
        try:
            run.wait(limit)
        except subprocess.TimeoutExpired:
            return "its time was up"
    return None if run.returncode in _PASSED else _output(job).read_text()[-200:]


@contextmanager
def _pytest(tree: Path, job: Path, arguments: Sequence[str], what: dict[str, Any]) -> Iterator[subprocess.Popen[bytes]]:
    """The tests, begun in the copy; what they import comes from there, and they write no bytecode.

    Who leaves before they are through ends them.
    """
    job.write_text(json.dumps(what))
    path = f"{tree}{os.pathsep}{_TOOL}"
    environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", JOB: str(job)}
    command = [sys.executable, "-P", *_PYTEST, f"--rootdir={tree}", *arguments]
    with (
        _output(job).open("wb") as output,
        subprocess.Popen(
            command,
            cwd=tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as run,
    ):
        try:
            yield run
        finally:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGINT)
                try:
                    run.wait(_MERCY)
                except subprocess.TimeoutExpired:
                    os.killpg(run.pid, signal.SIGKILL)


def _output(job: Path) -> Path:
    """What pytest prints: a file, as a pipe would be kept open by what tests leave behind."""
    return job.with_name("output")
