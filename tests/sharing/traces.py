"""What processes on a log do, as strace tells it, reduced to what the handshake prescribes.

Kept: every attempt at the write lock and its outcome, who was found in the way, every signal sent and taken, letting
go, locking again, the return from writing to rest, and that something was written.

Dropped, and why:

- locks that change nothing: the real game takes the read lock that it has before each read, we keep it;
- reads, and how many writes a line takes: the real game writes a line in two or three pieces, we in one;
- the same holder found again while its answer is awaited: we look every 20 ms whether it still lives;
- an attempt that fails although nobody is found in the way: the lock was let go in between, and is tried again;
- whether a lock is taken with F_SETLK or F_SETLKW where it cannot have to wait: letting go never does;
- that a process lets go as the last thing it does: for the real game the system does that;
- how a signal is taken: a handler in the real game, `sigtimedwait` in ours, and its blocking of signals, its alarms.

Process ids become letters in the order in which a cycle meets them, and whether they are lower or higher than its own,
told from the signal's number alone.
"""

import re
from collections.abc import Iterable, Iterator

__all__ = ["cycles", "events"]

_SIGNALS = {
    2: ("asks", "lower"),
    3: ("asks", "higher"),
    4: ("releases", "lower"),
    5: ("releases", "higher"),
    6: ("answers", ""),
}
_UNFINISHED = re.compile(r"^(\d+) +(.*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$")
_LOCK = re.compile(r"fcntl\(\d+(?:<.*?>)?, (F_SETLKW?|F_GETLK), \{l_type=F_(\w+)(.*?)\}\)\s+= (-?\d+)")
_SENT = re.compile(r"rt_sigqueueinfo\((\d+), SIGRT_(\d)")
_TAKEN = re.compile(r"(?:^--- SIGRT_([2-6]) |rt_sigtimedwait\(.* = \d+ \(SIGRT_([2-6])\)).*")
_SENDER = re.compile(r"si_pid=(\d+)")
_WRITTEN = re.compile(r"p?write(?:64)?\(\d")


def _whole(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The thread and the text of each call, once it has returned; of a signal, once it is sent: its answer is quick."""
    begun: dict[str, str] = {}
    for line in lines:
        if found := _UNFINISHED.match(line):
            begun[found[1]] = found[2]
            if _SENT.match(found[2]):
                yield int(found[1]), found[2]
                begun[found[1]] = ""
        elif found := _RESUMED.match(line):
            yield int(found[1]), begun.pop(found[1], "") + found[2]
        elif found := re.match(r"^(\d+) +(?:\d+\.\d+ )?(.*)$", line):
            yield int(found[1]), found[2]


def events(lines: Iterable[str], pid: int | None = None) -> list[tuple[str, int]]:
    """What one process did, each with the process it concerns; `pid` where the trace has several."""
    found: list[tuple[str, int]] = []
    held = "RDLCK"
    for thread, text in _whole(lines):
        if pid is not None and thread != pid:
            continue
        if call := _LOCK.search(text):
            how, kind, rest, result = call.groups()
            if how == "F_GETLK":
                owner = re.search(r"l_pid=(\d+)", rest)
                if kind != "UNLCK" and owner:
                    found.append(("finds", int(owner[1])))
            elif result != "0":
                found.append(("is refused the write lock", 0))
            elif kind != held:
                found.append((_MOVES[held, kind], 0))
                held = kind
        elif call := _SENT.search(text):
            name, side = _SIGNALS[int(call[2])]
            found.append((f"{name} {side}".strip(), int(call[1])))
        elif call := _TAKEN.search(text):
            name, side = _SIGNALS[int(call[1] or call[2])]
            sender = _SENDER.search(text)
            assert sender
            found.append((f"hears: {name} {side}".strip(), int(sender[1])))
        elif _WRITTEN.match(text) and held == "WRLCK" and (not found or found[-1][0] != "writes"):
            found.append(("writes", 0))
    return found


_MOVES = {
    ("RDLCK", "WRLCK"): "gets the write lock",
    ("UNLCK", "WRLCK"): "gets the write lock from none",
    ("WRLCK", "RDLCK"): "goes to rest",
    ("WRLCK", "UNLCK"): "goes to none",
    ("RDLCK", "UNLCK"): "lets go",
    ("UNLCK", "RDLCK"): "locks again",
}

_BEGIN = ("is refused the write lock", "gets the write lock", "hears: asks")
_END = ("goes to rest", "locks again")


def cycles(found: list[tuple[str, int]]) -> list[tuple[str, ...]]:
    """The events cut into what begins and ends at rest, each with its processes by letters."""
    parts: list[list[tuple[str, int]]] = []
    ended = bool(found) and found[-1][0] == "lets go"  # who is asked to answers after that
    for event in found[:-1] if ended else found:
        at_rest = not parts or parts[-1][-1][0] in _END or _given_up(parts[-1])
        if at_rest and event[0].startswith(_BEGIN):
            parts.append([])
        if parts:
            parts[-1].append(event)
    return [tuple(_nameless(part)) for part in parts]


def _given_up(part: list[tuple[str, int]]) -> bool:
    """Whether a writer has told all it asked that they may lock again without having the lock."""
    names = [name for name, _ in part]
    asked = sum(name.startswith("asks") for name in names)
    return 0 < asked == sum(name.startswith("releases") for name in names) and "gets the write lock" not in names


def _nameless(part: list[tuple[str, int]]) -> Iterator[str]:
    letters: dict[int, str] = {}
    awaited = 0
    for index, (name, pid) in enumerate(part):
        after = part[index + 1][0] if index + 1 < len(part) else ""
        if name == "finds" and pid == awaited:
            continue
        if name == "is refused the write lock" and after in (name, "gets the write lock"):
            continue
        if name.startswith("asks"):
            awaited = pid
        elif name.startswith("hears: answers"):
            awaited = 0
        yield f"{name} {letters.setdefault(pid, chr(ord('a') + len(letters)))}" if pid else name
