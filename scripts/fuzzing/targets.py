"""What is fuzzed: each target makes hostile bytes from a `Random`, and does with them what the program does.

Recordings are made by `mutants` and looked at by `look`, all in the same way.  Each other reader of bytes has a module
in `readers`, with both, and with the rules of its own.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple

from scripts.fuzzing.look import look
from scripts.fuzzing.mutants import MUTANTS, Mutant
from scripts.fuzzing.readers import (
    accounts,
    archive,
    caches,
    config,
    emulator,
    jetstream,
    mail,
    players,
    relay,
    scores,
    settings,
    sockets,
    talk,
)
from scripts.fuzzing.rules import Act

__all__ = ["KNOWN", "TARGETS", "Known", "Target", "known"]


class Target(NamedTuple):
    """`mutant` makes a case, `act` does with it what can be done; `dose` is the name of the number of cases."""

    mutant: Callable[[Random], Mutant]
    act: Act
    dose: str


_READERS: Final = {
    "emulator": emulator,
    "cache": caches,
    "archive": archive,
    "relay": relay,
    "jetstream": jetstream,
    "mail": mail,
    "talk": talk,
    "scores": scores,
    "config": config,
    "options": settings,
    "keys": players,
    "accounts": accounts,
    "sockets": sockets,
}

TARGETS: Final[Mapping[str, Target]] = {
    **{name: Target(mutant, look, "fuzz.format") for name, mutant in MUTANTS.items()},
    **{name: Target(module.mutant, module.act, "fuzz.reader") for name, module in _READERS.items()},
}


class Known(NamedTuple):
    """A failure that is known, and stays for now: `why`, and of which cases; it is told, and does not fail a run."""

    target: str
    kind: str
    holds: Callable[[Mutant], bool]
    why: str


def _has_graphemes(mutant: Mutant) -> bool:
    """Whether it turns on mode 2027, without which this never happened."""
    return any(b"2027" in data for data in mutant.values())


def _has_links_and_sizes(mutant: Mutant) -> bool:
    """Whether it has links, and gets another size: of the cases that have, one in some ten thousand falls."""
    return any(b"]8;" in data and b"\0" in data for data in mutant.values())


KNOWN: Final = (
    Known(
        "emulator",
        "EmulatorFailed in nhlog/vt/terminal.py:_do",
        _has_graphemes,
        "pyghostty 0.1.3 follows a null pointer when it moves graphemes (mode 2027): the process that emulates falls",
    ),
    Known(
        "emulator",
        "EmulatorFailed in nhlog/vt/terminal.py:_do",
        _has_links_and_sizes,
        "pyghostty 0.1.3 falls over links in a terminal that gets wider (case 31680 of seed 3001)",
    ),
)
"""All that may fail, by the exact kind of failure."""


def known(target: str, kind: str, mutant: Mutant) -> Known | None:
    """What is known of such a failure; None if nothing is."""
    found = (one for one in KNOWN if (one.target, one.kind) == (target, kind) and one.holds(mutant))
    return next(found, None)
