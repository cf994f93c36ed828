"""Make hostile bytes by the thousand, do with each all that can be done, and tell what does not hold.

fuzz butter --count 2000 --seed 7    so many cases of a target; `all` for every one
fuzz butter --first 2000 --seed 7    those that come after them
fuzz butter --seed 7 --case 1234     one of them again, with all that is known of its failure
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from scripts.fuzzing.cases import Findings, read_case
from scripts.fuzzing.targets import TARGETS
from scripts.fuzzing.workers import Case, attempt, made, run
from tests.doses import dose


def main() -> int:
    parser = argparse.ArgumentParser("fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--count", type=int, help="cases of each target (its dose in tests/doses.toml)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one (0)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other cases (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (as many as there are cores)")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="where failing cases go")
    parser.add_argument("--case", type=int, help="look at this one alone")
    parser.add_argument("--file", type=Path, help="with --case: with this file or folder in its place")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nhlog-fuzz-") as home:
        for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = home
        if options.case is not None:
            return again(Case(options.target, options.seed, options.case), options.file)
        targets = list(TARGETS) if options.target == "all" else [options.target]
        return max([fuzz(one, options) for one in targets])


def fuzz(target: str, options: argparse.Namespace) -> int:
    """All cases of a target; gives the exit code."""
    count = dose(TARGETS[target].dose) if options.count is None else options.count
    cases = [Case(target, options.seed, number) for number in range(options.first, options.first + count)]
    made(Case(target, options.seed, 0))  # the samples are read before processes are forked
    findings = Findings(options.keep)
    began = time.monotonic()
    cpu = run(cases, options.jobs, findings.add)
    failed = sum(findings.counts.values())
    took = f"{time.monotonic() - began:.0f} s, {cpu:.0f} s of CPU"
    beyond = f" from {options.first}" if options.first else ""
    print(f"{target}: {count} cases{beyond}, seed {options.seed}: {failed} failed; {took}", flush=True)
    for kind, found in findings.counts.most_common():
        _tell(f"  {found} x {kind}\n      {findings.keep(findings.first[kind])}")
    for one, found in findings.known.most_common():
        _tell(f"  {found} x {one.kind}: known, {one.why}")
    return 1 if failed else 0


def _tell(text: str) -> None:
    print(text.encode("utf-8", "backslashreplace").decode(), flush=True)


def again(case: Case, file: Path | None) -> int:
    """One case once more, and what is known of its failure."""
    failure = attempt(case, made(case) if file is None else read_case(file))
    if failure is None:
        print(f"{case}: all rules hold")
        return 0
    _tell(f"{failure.kind}\ndoing: {failure.doing}\n\n{failure.trace}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
