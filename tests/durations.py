"""Bring `slow.tsv` up to date with what `scripts/durations` measured: ``python -m tests.durations MEASURED``.

The rows of a file that was measured are made anew, all others stay.
"""

import sys
from pathlib import Path

from tests.tiers import PLACE, Cost, grouped, read, written

__all__ = ["merged"]


def merged(listed: str, measured: str) -> str:
    """The list with what was measured; `measured` has a line a test: seconds, True or False, its name."""
    costs = {}
    for line in measured.splitlines():
        seconds, starts, test = line.split("\t")
        costs[test] = Cost(float(seconds), starts == "True")
    files = {test.partition("::")[0] for test in costs}
    kept = {test: cost for test, cost in read(listed).items() if test.partition("::")[0] not in files}
    return written(kept | grouped(costs))


if __name__ == "__main__":
    PLACE.write_text(merged(PLACE.read_text() if PLACE.exists() else "", Path(sys.argv[1]).read_text()))
