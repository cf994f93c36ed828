"""Make hostile recordings by the thousand, do with each all that can be done, and tell what does not hold.

fuzz butter --count 2000 --seed 7    so many cases of a format; `all` for every one
fuzz butter --seed 7 --case 1234     one of them again, with all that is known of its failure
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from scripts.fuzzing.cases import Findings, read_case
from scripts.fuzzing.mutants import MUTANTS
from scripts.fuzzing.workers import Case, attempt, made, run


def main() -> int:
    parser = argparse.ArgumentParser("fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=[*MUTANTS, "all"])
    parser.add_argument("--count", type=int, default=2000, help="cases of each format (2000)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other cases (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (as many as there are cores)")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"), help="where failing cases go")
    parser.add_argument("--case", type=int, help="look at this one alone")
    parser.add_argument("--file", type=Path, help="with --case: at this recording in its place")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nhlog-fuzz-") as home:
        for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = home
        if options.case is not None:
            return again(Case(options.format, options.seed, options.case), options.file)
        formats = list(MUTANTS) if options.format == "all" else [options.format]
        return max([fuzz(one, options) for one in formats])


def fuzz(format_id: str, options: argparse.Namespace) -> int:
    """All cases of a format; gives the exit code."""
    made(Case(format_id, options.seed, 0))  # the samples are read before processes are forked
    findings = Findings(options.keep)
    began = time.monotonic()
    cpu = run([Case(format_id, options.seed, number) for number in range(options.count)], options.jobs, findings.add)
    failed = sum(findings.counts.values())
    took = f"{time.monotonic() - began:.0f} s, {cpu:.0f} s of CPU"
    print(f"{format_id}: {options.count} cases, seed {options.seed}: {failed} failed; {took}", flush=True)
    for kind, count in findings.counts.most_common():
        command = findings.keep(findings.first[kind])
        print(f"  {count} x {kind}\n      {command}".encode("utf-8", "backslashreplace").decode(), flush=True)
    return 1 if failed else 0


def again(case: Case, file: Path | None) -> int:
    """One case once more, and what is known of its failure."""
    failure = attempt(case, made(case) if file is None else read_case(file))
    if failure is None:
        print(f"{case}: all rules hold")
        return 0
    print(f"{failure.kind}\ndoing: {failure.doing}\n\n{failure.trace}".encode("utf-8", "backslashreplace").decode())
    return 1


if __name__ == "__main__":
    sys.exit(main())
