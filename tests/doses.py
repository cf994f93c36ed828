"""How often what can be repeated is repeated: every such number stands in `doses.toml`, and nowhere else.

A dose is found by its dotted name: ``dose("kills.recorder")``. It has two sizes: `ci`, which `scripts/test --all` and
`.ci/run` give with fixed seeds, and `soak`, which `scripts/soak` gives again and again with other seeds. Which one
is given is in the environment, so that the processes of a test give the same. `tests/test_doses.py` fails where a
test sets such a number itself, and where a dose was lowered and the file does not say why.
"""

import os
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

__all__ = ["PLACE", "SEED", "SIZE", "dose", "doses", "seeded", "spread"]

_Place = TypeVar("_Place")

PLACE = Path(__file__).with_name("doses.toml")
SIZE = "NHLOG_DOSES"
"""The variable of the environment that names the size: `ci`, which is also that of an empty one, or `soak`."""

SEED = "NHLOG_SEED"
"""The variable with the seed of a round of `scripts/soak`; without it the same things happen each time."""


def seeded(by: int | str) -> Random:
    """Random numbers by a seed of the test's own: the same each time, but others in each round of `scripts/soak`."""
    return Random(f"{os.environ[SEED]} {by}" if os.environ.get(SEED) else by)


def dose(name: str) -> int:
    """How many times; KeyError for a name that the file does not have."""
    return doses()[name][os.environ.get(SIZE) or "ci"]


def spread(places: Sequence[_Place], name: str = "places") -> list[_Place]:
    """As many of these places as the dose says, evenly apart, the first and the last among them; or all there are."""
    count = dose(name)
    if len(places) <= count:
        return list(places)
    return [places[number * (len(places) - 1) // (count - 1)] for number in range(count)]


@cache
def doses() -> dict[str, dict[str, Any]]:
    """All doses by their dotted names, each with what it `buys`, `ci`, `soak`, and perhaps why it was `lowered`."""
    return flat(tomllib.loads(PLACE.read_text()))


def flat(table: dict[str, Any], prefix: str = "") -> dict[str, dict[str, Any]]:
    """The tables in a table that have a dose, by their dotted names."""
    found: dict[str, dict[str, Any]] = {}
    for name, value in table.items():
        if not isinstance(value, dict):  # the reason why one was removed
            continue
        if "ci" in value:
            found[prefix + name] = value
        else:
            found |= flat(value, f"{prefix}{name}.")
    return found
