"""Engines that change: whether the engine here is the one that a log was written with.

Saves and rules are the same for all versions of an engine that differ in the last of their three numbers only.
"""

import re
from enum import Enum
from typing import Final

from nhlog.engines.protocol import Engine
from nhlog.log.log import Log

__all__ = ["Age", "age_of", "frozen_by_age"]


class Age(Enum):
    """How the version of a log compares with the engine's."""

    SAME = "the same as"
    OLDER = "older than"
    NEWER = "newer than"


def age_of(log: Log, engine: Engine) -> Age:
    """How the version in the log's first line compares with that of the engine that is installed."""
    version = log.header.identification.version
    if version == engine.version:  # asked for with each line
        return Age.SAME
    written, here = _rules(version), _rules(engine.version)
    return Age.SAME if written == here else Age.OLDER if written < here else Age.NEWER


def frozen_by_age(log: Log, engine: Engine) -> str:
    """Why the engine must not play on from the log's saves; empty if it may."""
    age = age_of(log, engine)
    if age is Age.SAME:
        return ""
    written = log.header.identification.version
    return f"a game of {engine.name} {written}, {age.value} {engine.version} here: it stands still between its saves"


def _rules(version: str) -> list[int]:
    """The numbers of a version that decide its rules."""
    return [int(number) for number in _NUMBER.findall(version)[:2]]


_NUMBER: Final = re.compile(r"\d{1,9}")
