"""Failing cases: the first of each kind is kept with what is known of it, and made smaller where that is simple."""

import time
from collections import Counter
from pathlib import Path
from typing import Final

from scripts.fuzzing.mutants import Mutant
from scripts.fuzzing.rules import Act
from scripts.fuzzing.targets import Known, known
from scripts.fuzzing.workers import Failure, attempt, made

__all__ = ["Findings", "minimised", "read_case"]

_ATTEMPTS: Final = 150  # at making a case smaller
_PATIENCE: Final = 20.0  # seconds for all of them


class Findings:
    """Failures by kind, apart from those that are `known`; of each the first case is kept in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.known: Counter[Known] = Counter()
        self.first: dict[str, Failure] = {}

    def add(self, failure: Failure) -> None:
        """Another one."""
        if one := known(failure.case.target, failure.kind, made(failure.case)):
            self.known[one] += 1
            return
        self.counts[failure.kind] += 1
        self.first[failure.kind] = min(self.first.get(failure.kind, failure), failure, key=lambda one: one.case.number)

    def keep(self, failure: Failure) -> str:
        """Write the case and what is to be known of it; gives the command that looks at it again."""
        mutant = minimised(failure, made(failure.case))
        place = self.folder / str(failure.case)
        for name, data in mutant.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        recording = place / next(iter(mutant)).partition("/")[0]
        again = f"scripts/fuzz {failure.case.target} --seed {failure.case.seed} --case {failure.case.number}"
        (place / "failure.txt").write_text(
            f"{failure.kind}\ndoing: {failure.doing}\nagain: {again} --file {recording}\n\n{failure.trace}",
            errors="backslashreplace",
        )
        return f"{again} --file {recording}"


def minimised(failure: Failure, mutant: Mutant, act: Act | None = None) -> Mutant:
    """The mutant without what it fails without: blocks of bytes of its only file, ever smaller ones.

    One of several files, or one that took too long, stays as it is.
    """
    if len(mutant) > 1 or failure.slow:
        return mutant
    ((name, data),) = mutant.items()
    block, attempts, until = len(data) // 2, 0, time.monotonic() + _PATIENCE
    while block and attempts < _ATTEMPTS and time.monotonic() < until:
        at = len(data)
        while at > 0 and attempts < _ATTEMPTS and time.monotonic() < until:
            at = max(at - block, 0)
            attempts += 1
            shorter = {name: data[:at] + data[at + block :]}
            again = attempt(failure.case, shorter, act)
            if again and again.kind == failure.kind:
                data = shorter[name]
        block //= 2
    return {name: data}


def read_case(path: Path) -> Mutant:
    """A recording that was kept."""
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {f"{path.name}/{file.name}": file.read_bytes() for file in sorted(path.iterdir())}
