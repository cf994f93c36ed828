"""What must hold between processes on one log, proved from what each of them noted on the system's one clock.

A process notes when it certainly had a lock: from after it was given to before it is given back.  So two such spans
that exclude each other never overlap, however late the notes themselves are taken.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["RECORDER", "Broken", "Span", "check", "read_notes"]

RECORDER = '''
import fcntl, hashlib, json, os, time
from nhlog.log.locks import keeper

notes = open(notes_path, "w", buffering=1)
real_lockf = fcntl.lockf
held = None  # the kind of lock, and since when

def note(what, *rest):
    notes.write(json.dumps([what, *rest]) + "\\n")

def give_back():
    global held
    if held:
        note("span", held[0], held[1], time.monotonic_ns())
    held = None

def lockf(fd, kind, *rest):
    """The keeper's own calls; what it has may be given back the moment that it asks for less."""
    global held
    wanted = {fcntl.LOCK_SH: "read", fcntl.LOCK_EX: "write"}.get(kind & ~fcntl.LOCK_NB)
    if wanted is None or (held and (held[0], wanted) == ("write", "read")):
        give_back()
    result = real_lockf(fd, kind, *rest)
    if wanted and (held is None or held[0] != wanted):
        give_back()
        held = (wanted, time.monotonic_ns())
    return result

class Fcntl:
    lockf = staticmethod(lockf)
    def __getattr__(self, name):
        return getattr(fcntl, name)

keeper.fcntl = Fcntl()

def look(file):
    """The whole file twice under one read lock."""
    first, second = (hashlib.blake2b(file.pread(1 << 30, 0)).hexdigest() for _ in range(2))
    note("seen", first == second)
'''


class Broken(AssertionError):
    """A rule does not hold."""


@dataclass(frozen=True, slots=True)
class Span:
    """A time in which a process certainly had a lock, in nanoseconds."""

    pid: int
    lock: str
    begin: int
    end: int


def read_notes(pid: int, path: Path) -> Iterator[Span]:
    """The spans that a process noted; raises :class:`Broken` where it saw a byte change under its read lock."""
    for line in path.read_text().splitlines():
        match json.loads(line):
            case ["span", lock, begin, end]:
                yield Span(pid, lock, begin, end)
            case ["seen", steady] if not steady:
                raise Broken(f"process {pid} saw bytes change under its read lock")


def check(spans: Iterable[Span]) -> None:
    """Raise :class:`Broken` where anybody had a lock, monitoring included, while somebody else had the write lock."""
    ordered = sorted(spans, key=lambda span: span.begin)
    active: list[Span] = []
    for span in ordered:
        active = [earlier for earlier in active if earlier.end > span.begin]
        for earlier in active:
            if earlier.pid != span.pid and "write" in (earlier.lock, span.lock):
                raise Broken(f"{earlier} and {span}")
        active.append(span)
