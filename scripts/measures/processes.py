"""Processes, and the memory and the processor that they take, as the system tells of them."""

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

__all__ = ["children_of", "descendants", "memory", "parent_of", "processor"]


def parent_of(pid: int) -> int:
    """The parent of a process; raises :class:`OSError` if that is gone."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def children_of(pid: int) -> list[int]:
    """The processes that a process has begun, and that have not ended; none if it is gone."""
    children: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # it ended just now
            children += map(int, path.read_text().split())
    return children


def descendants(pid: int) -> list[int]:
    """The processes below a process, each before those below it."""
    return [one for child in children_of(pid) for one in (child, *descendants(child))]


def memory(pid: int, rows: str) -> int:
    """The bytes in those rows of its memory that begin so: `Private` for its own, `Pss:` for its share; 0 if gone."""
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(rows))
    return 0


def processor(pids: Iterable[int]) -> float:
    """The seconds of the processor that they have taken so far."""
    return sum(time.clock_gettime(~pid << 3 | 2) for pid in pids)  # Linux: the clock of that process
